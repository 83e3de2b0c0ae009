package card

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The view in which the lines of a card are detected: the card laid flat, as wide as the detector looks, so that its
// largest print stays within the heights that the detector knows.
const (
	viewWidth  = 512
	viewHeight = 323 // of an ID-1 card, 85.60 x 53.98 mm
)

// script is one line of words as it was read.
type script struct {
	text       string // logical order, single spaces
	confidence float64
	symbols    []text.Symbol
	alternatives
	// month tells that the ink names a month, which the reader of digits does not know.
	month bool
	// parts are the readings of the pieces from left to right.
	parts []script
	// place is where a piece was cut at the first look.
	place text.Line
	// looks are all readings of a piece that was looked at more than once.
	looks []script
	// choices is what they allow together, once it was decoded.
	choices choice
}

// alternatives is what the ink of a line says of other texts than the one that was read; its functions are nil where the network cannot tell.
type alternatives struct {
	// score is the log-probability of another text.
	score func(text string) float64
	// scoreSerial returns what score does for one number of capitals and digits, whose gaps count for nothing.
	scoreSerial func() func(serial string) float64
	// decode returns the texts that the ink and the wording of such lines allow.
	decode func(w *egypt.Wording) []text.Hypothesis
	// formed returns the likeliest text of a form.
	formed func(f egypt.Form) egypt.Formed
}

// figures is one line of digits and separators as it was read; nil where there was none.
type figures interface {
	egypt.Digits
	Symbols() []text.Symbol
	Score(digits string) float64
}

// clipped are the digits of a reading that stand within its line: the recogniser's window is wider than most lines, and
// what stands beyond the end of a date is often a number.
type clipped struct {
	figures
	before, after int // digits beyond the ends
	symbols       []text.Symbol
	text          string
}

// clip leaves out what stands more than a sign beyond the ends of a line.
func clip(f figures, l text.Line) figures {
	c := clipped{figures: f}
	room := 0.6 * l.Height / max(l.Length(), 1)
	for _, s := range f.Symbols() {
		isDigit := digit(s.Rune) >= 0
		switch middle := (s.Start + s.End) / 2; {
		case middle < -room:
			if isDigit {
				c.before++
			}
		case middle > 1+room:
			if isDigit {
				c.after++
			}
		default:
			c.symbols = append(c.symbols, s)
			c.text += string(s.Rune)
		}
	}
	if c.before+c.after == 0 {
		return f
	}
	return c
}

// Text returns the signs within the line.
func (c clipped) Text() string { return c.text }

// Symbols returns the signs within the line.
func (c clipped) Symbols() []text.Symbol { return c.symbols }

// LogLength returns the log-probability of n digits within the line, those beyond being as they were read.
func (c clipped) LogLength(n int) float64 { return c.figures.LogLength(n + c.before + c.after) }

// Cells returns the digits within the line if they are n.
func (c clipped) Cells(n int) []egypt.Cell {
	return c.figures.Cells(n + c.before + c.after)[c.before : c.before+n]
}

// count returns how many digits the best reading holds.
func count(f figures) int { return len(strings.Map(digit, f.Text())) }

// digit keeps digits and drops everything else.
func digit(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

// sheet is a card laid flat: its rows of print, top row first, and the means to read them. Places are in the pixels of
// the view.
type sheet struct {
	// page is the same card as the document engine takes it.
	page *laid.Page
	rows []row
	// lines are what the detector saw, of which the rows are made.
	lines []text.Line
	// named tells that the print says what the card was read as: of a national ID a title, or the phrase before the expiry date; of
	// a licence its labels.
	named bool
	// titled tells that a front shows one of its titles, which other cards of the state may have, too.
	titled bool
	// untitled tells that the uppermost line of a front is no title, as where the outline leaves those out.
	untitled bool
	// announced is how many fields the labels among the lines of a front introduce.
	announced int
	// mirrored tells that the card is read as it would stand in a mirror.
	mirrored bool
	// known is what the values of licences hold.
	known vocabulary
	// toPicture maps the view to the caller's picture.
	toPicture vision.Homography
	words     func(ctx context.Context, l text.Line) (script, error)
	// closer returns the lines that the detector sees from as near as on a licence; nil where it has seen them so.
	closer func(ctx context.Context) ([]text.Line, error)
	// level returns a line where its letters stand and as high as they are.
	level   func(ctx context.Context, l text.Line) (text.Line, error)
	digits  func(ctx context.Context, l text.Line) (figures, error)
	leaders bool // rows of dots lead from labels to values
	// fromLeft counts the lines that begin at the left with a label, and end at the right with its value.
	fromLeft int
	values   way // where they stand on a licence
}

// row is print on one height: its pieces from left to right.
type row []piece

// piece is a stretch of a row without a wide gap.
type piece struct{ text.Line }

func (p piece) left() float64   { return min(p.Start.X, p.End.X) / viewWidth }
func (p piece) right() float64  { return max(p.Start.X, p.End.X) / viewWidth }
func (p piece) centre() float64 { return (p.Start.X + p.End.X) / 2 / viewWidth }

// righted is the piece as level print where it is too short to tell its direction, such as a digit or a short word: only the
// uneven ends of what the detector saw of it bend and turn it.
func (p piece) righted() piece {
	if p.slim() < directed {
		x, y := (p.Start.X+p.End.X)/2, p.level()
		half := max(p.End.X-p.Start.X, 0.7*p.Height) / 2
		p.Start, p.End, p.Sag = appliance.Point{X: x - half, Y: y}, appliance.Point{X: x + half, Y: y}, 0
	}
	return p
}

// directed is how many times its height print is long from which on it tells its direction.
const directed = 6

// level is the mean height of the piece in view pixels, that of a parabola through its ends and its middle.
func (p piece) level() float64 { return (p.Start.Y+p.End.Y)/2 + p.Sag*2/3 }

// tilted is the piece laid along a slope through its middle.
func (p piece) tilted(slope float64) piece {
	level, rise := p.level(), slope*(p.End.X-p.Start.X)/2
	p.Start.Y, p.End.Y, p.Sag = level-rise, level+rise, 0
	return p
}

// levelSlope is the slope up to which print counts as level on a card that was laid flat.
const levelSlope = 0.012

// slopeOf is the slope of print on a card: the median of its longer pieces, by their length, as far as it is more than
// their letters explain, of which more hang below the line at one end than at the other. On a card that was laid flat, all
// print runs alike, and is level where the card's edges were found well.
func slopeOf(pieces []piece) float64 {
	var long []piece
	total := 0.0
	for _, p := range pieces {
		if p.slim() > directed {
			long = append(long, p)
			total += p.Length()
		}
	}
	slope := func(p piece) float64 { return (p.End.Y - p.Start.Y) / (p.End.X - p.Start.X) }
	slices.SortFunc(long, func(a, b piece) int { return cmp.Compare(slope(a), slope(b)) })
	sum := 0.0
	for _, p := range long {
		if sum += p.Length(); sum >= total/2 {
			return slope(p) - max(-levelSlope, min(levelSlope, slope(p)))
		}
	}
	return 0
}

// y is the height of the centre line on the card, 0 at the top edge and 1 at the bottom.
func (p piece) y() float64 { return ((p.Start.Y+p.End.Y)/2 + p.Sag) / viewHeight }

// slim is how many times its height the piece is long.
func (p piece) slim() float64 { return p.Length() / max(p.Height, 1) }

// gap is the empty space between two pieces of a row, in their heights; negative where they overlap.
func (p piece) gap(right piece) float64 {
	return (right.Start.X - p.End.X) / max(p.Height, right.Height, 1)
}

func (r row) left() float64  { return r[0].left() }
func (r row) right() float64 { return r[len(r)-1].right() }

// y is the mean height of the pieces, by their length.
func (r row) y() float64 {
	sum, weight := 0.0, 0.0
	for _, p := range r {
		sum += p.y() * p.Length()
		weight += p.Length()
	}
	return sum / weight
}

// height is the glyph height in view pixels that most of the row has at the most: its upper quartile by length, since
// pieces of low signs, such as the dots that are zeros, look less high than they are.
func (r row) height() float64 {
	if len(r) == 1 {
		return r[0].Height
	}
	sorted := slices.SortedFunc(slices.Values(r), func(a, b piece) int { return cmp.Compare(a.Height, b.Height) })
	total := 0.0
	for _, p := range sorted {
		total += p.Length()
	}
	sum := 0.0
	for _, p := range sorted {
		if sum += p.Length(); sum >= 0.75*total {
			return p.Height
		}
	}
	return sorted[len(sorted)-1].Height
}

// whole is the row as one line from its first to its last sign: the straight that fits the ends of its pieces best.
func (r row) whole() piece {
	if len(r) == 1 {
		return r[0]
	}
	first, last := r[0].Start, r[len(r)-1].End
	var n, x, y, xx, xy float64
	for _, p := range r {
		for _, end := range [2]appliance.Point{p.Start, p.End} {
			w, dx := p.Length(), end.X-first.X
			n, x, y, xx, xy = n+w, x+w*dx, y+w*end.Y, xx+w*dx*dx, xy+w*dx*end.Y
		}
	}
	slope := (n*xy - x*y) / max(n*xx-x*x, 1e-9)
	level := (y - slope*x) / n
	return piece{text.Line{
		Start: appliance.Point{X: first.X, Y: level}, End: appliance.Point{X: last.X, Y: level + slope*(last.X-first.X)},
		Height: r.height(), Light: r[0].Light,
	}}
}

// between returns the pieces whose centre lies within a share of the card's width.
func (r row) between(left, right float64) row {
	var out row
	for _, p := range r {
		if c := p.centre(); c >= left && c < right {
			out = append(out, p)
		}
	}
	return out
}

// The glyph heights, in view pixels, that print on a card can have: 1 to 7 mm.
const (
	leastGlyph    = 6
	greatestGlyph = 42
)

// piecesOf are the lines that may be print of the card: not too small, too large, too short, or steep.
func piecesOf(lines []text.Line) (pieces []piece) {
	for _, l := range lines {
		p := piece{l}.righted()
		dx, dy := p.End.X-p.Start.X, p.End.Y-p.Start.Y
		if l.Height < leastGlyph || l.Height > greatestGlyph || dx < 0.7*l.Height || math.Abs(dy) > 0.25*dx ||
			p.y() < 0 || p.y() > 1 || p.right() < 0 || p.left() > 1 {
			continue
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// rowsOf sorts the print of a card into rows and joins the pieces of each that only a word gap parts.
func rowsOf(lines []text.Line) []row {
	pieces := piecesOf(lines)
	slope := slopeOf(pieces)
	for i, p := range pieces {
		pieces[i] = p.tilted(slope)
	}
	// The longest pieces open the rows, so that a scrap between two lines cannot draw them together.
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.Length(), a.Length()) })
	var rows []row
	for _, p := range pieces {
		if i := slices.IndexFunc(rows, func(r row) bool { return r.takes(p) }); i >= 0 {
			rows[i] = append(rows[i], p)
			continue
		}
		rows = append(rows, row{p})
	}
	for i, r := range rows {
		slices.SortFunc(r, func(a, b piece) int { return cmp.Compare(a.Start.X, b.Start.X) })
		rows[i] = r.joined()
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.y(), b.y()) })
	return rows
}

// takes reports whether a piece lies on the row.
func (r row) takes(p piece) bool {
	return laid.OnRow(r, func(q piece) text.Line { return q.Line }, p.Line)
}

// pieceGap is the widest gap, in glyph heights, over which two pieces still are one line of words.
const pieceGap = 2.2

// widened is the row as one line with room at both ends, in glyph heights, for signs that stand apart and were not seen:
// at least as much as the widest gap between its pieces. It stays between left and right, in view pixels.
func (r row) widened(left, right, room float64) text.Line {
	l := r.whole().Line
	for i := range r[1:] {
		room = max(room, min(2*room, 1.3*(r[i+1].Start.X-r[i].End.X)/max(l.Height, 1)))
	}
	from, to := max(left, l.Start.X-room*l.Height), min(right, l.End.X+room*l.Height)
	l.Start, l.End = along(l.Start, l.End, from), along(l.Start, l.End, to)
	return l
}

// reaching is the row as one line with room for the two digits that a detector may overlook at the left end and the one
// at the right end, but not beyond bounds in view pixels.
func (r row) reaching(left, right float64) text.Line {
	l := r.whole().Line
	from, to := max(left, l.Start.X-2*l.Height), max(l.End.X, min(right, l.End.X+l.Height))
	l.Start, l.End = along(l.Start, l.End, from), along(l.Start, l.End, to)
	return l
}

// joined puts together what only a word gap parts and what is equally high: a small date beside a large number is
// another line.
func (r row) joined() row {
	out := r[:1:1]
	for _, p := range r[1:] {
		last := out[len(out)-1]
		if last.gap(p) < pieceGap && max(last.Height, p.Height) < 1.6*min(last.Height, p.Height) {
			out[len(out)-1] = row{last, p}.whole()
			continue
		}
		out = append(out, p)
	}
	return out
}

// surePiece is the confidence from which on a piece is not looked at again.
const surePiece = 0.7

// otherLooks are the other heights, as factors, at which a doubtful piece is looked at: the detector's height is the least
// certain of its measures. Looks a little higher and lower as well cost a third more work and put right nothing on 300
// photographs of the project's generator.
func otherLooks() []float64 { return []float64{0.85, 1.18} }

// farLooks are the heights at which a piece is looked at of which those show next to nothing: of heavy print close below other lines the
// detector sees half of the height, of letters that hang low too much.
func farLooks() []float64 { return []float64{1.42, 0.72} }

// hardlyInk is the confidence under which a reading shows next to nothing.
const hardlyInk = 0.3

// readWords reads the pieces of a row and puts them together in reading order, right to left.
func (s *sheet) readWords(ctx context.Context, r row) (out script, err error) {
	out.parts = make([]script, len(r))
	for i, p := range r {
		place, err := s.level(ctx, p.Line)
		if err != nil {
			return out, err
		}
		place = higher(place, wordsHigher)
		if out.parts[i], err = s.words(ctx, place); err != nil {
			return out, err
		}
		out.parts[i].place = place
	}
	out.join()
	return out, nil
}

// clippedLine is a line with room for the signs beyond the side of the view at which it ends: the outline may run through its first letters.
func clippedLine(l text.Line) text.Line {
	const near, room = 1.0, 1.5 // pixels, and heights
	if l.End.X > viewWidth-near && l.End.X > l.Start.X {
		l.End = along(l.Start, l.End, l.End.X+room*l.Height)
	}
	return l
}

// readAgain looks once more at the doubtful pieces of a line that matters, a little smaller and larger,
// because the recogniser reads letters of one size best; the reading that it is surest of counts.
func (s *sheet) readAgain(ctx context.Context, e *entry) error {
	return s.readAt(ctx, e, otherLooks(), nil)
}

// readFurther also looks at it in heights further off, where it shows next to nothing. On licences, whose values are matched with
// closed lists over all looks together, that loses as much as it finds (210 drawn photographs, November 2026).
func (s *sheet) readFurther(ctx context.Context, e *entry) error {
	return s.readAt(ctx, e, otherLooks(), farLooks())
}

// readAt looks once more at the doubtful pieces of a line, at other heights, as factors; at those of desperate only where the
// others show next to nothing.
func (s *sheet) readAt(ctx context.Context, e *entry, factors, desperate []float64) error {
	parts := slices.Clone(e.parts)
	for i := range parts {
		place, looks := parts[i].place, []script{parts[i]}
		for n, factor := range slices.Concat(factors, desperate) {
			if parts[i].confidence >= surePiece || n >= len(factors) && parts[i].confidence >= hardlyInk {
				break
			}
			other, err := s.words(ctx, higher(place, factor))
			if err != nil {
				return err
			}
			looks = append(looks, other)
			if other.confidence > parts[i].confidence {
				parts[i] = other
			}
		}
		parts[i].place, parts[i].looks = place, looks
	}
	e.parts = parts
	e.join()
	return nil
}

// readAllFurther does this for several lines.
func (s *sheet) readAllFurther(ctx context.Context, lines []entry) error {
	for i := range lines {
		if err := s.readFurther(ctx, &lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// readStrange looks once more at pieces of which no list holds a word, though the network is sure of them: in a face that it does not
// know it takes one letter for another in one size, not in the next. The looks count together where they leave fewer such words.
func (s *sheet) readStrange(ctx context.Context, wording *egypt.Wording, e *entry) error {
	for i := range e.parts {
		p := &e.parts[i]
		strange := p.saying(wording, egypt.Spelling{}, nil).strange
		if strange == 0 || len(p.looks) > 1 {
			continue
		}
		again, err := s.otherwise(ctx, *p)
		if err != nil {
			return err
		}
		if again.saying(wording, egypt.Spelling{}, nil).strange < strange {
			*p = again
			e.join()
		}
	}
	return nil
}

// readAllStrange does so for several lines.
func (s *sheet) readAllStrange(ctx context.Context, wording *egypt.Wording, lines []entry) error {
	for i := range lines {
		if err := s.readStrange(ctx, wording, &lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// otherwise is a piece that was looked at once, looked at in the other heights, too.
func (s *sheet) otherwise(ctx context.Context, p script) (script, error) {
	best, looks := p, []script{p}
	for _, factor := range otherLooks() {
		other, err := s.words(ctx, higher(p.place, factor))
		if err != nil {
			return p, err
		}
		looks = append(looks, other)
		if other.confidence > best.confidence {
			best = other
		}
	}
	best.place, best.looks, best.choices = p.place, looks, choice{}
	return best, nil
}

// wordsHigher is how much higher than they are words are cut, so that the dots and hamzas below them lie well within the strip. On 400
// drawn fronts 374 names are read with it and 366 without (22 November 2026).
const wordsHigher = 1.07

// higher is a line whose letters are said to be so many times as high.
func higher(l text.Line, factor float64) text.Line {
	l.Height *= factor
	return l
}

// join puts the readings of the pieces together.
func (w *script) join() {
	w.text, w.confidence, w.symbols, w.alternatives, w.month = "", 1, nil, alternatives{}, false
	for _, part := range slices.Backward(w.parts) {
		w.month = w.month || part.month
		w.text = strings.TrimSpace(w.text + " " + part.text)
		w.confidence *= part.confidence
	}
	if len(w.parts) == 1 {
		w.symbols, w.alternatives = w.parts[0].symbols, w.parts[0].alternatives
	}
}

// all are the readings of a piece: its looks, or itself where it was looked at once.
func (w script) all() []script {
	if len(w.looks) == 0 {
		return []script{w}
	}
	return w.looks
}

// cut returns the stretch of a line from one share of its length to another. What stands beyond is no part of it.
func cut(l text.Line, from, to float64) text.Line {
	start, end := between(l.Start, l.End, from), between(l.Start, l.End, to)
	return text.Line{Start: start, End: end, Height: l.Height, Light: l.Light, CutStart: from > 0 || l.CutStart, CutEnd: to < 1 || l.CutEnd}
}

// along is where the straight through two points has a given x.
func along(p, q appliance.Point, x float64) appliance.Point {
	return between(p, q, (x-p.X)/max(q.X-p.X, 1e-6))
}

// quad outlines a row in the caller's picture; zero for an empty row.
func (s *sheet) quad(r row) appliance.Quad {
	if len(r) == 0 {
		return appliance.Quad{}
	}
	l := r.whole().Line
	return s.band(l, l)
}

// band outlines in the caller's picture what lies from one line to another below it, with room for what rises above and
// hangs below the letters.
func (s *sheet) band(top, bottom text.Line) appliance.Quad {
	const half = 0.75
	return s.toPicture.ApplyQuad(appliance.Quad{
		{X: top.Start.X, Y: top.Start.Y - half*top.Height},
		{X: top.End.X, Y: top.End.Y - half*top.Height},
		{X: bottom.End.X, Y: bottom.End.Y + half*bottom.Height},
		{X: bottom.Start.X, Y: bottom.Start.Y + half*bottom.Height},
	})
}
