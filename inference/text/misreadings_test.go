package text

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Property: signs that stand for each other are paired, and those that one text lacks stand for none.
func TestAligned(t *testing.T) {
	for _, c := range []struct{ read, printed, want string }{
		{"abc", "abc", "aa bb cc"},
		{"abc", "axc", "aa bx cc"},
		{"abbc", "abc", "aa bb cc"},
		{"ac", "abc", "aa cc"},
		{"", "abc", ""},
		{"xabc", "abc", "aa bb cc"},
	} {
		var got []string
		for _, pair := range Aligned([]rune(c.read), []rune(c.printed)) {
			got = append(got, string(pair[:]))
		}
		slices.Reverse(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %s: %q, want %s", c.read, c.printed, got, c.want)
		}
	}
}

// Property: a letter that known print shows to be others, so often at least whichever these are, is told with the share of each, one more
// reading counting as right; not what is spelled otherwise by habit, nor figures and signs that either lacks.
func TestMisreadings(t *testing.T) {
	var seen Misreadings
	if got := seen.Misread(1); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
	seen.Look("تاريخ التمرير", "تاريخ التحرير")
	seen.Look("المنسية", "الجنسية")
	seen.Look("رقم المركبة", "رقم المركبة")
	seen.Look("اسم المالك٣", "إسم المالكـ٢")
	seen.Look("فوع", "نوع")
	want := Misread{'م': {'ح': 1.0 / 7, 'ج': 1.0 / 7}}
	if got := seen.Misread(2); !maps.EqualFunc(got, want, maps.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	want['ف'] = map[rune]float64{'ن': 0.5}
	if got := seen.Misread(1); !maps.EqualFunc(got, want, maps.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}
