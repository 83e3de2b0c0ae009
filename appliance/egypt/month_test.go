package egypt

import "testing"

// TestMonthNamed: a month is known by its name in either language, misread by a letter as well, unless it may be another.
func TestMonthNamed(t *testing.T) {
	for word, want := range map[string]int{
		"يناير": 1, "ديسمبر": 12, "أبريل": 4, "ابريل": 4, "إبريل": 4, "مارس": 3, "يونيو": 6, "يوليو": 7, "سبتمبز": 9, "يوتيو": 6, "يوكيو": 0,
		"MAR": 3, "July": 7, "SEPTEMBER": 9, "May": 5, "محمد": 0, "شارع": 0, "": 0, "2024": 0,
	} {
		if got := MonthNamed(word); got != want {
			t.Errorf("%q is month %d, want %d", word, got, want)
		}
	}
}
