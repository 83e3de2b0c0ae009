package sheet

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// sameOutline is the distance between the corners of two outlines, as a share of their size, up to which the search
	// for the sides leads from both to the same.
	sameOutline = 0.012
	// By how much more, of four sides in all, another outline must be seen to be believed. Other sheets than cards have
	// straight frames in their text that look like sides, and some no known shape.
	clearlyBetterCard, clearlyBetterSheet = 0.15, 0.45
	// ClearlySeen is the evidence for each of the sides of an outline of the right shape with which no other is looked for.
	ClearlySeen = 0.55
	// oddShape is how far, as a logarithm, the shape of a document may seem to be off before the lens that suits it best,
	// oddSkew how far the cosine between its sides, and shapeWeight how many visible sides each further unit counts against. Of the
	// 720 cards of the development photographs (20 November 2026), 97 % seem less off.
	oddShape    = 0.06
	oddSkew     = 0.07
	shapeWeight = 6
	// weaklySeen is the evidence under which a side may not be one: where both sides beside it go on beyond it, that counts against it as
	// beyondCorner visible sides.
	weaklySeen   = 0.35
	beyondCorner = 0.3
	// MoreSides is by how much, of four sides, one outline must be seen better than another for the other to be a mistake.
	MoreSides = 0.3
	// standing is how many visible sides count against a document that stands on its short side, as few do: it is rather a part of one that
	// lies.
	standing = 0.25
)

// The focal lengths, by the longer side of the picture, of usual lenses: that in the middle and all that are tried.
const usualFocal = 1.0

func focals() [3]float64 { return [3]float64{0.8, 1.1, 1.5} }

// Best returns the outline of which the picture shows the sides best, of those that differ from the first
// sensible one and of those that a document of one of the shapes would have in their place; without one it returns otherwise.
// The first is believed unless another is clearly better.
func Best(p *appliance.Picture, shapes []float64, covers []appliance.Quad, otherwise appliance.Quad, all ...appliance.Quad) appliance.Quad {
	all = slices.DeleteFunc(all, func(q appliance.Quad) bool { return !Convex(q) })
	if len(all) == 0 {
		return otherwise
	}
	lead := clearlyBetterSheet
	if len(shapes) > 0 {
		if shapes[0] != idThreeShape {
			lead = clearlyBetterCard
		}
		first, last := all[0], all[len(all)-1]
		all = append(all, reshaped(p, first, shapes)...)
		if !sameAs(first, last) {
			all = append(all, reshaped(p, last, shapes)...)
		}
	}
	best, most := all[0], math.Inf(-1)
	for i, q := range all[1:] {
		if slices.ContainsFunc(all[:i+1], func(o appliance.Quad) bool { return sameAs(o, q) }) {
			continue
		}
		if math.IsInf(most, -1) {
			sum, weakest := Visible(p, all[0], shapes, covers...)
			if len(shapes) > 0 && weakest >= ClearlySeen && Misshapen(p, all[0], shapes) == 0 {
				break
			}
			most = sum + lead
		}
		if sum, _ := VisibleAbove(p, q, shapes, most, covers); sum > most {
			best, most = q, sum
		}
	}
	return best
}

// sameAs reports whether the search for the sides leads from both outlines to the same.
func sameAs(a, b appliance.Quad) bool { return Farthest(a, b) < sameOutline*math.Sqrt(Area(a)) }

// Visible sums up the evidence for the sides of an outline, where one out of sight counts half, and returns that of
// the weakest side with it; what cannot have one of the shapes, if there are any, counts less.
func Visible(p *appliance.Picture, q appliance.Quad, shapes []float64, covers ...appliance.Quad) (sum, weakest float64) {
	return VisibleAbove(p, q, shapes, math.Inf(-1), covers)
}

// VisibleAbove is Visible that gives up, with nothing, where the sum cannot exceed least.
func VisibleAbove(p *appliance.Picture, q appliance.Quad, shapes []float64, least float64, covers []appliance.Quad) (sum, weakest float64) {
	if !Convex(q) {
		return 0, 0
	}
	q, edges, ok := refineAbove(vision.Luma(p), q, sideReach, least, covers)
	if !ok {
		return math.Inf(-1), 0
	}
	weakest = 1
	for i, e := range edges {
		e = visible(e)
		if edges[i] >= 0 && e < weaklySeen && slices.Contains(shapes, idOneShape) && goesOn(p, q, i) {
			sum -= beyondCorner
		}
		sum, weakest = sum+e, min(weakest, e)
	}
	if len(shapes) > 0 {
		sum -= shapeWeight * Misshapen(p, q, shapes)
		if nearestShape(p, q, shapes) < 1 {
			sum -= standing
		}
	}
	return sum, weakest
}

// goesOn reports whether both sides beside one of an outline go on beyond it, as where a part of the document was taken for all of it.
func goesOn(p *appliance.Picture, q appliance.Quad, side int) bool {
	const share, clear = 0.2, 0.6 // of the sides' own lengths
	a, b, c, d := q[(side+3)%4], q[side], q[(side+1)%4], q[(side+2)%4]
	luma, reach := vision.Luma(p), max(sideReach*math.Sqrt(Area(q)), 3)
	for _, l := range []Line{{b, Line{a, b}.at(1+share, 0)}, {Line{c, d}.at(-share, 0), c}} {
		if !inSight(luma, l, nil) {
			return false
		}
		if _, sure := searchSide(luma, l, reach, nil); sure < clear {
			return false
		}
	}
	return true
}

// The widths by their heights of cards and of passport pages.
var idOneShape, idThreeShape = appliance.ID1.Shape(), appliance.ID3.Shape()

// Sidewise returns an outline that lies on its side, for what a document of one of the shapes can be, turned by a quarter: the first
// look may be wrong about that. Which of the two ways it is turned, a look from near tells.
func Sidewise(p *appliance.Picture, q appliance.Quad, shapes []float64) appliance.Quad {
	turned := appliance.Quad{q[1], q[2], q[3], q[0]}
	if len(shapes) > 0 && Convex(q) && shapeWeight*(Misshapen(p, q, shapes)-Misshapen(p, turned, shapes)) > MoreSides {
		return turned
	}
	return q
}

// lens is a camera that looks at the middle of a picture.
type lens struct{ x, y, focal float64 } // pixels

// lensOf is the camera that took a picture if its focal length was so many times the longer side.
func lensOf(p *appliance.Picture, focal float64) lens {
	return lens{float64(p.Width) / 2, float64(p.Height) / 2, focal * float64(max(p.Width, p.Height))}
}

// ray is the direction, or the place in space, of what the camera sees at a point.
func (l lens) ray(p appliance.Point) space {
	return space{(p.X - l.x) / l.focal, (p.Y - l.y) / l.focal, 1}
}

// seen is where the camera sees a place before it.
func (l lens) seen(s space) appliance.Point {
	return appliance.Point{X: l.x + l.focal*s[0]/s[2], Y: l.y + l.focal*s[1]/s[2]}
}

// space is a vector before the camera: right, down, away.
type space [3]float64

func (a space) cross(b space) space {
	return space{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (a space) dot(b space) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a space) plus(b space, by float64) space {
	return space{a[0] + by*b[0], a[1] + by*b[1], a[2] + by*b[2]}
}

func (a space) unit() space {
	if length := math.Sqrt(a.dot(a)); length > 0 {
		return space{a[0] / length, a[1] / length, a[2] / length}
	}
	return a
}

// oddness tells how little an outline looks like a document of a shape on the plane that it lies in: wide is the logarithm of
// how much wider for its height it is, skew the cosine between its sides.
func (l lens) oddness(q appliance.Quad, shape float64) (wide, skew float64) {
	h, ok := vision.RectToQuad(1, 1, q)
	if !ok {
		return 0, 0
	}
	column := func(n int) space {
		// A column of the homography with the lens taken off.
		z := h[6+n]
		return space{(h[n] - z*l.x) / l.focal, (h[3+n] - z*l.y) / l.focal, z}
	}
	a, b := column(0), column(1)
	return math.Log(math.Sqrt(a.dot(a)/b.dot(b)) / shape), a.unit().dot(b.unit())
}

// nearestShape returns the one of the shapes that an outline has most nearly.
func nearestShape(p *appliance.Picture, q appliance.Quad, shapes []float64) float64 {
	l := lensOf(p, usualFocal)
	return slices.MinFunc(shapes, func(a, b float64) int {
		first, _ := l.oddness(q, a)
		second, _ := l.oddness(q, b)
		return cmp.Compare(math.Abs(first), math.Abs(second))
	})
}

// Misshapen is by how much an outline looks less like a document of one of the shapes than any lens explains.
func Misshapen(p *appliance.Picture, q appliance.Quad, shapes []float64) float64 {
	shape, least := nearestShape(p, q, shapes), math.Inf(1)
	for _, focal := range focals() {
		wide, skew := lensOf(p, focal).oddness(q, shape)
		least = min(least, max(0, math.Abs(wide)-oddShape)+max(0, math.Abs(skew)-oddSkew))
	}
	return least
}

// CardShaped reports whether an outline in p can be that of a card of the format ID-1, on its longer or on its shorter side.
func CardShaped(p *appliance.Picture, q appliance.Quad) bool {
	shapes := []float64{idOneShape, 1 / idOneShape}
	return Convex(q) && Misshapen(p, q, shapes) == 0
}

// reshaped returns what a document of one of the shapes would be if one side of a somewhat odd outline were wrong, for each
// of its sides. All of them lie in the picture: of what was cut off too little is seen to tell its shape.
func reshaped(p *appliance.Picture, q appliance.Quad, shapes []float64) []appliance.Quad {
	const leastOdd = 0.04
	oddest := 0.7
	if len(shapes) > 1 {
		oddest = math.Log(shapes[0]/shapes[1]) / 2 // half of the way from one to the other
	}
	shape := nearestShape(p, q, shapes)
	if wide, skew := lensOf(p, usualFocal).oddness(q, shape); math.Abs(wide) > oddest || max(math.Abs(wide), math.Abs(skew)) < leastOdd {
		return nil
	}
	var all []appliance.Quad
	for side := range q {
		if r, ok := withoutSide(p, q, side, shape); ok && SeenArea(r, float64(p.Width), float64(p.Height)) >= 0.995*Area(r) {
			all = append(all, r)
		}
	}
	return all
}

// withoutSide is the outline of the document of that shape of which an outline has all sides but one.
func withoutSide(p *appliance.Picture, q appliance.Quad, side int, shape float64) (r appliance.Quad, ok bool) {
	l := lensOf(p, usualFocal)
	ray := func(n int) space { return l.ray(q[(side+n)%4]) }
	// The sides beside it are parallel on the document, and the one across runs at right angles to them.
	along := ray(1).cross(ray(2)).cross(ray(0).cross(ray(3))).unit()
	across := ray(2).cross(ray(3)).cross(along).unit()
	facing := along.cross(across)
	a, b := ray(2), ray(3)
	if math.Abs(facing.dot(b)) < 1e-6 {
		return r, false
	}
	b = space{}.plus(b, facing.dot(a)/facing.dot(b))
	length := math.Sqrt(b.plus(a, -1).dot(b.plus(a, -1)))
	if side%2 == 0 {
		length /= shape
	} else {
		length *= shape
	}
	if far := l.ray(q[(side+1)%4]).plus(a, -1); far.dot(along) < 0 {
		length = -length
	}
	for n, at := range [4]space{b.plus(along, length), a.plus(along, length), a, b} {
		if at[2] <= 0 {
			return r, false
		}
		r[(side+n)%4] = l.seen(at)
	}
	return r, Convex(r)
}
