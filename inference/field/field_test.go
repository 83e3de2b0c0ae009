package field

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
)

// samples is a folder of photographs with their truth.
const samples = "../../models/samples/licences"

// stretchesOf lays a sample's document flat and returns its lines of a role as ink, each for itself.
func stretchesOf(t *testing.T, c inferencetest.Card, role string) (out []*page.Ink) {
	t.Helper()
	words := texttest.Words(t)
	net, _ := inferencetest.Product(t, "digits")
	digits := text.NewDigitReader(net)
	view, ok := page.Lay(inferencetest.Picture(t, samples, c.File), corners(c.Documents[0].Quad), page.BankCard())
	if !ok {
		t.Fatal("no view")
	}
	fromPicture, _ := vision.RectToQuad(512, 323, corners(c.Documents[0].Quad))
	for _, l := range c.Documents[0].Lines {
		if l.Role != role {
			continue
		}
		q := corners(l.Quad)
		for i := range q {
			q[i] = inverse(fromPicture, q[i])
		}
		place := text.Line{
			Start:  appliance.Point{X: (q[0].X + q[3].X) / 2, Y: (q[0].Y + q[3].Y) / 2},
			End:    appliance.Point{X: (q[1].X + q[2].X) / 2, Y: (q[1].Y + q[2].Y) / 2},
			Height: math.Hypot(q[3].X-q[0].X, q[3].Y-q[0].Y),
		}
		ink, err := page.New(view, []text.Line{place}, words, digits, inferencetest.Calibrate[page.Judged](t)).Read(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, &ink)
	}
	return out
}

func corners(c [4][2]float64) (q appliance.Quad) {
	for i, p := range c {
		q[i] = appliance.Point{X: p[0], Y: p[1]}
	}
	return q
}

// inverse finds the point that a map takes to another one, by Newton's steps.
func inverse(h vision.Homography, want appliance.Point) appliance.Point {
	p := appliance.Point{X: 256, Y: 160}
	for range 20 {
		const d = 1e-3
		at, x, y := h.Apply(p), h.Apply(appliance.Point{X: p.X + d, Y: p.Y}), h.Apply(appliance.Point{X: p.X, Y: p.Y + d})
		a, b, c, e := (x.X-at.X)/d, (y.X-at.X)/d, (x.Y-at.Y)/d, (y.Y-at.Y)/d
		dx, dy, det := want.X-at.X, want.Y-at.Y, a*e-b*c
		p.X, p.Y = p.X+(dx*e-b*dy)/det, p.Y+(a*dy-c*dx)/det
	}
	return p
}

// fourteen is a grammar of fourteen digits, each the best of its cell.
type fourteen struct{}

func (fourteen) Match(string) float64 { return 1 }
func (fourteen) Lengths() []int       { return []int{14} }
func (fourteen) Decode(f Figures, _ Known) Value {
	var out strings.Builder
	share := 1.0
	for _, cell := range f.Cells(14) {
		best := 0
		for d := range cell {
			if cell[d] > cell[best] {
				best = d
			}
		}
		out.WriteByte(byte('0' + best))
		share *= math.Exp(cell[best])
	}
	return Value{Text: out.String(), Raw: f.Text(), Share: share}
}

// Spell reads fourteen digits that the reader of words read.
func (fourteen) Spell(r *text.Reading, _ Known) Value {
	said := ""
	for _, x := range r.Text() {
		if x >= 0x0660 && x <= 0x0669 {
			x += '0' - 0x0660
		}
		if x >= '0' && x <= '9' {
			said += string(x)
		}
	}
	if len(said) != 14 {
		return Value{}
	}
	return Value{Text: said, Share: r.Confidence()}
}

// trees is a vocabulary, a language and a spelling of two words.
type trees struct{}

func (trees) Likeness(what string) float64 {
	if (trees{}).Holds(what) {
		return 1
	}
	return 0
}
func (trees) Holds(what string) bool    { return what == "oak" || what == "elm" }
func (trees) Match(what string) float64 { return (trees{}).Likeness(what) }
func (trees) Knows(word string) bool    { return (trees{}).Holds(word) }
func (trees) Odd(string, int) float64   { return 0 }

func (t trees) With([]string) Vocabulary { return t }

func (trees) Clean(value string) string              { return strings.TrimSpace(value) }
func (trees) Decode(*text.Reading) []text.Hypothesis { return nil }
func (trees) Witness(said, _ string, _ int, _ Known) float64 {
	if said == "elm" {
		return 2
	}
	return 0
}

func (trees) Choose(text string, logProb float64, _ func(string) float64) (phrase string, share float64, listed bool) {
	return text, math.Exp(logProb), (trees{}).Holds(text)
}

// Property: a number that the reader of words reads more surely than it must to be believed is taken from it without an inference; else the
// digits are looked at.
func TestBelievedWords(t *testing.T) {
	believed := 0
	for _, c := range inferencetest.Truth(t, samples)[:4] {
		for _, ink := range stretchesOf(t, c, "number") {
			spelled := fourteen{}.Spell(ink.Reading(), Known{})
			for _, words := range []float64{spelled.Share, 0, 1.01} {
				work := &inference.Work{}
				v, err := Number{Grammar: fourteen{}, Words: words}.Decode(inference.WithWork(t.Context(), work), []*page.Ink{ink}, Known{})
				if err != nil {
					t.Fatal(err)
				}
				runs, _ := work.Total()
				believes := words > 0 && words <= 1 && spelled.Text != ""
				if believes {
					believed++
				}
				if believes && (runs > 0 || v.Text != spelled.Text || v.Spelled != 1) || words != spelled.Share && v.Text == "" {
					t.Errorf("%s, believing %.2f: %d inferences, %+v", c.File, words, runs, v)
				}
			}
		}
	}
	if believed == 0 {
		t.Error("no number was believed")
	}
}

// Property: the numbers of the sample photographs are read whole, whichever looks they take, and the cells of several looks together are
// probabilities.
func TestNumber(t *testing.T) {
	read := 0
	for _, c := range inferencetest.Truth(t, samples) {
		want := c.Documents[0].Fields["nationalID"]
		if want == nil {
			continue
		}
		for _, ink := range stretchesOf(t, c, "number") {
			v, err := Number{Grammar: fourteen{}}.Decode(t.Context(), []*page.Ink{ink}, Known{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Text != *want || !(v.Share > 0.5 && v.Share <= 1) || v.Ink > 0 {
				t.Errorf("%s: %q with %v, want %q", c.File, v.Text, v.Share, *want)
			}
			read++
			d, l, err := ink.Digits(context.Background(), 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			twice := Figures{clip(d, l, 0.6), clip(d, l, 0.6)}
			for _, cell := range twice.Cells(14) {
				sum := 0.0
				for _, p := range cell {
					sum += math.Exp(p)
				}
				if math.Abs(sum-1) > 1e-9 {
					t.Errorf("%s: a cell sums up to %v", c.File, sum)
				}
			}
			if math.Abs(twice.Score(*want)-d.Score(*want)) > 1e-9 || math.Abs(twice.LogLength(14)-d.LogLength(14)) > 1e-9 {
				t.Errorf("%s: two equal looks together say otherwise than one", c.File)
			}
		}
	}
	if read < 2 {
		t.Fatalf("read %d numbers", read)
	}
}

// Property: a value in no vocabulary or language is strange, and what is said of it is what the ink says.
func TestStrange(t *testing.T) {
	c := inferencetest.Truth(t, samples)[0]
	ink := stretchesOf(t, c, "name_en")
	if len(ink) == 0 {
		t.Fatal("the sample has no name in Latin letters")
	}
	for name, d := range map[string]Decoder{"term": Term{trees{}}, "words": Words{trees{}}} {
		v, err := d.Decode(t.Context(), ink[:1], Known{})
		if err != nil || v.Strange == 0 || v.Text != *c.Documents[0].Fields["nameEnglish"] || v.Raw != v.Text {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// Property: of texts that the ink allows the one counts that is likeliest together with what else is known, and those that are
// answered alike count as one.
func TestChosen(t *testing.T) {
	all := []option{{text.Hypothesis{Text: "oak"}, -1}, {text.Hypothesis{Text: "elm"}, -2}, {text.Hypothesis{Text: "elm "}, -3}}
	l := trees{}
	merit := func(o option) float64 { return o.merit + l.Witness(o.Text, "", 0, Known{}) }
	best := chosen(all, merit)
	if best.Text != "elm" {
		t.Fatalf("chose %q", best.Text)
	}
	total := math.Exp(-1) + math.Exp(0) + math.Exp(-3)
	if got := shareOf(all, best, merit, l); math.Abs(got-(math.Exp(0)+math.Exp(-3))/total) > 1e-9 {
		t.Errorf("share %v", got)
	}
}

// sizes is a language that allows one text at the first look and another one at the others.
type sizes struct {
	trees
	first         *text.Reading
	base, further string
}

func (s *sizes) Decode(look *text.Reading) []text.Hypothesis {
	if s.first == nil {
		s.first = look
	}
	if look == s.first {
		return []text.Hypothesis{{Text: s.base}}
	}
	return []text.Hypothesis{{Text: s.further, Wording: 1}}
}

// Property: a word that the language does not know is looked at once more, and no third time where both looks are one; what the further
// look shows counts where it is known to it, not where it is another unknown word.
func TestFurtherLooks(t *testing.T) {
	c := inferencetest.Truth(t, samples)[0]
	for further, want := range map[string]string{"oak": "oak", "ash": "yew"} {
		ink := stretchesOf(t, c, "name_en")[0]
		v, err := Words{&sizes{base: "yew", further: further}}.Decode(t.Context(), []*page.Ink{ink}, Known{})
		if err != nil || v.Text != want || len(ink.Looks()) != 2 {
			t.Errorf("with %s: %q after %d looks, %v", further, v.Text, len(ink.Looks()), err)
		}
	}
}

// Property: each further cut of print that shows another value speaks against it, the more the surer it shows that, and one that shows it
// speaks for it by how much surer it does than before; each cut is looked at once, and what cannot be read ends it.
func TestAnew(t *testing.T) {
	c := inferencetest.Truth(t, samples)[0]
	ink := stretchesOf(t, c, "name_en")[:1]
	was := Value{Text: "oak", Share: 0.5}
	for name, test := range map[string]struct {
		read   []Value
		others int
		gain   float64
	}{
		"the same, as sure":      {[]Value{was, was}, 0, 0},
		"the same, surer":        {[]Value{was, {Text: "oak", Share: 0.9}}, 0, math.Log(9) / 2},
		"another":                {[]Value{{Text: "elm", Share: 0.9}, was}, 1, -math.Log(9) / 2},
		"another, hardly likely": {[]Value{{Text: "elm", Share: 0.1}, {Text: "yew", Share: 0.2}}, 2, 0},
	} {
		n := 0
		others, gain, err := Anew(t.Context(), ink, was, func(cut []*page.Ink) (Value, error) {
			if n++; len(cut) != 1 || len(cut[0].Looks()) != 1 || cut[0] == ink[0] {
				t.Errorf("%s: %d stretches", name, len(cut))
			}
			return test.read[n-1], nil
		})
		if others != test.others || math.Abs(gain-test.gain) > 1e-2 || err != nil || n != len(test.read) {
			t.Errorf("%s: %d others, gain %v after %d cuts, %v", name, others, gain, n, err)
		}
	}
	failed := errors.New("no memory")
	if _, _, err := Anew(t.Context(), ink, was, func([]*page.Ink) (Value, error) { return was, failed }); !errors.Is(err, failed) {
		t.Errorf("a failure is told as %v", err)
	}
}

// Property: what the readers of digits and of words read is held together: one that breaks its grammar is given up for one that does not,
// however sure, and where both keep it the surer one counts.
func TestBothReaders(t *testing.T) {
	broken := []appliance.FieldCheck{{Name: "grammar"}}
	for name, test := range map[string]struct {
		digits, words Value
		want          string
		spelled       float64
	}{
		"the same":           {Value{Text: "12", Share: 0.9}, Value{Text: "12", Share: 0.8}, "12", 1},
		"words say nothing":  {Value{Text: "12", Share: 0.9}, Value{}, "12", 0},
		"words surer":        {Value{Text: "12", Share: 0.7}, Value{Text: "13", Share: 0.8}, "13", -1},
		"digits surer":       {Value{Text: "12", Share: 0.9}, Value{Text: "13", Share: 0.8}, "12", -1},
		"digits break it":    {Value{Text: "12", Share: 0.9, Checks: broken}, Value{Text: "21", Share: 0.8}, "21", -1},
		"and words say none": {Value{Text: "12", Share: 0.9, Checks: broken}, Value{}, "12", 0},
	} {
		if v := (Number{}).both(test.digits, test.words); v.Text != test.want || v.Spelled != test.spelled {
			t.Errorf("%s: %+v", name, v)
		}
	}
}
