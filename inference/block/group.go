package block

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// mostGroups is how many places with text of no document are followed, the one of most text first, and fewestLines how many lines of
	// text a card has at least.
	mostGroups  = 4
	fewestLines = 3
	// Mostly is the share of such text that the outline of its card must hold.
	Mostly = 0.6
)

// Groups are the text of a picture that lies in none of the outlines taken, most text first.
func Groups(lines []text.Line, taken []appliance.Quad) (out []Lines) {
	rest := slices.DeleteFunc(slices.Clone(lines), func(l text.Line) bool {
		return vision.InAny(taken, vision.Between(l.Start, l.End, 0.5)) || l.Length() < 2*l.Height
	})
	for len(rest) > 0 {
		var group Lines
		group, rest = Lines(rest).gathered()
		if len(group) >= fewestLines {
			out = append(out, group)
		}
	}
	slices.SortStableFunc(out, func(a, b Lines) int { return cmp.Compare(b.length(), a.length()) })
	return out[:min(len(out), mostGroups)]
}

// gathered returns the lines that the first one belongs with, since each runs along and close by another of them, and the rest.
func (b Lines) gathered() (group, rest Lines) {
	group, rest = b[:1:1], slices.Clone(b[1:])
	for i := 0; i < len(group); i++ {
		rest = slices.DeleteFunc(rest, func(l text.Line) bool {
			if !neighbours(group[i], l) {
				return false
			}
			group = append(group, l)
			return true
		})
	}
	return group, rest
}

// neighbours reports whether two lines may be text of one card: they run alike, and little more than a few lines would fit between them.
func neighbours(a, b text.Line) bool {
	const (
		along, roughly = 0.97, 0.85 // cosines of how far they may turn against each other; short text hardly tells its direction
		apart, beside  = 5.0, 8.0   // of their heights
	)
	ax, ay := (a.End.X-a.Start.X)/a.Length(), (a.End.Y-a.Start.Y)/a.Length()
	bx, by := (b.End.X-b.Start.X)/b.Length(), (b.End.Y-b.Start.Y)/b.Length()
	least := along
	if min(a.Length()/a.Height, b.Length()/b.Height) < directed {
		least = roughly
	}
	if math.Abs(ax*bx+ay*by) < least {
		return false
	}
	height := max(a.Height, b.Height)
	from, to := math.Inf(1), math.Inf(-1)
	down := 0.0
	for _, p := range []appliance.Point{b.Start, b.End} {
		x, y := p.X-a.Start.X, p.Y-a.Start.Y
		from, to = min(from, x*ax+y*ay), max(to, x*ax+y*ay)
		down += (y*ax - x*ay) / 2
	}
	gap := max(0, from-a.Length(), -to)
	return math.Abs(down) < apart*height && gap < beside*height
}

// Places are where in the picture the card may lie whose text the lines are, the likeliest first: print fills a card to its sides, or keeps
// to one of them.
func (b Lines) Places() (out []appliance.Quad) {
	identity := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	for _, room := range []float64{1.25, 1.7} {
		q := b.Card(identity, room)
		for _, shift := range []appliance.Point{{}, {X: -0.25}, {X: 0.25}, {Y: 0.2}, {Y: -0.2}} {
			var moved appliance.Quad
			for i, p := range q {
				moved[i] = appliance.Point{
					X: p.X + shift.X*(q[1].X-q[0].X) + shift.Y*(q[3].X-q[0].X),
					Y: p.Y + shift.X*(q[1].Y-q[0].Y) + shift.Y*(q[3].Y-q[0].Y),
				}
			}
			if b.HeldBy(moved) >= Mostly {
				out = append(out, moved)
			}
		}
	}
	return out
}

// HeldBy is the share of text, by its length, that has its middle in an outline.
func (b Lines) HeldBy(q appliance.Quad) float64 {
	held := slices.DeleteFunc(slices.Clone(b), func(l text.Line) bool { return !q.Contains(vision.Between(l.Start, l.End, 0.5)) })
	return held.length() / max(b.length(), 1)
}
