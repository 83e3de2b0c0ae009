package text

import (
	"math"
	"testing"
)

// lettersOfWords is the program's own table.
func lettersOfWords(t testing.TB) *Letters {
	l, err := NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Property: the letters that may follow others, and the end of the word, share all of their probability, up to what a byte for each rounds.
func TestLettersShare(t *testing.T) {
	l := lettersOfWords(t)
	for _, past := range []string{"", "ا", "ال", "الم", "مدر", "قصصص"} {
		run := uint32(wordBegin)
		for _, sign := range past {
			run = after(run, letterOf(sign))
		}
		sum := math.Exp(l.log(run, wordEnd))
		for sign := 'ء'; sign <= 'ي'; sign++ {
			if letter := letterOf(sign); letter > 0 {
				sum += math.Exp(l.log(run, letter))
			}
		}
		if sum < 0.95 || sum > 1.05 {
			t.Errorf("behind %q the letters share %.3f", past, sum)
		}
	}
}

// Property: a table that is cut short or promises more than it holds is refused.
func TestLettersCutShort(t *testing.T) {
	whole := []byte{2, 0, 0, 0, 1, 1, 16, 16, 128, 128}
	if l, ok := lettersOf(whole); !ok || l.log(0, 2) != -1 {
		t.Fatal("a whole table was not read")
	}
	for cut := range whole {
		if _, ok := lettersOf(whole[:cut]); ok {
			t.Errorf("the first %d bytes of a table were taken for one", cut)
		}
	}
	if _, ok := lettersOf([]byte{255, 255, 255, 255, 1, 1, 1}); ok {
		t.Error("a table of four thousand million entries was taken for one")
	}
}

// Property: open ink is read as the word that is written, clear ink as it is, a word that is none stays one, and no sign but letters and
// blanks changes. A word that is hardly one gives way to a likelier one sooner than one that is. Each sign has the probability that the ink
// gives it.
func TestInWords(t *testing.T) {
	l := lettersOfWords(t)
	for _, test := range []struct {
		name  string
		signs []string
		want  string
		least float64 // probability of the signs
	}{
		{"clear", []string{"م", "خ", "م", "د"}, "مخمد", 1},
		{"open", []string{"م", "خح", "م", "د"}, "محمد", 0.4},
		{"open and right", []string{"م", "حخ", "م", "د"}, "محمد", 0.6},
		{"one word of two", []string{"م", "خح", "م", "د", " ", "ج", "ض", "ق", "ذ"}, "محمد جضقذ", 0.4},
		{"hardly a word", []string{"ا", "ل", "تن", "ب", "ا", "ح"}, "النباح", 0.4},
		{"a word beside another", []string{"ا", "ل", "سش", "ع", "ر"}, "السعر", 0.6},
		{"no word either way", []string{"ض", "ظط", "ث", "ذ"}, "ضظثذ", 0.6},
		{"a letter for a digit", []string{"م", "١ا", "ل", "ك"}, "م١لك", 0.6},
		{"a digit among others", []string{"١", "٢١", "١"}, "١٢١", 0.6},
		{"nothing", nil, "", 1},
	} {
		got := printedLine(test.signs...).InWords(l)
		if got.Text() != test.want {
			t.Errorf("%s: %q, want %q", test.name, got.Text(), test.want)
		}
		least := 1.0
		for _, s := range got.Symbols() {
			least = min(least, s.Prob)
		}
		if math.Abs(least-test.least) > 1e-9 {
			t.Errorf("%s: the least probable sign has %.2f, want %.2f", test.name, least, test.least)
		}
	}
	if r := printedLine("م", "خ", "م", "د"); r.InWords(l) != r {
		t.Error("a reading that stays was made anew")
	}
}

// Property: a sign that is read in another's place has its own place in the line, as in the best path.
func TestAlign(t *testing.T) {
	r := printedLine("م", "خح", "م", "د")
	got, ok := r.saying(r.Text())
	if !ok {
		t.Fatal("what was read cannot be read")
	}
	for i, s := range got.Symbols() {
		if s != r.Symbols()[i] {
			t.Errorf("sign %d: %+v, was %+v", i, s, r.Symbols()[i])
		}
	}
	for _, text := range []string{"دمخم", "محمدد", "م!"} {
		if _, ok := r.saying(text); ok {
			t.Errorf("%q was read, which the ink excludes", text)
		}
	}
}

// Property: a line whose words are none is doubted where its ink leaves words open that are written, and no line that says what is written,
// whose ink is clear, or that differs from other words by the dots of a ta or by the room beside a dash alone. Clear signs do not make up
// for one that may have been overlooked.
func TestUnlikely(t *testing.T) {
	l := lettersOfWords(t)
	for name, test := range map[string]struct {
		signs []string
		want  bool
	}{
		"another word":  {[]string{"م", "خح", "م", "د"}, true},
		"clear":         {[]string{"م", "خ", "م", "د"}, false},
		"written":       {[]string{"م", "حخ", "م", "د"}, false},
		"a blank":       {[]string{"ا", "ل", "ب", " ي", "ت"}, true},
		"a ta":          {[]string{"م", "د", "ي", "ن", "هة"}, false},
		"no blank":      {[]string{"ا", "ل", "ج", "ا", "ر", "_ ", "ق", "ب", "ل"}, true},
		"no letter":     {[]string{"ا", "ل", "_م", "ح", "ا", "م", "ي", "ن"}, true},
		"one word":      {[]string{"ا", "ل", "م", "_ ", "ح", "ا", "م", "ي", "ن"}, false},
		"beside a dash": {[]string{"ق", "ا", "ل", "-", " ", "ق", "ا", "ل"}, false},
	} {
		if got := printedLine(test.signs...).Unlikely(l); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
