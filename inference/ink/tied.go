package ink

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// course is the direction along which most of the text of a page runs: what is hardly longer than high does not show its own.
type course struct{ cos, sin float64 }

// courseOf is the common direction of lines, of which long ones count more.
func courseOf(lines []text.Line) course {
	x, y := 0.0, 0.0
	for _, l := range lines {
		x, y = x+l.Length()*(l.End.X-l.Start.X), y+l.Length()*(l.End.Y-l.Start.Y)
	}
	length := math.Hypot(x, y)
	if length == 0 {
		return course{1, 0}
	}
	return course{x / length, y / length}
}

// of is how far along the course a line begins and ends, and how far below its origin the middle of the line is.
func (c course) of(l text.Line) (from, to, down float64) {
	from, to = l.Start.X*c.cos+l.Start.Y*c.sin, l.End.X*c.cos+l.End.Y*c.sin
	return from, to, ((l.Start.Y+l.End.Y)*c.cos - (l.Start.X+l.End.X)*c.sin) / 2
}

// short reports whether a line is too short to show its own direction.
func short(l text.Line) bool {
	const long = 8 // heights
	return l.Length() <= long*l.Height
}

// line is l along the course, with its own middle; a long one stays.
func (c course) line(l text.Line) text.Line {
	if !short(l) {
		return l
	}
	from, to, down := c.of(l)
	return c.between(l, from, to, down)
}

// between is l along the course from one place to another.
func (c course) between(l text.Line, from, to, down float64) text.Line {
	l.Start = appliance.Point{X: from*c.cos - down*c.sin, Y: from*c.sin + down*c.cos}
	l.End = appliance.Point{X: to*c.cos - down*c.sin, Y: to*c.sin + down*c.cos}
	l.Sag = 0
	return l
}

// tied returns lines with those as one that stand in a row and between which a drawn out stroke ties two letters of a word.
func tied(p vision.Plane, h vision.Homography, lines []text.Line) []text.Line {
	c := courseOf(lines)
	for i := 0; i < len(lines); {
		next := c.next(lines, i)
		if next < 0 || !c.ties(p, h, lines[i], lines[next]) {
			i++
			continue
		}
		lines[i] = c.over(lines[i], lines[next])
		lines = slices.Delete(lines, next, next+1)
		if next < i {
			i--
		}
	}
	return lines
}

// next is the line that goes on the row of line i first, -1 where none does.
func (c course) next(lines []text.Line, i int) int {
	next, nearest := -1, math.Inf(1)
	for j, l := range lines {
		if start, _, _ := c.of(l); j != i && start < nearest && c.goesOn(lines[i], l) {
			next, nearest = j, start
		}
	}
	return next
}

// goesOn reports whether b stands behind a in its row, as far away as a drawn out stroke reaches.
func (c course) goesOn(a, b text.Line) bool {
	const across, ratio, over = 0.7, 2.5, 0.5 // heights; times; heights that they may overlap
	high := max(a.Height, b.Height)
	_, end, above := c.of(a)
	start, _, below := c.of(b)
	return a.Light == b.Light && !a.CutEnd && !b.CutStart && high <= ratio*min(a.Height, b.Height) &&
		math.Abs(above-below) <= across*high && start >= end-over*high && start <= end+drawnFar*high
}

// over is the line over two of a row, the first one before the second.
func (c course) over(a, b text.Line) text.Line {
	one := joined(c.line(a), c.line(b))
	one.Height = max(a.Height, b.Height) // single letters are mostly low ones, and seem lower still
	if !short(a) || !short(b) {
		return one
	}
	from, _, above := c.of(a)
	_, to, below := c.of(b)
	share := a.Length() / max(a.Length()+b.Length(), 1e-6)
	return c.between(one, from, to, share*above+(1-share)*below)
}

// ties reports whether a drawn out stroke between two lines of a row is one piece of ink with letters of both.
func (c course) ties(p vision.Plane, h vision.Homography, a, b text.Line) bool {
	high := max(a.Height, b.Height)
	_, end, above := c.of(a)
	start, _, below := c.of(b)
	k, down := high/inkHeight, above
	if b.Height > a.Height {
		down = below
	}
	x, y := end-drawnInside*high, down-1.5*high
	toPage := vision.Homography{k * c.cos, -k * c.sin, x*c.cos - y*c.sin, k * c.sin, k * c.cos, x*c.sin + y*c.cos, 0, 0, 1}
	gap := int(math.Round(max(start-end, 0) / k))
	const inside = int(drawnInside * inkHeight)
	ink, ok := inkAt(p, h.Mul(toPage), gap+2*inside, 3*inkHeight, a.Light)
	return ok && ink.bridged().strokeBetween(inside, inside+gap)
}

// strokeBetween reports whether a piece of ink runs as a stroke from one column to another and is a part of letters before and behind it.
func (b bitmap) strokeBetween(from, to int) bool {
	const near = inkHeight / 3
	pieces, of := b.pieces()
	for i, s := range pieces {
		if s.left > from || s.right < to || float64(s.bottom-s.top) > drawnHigh*inkHeight {
			continue
		}
		for _, r := range b.runs(of, int32(i), s, from-near, to+near) {
			letter := r.thick + drawnLetter*inkHeight
			before, behind := stroke{s.left, s.top, r.from, s.bottom, 0}, stroke{r.to, s.top, s.right, s.bottom, 0}
			if float64(b.highest(of, int32(i), before)) > letter && float64(b.highest(of, int32(i), behind)) > letter {
				return true
			}
		}
	}
	return false
}

// bridged is the ink with the hair lines closed at which letters of some faces meet the stroke between them.
func (b bitmap) bridged() bitmap {
	const hair = inkHeight / 8
	dark := slices.Clone(b.dark)
	for y := range b.height {
		last := b.width
		for x := range b.width {
			if !b.dark[y*b.width+x] {
				continue
			}
			for gap := last + 1; gap < x && x-last <= hair+1; gap++ {
				dark[y*b.width+gap] = true
			}
			last = x
		}
	}
	b.dark = dark
	return b
}

// run is where a piece of ink is a long thin stroke at the foot of a line, and how thick that is.
type run struct {
	from, to int
	thick    float64
}

// runs are those of a piece between two columns.
func (b bitmap) runs(of []int32, piece int32, s stroke, from, to int) (out []run) {
	begin, thick := -1, 0
	closed := func(x int) {
		if begin >= 0 && float64(x-begin) >= drawnStroke*inkHeight {
			out = append(out, run{begin, x, float64(thick) / float64(x-begin)})
		}
		begin, thick = -1, 0
	}
	last := min(s.right, to)
	for x := max(s.left, from); x < last; x++ {
		top, bottom := b.column(of, piece, s, x)
		if !b.drawnAt(top, bottom) {
			closed(x)
			continue
		}
		if begin < 0 {
			begin = x
		}
		thick += bottom - top
	}
	closed(last)
	return out
}

// drawnAt reports whether ink from one row to another is as thin as a drawn out stroke, and at the foot of the line.
func (b bitmap) drawnAt(top, bottom int) bool {
	middle, high := b.height/2, bottom-top
	return high > 0 && float64(high) <= drawnThin*inkHeight && (top+bottom)/2 > middle && top < middle+inkHeight
}

// column is where the ink of a piece begins and ends in a column; bottom is not above top where it has none there.
func (b bitmap) column(of []int32, piece int32, s stroke, x int) (top, bottom int) {
	top, bottom = b.height, -1
	for y := s.top; y < s.bottom; y++ {
		if of[y*b.width+x] == piece {
			top, bottom = min(top, y), max(bottom, y+1)
		}
	}
	return top, bottom
}

// highest is how high a piece of ink is in the column of a part where it is highest.
func (b bitmap) highest(of []int32, piece int32, part stroke) int {
	most := 0
	for x := part.left; x < part.right; x++ {
		if top, bottom := b.column(of, piece, part, x); bottom > top {
			most = max(most, bottom-top)
		}
	}
	return most
}
