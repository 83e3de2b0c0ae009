package scene

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// leastOverlap is the share of a document that another must lie on: below it their outlines are only a little off.
	leastOverlap = 0.006
	// wholly is the share of a document from which on nothing of it would be seen if the other were above.
	wholly = 0.97
	// inPart and atCorner are the share of an outline that lies in another one, and how near, as a share of a side of that, the two have a
	// corner in common, for it to be a part of a card.
	inPart, atCorner = 0.9, 0.03
	// plainlyAbove is by how much the outline of the upper of two documents must stand out more, on the scale of
	// sheet.EdgeWithin, for the order to be plain.
	plainlyAbove = 0.15
)

// Card is a document of a scene, a card as a rule, with the outlines of what lies on it: what these hold is not its own.
type Card struct {
	outline.Found
	Covers []appliance.Quad
}

// Card is the i-th document of a scene.
func (s *Scene) Card(i int) Card { return Card{s.Found[i], s.covers(i)} }

// covers returns the outlines of the documents that lie on the i-th one. Where the picture does not tell which of two
// lies above, each covers the other: what lies on both is read for neither.
func (s *Scene) covers(i int) []appliance.Quad {
	own := s.Found[i].Quad
	var out []appliance.Quad
	for j, f := range s.Found {
		if j == i || !f.Outlined() || s.partOf(f.Quad, own) {
			continue
		}
		if under := sheet.Overlap(own, f.Quad); under > wholly || max(under, sheet.Overlap(f.Quad, own)) < leastOverlap {
			continue
		}
		above, crosses := sheet.EdgeWithin(s.Luma, f.Quad, own)
		below, crossed := sheet.EdgeWithin(s.Luma, own, f.Quad)
		if crosses && (!crossed || above > below-plainlyAbove) {
			out = append(out, f.Quad)
		}
	}
	return out
}

// partOf reports whether an outline is that of a part of a card, such as a dark band with its titles: it lies in the card's, has a
// corner of it and not the shape of a card. What lies on a card hardly ends just where this does.
func (s *Scene) partOf(q, own appliance.Quad) bool {
	if sheet.Overlap(q, own) < inPart || sheet.CardShaped(s.Picture, q) {
		return false
	}
	near := atCorner * max(length(own, Top), length(own, Right))
	return slices.ContainsFunc(own[:], func(a appliance.Point) bool {
		return slices.ContainsFunc(q[:], func(b appliance.Point) bool { return vision.Distance(a, b) < near })
	})
}

// uncovered leaves out the lines that have their middle on a document that lies above; toPicture maps the
// lines to the picture.
func uncovered(lines []text.Line, toPicture vision.Homography, covers []appliance.Quad) []text.Line {
	if len(covers) == 0 {
		return lines
	}
	return slices.DeleteFunc(lines, func(l text.Line) bool {
		return vision.InAny(covers, toPicture.Apply(vision.Between(l.Start, l.End, 0.5)))
	})
}
