package text

import "testing"

// Property: signs about words are left out, but for a dash or a bracket at an end of the line, which a value has where it goes on or comes
// from above.
func TestTrimmed(t *testing.T) {
	for said, want := range map[string]string{
		"oak elm": "oak elm", ":oak.": "oak", "-oak": "-oak", "oak (": "oak (", "- oak (": "- oak (", "|oak)": "oak)", ":": "", "": "",
	} {
		var symbols []Symbol
		for _, r := range said {
			symbols = append(symbols, Symbol{Rune: r})
		}
		from, to := Trimmed(symbols, 0, len(symbols))
		if got := said[from:to]; got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
	if from, to := Trimmed([]Symbol{{Rune: '-'}, {Rune: 'a'}, {Rune: '-'}}, 1, 2); from != 1 || to != 2 {
		t.Errorf("%d to %d", from, to)
	}
}

// Property: a dot or an angle beside an Arabic digit, or a blank away from one, may be the zero or the eight of a number, and beside other
// signs not.
func TestMayBeADigit(t *testing.T) {
	for said, want := range map[string]bool{
		"٢.": true, "٢^": true, "٢ ^": true, "2.": false, "a^": false, "٢-": false, "٢  ^": false, ".": false,
	} {
		var symbols []Symbol
		for _, r := range said {
			symbols = append(symbols, Symbol{Rune: r})
		}
		last := len(symbols) - 1
		if got := mayBeDigit(symbols, last, last-1); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

// Property: signs are whole words where no letter stands beside them.
func TestWholeWords(t *testing.T) {
	var symbols []Symbol
	for _, r := range "an oak 12" {
		symbols = append(symbols, Symbol{Rune: r})
	}
	for _, c := range []struct {
		first, last int
		want        bool
	}{{0, 1, true}, {0, 0, false}, {3, 5, true}, {4, 5, false}, {0, 5, true}, {7, 7, true}, {0, 8, true}} {
		if got := WholeWords(symbols, c.first, c.last); got != c.want {
			t.Errorf("%d to %d: %v", c.first, c.last, got)
		}
	}
}
