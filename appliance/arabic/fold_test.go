package arabic

import (
	"math"
	"strings"
	"testing"
)

// Folding makes the spellings of one word equal, and leaves no mark, control or presentation form behind.
func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"أحمد إبراهيم آية":      "احمد ابراهيم ايه",
		"مصطفى":                 "مصطفي",
		"رخصة  قيادة":           "رخصه قياده",
		"مُحَمَّد":              "محمد",
		"محـــمد":               "محمد",
		"\u200fمحمد\u202c":      "محمد",
		"ﻣﺤﻤﺪ":                  "محمد",
		"ﻷﺤﻤﺪ":                  "لاحمد",
		"ﷲ":                     "الله",
		"کریم پ ہ":              "كريم ب ه",
		"مؤمن رئيس":             "مومن رييس",
		"١٢ ش ۳":                "12 ش 3",
		"ﭖ ﮐ ﯽ ﮥ ﹶ":             "ب ك ي ه",
		" \t":                   "",
		"abc":                   "abc",
		"٦ أكتوبر\u00a0الجديدة": "6 اكتوبر الجديده",
	} {
		if got := Fold(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if again := Fold(want); again != want {
			t.Errorf("%q folds again to %q", want, again)
		}
	}
}

// Fold is stable and leaves nothing that it removes, whatever comes.
func FuzzFold(f *testing.F) {
	for _, text := range []string{"أحمد", "ﻷ", "\xff", "مُحَمَّد", "١٢"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := Fold(text)
		if twice := Fold(once); twice != once {
			t.Fatalf("%q: %q, then %q", text, once, twice)
		}
		if strings.ContainsAny(once, "أإآىةـ٠١٢٣٤٥٦٧٨٩\u200f") || strings.Contains(once, "  ") {
			t.Fatalf("%q: %q", text, once)
		}
	})
}

// Letters that look alike are nearer than others, spelling habits nearest; order does not matter.
func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want float64
	}{
		{"", "", 0},
		{"محمد", "محمد", 0},
		{"", "محمد", 4 * costWrong},
		{"رخصة", "رخصه", costSpelling},
		{"أحمد", "احمد", costSpelling},
		{"بنت", "ثنت", costDots},
		{"حسن", "جسن", costDots},
		{"عمر", "عمو", costShape},
		{"محمد", "محمود", costWrong},
		{"عبد الله", "عبدالله", costBlank},
		{"سعد", "كعد", costWrong},
		{"O", "0", costShape},
		{"é", "ü", costWrong},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := Distance(pair[0], pair[1]); math.Abs(got*costWrong-test.want) > 1e-9 {
				t.Errorf("%s: %v, want %v tenths", pair, got, test.want)
			}
		}
	}
	if got := Likeness("رخصة", "رخصه"); got != 1 {
		t.Errorf("one word in two spellings: %v", got)
	}
	if got := Likeness("", ""); got != 1 {
		t.Errorf("nothing and nothing: %v", got)
	}
}

// Property: values are written as the answers hold them: without what is only set, dashes of any length alike.
func TestClean(t *testing.T) {
	for printed, want := range map[string]string{
		"مـحـمـد  عَلي": "محمد علي", "المعادي – القاهرة": "المعادي - القاهرة", "أ—ب": "أ-ب", "\u200fطنطا\u200f ": "طنطا", "\ufefb": "لا",
	} {
		if got := Clean(printed); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

// Both Arabic blocks become Western digits; all other text, broken UTF-8 included, is left alone.
func TestFoldDigits(t *testing.T) {
	for text, want := range map[string]string{
		"٠١٢٣٤٥٦٧٨٩":    "0123456789",
		"۰۱۲۳۴۵۶۷۸۹":    "0123456789",
		"1٢۳4":          "1234",
		"١٢ شارع النيل": "12 شارع النيل",
		"":              "",
		"abc 123":       "abc 123",
		"\xff٣\xc3":     "\xff3\xc3",
		"\uFFFD٣":       "\uFFFD3",
		"²③":            "²③",
	} {
		if got := FoldDigits(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
