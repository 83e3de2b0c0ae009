package card

import "testing"

// Property: what is a date and nothing else is no part of a national number; a number, a part of one and a misread one stay candidates.
func TestDatesAreNoNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"1972-07-03": true, "02/05/1997": true, "1972/07/03": true, " 3.7.1972 ": true, "1972 / 07 / 03": true,
		"27207031856154": false, "2 72 07 03 18 56154": false, "272/07/031856154": false, "1972/07": false, "19720703": false, "": false,
	} {
		if got := dateAlone.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
