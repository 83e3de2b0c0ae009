package card

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// seen is a look at a piece that allows texts with their probabilities by the ink.
func seen(ink map[string]float64, w *egypt.Wording) script {
	best := ""
	for t, p := range ink {
		if best == "" || p > ink[best] {
			best = t
		}
	}
	score := func(t string) float64 { return math.Log(ink[t]) }
	decode := func(*egypt.Wording) []text.Hypothesis {
		var out []text.Hypothesis
		for t := range ink {
			p := egypt.Prefix{}
			for _, r := range t {
				p = w.Next(p, r)
			}
			out = append(out, text.Hypothesis{Text: t, Ink: score(t), Wording: w.Whole(p)})
		}
		return out
	}
	return script{text: best, confidence: ink[best], alternatives: alternatives{score: score, decode: decode}}
}

// What several looks allow counts by its mean: a text that one look favours and the other rules out gives way to one that
// both allow, and no look is needed twice.
func TestSayingOverLooks(t *testing.T) {
	names := egypt.NewNameWording()
	one := seen(map[string]float64{"محمد": 0.45, "مخمد": 0.55}, names)
	if got := one.saying(names, egypt.Spelling{}, nil); got.text != "محمد" || !(got.share > 0.9) || got.strange != 0 {
		t.Errorf("one look: %+v", got)
	}
	strange := seen(map[string]float64{"شطروخ": 0.97, "شطروح": 0.03}, names)
	if got := strange.saying(names, egypt.Spelling{}, nil); got.text != "شطروخ" || got.strange != 1 {
		t.Errorf("an unlisted name: %+v", got)
	}
	two := seen(map[string]float64{"محمد": 0.45, "مخمد": 0.55}, names)
	two.looks = []script{two, seen(map[string]float64{"محمود": 0.9, "محمد": 0.1}, names)}
	if got := two.saying(names, egypt.Spelling{}, nil); got.text != "محمود" || !(got.share < one.saying(names, egypt.Spelling{}, nil).share) {
		t.Errorf("two looks: %+v", got)
	}
	if got := (&script{text: "محمد", confidence: 0.5}).saying(names, egypt.Spelling{}, nil); got.text != "محمد" || got.share != 0.5 {
		t.Errorf("no lattice: %+v", got)
	}
}

// A word whose ink allows two spellings is read as the card's other words are spelled, and where these do not tell as the ink has it.
func TestSayingFollowsTheTypist(t *testing.T) {
	names := egypt.NewNameWording()
	for _, test := range []struct{ card, want string }{
		{"مصرى شلبى حلمى", "على"}, {"مصري شلبي حلمي", "علي"}, {"محمد حسن", "علي"},
	} {
		doubtful := seen(map[string]float64{"علي": 0.55, "على": 0.45}, names)
		card := names.Spelling(test.card).Plus(doubtful.choice(names).spelling, 1)
		if got := doubtful.saying(names, card, nil); got.text != test.want {
			t.Errorf("beside %s: %s", test.card, got.text)
		}
	}
	clear := seen(map[string]float64{"علي": 0.999, "على": 0.001}, names)
	if got := clear.saying(names, names.Spelling("مصرى شلبى حلمى حجازى"), nil); got.text != "علي" {
		t.Errorf("clear ink was overruled: %s", got.text)
	}
}

// Property: a name of which the ink allows several is read as the Latin line spells it, in each of its pieces; clear ink, and a Latin line
// that is another name, change nothing.
func TestSayingsFollowTheLatinName(t *testing.T) {
	names := egypt.NewNameWording()
	for _, test := range []struct {
		latin string
		first map[string]float64
		want  string
	}{
		{"", map[string]float64{"شطروح": 0.6, "شطروخ": 0.4}, "شطروح رجب"},
		{"SHTRWKH RGB", map[string]float64{"شطروح": 0.6, "شطروخ": 0.4}, "شطروخ رجب"},
		{"SHTRWKH RGB", map[string]float64{"شطروح": 0.999, "شطروخ": 0.001}, "شطروح رجب"},
		{"MOHAMED KAMEL", map[string]float64{"شطروح": 0.6, "شطروخ": 0.4}, "شطروح رجب"},
	} {
		first, second := seen(test.first, names), seen(map[string]float64{"رجب": 0.99, "رحب": 0.01}, names)
		e := editor{latin: test.latin}
		got := e.sayings("nameArabic", names, []*script{&first, &second})
		if read := got[0].text + " " + got[1].text; read != test.want {
			t.Errorf("beside %q: %s, want %s", test.latin, read, test.want)
		}
	}
}

// Certainty falls with each ground for doubt and stays within 0 and 1.
func TestCertainty(t *testing.T) {
	sure := saying{text: "محمد علي", share: 0.999, ink: -0.05}
	doubts := []saying{{text: "محمد علي", share: 0.6, ink: -0.05}, {text: "محمد علي", share: 0.999, ink: -6}, {text: "محمد علي", share: 0.999, ink: -0.05, strange: 1}}
	best := certainty([]saying{sure})
	if !(best > 0.95 && best <= 1) {
		t.Errorf("sure: %.3f", best)
	}
	for _, d := range doubts {
		if got := certainty([]saying{d}); !(got > 0 && got < best) || !(certainty([]saying{sure, d}) < best) {
			t.Errorf("%+v: %.3f of %.3f", d, got, best)
		}
	}
}

// A row as high as two lines is read as both of them, others stay.
func TestBlockPartsMergedLines(t *testing.T) {
	level := func(y, height float64) row {
		var l text.Line
		l.Start.X, l.End.X, l.Height = 250, 480, height
		l.Start.Y, l.End.Y = y, y
		return row{{l}}
	}
	s := sheet{rows: []row{level(60, 16), level(90, 17), level(150, 36), level(250, 16)}}
	var got []float64
	for _, r := range s.block(0.75) {
		got = append(got, math.Round(r.y()*viewHeight))
	}
	if want := []float64{60, 90, 135, 165}; !slices.Equal(got, want) {
		t.Errorf("rows at %v, want %v", got, want)
	}
}

// A title is told from a name that is like one of its words.
func TestIsTitle(t *testing.T) {
	for line, want := range map[string]bool{
		"جمهورية مصر العربية": true, "جمورية مصر العربي": true, "بطاقة تحقيق شخصية": true, "يطقة تحقيق الشخصيه": true, "بطأقة": true,
		"الشحصية": true, "العربي": false, "محمد العربي": false, "العربي عصام العربي": false, "حقي": false, "": false,
		"وزارة الداخلية": true, "مصلحة الأحوال المدنية": true, "مصلح المدني": false, "المدني": false, "يق الشخصية": true, "محمد الشخصية": false,
	} {
		if got := isTitle(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// Digits whose line the detector saw too high or too low on the card, or too short, lie whole in one of the views beside it.
func TestBesideHoldsDisplacedDigits(t *testing.T) {
	var seen text.Line
	seen.Start.X, seen.End.X, seen.Start.Y, seen.End.Y, seen.Height = 200, 300, 180, 180, 20
	for name, place := range map[string]struct{ from, top, bottom float64 }{
		"taller": {200, 168, 192}, "lower": {200, 174, 196}, "higher": {200, 164, 186}, "longer": {145, 170, 190},
	} {
		holds := func(l text.Line) bool {
			return l.Start.X <= place.from && l.Start.Y-l.Height/2 <= place.top && l.Start.Y+l.Height/2 >= place.bottom
		}
		if holds(seen) || !slices.ContainsFunc(beside(seen), holds) {
			t.Errorf("%s: not in %+v", name, beside(seen))
		}
	}
}

// Property: a name of which no list holds a word is looked at in other heights, though the network is sure of it, and all looks together
// count where they say a listed one; one that they do not know either, and a listed one, stay as they were read.
func TestStrangeNames(t *testing.T) {
	names := egypt.NewNameWording()
	for name, test := range map[string]struct {
		first, other map[string]float64
		want         string
		looks        int
	}{
		"listed":           {map[string]float64{"رزق": 0.97, "دذق": 0.03}, map[string]float64{"دذق": 0.99}, "رزق", 0},
		"listed in others": {map[string]float64{"دذق": 0.97, "رزق": 1e-9}, map[string]float64{"رزق": 0.99, "دذق": 0.01}, "رزق", 3},
		"clear ink":        {map[string]float64{"دذق": 0.97, "رزق": 1e-9}, map[string]float64{"دذق": 0.99, "رزق": 1e-9}, "دذق", 0},
		"strange in all":   {map[string]float64{"دذق": 0.97, "رزق": 1e-9}, map[string]float64{"دذف": 0.99, "دذق": 0.01}, "دذق", 0},
	} {
		s := &sheet{words: func(context.Context, text.Line) (script, error) { return seen(test.other, names), nil }}
		e := entry{script: script{parts: []script{seen(test.first, names)}}}
		if err := s.readStrange(t.Context(), names, &e); err != nil {
			t.Fatal(err)
		}
		if got := e.parts[0].saying(names, egypt.Spelling{}, nil); got.text != test.want || len(e.parts[0].looks) != test.looks {
			t.Errorf("%s: %s by %d looks, want %s by %d", name, got.text, len(e.parts[0].looks), test.want, test.looks)
		}
	}
}
