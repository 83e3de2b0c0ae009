package face

import (
	"bytes"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// recoded is a picture after JPEG coding.
func recoded(t testing.TB, p *appliance.Picture, quality int) *appliance.Picture {
	t.Helper()
	var b bytes.Buffer
	m := &image.Gray{Pix: p.Y, Stride: p.Width, Rect: image.Rect(0, 0, p.Width, p.Height)}
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	out, err := vision.Decoder{}.Decode(t.Context(), b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// part is the part of a picture between shares of its sides, scaled to w x h.
func part(p *appliance.Picture, left, top, right, bottom float64, w, h int) *appliance.Picture {
	x0, y0, x1, y1 := left*float64(p.Width), top*float64(p.Height), right*float64(p.Width), bottom*float64(p.Height)
	out := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	vision.Warp(vision.Luma(p), vision.Homography{(x1 - x0) / float64(w), 0, x0, 0, (y1 - y0) / float64(h), y0, 0, 0, 1}, w, h, out.Y)
	return out
}

// relit changes the brightness.
func relit(p *appliance.Picture, gain, offset float64) *appliance.Picture {
	out := *p
	out.Y = make([]byte, len(p.Y))
	for i, v := range p.Y {
		out.Y[i] = byte(min(max(gain*float64(v)+offset, 0), 255))
	}
	return &out
}

// copied makes a copy as one who wants to pass it for another frame would.
func copied(t testing.TB, r *rand.Rand, p *appliance.Picture) (*appliance.Picture, string) {
	kind := []string{"coded", "resized", "brightness", "cropped", "all", "all"}[r.IntN(6)]
	qualities := []int{50, 60, 70, 80, 90, 95}
	left, top, right, bottom, w, h := 0.0, 0.0, 1.0, 1.0, p.Width, p.Height
	if kind == "cropped" || kind == "all" {
		left, top, right, bottom = 0.05*r.Float64(), 0.05*r.Float64(), 1-0.05*r.Float64(), 1-0.05*r.Float64()
		w, h = int(float64(w)*(right-left)), int(float64(h)*(bottom-top))
	}
	if kind == "resized" || kind == "all" {
		s := 0.6 + 0.9*r.Float64()
		w, h = int(s*float64(w)), int(s*float64(h))
	}
	out := part(p, left, top, right, bottom, w, h)
	if kind == "brightness" || kind == "all" {
		out = relit(out, 0.8+0.4*r.Float64(), 40*r.Float64()-20)
	}
	return recoded(t, out, qualities[r.IntN(len(qualities))]), kind
}
