// Package block says by lines of text where the card lies whose they are: which run alike, which stand together, and what they fill.
package block

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Lines are lines of text that belong together: of one slope, or of one place.
type Lines []text.Line

const (
	// askew is the slope of text from which on the outline of its card is wrong. Of 76 drawn licences (22 November 2026) it was more on
	// the two whose outlines were, and less than half of it on 73.
	askew = 0.03
	// sameSlope is by how much lines of one slope may differ: perspective makes them fan out.
	sameSlope = 0.06
	// mostSlopes is how many slopes are followed, the one of most text first.
	mostSlopes = 2
)

// Slanting returns which share of a card's text does not run along its outline, by length, and the lines of each slope that it has. Print
// that is too short to tell its direction counts for neither.
func Slanting(lines []text.Line) (share float64, slopes []Lines) {
	var off Lines
	all := 0.0
	for _, l := range lines {
		if !tellsDirection(l) {
			continue
		}
		all += l.Length()
		if math.Abs(slope(l)) > askew {
			off = append(off, l)
		}
	}
	share = off.length() / max(all, 1)
	for len(off) > 0 && len(slopes) < mostSlopes {
		var longest Lines
		for _, l := range off {
			if like := off.like(l); like.length() > longest.length() {
				longest = like
			}
		}
		slopes = append(slopes, longest)
		off = slices.DeleteFunc(off, func(l text.Line) bool { return slices.Contains(longest, l) })
	}
	return share, slopes
}

// directed is how many times its height print is long from which on it tells its direction.
const directed = 6

// tellsDirection reports whether a line is long enough to tell its direction, and runs from left to right.
func tellsDirection(l text.Line) bool {
	return l.Length() >= directed*l.Height && l.End.X-l.Start.X >= l.Length()/2
}

// slope is by how much a line falls for its width.
func slope(l text.Line) float64 { return (l.End.Y - l.Start.Y) / (l.End.X - l.Start.X) }

// like returns the lines that run as one does.
func (b Lines) like(l text.Line) (found Lines) {
	for _, o := range b {
		if math.Abs(slope(o)-slope(l)) < sameSlope {
			found = append(found, o)
		}
	}
	return found
}

func (b Lines) length() (sum float64) {
	for _, l := range b {
		sum += l.Length()
	}
	return sum
}

// Within reports whether an outline in the picture holds the lines of a view.
func (b Lines) Within(q appliance.Quad, toPicture vision.Homography) bool {
	return !slices.ContainsFunc(b, func(l text.Line) bool {
		return !q.Contains(toPicture.Apply(l.Start)) || !q.Contains(toPicture.Apply(l.End))
	})
}

// Card returns where in the picture the card may lie whose text the lines of a view are: along them, so many times as large as they
// need, and in an ID-1 card's shape.
func (b Lines) Card(toPicture vision.Homography, room float64) (q appliance.Quad) {
	shape := appliance.ID1.Shape()
	var ends []appliance.Point
	var dx, dy float64
	for _, l := range b {
		start, end := toPicture.Apply(l.Start), toPicture.Apply(l.End)
		ends, dx, dy = append(ends, start, end), dx+end.X-start.X, dy+end.Y-start.Y
	}
	length := math.Hypot(dx, dy)
	cos, sin := dx/length, dy/length
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range ends {
		x, y := p.X*cos+p.Y*sin, p.Y*cos-p.X*sin
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
	}
	w, h := room*(right-left), room*(bottom-top)
	w, h = max(w, h*shape), max(h, w/shape)
	for i, corner := range [4]appliance.Point{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		x, y := (left+right+corner.X*w)/2, (top+bottom+corner.Y*h)/2
		q[i] = appliance.Point{X: x*cos - y*sin, Y: x*sin + y*cos}
	}
	return q
}

// Along maps a view of some width and height in which text runs level to one in which it runs as lines do, and takes in all of them: their
// slopes change evenly from the top to the bottom, since all rows of a card meet in one point.
func Along(lines []text.Line, width, height float64) vision.Homography {
	middleX, apart := width/2, height/5
	var heights, slopes, fans, falls []float64 // where the rows cross the middle, and by how much they fall there
	for _, l := range lines {
		if !tellsDirection(l) {
			continue
		}
		heights, slopes = append(heights, l.Start.Y+slope(l)*(middleX-l.Start.X)), append(slopes, slope(l))
	}
	for i := range slopes {
		for k := range i {
			if d := heights[i] - heights[k]; math.Abs(d) > apart {
				fans = append(fans, (slopes[i]-slopes[k])/d)
			}
		}
	}
	fan := vision.MedianOf(fans)
	for i := range slopes {
		falls = append(falls, slopes[i]-fan*heights[i])
	}
	fall := vision.MedianOf(falls)
	about := vision.Homography{1, 0, 0, fall, 1, 0, -fan, 0, 1}
	along := vision.Homography{1, 0, middleX, 0, 1, 0, 0, 0, 1}.Mul(about).Mul(vision.Homography{1, 0, -middleX, 0, 1, 0, 0, 0, 1})
	return holding(lines, along, width, height)
}

// Where columns lean the sides of their card are wrong: so many lines end flush, within so many heights, on one slanting line, which
// leans so much, and so many times as many as on any upright one.
const (
	leastColumn  = 6
	flush        = 0.4
	leastLean    = 0.1
	mostLean     = 0.7
	clearlyLeans = 2
)

// Upright maps a view of some width and height in which columns of text stand upright to one in which they lean as those of lines do, and
// takes in all of these; leans is false where they stand upright, or no column is seen.
func Upright(lines []text.Line, width, height float64) (h vision.Homography, leans bool) {
	starts, ends := make([]appliance.Point, len(lines)), make([]appliance.Point, len(lines))
	for i, l := range lines {
		starts[i], ends[i] = l.Start, l.End
	}
	lean, most, upright := 0.0, 0, 0
	for _, at := range [...][]appliance.Point{starts, ends} {
		for i := range at {
			for k := range i {
				switch by, n := column(lines, at, i, k); {
				case math.Abs(by) < leastLean:
					upright = max(upright, n)
				case n > most && math.Abs(by) < mostLean:
					lean, most = by, n
				}
			}
		}
	}
	if most < leastColumn || most < clearlyLeans*upright {
		return h, false
	}
	return holding(lines, vision.Homography{1, lean, -lean * height / 2, 0, 1, 0, 0, 0, 1}, width, height), true
}

// column is by how much the slanting line through the ends of two lines leans, and how many lines end there; at are the ends. Lines that
// stand close below each other do not tell.
func column(lines []text.Line, at []appliance.Point, i, k int) (lean float64, count int) {
	from, down := at[i], at[k].Y-at[i].Y
	if math.Abs(down) < 2*max(lines[i].Height, lines[k].Height) {
		return 0, 0
	}
	lean = (at[k].X - from.X) / down
	for n, p := range at {
		if math.Abs(p.X-from.X-lean*(p.Y-from.Y)) < flush*lines[n].Height {
			count++
		}
	}
	return lean, count
}

// holding makes a map from a view to one with lines take in all of them: it leaves out the corners that stand out.
func holding(lines []text.Line, toLines vision.Homography, width, height float64) vision.Homography {
	back, ok := toLines.Inverse()
	if !ok {
		return toLines
	}
	left, top, right, bottom := 0.0, 0.0, width, height
	for _, l := range lines {
		for _, end := range []appliance.Point{l.Start, l.End} {
			p := back.Apply(end)
			left, right = min(left, p.X-l.Height), max(right, p.X+l.Height)
			top, bottom = min(top, p.Y-l.Height), max(bottom, p.Y+l.Height)
		}
	}
	return toLines.Mul(vision.Homography{(right - left) / width, 0, left, 0, (bottom - top) / height, top, 0, 0, 1})
}

// Tiny reports whether many lines are there and most of them are too small to be what a card says. On four licences with rows of words as
// their ground the usual line was 3 to 5 pixels of the view high, and 12 to 15 seen from twice as far (25 November 2026).
func Tiny(lines []text.Line) bool {
	const most, height = 20, 6.5
	if len(lines) < most {
		return false
	}
	heights := make([]float64, len(lines))
	for i, l := range lines {
		heights[i] = l.Height
	}
	return vision.MedianOf(heights) < height
}
