package outline

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// cutAround is the part of a picture about a document, of the document's format and so many of its sizes wide, laid flat, in the size that a scanner gives.
func cutAround(t *testing.T, p *appliance.Picture, q appliance.Quad, sizes float64) *appliance.Picture {
	t.Helper()
	const width, height = 1012, 638
	rim := (sizes - 1) / 2
	toPicture, ok := vision.RectToQuad(1, 1, q)
	if !ok {
		t.Fatal("no outline")
	}
	toPicture = toPicture.Mul(vision.Homography{sizes / width, 0, -rim, 0, sizes / height, -rim, 0, 0, 1})
	out := &appliance.Picture{Width: width, Height: height, Y: make([]byte, width*height), Cb: make([]byte, width*height), Cr: make([]byte, width*height), ChromaWidth: width, ChromaHeight: height}
	cb, cr, coloured := vision.Chroma(p)
	if !coloured {
		t.Fatal("no colours")
	}
	x, y := float64(cb.Width)/float64(p.Width), float64(cb.Height)/float64(p.Height)
	toChroma := vision.Homography{x, 0, 0, 0, y, 0, 0, 0, 1}.Mul(toPicture)
	if !vision.Warp(vision.Luma(p), toPicture, width, height, out.Y) || !vision.Warp(cb, toChroma, width, height, out.Cb) || !vision.Warp(cr, toChroma, width, height, out.Cr) {
		t.Fatal("cannot cut out")
	}
	return out
}

// Property: a picture that was cut out along the sides of a card is that card as a whole, and nothing of it lies beyond; one with a rim of what it lies on around it is not.
func TestCutOutPictures(t *testing.T) {
	f := productFinder(t)
	files, documents := truths(t, "documents")
	whole, parted, seen := 0, 0, 0
	for i, file := range files {
		d := documents[i][0]
		if len(documents[i]) > 1 || d.Kind == appliance.Passport {
			continue
		}
		seen++
		p, q := sample(t, file), appliance.Quad{}
		for k, c := range d.Quad {
			q[k] = appliance.Point{X: c[0], Y: c[1]}
		}
		cut := cutAround(t, p, q, 1)
		if found := find(t, f, cut); len(found) == 1 && found[0].CutOut && atCorners(cut, found[0].Quad) {
			whole++
		}
		if found := find(t, f, cutAround(t, p, q, 1.2)); len(found) > 0 && !found[0].CutOut {
			parted++
		}
	}
	t.Logf("of %d cards %d are whole pictures, %d lie in one", seen, whole, parted)
	if seen < 12 || whole < seen-2 || parted < seen-1 { // of some cards the text looks like sides even so
		t.Errorf("of %d cards that were cut out %d are found as such; of as many with a rim %d as none", seen, whole, parted)
	}
}

// Property: a picture on a ground is the same in its middle, plane by plane, whatever its colours are sampled at, and the ground differs from it.
func TestOnGround(t *testing.T) {
	const rim = 16
	for _, sampling := range []struct{ x, y int }{{0, 0}, {1, 1}, {2, 1}, {2, 2}} {
		p := &appliance.Picture{Width: 41, Height: 27, Y: make([]byte, 41*27)}
		for i := range p.Y {
			p.Y[i] = byte(200 + i%41)
		}
		if sampling.x > 0 {
			p.ChromaWidth, p.ChromaHeight = (41+sampling.x-1)/sampling.x, (27+sampling.y-1)/sampling.y
			p.Cb, p.Cr = make([]byte, p.ChromaWidth*p.ChromaHeight), make([]byte, p.ChromaWidth*p.ChromaHeight)
			p.Cb[0], p.Cr[len(p.Cr)-1] = 7, 9
		}
		out := onGround(p, rim)
		if out.Width != 41+2*rim || out.Height != 27+2*rim || len(out.Y) != out.Width*out.Height || out.Y[0] != darkGround || out.Y[rim*out.Width+rim+5] != 205 {
			t.Errorf("%v: luma %d x %d, %d samples", sampling, out.Width, out.Height, len(out.Y))
		}
		if sampling.x == 0 {
			continue
		}
		across, down := rim/sampling.x, rim/sampling.y
		if len(out.Cb) != out.ChromaWidth*out.ChromaHeight || out.ChromaWidth != (out.Width+sampling.x-1)/sampling.x || out.ChromaHeight != (out.Height+sampling.y-1)/sampling.y {
			t.Fatalf("%v: chroma %d x %d, %d samples", sampling, out.ChromaWidth, out.ChromaHeight, len(out.Cb))
		}
		if out.Cb[down*out.ChromaWidth+across] != 7 || out.Cr[(down+p.ChromaHeight-1)*out.ChromaWidth+across+p.ChromaWidth-1] != 9 {
			t.Errorf("%v: the colours lie elsewhere", sampling)
		}
	}
}
