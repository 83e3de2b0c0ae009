package card

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// scene is a picture with the documents that were found in it, largest first.
type scene struct {
	*appliance.Picture
	luma  vision.Plane
	found []Found
}

// at returns which document a point lies in, the smallest one where there are several, and -1 outside of all.
func (s *scene) at(p appliance.Point) int {
	for i, f := range slices.Backward(s.found) {
		if inside(f.Quad, p) {
			return i
		}
	}
	return -1
}

// reading is the answer to a picture of which one document was read; the others are named.
func (s *scene) reading(d appliance.Document, target int, watch *stopwatch) appliance.Reading {
	out := appliance.Reading{Documents: []appliance.Document{d}, Stages: watch.stages}
	for i, f := range s.found {
		if i != target {
			out.Others = append(out.Others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	return out
}

// inside tells whether a point lies in a convex quad that runs clockwise.
func inside(q appliance.Quad, p appliance.Point) bool {
	for i, a := range q {
		b := q[(i+1)%4]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			return false
		}
	}
	return true
}
