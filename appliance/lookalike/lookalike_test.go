package lookalike

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
)

// printed is a line of a drawn card: its text and the place of its middle on a card of 1000 by 630.
type printed struct {
	text string
	x, y float64
}

// card is the review of a card that lies somewhat askew, with its lines.
func card(t *testing.T, id string, lines ...printed) Card {
	t.Helper()
	at := func(x, y float64) appliance.Point { return appliance.Point{X: 50 + x - 0.05*y, Y: 80 + y + 0.05*x} }
	box := func(x, y, w, h float64) appliance.Quad {
		return appliance.Quad{at(x-w, y-h), at(x+w, y-h), at(x+w, y+h), at(x-w, y+h)}
	}
	r := &review.Review{
		ID:          id,
		Transaction: "t" + id,
		Document:    &appliance.Document{Kind: appliance.Unknown, Quad: box(500, 315, 500, 315)},
	}
	var found []appliance.Line
	for _, l := range lines {
		found = append(found, appliance.Line{Text: l.text, Quad: box(l.x, l.y, float64(8*len([]rune(l.text))), 18)})
	}
	c := CardOf(r, found)
	if c.Review == "" {
		t.Fatal("no card")
	}
	return c
}

// given are names of people; the first one is common.
func given(i int) string {
	return []string{
		"محمد سامح حسني", "محمد طارق فهمي", "مينا أشرف جمال", "كريم خالد الشناوي", "هبة نبيل قاسم", "سلمى رأفت عزيز",
		"ياسر زكي منصور", "نهى لطفي غانم",
	}[i%8]
}

// club is a member's card of a club, whose holder is i.
func club(t *testing.T, id string, i int) Card {
	t.Helper()
	return card(t, id,
		printed{"نادي الجزيرة الرياضي", 500, 60}, printed{"الاسم", 850, 200}, printed{given(i), 550, 200},
		printed{"رقم العضوية: " + fmt.Sprint(48213+911*i), 700, 300}, printed{"تاريخ الانتهاء", 850, 420},
		printed{fmt.Sprintf("20%d/0%d/1%d", 27+i%3, 1+i%9, i%9), 850, 490})
}

// Cards of one design come together and others stay out; what is told of them is what the design prints, and the name, number and date of
// nobody, also where a name is common.
func TestGroups(t *testing.T) {
	var cards []Card
	for i := range 8 {
		cards = append(cards, club(t, fmt.Sprint(i), i))
		cards = append(cards, card(t, fmt.Sprint("x", i), printed{fmt.Sprintf("ورقة رقم %d", i), 300, 100 + 50*float64(i)}))
	}
	got := Groups(cards)
	if len(got) != 1 || len(got[0].Reviews) != 8 || got[0].Different != 8 || got[0].ID != "0" || got[0].Aspect < 1.5 || got[0].Aspect > 1.7 {
		t.Fatalf("%+v", got)
	}
	if want := []string{"نادي الجزيرة الرياضي", "الاسم", "رقم العضوية", "تاريخ الانتهاء"}; !slices.Equal(got[0].Words, want) {
		t.Errorf("words %q", got[0].Words)
	}
	d, ok := got[0].Draft()
	if !ok {
		t.Fatal("no draft")
	}
	t.Log(d.Description + d.Labels)
	for i := range 8 {
		for _, part := range strings.Fields(given(i)) {
			if strings.Contains(d.Labels+d.Description, part) {
				t.Errorf("%s is in the draft", part)
			}
		}
	}
	for _, want := range []string{
		"title title\n", "title: نادي الجزيرة الرياضي\n", "l2: الاسم\n", "field f2 line label l2 at 0.55 0.32", "field f3 digits label l3",
		"field f4 date label l4 at 0.85 0.78",
	} {
		if !strings.Contains(d.Description+d.Labels, want) {
			t.Errorf("no %q in\n%s%s", want, d.Description, d.Labels)
		}
	}
}

// Nothing is told of less than five different cards: neither of few, nor of many pictures of one person's card, nor of one customer's
// tries.
func TestFewCards(t *testing.T) {
	for name, holder := range map[string]func(i int) int{
		"four":         func(i int) int { return i % 4 },
		"one person's": func(int) int { return 1 },
	} {
		var cards []Card
		for i := range 20 {
			cards = append(cards, club(t, fmt.Sprint(i), holder(i)))
		}
		g := Groups(cards)
		if len(g) != 1 || len(g[0].Reviews) != 20 || len(g[0].Words) != 0 || g[0].Different > 4 {
			t.Errorf("%s: %+v", name, g)
		}
		if _, ok := g[0].Draft(); ok {
			t.Errorf("%s: a draft", name)
		}
	}
	var cards []Card
	for i := range 8 {
		cards = append(cards, club(t, fmt.Sprint(i), i))
		cards[i].Transaction = "one"
	}
	if g := Groups(cards); len(g) != 1 || len(g[0].Words) != 0 {
		t.Errorf("one customer's: %+v", g)
	}
}

// Print that is made to harm writes nothing into a draft but letters: no statement, no comment, no path, no mark-up and no control.
func TestHostilePrint(t *testing.T) {
	var cards []Card
	for i := range 8 {
		cards = append(cards, card(t, fmt.Sprint(i),
			printed{"title: evil | all #\nkind passport", 500, 60}, printed{"<script>alert</script> ../../etc/passwd\x00\u202e", 500, 150},
			printed{strings.Repeat("a", 5000), 500, 250}, printed{"رقم العضوية | field x", 800, 300}, printed{given(i), 400, 400},
			printed{fmt.Sprint(7919 * (i + 3)), 300, 300}))
	}
	g := Groups(cards)
	d, ok := g[0].Draft()
	if len(g) != 1 || !ok {
		t.Fatalf("%+v", g)
	}
	for line := range strings.Lines(d.Labels) {
		name, wording, found := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !strings.HasPrefix(line, "# ") && (!found || strings.ContainsAny(name+wording, ":|#<>./\x00\u202e") || len(wording) > 400) {
			t.Errorf("a line %q", line)
		}
	}
	for line := range strings.Lines(d.Description) {
		if !strings.HasPrefix(line, "#") && strings.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }) {
			t.Errorf("a statement %q", line)
		}
	}
	if got := Groups(nil); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	for _, r := range []*review.Review{{}, {Document: &appliance.Document{Quad: appliance.Quad{{X: 1}, {X: 2}, {X: 3}, {X: 4}}}}} {
		if c := CardOf(r, []appliance.Line{{Text: "word"}}); c.Review != "" {
			t.Error("a card without a place")
		}
	}
}

// A word is one however it is written: with marks, stretched, in Persian letters, in forms of presentation, in Eastern digits.
func TestWordsAreFolded(t *testing.T) {
	for name, test := range map[string][2]string{
		"marks": {"مُحَمَّد علي", "محمد على"}, "stretched": {"الجــزيرة", "الجزيره"}, "Persian": {"نادی الملک", "نادي الملك"},
		"presentation": {"ﻛﺎﺭﺕ", "كارت"}, "Eastern digits": {"٤٨ شارع", "48 شارع"}, "Persian digits": {"۴۸", "48"}, "capitals": {"CLUB", "club"},
	} {
		a, b := wordsOf(test[0]), wordsOf(test[1])
		if !slices.EqualFunc(a, b, func(x, y word) bool { return x.key == y.key }) {
			t.Errorf("%s: %v and %v", name, a, b)
		}
	}
}
