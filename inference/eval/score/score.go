// Package score has the statistics of measurements: shares with their intervals, bounds, curves, edit distances. It knows no picture.
package score

import (
	"fmt"
	"io"
	"math"
	"time"
)

// Share is a count of successes with its share and the 95 % Wilson interval of it.
type Share struct {
	OK    int     `json:"ok"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Add counts one more case and keeps the figures in step.
func (s *Share) Add(ok bool) {
	if ok {
		s.Count(1, 1)
	} else {
		s.Count(0, 1)
	}
}

// Count adds a number of cases. Wilson's interval stays sensible at shares near 0 and 1, where these figures lie.
func (s *Share) Count(ok, of int) {
	s.OK, s.Of = s.OK+ok, s.Of+of
	if s.Of == 0 {
		return
	}
	const z = 1.959964
	n, p := float64(s.Of), float64(s.OK)/float64(s.Of)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	s.Share, s.Low, s.High = p, max(middle-half, 0), min(middle+half, 1)
}

func (s Share) String() string { return RateRow(s.Share, s.OK, s.Of, s.Low, s.High) }

// None stands for a rate of nothing, which is neither good nor bad.
const None = "-"

// RateRow is a rate with its counts and its interval in three columns.
func RateRow(rate float64, n, of int, low, high float64) string {
	if of == 0 {
		return fmt.Sprintf("%6s\t%d of 0\t%s", None, n, None)
	}
	return fmt.Sprintf("%6.2f %%\t%d of %d\t%.2f to %.2f %%", 100*rate, n, of, 100*low, 100*high)
}

// Percent is a rate of so many cases in words.
func Percent(rate float64, of int) string {
	if of == 0 {
		return None
	}
	return fmt.Sprintf("%.2f %%", 100*rate)
}

// BoundWords is an upper bound in words: with a third decimal below 0.1 %, where goals lie.
func BoundWords(bound float64) string {
	if bound < 0.001 {
		return fmt.Sprintf("at most %.3f %%", 100*bound)
	}
	return fmt.Sprintf("at most %.2f %%", 100*bound)
}

// CompareShares prints how a share changed, and whether it fell below the older interval.
func CompareShares(w io.Writer, name string, is, was Share) {
	CompareRates(w, name, [2]float64{is.Share, was.Share}, min(is.Of, was.Of), is.Share < was.Low)
}

// CompareRates prints how a rate changed, in percentage points: what it is and was, over at least so many cases.
func CompareRates(w io.Writer, name string, rates [2]float64, of int, worse bool) {
	if of == 0 {
		fmt.Fprintf(w, "%s\t%s\n", name, None)
		return
	}
	verdict := ""
	if worse {
		verdict = "worse"
	}
	fmt.Fprintf(w, "%s\t%+.2f\t(%.2f - %.2f)\t%s\n", name, 100*(rates[0]-rates[1]), 100*rates[0], 100*rates[1], verdict)
}

// UpperBound is the one-sided Clopper-Pearson bound: the share at which k or fewer of n would come with probability
// alpha. It is 1 where nothing was tried.
func UpperBound(k, n int, alpha float64) float64 {
	low, high := 0.0, 1.0
	if k >= n {
		return 1
	}
	for range 60 {
		p := (low + high) / 2
		if atMost(k, n, p) > alpha {
			low = p
		} else {
			high = p
		}
	}
	return high
}

// atMost is the probability of k or fewer successes in n trials, each with probability p, 0 < p < 1.
func atMost(k, n int, p float64) float64 {
	var sum float64
	whole, _ := math.Lgamma(float64(n + 1))
	for i := range k + 1 {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(whole - a - b + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

// Percentile returns the value below which p percent of the sorted values lie, by the nearest rank; 0 for none.
func Percentile[T any](sorted []T, p int) (value T) {
	if len(sorted) == 0 {
		return value
	}
	return sorted[max((len(sorted)*p+99)/100-1, 0)]
}

// Milliseconds is a duration in ms, with two decimals.
func Milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e4) / 100 }

// Rounded keeps two decimals.
func Rounded(x float64) float64 { return math.Round(x*100) / 100 }
