package number

import (
	"math"
	"slices"
	"testing"
)

// Where the number of digits is in doubt, whole strings are weighed by their ink: a lost or an invented digit is repaired
// where the ink leaves room for it, and what clearly is no number of fourteen digits stays as it is printed.
func TestDecodeNumberByScore(t *testing.T) {
	const number = "28506152101235"
	for _, test := range []struct {
		name, text string
		ink        map[string]float64
		want       string
		repair     string
		code       bool
	}{
		{"a digit lost", "2850615210123", map[string]float64{"2850615210123": 0.7, number: 0.2}, number, "13 digits read, 5 as digit 14 put in", false},
		{"two zeros lost", "286152101235", map[string]float64{"286152101235": 0.7, "28006152101235": 0.2}, "28006152101235", "12 digits read, 0 as digit 3 and 0 as digit 4 put in", false},
		{"a digit invented", "285061521012352", map[string]float64{"285061521012352": 0.7, number: 0.2}, number, "15 digits read, one left out", false},
		{"fourteen after all", number, map[string]float64{number: 0.4, "2850615210123": 0.3}, number, "", false},
		{"clearly thirteen", "2850615210123", map[string]float64{"2850615210123": 0.999, number: 1e-5}, "2850615210123", "", true},
		{"against the grammar", "2859615210123", map[string]float64{"2859615210123": 0.7, "28596152101235": 0.3}, "2859615210123", "", true},
		{"hardly anything", "285", map[string]float64{"285": 0.6}, "285", "", true},
		{"no ink", "285", nil, "285", "", true},
		{"signs among digits", "285/", map[string]float64{"285/": 1}, "285/", "", true},
	} {
		calls := 0
		e := Evidence{Today: today, Length: math.Log(0.3), Text: test.text, Score: func(s string) float64 {
			calls++
			return math.Log(test.ink[s])
		}}
		if test.code {
			e.Length = math.Log(1e-5)
		}
		cells := make([]Cell, Length)
		if len(test.text) == Length {
			cells = ink(test.text)
		}
		n := Decode(cells, e)
		repair := ""
		if len(n.Repairs) > 0 {
			repair = n.Repairs[0]
		}
		if n.Value != test.want || repair != test.repair || slices.Contains(n.Codes, CodeIDNumber) != test.code {
			t.Errorf("%s: %+v, want %+v", test.name, n, test)
		}
		if calls == 0 || calls > 400 {
			t.Errorf("%s: the ink was asked %d times", test.name, calls)
		}
		if test.want != test.text && !n.doubtful() || n.Confidence > 1 {
			t.Errorf("%s: confidence %v", test.name, n.Confidence)
		}
		for _, p := range n.Digits {
			if p > 1 || p > 0 && len(n.Value) != 14 {
				t.Errorf("%s: digits %v", test.name, n.Digits)
			}
		}
	}
}

// Where the number of digits is sure, the ink of whole strings is not asked.
func TestDecodeNumberScoreUnasked(t *testing.T) {
	Decode(ink("28506152101235"), Evidence{Today: today, Score: func(string) float64 {
		t.Error("asked")
		return 0
	}})
}
