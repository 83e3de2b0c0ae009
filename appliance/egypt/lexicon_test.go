package egypt

import (
	"math"
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
		{"clear", names, "مخمد علي", map[string]float64{"محمد علي": 3.1}, "مخمد علي"},
		{"the nearer of two", names, "جمدي", map[string]float64{"حمدي": 1.5, "حمدى": 1.9}, "حمدي"},
		{"a letter lost", names, "محمو علي", map[string]float64{"محمود علي": 1.2}, "محمود علي"},
		{"a letter invented", names, "إبراهييم", map[string]float64{"إبراهيم": 0.5}, "إبراهيم"},
		{"listed words stay", names, "حسن", map[string]float64{"حسين": 0.1}, "حسن"},
		{"short words stay", names, "عز", map[string]float64{"عزت": 0.1}, "عز"},
		{"unlisted neighbours stay", names, "زخخ", map[string]float64{"زخح": 0.1}, "زخخ"},
		{"address", addresses, "١٢ سارع النيل", map[string]float64{"١٢ شارع النيل": 0.3}, "١٢ شارع النيل"},
		{"two words share the doubt", names, "مخمد علن", map[string]float64{"محمد علن": 1, "محمد علي": 1.8}, "محمد علي"},
		{"two words are too much", names, "مخمد علن", map[string]float64{"محمد علن": 1, "محمد علي": 3.5}, "محمد علن"},
		{"two letters of a long word", names, "إعاعيل", map[string]float64{"إسماعيل": 1}, "إسماعيل"},
		{"two letters of a short word", names, "هغى", map[string]float64{"منى": 1}, "هغى"},
		{"short words are completed", names, "وليد عل", map[string]float64{"وليد علي": 1}, "وليد علي"},
		{"both endings are tried", names, "فاطمد", map[string]float64{"فاطمه": 1, "فاطمة": 1.5}, "فاطمه"},
		{"the printed spelling stays", names, "احمذ", map[string]float64{"احمد": 1, "أحمد": 1}, "احمد"},
		{"a hamza within a word", names, "مويد", map[string]float64{"مؤيد": 0.6}, "مؤيد"},
		{"a clear hamza", names, "مويد", map[string]float64{"مؤيد": 0.8}, "مويد"},
		{"joined compounds", names, "صللحالدين", map[string]float64{"صلاحالدين": 1}, "صلاحالدين"},
		{"a blank lost", names, "محمدعلي", map[string]float64{"محمد علي": 1}, "محمد علي"},
		{"a blank too much", names, "محم د علي", map[string]float64{"محمد علي": 1}, "محمد علي"},
		{"a blank beside a number", addresses, "١١٥عطفة النيل", map[string]float64{"١١٥ عطفة النيل": 0.5}, "١١٥ عطفة النيل"},
		{"a clear number", addresses, "١١٥عطفة النيل", map[string]float64{"١١٥ عطفة النيل": 0.8}, "١١٥عطفة النيل"},
		{"brackets stay", addresses, "(النبل)", map[string]float64{"(النيل)": 1}, "(النيل)"},
		{"the likelier sign", addresses, "قسم الدقي الجيزة", map[string]float64{"قسم الدقي - الجيزة": -0.5}, "قسم الدقي - الجيزة"},
		{"the less likely sign", addresses, "قسم الدقي الجيزة", map[string]float64{"قسم الدقي - الجيزة": 0.1}, "قسم الدقي الجيزة"},
		{"the sign in a word", addresses, "قنا-قنا", map[string]float64{"قنا - قنا": -0.1}, "قنا - قنا"},
		{"a job", NewJobLexicon(), "مهندمس", map[string]float64{"مهندس": 1}, "مهندس"},
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

// No reading and no ink breaks the choice, and a change is within the bound.
func FuzzLexiconChoose(f *testing.F) {
	f.Add("مخمد علي", 1.0)
	f.Add("\xff \xffabc", math.NaN())
	lexicon := NewAddressLexicon()
	f.Fuzz(func(t *testing.T, best string, cost float64) {
		if len(best) > 100 {
			return
		}
		got, changed := lexicon.Choose(best, -1, func(string) float64 { return -1 - cost })
		if changed && !(cost < Nearly) || !changed && got != best {
			t.Fatalf("%q at %v: %q", best, cost, got)
		}
	})
}

// Choosing costs little beside the reading of the line.
func BenchmarkLexiconChoose(b *testing.B) {
	lexicon := NewAddressLexicon()
	for b.Loop() {
		lexicon.Choose("١٢ سارع الننل - الجيره", -3, func(string) float64 { return -9 })
	}
}
