package egypt

import (
	"math"
	"testing"
)

// Each habit is counted where a word shows it, and nowhere else.
func TestSpellingCounts(t *testing.T) {
	names := NewNameWording()
	for line, want := range map[string]Spelling{
		"علي حجازى":           {habitYeh: {1, 1}},
		"احمد إبراهيم أسامة":  {habitAlef: {2, 1}, habitHeh: {1, 0}},
		"فاطمه":               {habitHeh: {0, 1}},
		"عبد المنعم":          {},
		"مصطفى موسى":          {}, // dictionaries have them so
		"زقطوطى":              {habitYeh: {0, 1}},
		"محمد حسن 12 - شكر م": {},
		"":                    {},
	} {
		if got := names.Spelling(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// A spelling is the likelier the more of the card's other words share its habit; alone it is as likely as it was, and what
// all spellings of two words add up to stays one.
func TestLogHabit(t *testing.T) {
	one := func(usual, other float64) Spelling { return Spelling{habitYeh: {usual, other}} }
	if got := one(1, 0).LogHabit(Spelling{}); math.Abs(got) > 1e-9 {
		t.Errorf("alone: %.3f", got)
	}
	last := math.Inf(-1)
	for n := range 5 {
		same, against := one(0, 1).LogHabit(one(0, float64(n))), one(1, 0).LogHabit(one(0, float64(n)))
		if same <= last || n > 0 && against >= 0 {
			t.Errorf("%d words: %.3f, against the habit %.3f", n, same, against)
		}
		last = same
	}
	share, sum := usualShares()[habitYeh], 0.0
	for others := range 3 {
		ways := []float64{1, 2, 1}[others] // in which two words hold so many of the other spelling
		base := math.Pow(share, float64(2-others)) * math.Pow(1-share, float64(others))
		sum += ways * base * math.Exp(one(float64(2-others), float64(others)).LogHabit(one(3, 1)))
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the spellings of two words add up to %.6f", sum)
	}
}

// A word is misspelled where a hamza stands that no typist puts there; ways in which typists differ are none, nor are words of no list.
func TestMisspelled(t *testing.T) {
	names := NewNameWording()
	for line, want := range map[string]int{
		"راغب احمد على": 0, "رأغب أحمد علي": 1, "رأغب رمضإن": 2, "رمضان فاطمه": 0, "زقطأوط": 0, "": 0,
	} {
		if got := names.Misspelled(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}
