package engine

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// streetOf draws houses with windows on both sides of a street, and lays the plate of the sample before them, a seventh as wide as the
// picture.
func streetOf(t *testing.T, e *Engine) *appliance.Picture {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "plate.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Decoder.Decode(t.Context(), raw)
	if err != nil {
		t.Fatal(err)
	}
	found, err := e.documents.Find(t.Context(), p)
	if err != nil || len(found) == 0 || found[0].Kind != appliance.LicensePlate {
		t.Fatalf("the sample shows %v, %v", found, err)
	}
	const width, height, wide = 1600, 1200, 228
	s := &appliance.Picture{Width: width, Height: height, ChromaWidth: width / 2, ChromaHeight: height / 2}
	s.Y, s.Cb, s.Cr = drawnHouses(width, height), make([]byte, width*height/4), make([]byte, width*height/4)
	for i := range s.Cb {
		s.Cb[i], s.Cr[i] = 126, 130
	}
	layPlate(t, p, found[0].Quad, s, 700, 600, wide)
	return s
}

// drawnHouses are grey walls with windows over a road.
func drawnHouses(width, height int) []byte {
	out, r := make([]byte, width*height), rand.New(rand.NewPCG(7, 8))
	fill := func(left, top, right, bottom int, v byte) {
		for y := max(top, 0); y < min(bottom, height); y++ {
			for x := max(left, 0); x < min(right, width); x++ {
				out[y*width+x] = v
			}
		}
	}
	fill(0, 0, width, height, 90)
	for left := 0; left < width; {
		wide, top, road := 130+r.IntN(180), r.IntN(150), height/2
		fill(left, top, left+wide, road, byte(120+r.IntN(80)))
		side := wide / 5
		for y := top + side/2; y < road-side; y += side * 8 / 5 {
			for x := left + side/2; x < left+wide-side; x += side * 8 / 5 {
				fill(x, y, x+side, y+side*6/5, byte(50+r.IntN(30)))
			}
		}
		left += wide
	}
	return out
}

// layPlate copies the plate that q outlines in p to a place in s, so wide.
func layPlate(t *testing.T, p *appliance.Picture, q appliance.Quad, s *appliance.Picture, left, top, wide int) {
	t.Helper()
	copyTo := func(from vision.Plane, q appliance.Quad, to []byte, stride, left, top, wide int) {
		h, ok := vision.RectToQuad(float64(wide), float64(wide/2), q)
		out := make([]byte, wide*(wide/2))
		if !ok || !vision.Warp(from, h, wide, wide/2, out) {
			t.Fatalf("%v outlines nothing", q)
		}
		for y := range wide / 2 {
			copy(to[(top+y)*stride+left:], out[y*wide:][:wide])
		}
	}
	copyTo(vision.Luma(p), q, s.Y, s.Width, left, top, wide)
	cb, cr, _ := vision.Chroma(p)
	small := vision.ToChroma(p).ApplyQuad(q)
	copyTo(cb, small, s.Cb, s.ChromaWidth, left/2, top/2, wide/2)
	copyTo(cr, small, s.Cr, s.ChromaWidth, left/2, top/2, wide/2)
}

// Property: a plate before houses is read with few inferences: where a larger part of the picture shows it surely, only those smaller ones
// are looked at that may show another. Looking at all that have strokes took 28 (28 November 2026).
func TestStreetTakesFewInferences(t *testing.T) {
	const most = 20
	e, err := Open(t.Context(), configs.Picture{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	p := streetOf(t, e)
	var w inference.Work
	got, err := e.plate.Read(inference.WithWork(t.Context(), &w), p, nil)
	if err != nil || len(got.Documents) != 1 || got.Documents[0].Field("result").Value == "" {
		t.Fatalf("read %+v, %v", got.Documents, err)
	}
	runs := int64(0)
	for _, s := range got.Stages {
		runs += s.Runs
	}
	if runs == 0 || runs > most {
		t.Errorf("%d inferences, %s", runs, got.Documents[0].Field("result").Value)
	}
}
