package appliance_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// A crop shows what lies in its quad, upright, whichever way the card is turned; a picture that is written anew keeps its size and colours.
func TestReviewCrop(t *testing.T) {
	const w, h = 400, 300
	p := &appliance.Picture{
		Width:        w,
		Height:       h,
		Y:            make([]byte, w*h),
		ChromaWidth:  w / 2,
		ChromaHeight: h / 2,
		Cb:           bytes.Repeat([]byte{90}, w*h/4),
		Cr:           bytes.Repeat([]byte{160}, w*h/4),
	}
	for y := range h {
		for x := range w {
			if x >= 100 && x < 200 && y >= 100 && y < 140 {
				p.Y[y*w+x] = byte(100 + (x - 100)) // brighter to the right
			}
		}
	}
	upright := appliance.Quad{{X: 100, Y: 100}, {X: 200, Y: 100}, {X: 200, Y: 140}, {X: 100, Y: 140}}
	over := appliance.Quad{upright[2], upright[3], upright[0], upright[1]}
	for name, c := range map[string]struct {
		q          appliance.Quad
		left, more bool
	}{"upright": {upright, true, true}, "turned": {over, true, false}} {
		crop := p.Crop(c.q)
		if crop == nil || crop.Width < 120 || crop.Width > 135 || crop.Height < 60 || crop.Height > 75 {
			t.Fatalf("%s: crop %+v", name, crop)
		}
		mid := crop.Height / 2 * crop.Width
		if left, right := crop.Y[mid+20], crop.Y[mid+crop.Width-21]; (left < right) != c.more || crop.Y[0] != 0 {
			t.Errorf("%s: %d to %d, corner %d", name, left, right, crop.Y[0])
		}
	}
	for _, q := range []appliance.Quad{{}, {{X: 1e300}, {X: -1e300}, {}, {}}} {
		if crop := p.Crop(q); crop != nil {
			t.Errorf("a crop of %v", q)
		}
	}
	text, err := p.JPEG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(text))
	if ycc, ok := img.(*image.YCbCr); err != nil || !ok || ycc.Rect.Dx() != w || ycc.Rect.Dy() != h || ycc.Cb[0] < 88 || ycc.Cb[0] > 92 {
		t.Errorf("written anew: %T, %v", img, err)
	}
	if _, err := (&appliance.Picture{Width: 10, Height: 10}).JPEG(); err == nil {
		t.Error("a picture without samples was written")
	}
}
