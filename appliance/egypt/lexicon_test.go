package egypt

import (
	"math"
	"strings"
	"testing"
)

// A lexicon knows its words in every spelling and no others.
func TestLexiconKnows(t *testing.T) {
	names, addresses := NewNameLexicon(), NewAddressLexicon()
	for _, w := range []string{"محمد", "أحمد", "احمد", "مصطفي", "فاطمه", "الرحمن", "عبد", "المصرى"} {
		if !names.Knows(w) || !addresses.Knows(w) {
			t.Errorf("%s is not known", w)
		}
	}
	for _, w := range []string{"شارع", "قسم", "مركز", "الاسكندريه", "شبين", "السنبلاوين"} {
		if names.Knows(w) || !addresses.Knows(w) {
			t.Errorf("%s: a name %v, of an address %v", w, names.Knows(w), addresses.Knows(w))
		}
	}
	for _, w := range []string{"", "محمدد", "xyz", "12"} {
		if addresses.Knows(w) {
			t.Errorf("%q is known", w)
		}
	}
}

// A listed word takes the place of its neighbour where ink is nearly tied, never where ink is clear, and other words stay.
func TestLexiconChoose(t *testing.T) {
	names, addresses := NewNameLexicon(), NewAddressLexicon()
	for _, test := range []struct {
		name    string
		lexicon *Lexicon
		best    string
		ink     map[string]float64 // nats below the best
		want    string
	}{
		{"tied", names, "مخمد علي", map[string]float64{"محمد علي": 1}, "محمد علي"},
		{"clear", names, "مخمد علي", map[string]float64{"محمد علي": 2.1}, "مخمد علي"},
		{"the nearer of two", names, "جمدي", map[string]float64{"حمدي": 1.5, "حمدى": 1.9}, "حمدي"},
		{"a letter lost", names, "محمو علي", map[string]float64{"محمود علي": 1.2}, "محمود علي"},
		{"a letter invented", names, "إبراهييم", map[string]float64{"إبراهيم": 0.5}, "إبراهيم"},
		{"listed words stay", names, "حسن", map[string]float64{"حسين": 0.1}, "حسن"},
		{"short words stay", names, "عز", map[string]float64{"عزت": 0.1}, "عز"},
		{"unlisted neighbours stay", names, "زخخ", map[string]float64{"زخح": 0.1}, "زخخ"},
		{"address", addresses, "١٢ سارع النيل", map[string]float64{"١٢ شارع النيل": 0.3}, "١٢ شارع النيل"},
		{"two words share the doubt", names, "مخمد علن", map[string]float64{"محمد علن": 1, "محمد علي": 1.8}, "محمد علي"},
		{"two words are too much", names, "مخمد علن", map[string]float64{"محمد علن": 1, "محمد علي": 2.5}, "محمد علن"},
		{"nothing", names, "", nil, ""},
	} {
		score := func(text string) float64 {
			if text == test.best {
				return -3
			}
			if d, ok := test.ink[text]; ok {
				return -3 - d
			}
			return math.Inf(-1)
		}
		got, changed := test.lexicon.Choose(test.best, -3, score)
		if got != test.want || changed != (test.want != test.best) {
			t.Errorf("%s: %q %v, want %q", test.name, got, changed, test.want)
		}
	}
}

// No reading and no ink breaks the choice; a change is by one letter a word and within the bound.
func FuzzLexiconChoose(f *testing.F) {
	f.Add("مخمد علي", 1.0)
	f.Add("\xff \xffabc", math.NaN())
	lexicon := NewAddressLexicon()
	f.Fuzz(func(t *testing.T, best string, cost float64) {
		if len(best) > 100 {
			return
		}
		got, changed := lexicon.Choose(best, -1, func(string) float64 { return -1 - cost })
		if changed && (!(cost < Nearly) || len(strings.Fields(got)) != len(strings.Fields(best))) || !changed && got != best {
			t.Fatalf("%q at %v: %q", best, cost, got)
		}
	})
}
