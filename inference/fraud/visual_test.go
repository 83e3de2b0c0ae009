package fraud

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A printed number counts against the zone's only when it has its form and most of its signs, and the number itself is
// nowhere.
func TestOtherNumber(t *testing.T) {
	line := func(text string) printed { return printed{text, 0.9} }
	for name, c := range map[string]struct {
		lines []printed
		want  float64
	}{
		"the number itself":      {[]printed{line("A12345678")}, 0},
		"a sign changed":         {[]printed{line("A12345679")}, 0.9},
		"changed but also right": {[]printed{line("A12345679"), line("NO A12345678")}, 0},
		"another form":           {[]printed{line("123456789")}, 0},
		"another number":         {[]printed{line("B98765432")}, 0},
		"hardly read":            {[]printed{{"A12345679", 0.3}}, 0},
		"nothing":                {nil, 0},
	} {
		if got := otherNumber(c.lines, "A12345678"); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// A printed date counts against the zone's birth date only when it looks like a changed one, not when it is another date
// of the document.
func TestOtherBirth(t *testing.T) {
	for text, want := range map[string]float64{
		"05 MAR 1987":              0,
		"05/03/1987":               0,
		"5.3.87":                   0,
		"05 MAR 1977":              0.8,
		"06/03/1987":               0.8,
		"05/03/2031":               0, // the expiry date
		"17/11/2021":               0,
		"05 XYZ 1977":              0,
		"05/03/1977 05/03/1987":    0,
		"06 MAR/MARS 1987 PLACE X": 0.8,
	} {
		if got := otherBirth([]printed{{text, 0.8}}, "1987-03-05", "2031-03-05"); got != want {
			t.Errorf("%s: %g, want %g", text, got, want)
		}
	}
	if got := otherBirth([]printed{{"05 MAR 1977", 0.8}}, "", ""); got != 0 {
		t.Errorf("no birth date in the zone: %g, want 0", got)
	}
}

// Dates are found in every usual form, and nothing else is taken for one.
func TestDays(t *testing.T) {
	for text, want := range map[string][]day{
		"12/05/1990":          {{12, 5, 90}},
		"12 MAY 90":           {{12, 5, 90}},
		"12 MAY/MAI 1990":     {{12, 5, 90}},
		"12.05.90 - 01-02-99": {{12, 5, 90}, {1, 2, 99}},
		"32/05/1990":          nil,
		"12 ANF 1990":         nil, // inside the row of months, but no month
		"A12345678":           nil,
	} {
		if diff := cmp.Diff(want, days(text), cmp.AllowUnexported(day{})); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
}

// No text makes the comparison fail or a date impossible.
func FuzzVisual(f *testing.F) {
	f.Add("05 MAR 1987 A12345678", "A12345678")
	f.Fuzz(func(t *testing.T, text, number string) {
		for _, d := range days(text) {
			if d.day < 1 || d.day > 31 || d.month < 1 || d.month > 12 || d.year < 0 || d.year > 99 {
				t.Fatalf("%q: %v", text, d)
			}
		}
		if s := otherNumber([]printed{{text, 0.9}}, number); s != 0 && s != 0.9 {
			t.Fatalf("score %g", s)
		}
		otherBirth([]printed{{text, 0.9}}, number, text)
	})
}
