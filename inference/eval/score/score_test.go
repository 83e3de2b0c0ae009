package score

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

// TestUpperBound: the bound agrees with published values of Clopper and Pearson.
func TestUpperBound(t *testing.T) {
	for _, tt := range []struct {
		k, n  int
		alpha float64
		want  float64
	}{
		{0, 6000, 0.05, 0.000499},
		{0, 1, 0.05, 0.95},
		{3, 10, 0.05, 0.6066},
		{1, 100, 0.025, 0.0545},
		{10, 10, 0.05, 1},
		{0, 0, 0.05, 1},
		{30, 6000, 0.05, 0.006782},
	} {
		if got := UpperBound(tt.k, tt.n, tt.alpha); math.Abs(got-tt.want) > 0.00005 {
			t.Errorf("%d of %d: got %.6f, want %.6f", tt.k, tt.n, got, tt.want)
		}
	}
}

// The interval agrees with published values, also at shares of 0 and 1, where the plain one is empty.
func TestShare(t *testing.T) {
	tests := []struct {
		ok, of    int
		low, high float64
	}{
		{0, 0, 0, 0}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {999, 1000, 0.9943, 0.9998},
	}
	for _, tt := range tests {
		var s Share
		s.Count(tt.ok, tt.of)
		if math.Abs(s.Low-tt.low) > 1e-4 || math.Abs(s.High-tt.high) > 1e-4 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", tt.ok, tt.of, s.Low, s.High, tt.low, tt.high)
		}
	}
}

// TestRatesOfNothing: a rate of nothing is printed as "-", and no comparison calls it better or worse; a bound has
// two decimals like all shares, and a third where it is small.
func TestRatesOfNothing(t *testing.T) {
	one := Share{}
	one.Add(true)
	for name, c := range map[string]struct {
		print func(io.Writer)
		want  []string
	}{
		"share":      {func(w io.Writer) { fmt.Fprint(w, Share{}) }, []string{"- 0 of 0 -"}},
		"comparison": {func(w io.Writer) { CompareShares(w, "a", Share{}, one); CompareShares(w, "b", one, Share{}) }, []string{"a - b -"}},
		"bound": {
			func(w io.Writer) { fmt.Fprint(w, BoundWords(0.39304), ", ", BoundWords(0.00064)) },
			[]string{"at most 39.30 %, at most 0.064 %"},
		},
	} {
		var out strings.Builder
		c.print(&out)
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
				t.Errorf("%s: the report lacks %q:\n%s", name, want, out.String())
			}
		}
	}
}
