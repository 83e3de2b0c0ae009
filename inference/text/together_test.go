package text

import "testing"

// Property: of several looks at a line the one counts whose text is a likely one by its ink and by its letters, not the first; a word that
// is none stays as it was first read, and a reading that stays is not made anew.
func TestTogether(t *testing.T) {
	l := lettersOfWords(t)
	for name, test := range map[string]struct {
		first, other []string
		want         string
	}{
		"the other is written": {[]string{"م", "خ", "م", "د"}, []string{"م", "حخ", "م", "د"}, "محمد"},
		"the first is written": {[]string{"م", "ح", "م", "د"}, []string{"م", "خ", "م", "د"}, "محمد"},
		"open in both":         {[]string{"م", "خح", "م", "د"}, []string{"م", "خح", "م", "ذد"}, "محمد"},
		"neither is":           {[]string{"ض", "ظ", "ث", "ذ"}, []string{"ض", "ط", "ث", "ذ"}, "ضظثذ"},
		"another number":       {[]string{"١", "٢", "١"}, []string{"١", "٢", "١"}, "١٢١"},
	} {
		first := printedLine(test.first...)
		got := l.Together(first, Looks{Cuts: []*Reading{first, printedLine(test.other...)}})
		if got.Text() != test.want {
			t.Errorf("%s: %q, want %q", name, got.Text(), test.want)
		}
		if got.Text() == first.Text() && got != first {
			t.Errorf("%s: a reading that stays was made anew", name)
		}
	}
	if first := printedLine(); l.Together(first, Looks{Cuts: []*Reading{first}}) != first {
		t.Error("nothing became something")
	}
}

// Property: a look without vowel signs decides between words that the others leave open, though another word is the likelier one; the dots
// of a ta, of which such a look knows nothing, stay.
func TestTogetherBare(t *testing.T) {
	l := lettersOfWords(t)
	for _, test := range []struct{ cut, bare, want string }{
		{"السوق", "الشوق", "الشوق"},
		{"يدركه", "يدركة", "يدركه"},
	} {
		var cut, bare []string
		for i, sign := range []rune(test.cut) {
			other := string([]rune(test.bare)[i])
			if string(sign) == other {
				cut, bare = append(cut, other), append(bare, other)
				continue
			}
			cut, bare = append(cut, string(sign)+other), append(bare, other)
		}
		first := printedLine(cut...)
		if got := l.Together(first, Looks{Cuts: []*Reading{first}, Bare: []*Reading{printedLine(bare...)}}); got.Text() != test.want {
			t.Errorf("%s beside %s: %q, want %q", test.cut, test.bare, got.Text(), test.want)
		}
	}
}
