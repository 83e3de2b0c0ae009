package card

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// scene is a picture with the documents that were found in it, largest first.
type scene struct {
	*appliance.Picture
	luma     vision.Plane
	inverted vision.Plane // see negative; empty until it is needed
	found    []outline.Found
	street   *plate.Street // the plates in parts of the picture
	page     *laid.Page    // the card that was read last, and its lines
	lines    []text.Line
}

// scene is a picture in which documents were found.
func (r *Reader) scene(p *appliance.Picture, found []outline.Found, watch *stopwatch.Watch) *scene {
	return &scene{Picture: p, luma: vision.Luma(p), found: found, street: plate.NewStreet(r.Finder, r.Plates, p, watch)}
}

// at returns which document a point lies in, the smallest one where there are several, and -1 outside of all.
func (s *scene) at(p appliance.Point) int {
	for i, f := range slices.Backward(s.found) {
		if vision.Contains(f.Quad, p) {
			return i
		}
	}
	return -1
}

// beside lists the outlines of all documents but the i-th.
func (s *scene) beside(i int) (others []appliance.Quad) {
	for k, f := range s.found {
		if k != i {
			others = append(others, f.Quad)
		}
	}
	return others
}

// reading is the answer to a picture of which one document was read; the others are named.
func (s *scene) reading(d appliance.Document, target int, watch *stopwatch.Watch) appliance.Reading {
	out := appliance.Reading{Documents: []appliance.Document{d}, Stages: watch.Stages}
	for i, f := range s.found {
		if i != target {
			out.Others = append(out.Others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	return out
}
