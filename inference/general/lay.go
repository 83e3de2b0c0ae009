package general

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// sight is what the detector saw of a page at a scale.
type sight struct {
	scale float64
	seen  *line.Map
	lines []text.Line
}

// lay returns the picture laid so that its text runs along x, upright or upside down, and a first look at it.
func (g *Reader) lay(ctx context.Context, luma vision.Plane) (page, sight, error) {
	p := pageOf(luma, 0)
	first, err := g.look(ctx, luma, p)
	if err != nil || len(first.lines) == 0 || runsAlong(first.lines) {
		return p, first, err
	}
	found, err := g.nearer(ctx, luma, p, first)
	if err != nil {
		return p, first, err
	}
	if math.Abs(found.angle) <= sameWay {
		if found.scale != first.scale {
			first, err = g.detect(ctx, luma, p, found.scale)
		}
		return p, first, err
	}
	p = pageOf(luma, found.angle)
	first, err = g.look(ctx, luma, p)
	return p, first, err
}

// runsAlong reports whether nearly all lines of a page run along x, from left to right.
func runsAlong(lines []text.Line) bool {
	const nearly = 0.75 // of their length
	along, all := 0.0, 0.0
	for _, l := range lines {
		x, y := l.End.X-l.Start.X, l.End.Y-l.Start.Y
		all += l.Length()
		if math.Abs(math.Atan2(y, x)) <= sameWay {
			along += l.Length()
		}
	}
	return math.Abs(directionOf(lines)) <= sameWay && along >= nearly*all
}

// sameWay is by how much two directions of text may differ that are one.
const sameWay = math.Pi / 8

// course is a direction in which text seems to run, in radians clockwise from x, as lines that were seen at a scale show it.
type course struct {
	angle, scale float64
	lines        []text.Line
}

// nearer is the direction in which a page runs that does not lie upright at a first look. Small text does not show there how it runs: the
// numbers of a table run together with those below them rather than with those beside them, and short ones show no sense. So the middle of
// what was seen is looked at from nearer as well, and a few lines are read in each direction that comes out.
func (g *Reader) nearer(ctx context.Context, luma vision.Plane, p page, first sight) (course, error) {
	best := course{directionOf(first.lines), first.scale, first.lines}
	courses := []course{best}
	middle := middlemost(first.lines)
	for _, times := range [...]float64{2, 4} {
		scale := p.reachable(times * first.scale)
		side := detectorSide / scale
		x, y := max(0, min(middle.X-side/2, p.w-side)), max(0, min(middle.Y-side/2, p.hgt-side))
		part := page{h: p.h.Mul(vision.Homography{1, 0, x, 0, 1, y, 0, 0, 1}), w: min(side, p.w), hgt: min(side, p.hgt)}
		seen, err := g.detect(ctx, luma, part, scale)
		if err != nil {
			return best, err
		}
		lines := slices.DeleteFunc(seen.lines, func(l text.Line) bool { return !part.holds(l) })
		if len(lines) < sampleLines {
			continue
		}
		for i := range lines {
			lines[i] = lines[i].Shifted(x, y)
		}
		angle := directionOf(lines)
		courses = append(courses, course{angle, scale, lines}, course{math.Remainder(angle+math.Pi, 2*math.Pi), scale, lines})
	}
	return g.mostLegible(ctx, luma, p, courses)
}

// mostLegible is that of some directions in which the longest lines make most sense, the first one where they do about as well.
func (g *Reader) mostLegible(ctx context.Context, luma vision.Plane, p page, courses []course) (best course, err error) {
	const clearly = 0.05
	most := 0.0
	for i, c := range courses {
		read, err := g.sample(ctx, luma, p, c)
		if err != nil {
			return best, err
		}
		if l := legibility(read); i == 0 || l > most+clearly {
			best, most = c, l
		}
	}
	return best, nil
}

// sample reads a few lines in a direction, of long ones no more than a stretch in the middle.
func (g *Reader) sample(ctx context.Context, luma vision.Plane, p page, c course) ([]strand, error) {
	const longest = 20 // heights
	lines := longestFirst(c.lines, func(l text.Line) text.Line { return l })
	lines = lines[:min(len(lines), sampleLines)]
	out := make([]strand, 0, len(lines))
	sin, cos := math.Sincos(c.angle)
	for _, l := range lines {
		if (l.End.X-l.Start.X)*cos+(l.End.Y-l.Start.Y)*sin < 0 {
			l = l.Turned()
		}
		if share := longest * l.Height / max(l.Length(), 1e-6); share < 1 {
			l = l.Between((1-share)/2, (1+share)/2)
		}
		_, s, err := g.readLine(ctx, luma, p, l)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// holds reports whether a line lies within a page whole, not only as far as that shows it.
func (p page) holds(l text.Line) bool {
	room := l.Height / 2
	for _, c := range [...]appliance.Point{l.Start, l.End} {
		if c.X < room || c.Y < room || c.X > p.w-room || c.Y > p.hgt-room {
			return false
		}
	}
	return true
}

// middlemost is the middle of that line which is nearest to the middle of all.
func middlemost(lines []text.Line) appliance.Point {
	var centre appliance.Point
	middles := make([]appliance.Point, len(lines))
	for i, l := range lines {
		middles[i] = vision.Between(l.Start, l.End, 0.5)
		centre.X += middles[i].X / float64(len(lines))
		centre.Y += middles[i].Y / float64(len(lines))
	}
	return slices.MinFunc(middles, func(a, b appliance.Point) int {
		return cmp.Compare(math.Hypot(a.X-centre.X, a.Y-centre.Y), math.Hypot(b.X-centre.X, b.Y-centre.Y))
	})
}

// look sees a page at twice the scale at which it would fit into the detector: most text is visible then.
func (g *Reader) look(ctx context.Context, luma vision.Plane, p page) (sight, error) {
	return g.detect(ctx, luma, p, 2*p.whole())
}

// directionOf returns the angle along which most of the text runs: the common axis of the lines, by their length, with
// the sense that the detector gives most of them. 0 without lines.
func directionOf(lines []text.Line) float64 {
	var cos2, sin2 float64
	for _, l := range lines {
		x, y := l.End.X-l.Start.X, l.End.Y-l.Start.Y
		cos2, sin2 = cos2+x*x-y*y, sin2+2*x*y
	}
	axis := math.Atan2(sin2, cos2) / 2
	sin, cos := math.Sincos(axis)
	sense := 0.0
	for _, l := range lines {
		sense += (l.End.X-l.Start.X)*cos + (l.End.Y-l.Start.Y)*sin
	}
	if sense < 0 {
		return math.Remainder(axis+math.Pi, 2*math.Pi)
	}
	return axis
}

// alongPage returns the lines of a page with the short ones among them that seem to run across the others laid along these: what is about
// as long as high does not show how it runs. They are then as high as the page's common line, and as long as that leaves of their ink.
func alongPage(lines []text.Line) []text.Line {
	const slim, most, short, least = 2, 0.8, 2.5, 0.7 // times as long as high; of the length of all those; of the common height
	var along []text.Line
	dx, dy, all := 0.0, 0.0, 0.0
	for _, l := range lines {
		if l.Length() < slim*l.Height {
			continue
		}
		all += l.Length()
		if x, y := l.End.X-l.Start.X, l.End.Y-l.Start.Y; math.Abs(math.Atan2(y, x)) <= sameWay {
			along, dx, dy = append(along, l), dx+x, dy+y
		}
	}
	if len(along) == 0 || math.Hypot(dx, dy) < most*all {
		return lines
	}
	sin, cos := math.Sincos(math.Atan2(dy, dx))
	common := commonHeight(along)
	out := slices.Clone(lines)
	for i, l := range out {
		x, y := l.End.X-l.Start.X, l.End.Y-l.Start.Y
		across := math.Abs(y*cos-x*sin) > math.Sin(sameWay)*l.Length()
		length := l.Length() * l.Height / max(common, 1e-6)
		if !across || l.Length() > short*common || length < least*common {
			continue
		}
		middle := vision.Between(l.Start, l.End, 0.5)
		out[i].Start = appliance.Point{X: middle.X - length/2*cos, Y: middle.Y - length/2*sin}
		out[i].End = appliance.Point{X: middle.X + length/2*cos, Y: middle.Y + length/2*sin}
		out[i].Height, out[i].Sag = common, 0
	}
	return out
}
