package scene

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// crowded is how many lines of print no card has: a sheet with more is not read in the mirror as well, which would take seconds.
const crowded = 60

// Crowded reports whether a sheet has more lines than any card.
func Crowded(lines []text.Line) bool { return len(lines) > crowded }

// Pose is a way in which a card may lie in its quad.
type Pose struct{ turned, Mirrored bool }

// Poses are the ways in which a card may lie in its quad, the likeliest first.
func Poses() []Pose {
	return []Pose{{}, {turned: true}, {Mirrored: true}, {turned: true, Mirrored: true}}
}

// View maps the view in which the card is upright to the one in which it was detected.
func (p Pose) View() vision.Homography {
	h := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if p.turned {
		h = vision.Homography{-1, 0, viewWidth, 0, -1, viewHeight, 0, 0, 1}
	}
	if p.Mirrored {
		h = h.Mul(vision.Homography{-1, 0, viewWidth, 0, 1, 0, 0, 0, 1})
	}
	return h
}

// Lines returns the lines as they lie in the upright view, each from left to right.
func (p Pose) Lines(in []text.Line) []text.Line {
	h := p.View() // its own inverse
	out := make([]text.Line, len(in))
	for i, l := range in {
		l.Start, l.End = h.Apply(l.Start), h.Apply(l.End)
		swapped := l.Start.X > l.End.X
		if swapped {
			l.Start, l.End = l.End, l.Start
		}
		if swapped != p.Mirrored { // either alone puts below what was above
			l.Sag = -l.Sag
		}
		out[i] = l
	}
	return out
}

// Quad is the outline of the card with its upright top left corner first.
func (p Pose) Quad(q appliance.Quad) appliance.Quad {
	if p.turned {
		return appliance.Quad{q[2], q[3], q[0], q[1]}
	}
	return q
}
