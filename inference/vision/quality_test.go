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

// TestDarkShare: the share of a picture that is dark is the same whatever its size, and nothing beyond its width counts.
func TestDarkShare(t *testing.T) {
	for _, side := range []int{8, 64, 200} {
		p := Plane{Pix: make([]byte, side*(side+5)), Width: side, Height: side, Stride: side + 5}
		for y := range side {
			for x := range side {
				if x >= side/4 {
					p.Pix[y*p.Stride+x] = 200
				}
			}
		}
		if got := DarkShare(p); got < 0.24 || got > 0.26 {
			t.Errorf("%d x %d, a quarter of it dark: %.3f", side, side, got)
		}
	}
}
