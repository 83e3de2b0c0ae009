package packaging_test

import "testing"

// A product and a sum are rounded one after the other on every architecture. On arm64 the compiler would join them, and
// what is read would differ from amd64 in doubtful places; the flags of the Makefile keep it from that.
func TestRounding(t *testing.T) {
	for _, exponent := range []int{27, 28, 29, 30} {
		a := 1 + 1/float64(int64(1)<<exponent)
		rounded := 1 + 2/float64(int64(1)<<exponent) // a*a without its last bit, which a float64 cannot hold
		if got := productSum(a, a, -rounded); got != 0 {
			t.Errorf("%v*%v-%v is %g: the product was not rounded before the sum", a, a, rounded, got)
		}
	}
}

//go:noinline
func productSum(a, b, c float64) float64 { return a*b + c }
