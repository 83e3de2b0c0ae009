package injection

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// drawnStill is a still of a disc with eyes and a mouth, with detail everywhere.
func drawnStill(w, h int, size float64, seed uint64) Still {
	r := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	cx, cy := float64(w)/2, float64(h)/2
	s := Still{Image: m, Landmarks: [5]appliance.Point{
		{X: cx - size/4, Y: cy - size/6},
		{X: cx + size/4, Y: cy - size/6},
		{X: cx, Y: cy + size/20},
		{X: cx - size/5, Y: cy + size/4},
		{X: cx + size/5, Y: cy + size/4},
	}}
	for y := range h {
		for x := range w {
			level := 90 + 30*math.Sin(float64(x)/9)*math.Sin(float64(y)/11)
			if math.Hypot(float64(x)-cx, float64(y)-cy) < size/2 {
				level += 60
			}
			level += 3 * r.NormFloat64()
			m.SetRGBA(x, y, color.RGBA{uint8(level), uint8(level * 0.8), uint8(level * 0.7), 255})
		}
	}
	return s
}

// Every family makes three frames of webcam size that can be decoded and differ from each other.
func TestFamilies(t *testing.T) {
	other := drawnStill(640, 480, 180, 2)
	s := Source{Still: drawnStill(640, 480, 180, 1), Other: &other, Scene: drawnStill(320, 200, 90, 3).Image}
	names := map[string]bool{}
	for _, f := range Families() {
		if names[f.Name] || f.Does == "" {
			t.Errorf("family %q has no name or explanation of its own", f.Name)
		}
		names[f.Name] = true
		files, err := f.Make(rand.New(rand.NewPCG(1, 2)), s)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for i, raw := range files {
			m, err := jpeg.Decode(bytes.NewReader(raw))
			if err != nil || m.Bounds().Dx() != frameWidth || m.Bounds().Dy() != frameHeight {
				t.Errorf("%s, frame %d: %v", f.Name, i, err)
			}
			if bytes.Equal(raw, files[(i+1)%Frames]) {
				t.Errorf("%s: two frames are equal", f.Name)
			}
		}
	}
}

// The same chance makes the same bytes and another chance makes others; one still alone is enough, and its face may be small.
func TestChance(t *testing.T) {
	s := Source{Still: drawnStill(400, 300, 44, 1)}
	for _, name := range []string{"morph", "pasted_eyes", "bent_cutout"} {
		f := Families()[slices.IndexFunc(Families(), func(f Family) bool { return f.Name == name })]
		var made [3][Frames][]byte
		for i, seed := range []uint64{1, 1, 2} {
			var err error
			if made[i], err = f.Make(rand.New(rand.NewPCG(seed, 2)), s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for i, raw := range made[0] {
			if !bytes.Equal(raw, made[1][i]) || bytes.Equal(raw, made[2][i]) {
				t.Errorf("%s, frame %d: the bytes do not follow from the chance", name, i)
			}
		}
	}
}

// At least six families are there to develop on and six more that development does not see.
func TestFamilySplit(t *testing.T) {
	developed, unseen := 0, 0
	for _, f := range Families() {
		switch {
		case f.Developed:
			developed++
		case !f.Apart:
			unseen++
		}
	}
	if developed != 6 || unseen < 6 {
		t.Errorf("%d families to develop on, %d unseen", developed, unseen)
	}
}

// A still without a face, or hardly a picture, is an error.
func TestNoFace(t *testing.T) {
	s := drawnStill(640, 480, 180, 1)
	s.Landmarks = [5]appliance.Point{}
	if _, err := Families()[0].Make(rand.New(rand.NewPCG(1, 2)), Source{Still: s}); err == nil {
		t.Error("a still without a face was used")
	}
	tiny := Still{Image: image.NewRGBA(image.Rect(0, 0, 4, 4)), Landmarks: drawnStill(640, 480, 180, 1).Landmarks}
	if _, err := Families()[0].Make(rand.New(rand.NewPCG(1, 2)), Source{Still: tiny}); err == nil {
		t.Error("a tiny still was used")
	}
}
