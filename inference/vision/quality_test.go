package vision

import "testing"

// TestMedian: half of the samples reach the median or stay below it, whatever lies between the rows.
func TestMedian(t *testing.T) {
	for _, test := range []struct {
		pix  []byte
		want int
	}{
		{nil, 0},
		{[]byte{7, 7, 9, 9, 99, 99}, 7}, // 99 lies beyond the width of two
		{[]byte{0, 250, 9, 250, 251, 9}, 250},
	} {
		p := Plane{Pix: test.pix, Width: 2, Height: len(test.pix) / 3, Stride: 3}
		if got := Median(p); got != test.want {
			t.Errorf("%v: %d, want %d", test.pix, got, test.want)
		}
	}
}
