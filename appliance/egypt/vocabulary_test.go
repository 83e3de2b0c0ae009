package egypt

import (
	"math"
	"slices"
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

// Every word, in every spelling of text, finds itself among all vocabularies, also with one letter misread.
func TestMatchWord(t *testing.T) {
	list := StatusWords()
	for _, w := range list {
		for _, text := range append([]string{w.Text, " " + w.Text}, w.Variants...) {
			m, ok := MatchWord(text, list)
			if !ok || m.Word.Text != w.Text || m.Score < 0.99 || w.Text != Dash && m.Margin < 0.1 {
				t.Errorf("%q: %+v", text, m)
			}
		}
	}
	for text, want := range map[string]string{
		"أنتى": "أنثى", "انسه": "آنسة", "دكر": "ذكر", "مسلمنة": "مسلمة", "متروج": "متزوج", "مستحي": "مسيحي", "ازملة": "أرملة",
	} {
		if m, _ := MatchWord(text, list); m.Word.Text != want || m.Score < 0.6 {
			t.Errorf("%q: %+v, want %q", text, m, want)
		}
	}
	if _, ok := MatchWord("xyz", list); ok {
		t.Error("xyz is a status")
	}
}

// read is a candidate whose ink is the text, alternatives by their share of it.
func read(text string, alternatives ...any) Candidate {
	c := Candidate{Text: text, LogProb: -0.1}
	c.Score = func(other string) float64 {
		for i := 0; i+1 < len(alternatives); i += 2 {
			if alternatives[i] == other {
				return c.LogProb + math.Log(alternatives[i+1].(float64))
			}
		}
		return c.LogProb - 8*Distance(text, other)
	}
	return c
}

// The row is read in one line or in several, with words left out, with agreement where ink is even and against it where
// ink is clear.
func TestDecodeStatus(t *testing.T) {
	for _, test := range []struct {
		name   string
		lines  []Candidate
		want   string // sex, religion, marital
		gender Sex
		sure   bool
	}{
		{"three lines", []Candidate{read("ذكر"), read("مسلم"), read("متزوج")}, "ذكر|مسلم|متزوج", Male, true},
		{"one line", []Candidate{read("أنثى مسيحية آنسة")}, "أنثى|مسيحية|آنسة", Female, true},
		{"a single woman", []Candidate{read("أنثى مسلمة عزباء")}, "أنثى|مسلمة|عزباء", Female, true},
		{"two lines", []Candidate{read("انثي"), read("مسلمه ارمله")}, "أنثى|مسلمة|أرملة", Female, true},
		{"merged words", []Candidate{read("ذكرمسلم أعزب")}, "ذكر|مسلم|أعزب", Male, true},
		{"no religion", []Candidate{read("ذكر"), read("أعزب")}, "ذكر||أعزب", Male, true},
		{"dash", []Candidate{read("ذكر"), read("-"), read("مطلق")}, "ذكر||مطلق", Male, true},
		{"sex alone", []Candidate{read("أنثى")}, "أنثى||", Female, true},
		{"noise before", []Candidate{read("مهندس"), read("ذكر مسلم أعزب")}, "ذكر|مسلم|أعزب", Male, true},
		{"noise between", []Candidate{read("ذكر"), read("شركة النصر للسيارات"), read("مسلم"), read("أعزب")}, "ذكر|مسلم|أعزب", Male, true},
		{"agreement decides", []Candidate{read("أنثى"), read("مسلم", "مسلمة", 0.8), read("متزوجة")}, "أنثى|مسلمة|متزوجة", Female, true},
		{"clear ink disagrees", []Candidate{read("أنثى"), read("مسلم"), read("متزوجة")}, "أنثى|مسلم|متزوجة", Female, false},
		{"unmarried or female", []Candidate{read("انسى", "أنثى", 0.02, "انسة", 0.02), read("مسلمة"), read("انسى", "أنثى", 0.02, "انسة", 0.02)}, "أنثى|مسلمة|آنسة", Female, true},
		{"another order", []Candidate{read("أنثى"), read("متزوجة"), read("مسلمه")}, "أنثى|مسلمة|متزوجة", Female, true},
		{"another order, one line", []Candidate{read("مسيحي اعزب ذكر")}, "ذكر|مسيحي|أعزب", Male, true},
		{"misread", []Candidate{read("دكر"), read("مسلن"), read("متروج")}, "ذكر|مسلم|متزوج", Male, true},
		{"even", []Candidate{read("مسلم", "مسلمة", 0.9)}, "|مسلم|", "", false},
	} {
		s := DecodeStatus(test.lines)
		if got := s.Sex.Value + "|" + s.Religion.Value + "|" + s.Marital.Value; got != test.want || s.Gender != test.gender || s.Codes != nil {
			t.Errorf("%s: %s %+v", test.name, got, s)
		}
		if low := min(s.Sex.Confidence, s.Religion.Confidence, s.Marital.Confidence); (low > 0.9) != test.sure {
			t.Errorf("%s: confidence %v", test.name, low)
		}
	}
}

// A row is also read from text alone, where no ink can be asked.
func TestDecodeStatusWithoutInk(t *testing.T) {
	s := DecodeStatus([]Candidate{{Text: "انتى مسلمه"}, {Text: "متروجة"}})
	if s.Gender != Female || s.Religion.Value != "مسلمة" || s.Religion.Printed != "مسلمه" || s.Marital.Value != "متزوجة" || s.Marital.Line != 1 {
		t.Errorf("%+v", s)
	}
}

// What is clearly no word of the row is not turned into one; a foreign word in the first place is no gender.
func TestDecodeStatusForeign(t *testing.T) {
	s := DecodeStatus([]Candidate{read("مهندس"), read("مسلم")})
	if s.Sex.Value != "" || s.Gender != "" || !slices.Equal(s.Codes, []Code{CodeGender}) || s.Religion.Value != "مسلم" || s.Sex.Line != -1 {
		t.Errorf("%+v", s)
	}
	if s := DecodeStatus(nil); s.Sex.Value != "" || s.Codes != nil || s.Sex.Confidence != 0 {
		t.Errorf("%+v", s)
	}
	broken := Candidate{Text: "ذكر", Score: func(string) float64 { return math.NaN() }}
	if s := DecodeStatus([]Candidate{broken}); s.Gender != "" {
		t.Errorf("%+v", s)
	}
}

// A dash or the card's pattern that was taken for a letter, where by its ink nothing stands there more likely than a word, is no word that is sure.
func TestDecodeStatusNoPrint(t *testing.T) {
	ink := map[string]float64{"": -16.4, "ه": -11.9, "-": -18.4, "مسلمة": -19.9, "مسلمه": -18.7} // as on a drawn back
	faint := Candidate{Text: "ه", LogProb: ink["ه"], Score: func(text string) float64 {
		if p, ok := ink[text]; ok {
			return p
		}
		return -40
	}}
	s := DecodeStatus([]Candidate{read("أنثى"), faint, read("متزوجة")})
	if s.Gender != Female || s.Marital.Value != "متزوجة" || s.Religion.Confidence > 0.6 {
		t.Errorf("%+v", s)
	}
}

// More lines than a row can have are no burden.
func TestDecodeStatusMany(t *testing.T) {
	s := DecodeStatus(slices.Repeat([]Candidate{read("شارع النيل")}, 50))
	if s.Gender != "" {
		t.Errorf("%+v", s)
	}
}

func BenchmarkDecodeStatus(b *testing.B) {
	lines := []Candidate{read("ذكر"), read("مسلم"), read("متزوج")}
	for b.Loop() {
		DecodeStatus(lines)
	}
}

// Whatever is read, values are words of the vocabularies and confidences are probabilities.
func FuzzDecodeStatus(f *testing.F) {
	f.Add("ذكر مسلم", "متزوج", 0.5)
	f.Add("أنثى", "", 0.0)
	f.Add("\xff", "-", math.NaN())
	f.Fuzz(func(t *testing.T, a, b string, score float64) {
		if len(a)+len(b) > 200 {
			return
		}
		s := DecodeStatus([]Candidate{{Text: a}, {Text: b, Score: func(string) float64 { return score }}})
		for v, c := range []Choice{s.Sex, s.Religion, s.Marital} {
			known := c.Value == "" || slices.ContainsFunc(StatusWords(), func(w Word) bool {
				return w.Text == c.Value && w.Vocabulary == Vocabulary(v)
			})
			if !known || !(c.Confidence >= 0 && c.Confidence <= 1.000001) {
				t.Fatalf("%q %q: %+v", a, b, c)
			}
		}
	})
}

// Property: print that is like a phrase of a closed list is that phrase, however clear it looks, and doubtful; other text stays.
func TestClosedLists(t *testing.T) {
	for text, want := range map[string]Term{
		"بنزين": {Value: "بنزين", Confidence: 0.99, Listed: true},
		"بنزن":  {Value: "بنزين", Confidence: closedConfidence, Listed: true},
		"طحينة": {Value: "طحينة"},
	} {
		got := Fuels().Choose(text, math.Log(0.99), func(s string) float64 {
			if s == text {
				return math.Log(0.99)
			}
			return -50
		})
		if got.Value != want.Value || got.Listed != want.Listed || want.Listed && math.Abs(got.Confidence-want.Confidence) > 0.02 {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// Property: where the ink hardly allows any phrase of a closed list, the one among those that are a little like the reading is
// chosen that it allows most, and is doubtful.
func TestClosedListByInk(t *testing.T) {
	got := Fuels().Choose("بازن", math.Log(0.66), func(s string) float64 {
		switch s {
		case "بازن":
			return math.Log(0.66)
		case "بنزين":
			return -14
		}
		return -30
	})
	if got.Value != "بنزين" || !got.Listed || got.Confidence > 0.5 {
		t.Errorf("%+v", got)
	}
}

// Property: a short chassis number holds the digits that its letters look like, and says so; an engine number keeps its letters.
func TestLookalikes(t *testing.T) {
	if s := DecodeChassis("0AX8OI", 0.99, nil); s.Value != "0AX801" || s.Confidence > lookalike || len(s.Repairs) == 0 {
		t.Errorf("%+v", s)
	}
	if s := DecodeMotor("OI90128765", 0.99, nil); s.Value != "OI90128765" || s.Confidence != 0.99 {
		t.Errorf("%+v", s)
	}
}
