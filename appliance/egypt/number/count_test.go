package number

import "testing"

// A number is read within its bounds, with as many digits as the ink shows; what is no such number is doubtful or none.
func TestDecodeCount(t *testing.T) {
	for _, test := range []struct {
		shown     string
		low, high int
		want      string
		sure      bool
	}{
		{"2015", 1930, 2027, "2015", true},
		{"8", 1, 16, "8", true},
		{"12", 1, 16, "12", true},
		{"1600", 40, 30000, "1600", true},
		{"800", 40, 30000, "800", true},
		{"3015", 1930, 2027, "", false},
	} {
		got := DecodeCount(inkDate(test.shown), test.low, test.high)
		if test.sure && (got.Value != test.want || got.Confidence < 0.9) || !test.sure && got.Confidence > 0.5 {
			t.Errorf("%s: %+v", test.shown, got)
		}
	}
	if got := DecodeCount(nil, 1, 16); got.Value != "" {
		t.Errorf("nothing: %+v", got)
	}
}
