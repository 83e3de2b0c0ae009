package outline

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// leastSides is the evidence for the sides of an outline, all four together, that a doubtful candidate of no known kind needs with the
// doubt about its kind taken off, and allSides what is enough whatever that doubt is.
const (
	leastSides = 2.2
	allSides   = 3.0
)

// What looks from near say of an outline that holds parts of two documents is less sure of its kind: each unit of the log-odds that is
// lacking to sureKind counts for kindWeight visible sides. Of 590 photographs in which documents may cover each other (22 November
// 2026; normal and hard) the asked one keeps its outline in 531 with it, and in 512 without.
const (
	sureKind   = 5.0
	kindWeight = 0.5
)

// belief is how much speaks for a candidate of whose sides the picture shows so much.
func (c *candidate) belief(sides float64) float64 {
	odds := min(max(c.odds[c.class()], 0.02), 0.995)
	return sides - kindWeight*max(0, sureKind-math.Log(odds/(1-odds)))
}

// untangled judges the candidates of regions that may be several documents by what the picture shows of their sides and how sure
// their kinds are. Of the parts of a region only those count that a look from near confirms, of known kinds only those that are
// believed more than the region as one document, of no known kind those that are clearly seen; where two lie on each other, the one
// that is believed more stays.
func untangled(p *appliance.Picture, all []candidate) []candidate {
	heard := confirmed(p, all)
	var kept []candidate
	for i, c := range heard {
		beaten := false
		for j, o := range heard {
			more := o.belief > c.belief || o.belief == c.belief && j < i
			beaten = beaten || more && o.region == c.region && o.confirmed && onEachOther(c.quad, o.quad) && !c.onSheet(o.candidate)
		}
		if !beaten {
			kept = append(kept, c.candidate)
		}
	}
	return kept
}

// judged is a candidate with what the picture shows of its sides, and how much speaks for it.
type judged struct {
	candidate
	sides, belief float64
}

// confirmed judges the candidates, and leaves out parts of regions that do not count.
func confirmed(p *appliance.Picture, all []candidate) (heard []judged) {
	whole := map[int]float64{} // the belief in each region as one document
	for _, c := range all {
		j := judged{candidate: c}
		if slices.ContainsFunc(all, func(o candidate) bool { return o.doubtful && o.region == c.region }) {
			j.sides, _ = sheet.Visible(p, c.quad, shapesOf(c.class()))
			j.belief = c.belief(j.sides)
		}
		if !c.doubtful {
			whole[c.region] = j.belief
		}
		heard = append(heard, j)
	}
	return slices.DeleteFunc(heard, func(j judged) bool {
		believed := j.belief >= leastSides || j.sides >= allSides
		if j.known() {
			believed = j.belief >= whole[j.region]
		}
		return j.doubtful && !(j.confirmed && believed)
	})
}

// onSheet reports whether c is a card that lies on a larger sheet of another kind.
func (c *candidate) onSheet(of candidate) bool {
	return c.confirmed && c.known() && of.class() == classUnknown && sheet.Area(c.quad) < cardOnSheet*sheet.Area(of.quad)
}

// onEachOther reports whether two outlines are so near each other that only one can be a document that lies on top.
func onEachOther(a, b appliance.Quad) bool {
	return a.Contains(vision.Middle(b)) && b.Contains(vision.Middle(a))
}

// distinct drops candidates that lie on a surer one, and keeps the order.
func distinct(all []candidate) []candidate {
	var kept []candidate
	for i, c := range all {
		hidden := slices.ContainsFunc(all, func(o candidate) bool {
			near := sheet.Span(vision.Middle(o.quad), vision.Middle(c.quad)) < 0.3*math.Sqrt(min(sheet.Area(o.quad), sheet.Area(c.quad)))
			return near && o.weight > c.weight && !c.onSheet(o)
		})
		if !hidden && sheet.Convex(c.quad) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// single drops what is several documents taken for one: two or more that are surer of their kinds lie within it and fill most of it.
func single(all []candidate) (out []candidate) {
	const within, filled = 0.8, 0.6
	for _, c := range all {
		parts, area := 0, 0.0
		for _, o := range all {
			if o.known() && o.odds[o.class()] > c.odds[c.class()] && sheet.Overlap(o.quad, c.quad) > within {
				parts, area = parts+1, area+sheet.Area(o.quad)
			}
		}
		if !c.known() || parts < 2 || area < filled*sheet.Area(c.quad) {
			out = append(out, c)
		}
	}
	return out
}
