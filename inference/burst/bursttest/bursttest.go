// Package bursttest makes frames for the tests of bursts.
package bursttest

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/vision"
)

// Scene is a room with a face that moves, seen by a camera with noise.
type Scene struct {
	X, Y, Size, Light float64
	Room              int
	Person            float64
}

// At is a scene in good light whose face lies there.
func At(x, y, size float64) Scene { return Scene{X: x, Y: y, Size: size, Light: 1, Room: 1, Person: 1} }

// In is the scene in another room.
func (s Scene) In(room int) Scene {
	s.Room = room
	return s
}

// Shoot takes a frame of 480 x 360.
func (s Scene) Shoot(r *rand.Rand) *appliance.Picture {
	const w, h = 480, 360
	p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	k := float64(s.Room)
	for i := range p.Y {
		x, y := float64(i%w)+0.5, float64(i/w)+0.5
		v := 70 + 30*math.Sin(x*(0.013+0.004*k)+k)*math.Cos(y*(0.017+0.003*k)) + 12*math.Sin((x+k*y)*0.11)
		if d := math.Hypot(x-s.X, y-s.Y); d < s.Size/2 {
			u, t := (x-s.X)/s.Size, (y-s.Y)/s.Size
			v = 195 + 20*math.Sin(u*(9+4*s.Person)+s.Person) + 20*math.Cos(t*(13-3*s.Person)+2*s.Person*u)
		}
		v += 5*math.Sin(0.7*x+0.31*y+k) + 4*math.Sin(1.1*y-0.5*x) + 4*math.Sin(0.37*x-0.29*y) // weave and pores
		p.Y[i] = byte(min(max(math.Round(s.Light*v+2*r.NormFloat64()), 0), 255))
	}
	return p
}

// Recoded is a picture after JPEG coding.
func Recoded(t testing.TB, p *appliance.Picture, quality int) *appliance.Picture {
	t.Helper()
	var b bytes.Buffer
	m := &image.Gray{Pix: p.Y, Stride: p.Width, Rect: image.Rect(0, 0, p.Width, p.Height)}
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	out, err := decode.Decoder{}.Decode(t.Context(), b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Part is the part of a picture between shares of its sides, scaled to w x h.
func Part(p *appliance.Picture, left, top, right, bottom float64, w, h int) *appliance.Picture {
	x0, y0, x1, y1 := left*float64(p.Width), top*float64(p.Height), right*float64(p.Width), bottom*float64(p.Height)
	out := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	vision.Warp(vision.Luma(p), vision.Homography{(x1 - x0) / float64(w), 0, x0, 0, (y1 - y0) / float64(h), y0, 0, 0, 1}, w, h, out.Y)
	return out
}
