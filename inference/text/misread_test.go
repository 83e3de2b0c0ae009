package text

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/bidi"
	"github.com/bawab/bawab/inference/ctc"
)

// Property: the score of a text through what is misread is the logarithm of the exact sum over all that may be read, each weighed by the
// shares in which it is printed so.
func TestThroughAgreesWithEnumeration(t *testing.T) {
	alphabet := []rune("ابت")
	m := Misread{'ا': {'ب': 0.3, 'ت': 0.1}, 'ت': {'ب': 0.9}, 'x': {'ا': 0.5}}
	l, rng := ctc.New(6, 1+len(alphabet)), rand.New(rand.NewPCG(2, 1))
	for t := range l.Columns {
		logits, exp := make([]int8, l.Classes), ctc.Exponentials(inference.Tensor{Scale: 0.02})
		for c := range logits {
			logits[c] = int8(rng.IntN(256) - 128)
		}
		ctc.Softmax(logits, exp, l.Column(t))
	}
	r := (&Reading{lattice: l, alphabet: alphabet}).Through(m)
	for _, printed := range [][]int{{}, {1}, {2}, {2, 2}, {2, 3}, {1, 2, 3}, {3, 3, 1}, {2, 2, 2, 2}, {1, 2, 1, 2, 1, 2}} {
		want, text := 0.0, make([]rune, len(printed))
		for code := range int(math.Pow(float64(len(alphabet)), float64(len(printed)))) { // whatever may be read
			read, share := make([]int, len(printed)), 1.0
			for i, class := range printed {
				read[i], code = 1+code%len(alphabet), code/len(alphabet)
				text[i] = alphabet[class-1]
				if read[i] == class {
					share *= m.itself(text[i])
				} else {
					share *= m[alphabet[read[i]-1]][text[i]]
				}
			}
			want += share * math.Exp(l.Score(read))
		}
		if got := math.Exp(r.Score(string(bidi.Logical(text)))); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %g, want %g", printed, got, want)
		}
	}
}

// Property: a letter that is often misread is taken for what such lines say, and stays where they say nothing else; without knowledge of
// what is misread clear ink is never overruled. The ink of a text is what its score is.
func TestDecodeThrough(t *testing.T) {
	names := egypt.NewNameWording()
	often := Misread{'خ': {'ح': 0.4}}
	for name, c := range map[string]struct {
		signs []string
		m     Misread
		want  string
	}{
		"misread":         {[]string{"م", "خ", "م", "د"}, often, "محمد"},
		"not known":       {[]string{"م", "خ", "م", "د"}, nil, "مخمد"},
		"hardly ever":     {[]string{"م", "خ", "م", "د"}, Misread{'خ': {'ح': 1e-4}}, "مخمد"},
		"as it is":        {[]string{"خ", "ا", "ل", "د"}, often, "خالد"},
		"beside itself":   {[]string{"م", "ح", "م", "د"}, often, "محمد"},
		"another reader":  {[]string{"م", "خ", "م", "د"}, Misread{'λ': {'ح': 0.4}}, "مخمد"},
		"nothing is said": {[]string{"ش", "ط", "ر", "و", "خ"}, Misread{'خ': {'ح': 0.1}}, "شطروخ"},
	} {
		look := printedLine(c.signs...)
		r := look.Through(c.m)
		got := r.Decode(names)
		if len(got) == 0 || got[0].Text != c.want {
			t.Errorf("%s: %v", name, got)
			continue
		}
		if ink := r.Score(c.want); math.Abs(got[0].Ink-ink) > 1e-6 {
			t.Errorf("%s: ink %.4f, score %.4f", name, got[0].Ink, ink)
		}
		if r.Text() != look.Text() {
			t.Errorf("%s: it was read as %s, and now as %s", name, look.Text(), r.Text())
		}
	}
}

// Property: what is known of a sign later counts in the place of what was known before, sign by sign, and neither is changed.
func TestMisreadWith(t *testing.T) {
	m, more := Misread{'a': {'b': 0.1}, 'c': {'d': 0.2}}, Misread{'a': {'e': 0.3}}
	want := Misread{'a': {'e': 0.3}, 'c': {'d': 0.2}}
	if diff := cmp.Diff(want, m.With(more)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(m, Misread(nil).With(m).With(nil)); diff != "" || len(more) != 1 || m['a']['b'] != 0.1 {
		t.Error(diff, m, more)
	}
}
