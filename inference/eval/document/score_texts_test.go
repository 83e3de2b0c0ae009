package document

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestPlainText: texts that differ only in diacritics, tatweel, digits, dashes, quotation marks and spaces are equal, and
// no others.
func TestPlainText(t *testing.T) {
	same := [][2]string{
		{"مُحَمَّد", "محمد"},
		{"محمـــد", "محمد"},
		{"٢٠٢٦", "2026"},
		{" a  b\n", "a b"},
		{"“x”—y", `"x"–y`},
		{"کی", "كي"},
		{"\u200fا\u200e", "ا"},
		{"ا\u0654ثر", "أثر"},
		{"ا\u0655لى", "إلى"},
		{"مو\u0654من", "مؤمن"},
	}
	for _, s := range same {
		if a, b := PlainText(s[0]), PlainText(s[1]); a != b {
			t.Errorf("%q and %q are compared as %q and %q", s[0], s[1], a, b)
		}
	}
	for _, s := range [][2]string{{"أحمد", "احمد"}, {"ا\u0654حمد", "احمد"}, {"مدرسه", "مدرسة"}, {"a", "A"}, {"،", ","}} {
		if PlainText(s[0]) == PlainText(s[1]) {
			t.Errorf("%q and %q count as equal", s[0], s[1])
		}
	}
}

// TestScoreTexts: errors, exact texts and found lines are counted over all texts, failures included, and the interval
// holds the rate.
func TestScoreTexts(t *testing.T) {
	texts := func(lines ...string) []textLine {
		var out []textLine
		for _, l := range lines {
			out = append(out, textLine{l})
		}
		return out
	}
	outcomes := []textOutcome{
		{textSpecimen: textSpecimen{Lines: texts("abcd", "efgh")}, lines: []string{"abcd", "efgh"}},
		{textSpecimen: textSpecimen{Lines: texts("abcd", "efgh")}, lines: []string{"abxy"}},
		{textSpecimen: textSpecimen{Lines: texts("abc")}, err: errors.New("broken")},
		{err: errors.New("broken")}, // reads as nothing, which is what is printed
	}
	s := scoreTexts(outcomes, true)
	if s.Pictures != 4 || s.Failed != 2 || s.Exact.OK != 1 || s.Found.OK != 3 || s.Found.Of != 5 {
		t.Errorf("%+v, found %+v", s.textFigures, s.Found)
	}
	if c := s.Characters; c.Errors != 7+3 || c.Of != 9+9+3 || !(c.Low <= c.Rate && c.Rate <= c.High) || c.High > 1 {
		t.Errorf("characters: %+v", c)
	}
	if again := scoreTexts(outcomes, true); again.Characters != s.Characters {
		t.Errorf("the interval is %v and then %v", s.Characters, again.Characters)
	}
	var b strings.Builder
	s.Tesseract = scoreRival(outcomes, true)
	s.Print(&b)
	s.Compare(&b, s)
	for _, want := range []string{"47.62 %", "lines found", "Tesseract: character errors", "character errors             +0.00"} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
	if empty := scoreTexts(nil, false); empty.Characters.Rate != 0 || empty.Found != nil {
		t.Errorf("nothing scores %+v", empty)
	}
}

// TestLinePictures: a folder's lines are those with a text beside them, in its folders too; a folder without one is an
// error that says what is missing.
func TestLinePictures(t *testing.T) {
	dir := t.TempDir()
	if _, err := linePictures(dir); err == nil || !strings.Contains(err.Error(), ".gt.txt") {
		t.Errorf("an empty folder: %v", err)
	}
	for name, text := range map[string]string{"b.png": "", "book/a.png": "", "book/a.gt.txt": " سطر\n", "notes.txt": "x"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := linePictures(dir)
	if err != nil || len(all) != 1 || all[0].File != filepath.Join("book", "a.png") || PlainText(all[0].Lines[0].Text) != "سطر" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestFramed: the frame is white and the picture unchanged within it.
func TestFramed(t *testing.T) {
	p := framed(&appliance.Picture{Width: 2, Height: 1, Y: []byte{7, 9}}, 1)
	if want := "\xff\xff\xff\xff\xff\x07\x09\xff\xff\xff\xff\xff"; p.Width != 4 || p.Height != 3 || string(p.Y) != want {
		t.Errorf("%d x %d: %v", p.Width, p.Height, p.Y)
	}
}
