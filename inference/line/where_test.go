package line

import (
	"math"
	"testing"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/vision"
)

// Property: a look at the parts of a page where a look from further away had a hint of text finds the lines that a look at the whole page
// finds, with less than half of its work; a page without a hint costs nothing.
func TestDetectWhere(t *testing.T) {
	identity := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	square, _ := inferencetest.Product(t, "lines")
	wide, _ := inferencetest.Product(t, "lines_wide")
	d := NewDetector(square, wide)
	luma := vision.Luma(inferencetest.Picture(t, "..", "..", "models", "samples", "general.jpg"))
	w, hgt := float64(luma.Width), float64(luma.Height)
	far, err := d.DetectAt(t.Context(), luma, identity, w, hgt, 0.64)
	if err != nil {
		t.Fatal(err)
	}
	const near = 1.18
	var all, some, none inference.Work
	whole, err := d.DetectAt(inference.WithWork(t.Context(), &all), luma, identity, w, hgt, near)
	if err != nil {
		t.Fatal(err)
	}
	part, err := d.DetectWhere(inference.WithWork(t.Context(), &some), luma, identity, w, hgt, near, far)
	if err != nil {
		t.Fatal(err)
	}
	want := whole.Lines()
	if len(want) < 26 {
		t.Fatalf("%d lines on a page of 26", len(want))
	}
	for _, l := range part.Lines() {
		for i, o := range want {
			if math.Hypot(l.Start.X-o.Start.X, l.Start.Y-o.Start.Y) < l.Height && math.Hypot(l.End.X-o.End.X, l.End.Y-o.End.Y) < l.Height {
				want = append(want[:i], want[i+1:]...)
				break
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("%d lines are not found where there was a hint of print: %v", len(want), want)
	}
	_, a := all.Total()
	if _, s := some.Total(); 2*s > a {
		t.Errorf("%d MMAC, %d for the whole page", s/1e6, a/1e6)
	}
	empty, err := d.DetectWhere(inference.WithWork(t.Context(), &none), luma, identity, w, hgt, near, d.newMap(192, 256, 0.64, 0.64))
	if err != nil {
		t.Fatal(err)
	}
	if runs, _ := none.Total(); runs > 0 || len(empty.Lines()) > 0 {
		t.Errorf("%d runs and %d lines without a hint", runs, len(empty.Lines()))
	}
}
