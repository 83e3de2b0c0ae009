package vision

import (
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestSampleRGBColours proves that the samples are JFIF's colours, red first, also from small chroma planes, and grey for a grey picture.
func TestSampleRGBColours(t *testing.T) {
	plane := func(n int, v byte) []byte {
		pix := make([]byte, n)
		for i := range pix {
			pix[i] = v
		}
		return pix
	}
	whole := Homography{4, 0, 0, 0, 4, 0, 0, 0, 1}
	for name, c := range map[string]struct {
		y, cb, cr byte
		grey      bool
		want      [3]byte
	}{
		"grey":     {y: 100, grey: true, want: [3]byte{100, 100, 100}},
		"neutral":  {y: 100, cb: 128, cr: 128, want: [3]byte{100, 100, 100}},
		"red":      {y: 76, cb: 85, cr: 255, want: [3]byte{254, 0, 0}},
		"green":    {y: 150, cb: 44, cr: 21, want: [3]byte{0, 255, 1}},
		"blue":     {y: 29, cb: 255, cr: 107, want: [3]byte{0, 0, 254}},
		"too blue": {y: 240, cb: 255, cr: 128, want: [3]byte{240, 196, 255}},
	} {
		p := &appliance.Picture{Width: 16, Height: 8, Y: plane(16*8, c.y)}
		if !c.grey {
			p.ChromaWidth, p.ChromaHeight, p.Cb, p.Cr = 8, 4, plane(8*4, c.cb), plane(8*4, c.cr)
		}
		dst := make([]byte, 3*4*2)
		SampleRGB(p, whole, 4, 2, dst)
		for i := 0; i < len(dst); i += 3 {
			if got := [3]byte(dst[i : i+3]); got != c.want {
				t.Errorf("%s: sample %d is %v, want %v", name, i/3, got, c.want)
			}
		}
	}
}

// TestSampleRGBPlaces proves that a sample lies between its four neighbours alone, wherever the map says, and that the border goes on: a
// shrunk picture is not averaged.
func TestSampleRGBPlaces(t *testing.T) {
	p := &appliance.Picture{Width: 100, Height: 60, Y: make([]byte, 6000)}
	for i := range p.Y {
		p.Y[i] = byte(2*(i%100) + i/100) // a slope of 2 across and 1 down
	}
	p.Y[30*100+50] = 255 // a speck
	for name, c := range map[string]struct {
		h    Homography
		want []byte // of the first samples of the second row of 4
	}{
		"as it is":       {Homography{1, 0, 10, 0, 1, 20, 0, 0, 1}, []byte{41, 43, 45, 47}},
		"between":        {Homography{1, 0, 10.5, 0, 1, 20, 0, 0, 1}, []byte{42, 44, 46, 48}},
		"shrunk":         {Homography{10, 0, 5, 0, 10, 5, 0, 0, 1}, []byte{39, 59, 79, 99}},
		"a speck":        {Homography{20, 0, 0.5, 0, 20, 0.5, 0, 0, 1}, []byte{50, 90, 255, 170}},
		"beyond":         {Homography{1, 0, -2, 0, 1, -9, 0, 0, 1}, []byte{0, 0, 0, 2}},
		"a quarter":      {Homography{0, -1, 50, 1, 0, 20, 0, 0, 1}, []byte{116, 117, 118, 119}},
		"beyond the end": {Homography{1, 0, 98, 0, 1, 58, 0, 0, 1}, []byte{255 & (2*98 + 59), 255 & (2*99 + 59), 255 & (2*99 + 59), 255 & (2*99 + 59)}},
	} {
		dst := make([]byte, 3*4*2)
		SampleRGB(p, c.h, 4, 2, dst)
		for k, want := range c.want {
			if got := dst[3*(4+k)]; got != want {
				t.Errorf("%s: sample %d is %d, want %d", name, k, got, want)
			}
		}
	}
}
