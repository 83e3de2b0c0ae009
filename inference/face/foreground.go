package face

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// background is the share of the main face's weight under which another face is one of the background.
	background = 0.75
	// mainCost and otherCost are the shares of its weight that a face in a corner of the picture loses against one in the middle: the
	// main face is the large one, but beside it those at the rim hardly count.
	mainCost, otherCost = 0.5, 1.5
	// surelyShown is the log-odds of a face from which it can be a second one: those half hidden or turned away show nobody on purpose.
	surelyShown = 10
)

// foreground returns the faces that are shown on purpose, the main one first: the others are much smaller, farther from the middle, cut
// off by the border or half hidden, and belong to those who stand by. Of two large faces side by side both stay.
func foreground(found []sighting, p *appliance.Picture) []sighting {
	slices.SortStableFunc(found, func(a, b sighting) int { return cmp.Compare(b.weight(p, mainCost), a.weight(p, mainCost)) })
	if len(found) < 2 {
		return found
	}
	least := background * found[0].weight(p, otherCost)
	others := slices.DeleteFunc(found[1:], func(s sighting) bool { return s.presence < surelyShown || s.weight(p, otherCost) < least })
	return found[:1+len(others)]
}

// weight is the size of a face, less what its place takes away, and what shows no clear face.
func (s sighting) weight(p *appliance.Picture, cost float64) float64 {
	w, h := float64(p.Width), float64(p.Height)
	off := vision.Distance(s.at, appliance.Point{X: w / 2, Y: h / 2}) / (math.Hypot(w, h) / 2)
	clear := 0.5 + 0.5*min(max(s.presence/surelyShown, 0), 1)
	return s.size * max(1-cost*off, 0) * s.inside(p) * clear
}

// inside is the share of a face's box that lies in the picture.
func (s sighting) inside(p *appliance.Picture) float64 {
	const steps = 8
	in := 0
	for i := range steps * steps {
		x, y := (float64(i%steps)+0.5)/steps, (float64(i/steps)+0.5)/steps
		at := s.view.toPicture.Apply(appliance.Point{X: s.box[0] + x*(s.box[2]-s.box[0]), Y: s.box[1] + y*(s.box[3]-s.box[1])})
		if at.X >= 0 && at.Y >= 0 && at.X < float64(p.Width) && at.Y < float64(p.Height) {
			in++
		}
	}
	return float64(in) / (steps * steps)
}
