// Package lookalike finds, among pictures of documents that no kind proves, those that look alike: a card that the appliance does not know
// yet. It works on what is printed and where, and what it says of a group holds no person's value: only words that stand on at least
// LeastCards different cards at the same place. Two pictures of one card count once.
package lookalike

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/review"
)

const (
	// LeastCards is on how many different cards a word must stand before it is shown to anybody.
	LeastCards = 5
	// shareOfGroup is on how many of the cards of a group it must stand to belong to the design.
	shareOfGroup = 0.5
	// aspectApart is by which factor the sides of cards of one design may differ, as photographs show them.
	aspectApart = 1.3
	// samePrint is how much of their words and digits two pictures share that show one card twice.
	samePrint = 0.7
	// wordsShared is how many words, and alikeShare which share of the lesser card's, must be common to two cards of a design.
	wordsShared, alikeShare = 3, 0.5
	// leastWord is how many letters a word has; shorter ones are misread ones of others.
	leastWord = 3
	// wordMost bounds a word, and linesMost a card: what is longer is no card.
	wordMost, linesMost = 24, 60
	// candidatesMost bounds how many unknown documents are compared: the newest ones.
	candidatesMost = 500
)

// Candidates are the ids of the reviews that are compared, of those in the order of their time: the newest of no known kind.
func Candidates(reviews []review.Review) (ids []string) {
	for i := range reviews {
		if reviews[i].Kind == appliance.Unknown {
			ids = append(ids, reviews[i].ID)
		}
	}
	return ids[max(0, len(ids)-candidatesMost):]
}

// Reader reads the text on the document of a review.
type Reader func(ctx context.Context, id string) (review.Review, []appliance.Line, error)

// Card reads the document of a review. What was erased meanwhile, or shows no card, is one without a Review.
func (read Reader) Card(ctx context.Context, id string) (Card, error) {
	r, lines, err := read(ctx, id)
	if code := appliance.CodeOf(err); err != nil && (code == appliance.CodeNotFound || code == appliance.CodeNoDocument) {
		return Card{}, nil
	}
	if err != nil {
		return Card{}, err
	}
	return CardOf(&r, lines), nil
}

// Groups reads the candidates among the reviews and puts those together that look alike.
func (read Reader) Groups(ctx context.Context, reviews []review.Review) ([]Group, error) {
	var cards []Card
	for _, id := range Candidates(reviews) {
		c, err := read.Card(ctx, id)
		if err != nil {
			return nil, err
		}
		if c.Review != "" {
			cards = append(cards, c)
		}
	}
	return Groups(cards), nil
}

// Card is the text of one picture.
type Card struct {
	// Review and Transaction are the ids of where it comes from. No card has no review.
	Review, Transaction string
	// Aspect is width by height.
	Aspect float64
	lines  []line
}

// line is a line of text. Its middle and half its size are shares of the card's width and height.
type line struct {
	x, y, w, h float64
	words      []word // in reading order
}

// word is a word as it is printed and as it is compared; letters tells that it has no digit.
type word struct {
	text, key string
	letters   bool
}

// CardOf takes up the lines that lie on the document of a review. Without its outline, or a line on it, there is no card.
func CardOf(r *review.Review, lines []appliance.Line) Card {
	if r.Document == nil || r.Document.Quad == (appliance.Quad{}) {
		return Card{}
	}
	q := r.Document.Quad
	ax := appliance.Point{X: (q[1].X - q[0].X + q[2].X - q[3].X) / 2, Y: (q[1].Y - q[0].Y + q[2].Y - q[3].Y) / 2}
	ay := appliance.Point{X: (q[3].X - q[0].X + q[2].X - q[1].X) / 2, Y: (q[3].Y - q[0].Y + q[2].Y - q[1].Y) / 2}
	area := ax.X*ay.Y - ax.Y*ay.X
	if !(math.Abs(area) > 1) {
		return Card{}
	}
	middle := appliance.Point{X: (q[0].X + q[1].X + q[2].X + q[3].X) / 4, Y: (q[0].Y + q[1].Y + q[2].Y + q[3].Y) / 4}
	at := func(p appliance.Point) (x, y float64) {
		dx, dy := p.X-middle.X, p.Y-middle.Y
		return 0.5 + (dx*ay.Y-dy*ay.X)/area, 0.5 + (dy*ax.X-dx*ax.Y)/area
	}
	c := Card{Review: r.ID, Transaction: r.Transaction, Aspect: math.Hypot(ax.X, ax.Y) / math.Hypot(ay.X, ay.Y)}
	for _, l := range lines[:min(len(lines), linesMost)] {
		left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for _, p := range l.Quad {
			x, y := at(p)
			left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
		}
		one := line{x: (left + right) / 2, y: (top + bottom) / 2, w: (right - left) / 2, h: (bottom - top) / 2, words: wordsOf(l.Text)}
		if len(one.words) > 0 && one.x > 0 && one.x < 1 && one.y > 0 && one.y < 1 {
			c.lines = append(c.lines, one)
		}
	}
	if len(c.lines) == 0 {
		return Card{}
	}
	return c
}

// wordsOf takes a line apart. Only letters and digits go on: whatever else somebody prints on a card reaches no file and no page.
// What text and readers mix up is compared as one.
func wordsOf(text string) (out []word) {
	for _, part := range strings.FieldsFunc(arabic.Clean(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		key := strings.ToLower(arabic.Fold(part))
		if n := len([]rune(part)); n > wordMost || key == "" {
			continue
		}
		out = append(out, word{part, key, !strings.ContainsFunc(part, unicode.IsDigit)})
	}
	return out
}

// keys are the words of a card, each once; labels alone leaves out what has digits or is short.
func (c *Card) keys(labels bool) map[string]bool {
	out := map[string]bool{}
	for _, l := range c.lines {
		for _, w := range l.words {
			if !labels || w.letters && len([]rune(w.text)) >= leastWord {
				out[w.key] = true
			}
		}
	}
	return out
}

func shared(a, b map[string]bool) (n int) {
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// sameCard reports whether two pictures show one card, or belong to one customer's visit.
func sameCard(a, b *Card) bool {
	if a.Transaction != "" && a.Transaction == b.Transaction {
		return true
	}
	x, y := a.keys(false), b.keys(false)
	n := shared(x, y)
	return float64(n) >= samePrint*float64(len(x)+len(y)-n)
}

// different leaves out what shows a card again.
func different(cards []*Card) (out []*Card) {
	for _, c := range cards {
		if !slices.ContainsFunc(out, func(o *Card) bool { return sameCard(o, c) }) {
			out = append(out, c)
		}
	}
	return out
}

// Group is cards that look alike.
type Group struct {
	// ID is that of the review of its first card.
	ID string
	// Reviews are those of its cards, oldest first.
	Reviews []string
	// Different is how many different cards there are among them.
	Different int
	Aspect    float64
	// Words are printed on at least LeastCards of them, from top to bottom.
	Words []string
	cards []*Card // the different ones
}

// Groups puts cards that look alike together, the largest group first; what looks like no other is left out.
func Groups(cards []Card) []Group {
	common := commonWords(cards)
	var members [][]int
	for i := range cards {
		best := mostAlike(cards, common, members, i)
		if best < 0 {
			members = append(members, []int{i})
		} else {
			members[best] = append(members[best], i)
		}
	}
	var out []Group
	for _, list := range members {
		if len(list) > 1 {
			out = append(out, groupOf(cards, list))
		}
	}
	slices.SortStableFunc(out, func(a, b Group) int { return cmp.Compare(len(b.Reviews), len(a.Reviews)) })
	return out
}

// commonWords are the words of each card that stand on another one, too.
func commonWords(cards []Card) []map[string]bool {
	on := map[string]int{} // on how many pictures a word stands
	for i := range cards {
		for k := range cards[i].keys(true) {
			on[k]++
		}
	}
	common := make([]map[string]bool, len(cards))
	for i := range cards {
		common[i] = map[string]bool{}
		for k := range cards[i].keys(true) {
			if on[k] >= 2 {
				common[i][k] = true
			}
		}
	}
	return common
}

// mostAlike is the group whose first card is most like a card, -1 where none is alike.
func mostAlike(cards []Card, common []map[string]bool, members [][]int, card int) int {
	best, most := -1, 0
	for g := range members {
		first := members[g][0]
		n := shared(common[card], common[first])
		least := alikeShare * float64(min(len(common[card]), len(common[first])))
		if n > most && n >= wordsShared && float64(n) >= least &&
			math.Abs(math.Log(cards[card].Aspect/cards[first].Aspect)) < math.Log(aspectApart) {
			best, most = g, n
		}
	}
	return best
}

func groupOf(cards []Card, list []int) Group {
	g := Group{ID: cards[list[0]].Review}
	var all []*Card
	for _, i := range list {
		all = append(all, &cards[i])
		g.Reviews = append(g.Reviews, cards[i].Review)
		g.Aspect += cards[i].Aspect / float64(len(list))
	}
	g.cards = different(all)
	g.Different = len(g.cards)
	for _, p := range g.phrases() {
		g.Words = append(g.Words, p.text)
	}
	return g
}
