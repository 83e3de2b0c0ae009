package ink

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// A word may be drawn out by a stroke between two of its letters (tatweel), which the detector takes for none of its line: it ends the
// line there, and another one begins behind, or none where a single letter is left. So lines are led on along such strokes.
const (
	drawnReach  = 8.0  // heights beyond an end in which a word goes on
	drawnFar    = 18.0 // and in which one goes on that does not end there
	drawnInside = 1.0  // heights before it that are looked at
	drawnStroke = 0.45 // heights that a stroke is long at least
	drawnThin   = 0.38 // of which it is high at most
	drawnLetter = 0.1  // which a letter stands out from the stroke at least
	drawnHigh   = 2.0  // which the whole word is high at most
	drawnSag    = 0.25 // which a line may sag
)

// Drawn returns lines that run from left to right, each led on to where words end that a drawn out stroke ties to its ends, and those
// that meet so, or were seen twice, as one. h maps the lines to the plane. Straight lines alone are looked at.
func Drawn(p vision.Plane, h vision.Homography, lines []text.Line) []text.Line {
	out := tied(p, h, slices.Clone(lines))
	led := make([]bool, len(out))
	c := courseOf(out)
	for i, l := range out {
		if math.Abs(l.Sag) > drawnSag*l.Height || l.CutStart || l.CutEnd {
			continue
		}
		l = c.line(l)
		before, after := drawnOn(p, h, l, true), drawnOn(p, h, l, false)
		if led[i] = before > 0 || after > 0; led[i] {
			out[i] = stretched(l, before*l.Height, after*l.Height)
		}
	}
	for i := 0; i < len(out); i++ {
		for j := 0; j < len(out); j++ {
			if i == j {
				continue
			}
			if one, ok := asOne(out[i], out[j], led[i] || led[j]); ok {
				out[i], led[i] = one, true
				out, led = slices.Delete(out, j, j+1), slices.Delete(led, j, j+1)
				i, j = -1, len(out) // what was joined may meet others
			}
		}
	}
	return out
}

// stretched is a straight line with so many pixels more before and after it.
func stretched(l text.Line, before, after float64) text.Line {
	length := max(l.Length(), 1e-6)
	x, y := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	l.Start = appliance.Point{X: l.Start.X - before*x, Y: l.Start.Y - before*y}
	l.End = appliance.Point{X: l.End.X + after*x, Y: l.End.Y + after*y}
	return l
}

// meet reports whether b begins or ends about where a ends or begins, in the same row, with letters about as high.
func meet(a, b text.Line) bool {
	const across, ratio, gap = 0.4, 2, 0.5
	if a.Light != b.Light || a.Height > ratio*b.Height || b.Height > ratio*a.Height {
		return false
	}
	from, off := a.Place(b.Start)
	to, end := a.Place(b.End)
	room := gap * a.Height
	return from < a.Length()+room && to > -room && math.Abs(off+end)/2 < across*a.Height
}

// asOne is the line over two that meet, of which one was led on, or of which one is a part of the other; false for others.
func asOne(a, b text.Line, led bool) (text.Line, bool) {
	const ratio, letter = 2, 3 // a single letter that a line was led on to may be as low as that beside it
	if twice(a, b, ratio) || led && twice(a, b, letter) {
		one := joined(a, b)
		one.Height = a.Height
		return one, true
	}
	return joined(a, b), led && meet(a, b)
}

// twice reports whether b is a part of the row of a that was seen once more, as behind a long stroke: more than half of it lies there. The
// heights of both differ by a ratio at most.
func twice(a, b text.Line, ratio float64) bool {
	const across, share = 0.6, 0.5
	if a.Light != b.Light || a.Height > ratio*b.Height || b.Height > ratio*a.Height || a.Length() < b.Length() {
		return false
	}
	from, off := a.Place(b.Start)
	to, end := a.Place(b.End)
	shared := min(to, a.Length()) - max(from, 0)
	return shared > share*(to-from) && math.Abs(off+end)/2 < across*a.Height
}

// joined is the line over two that meet.
func joined(a, b text.Line) text.Line {
	from, _ := a.Place(b.Start)
	to, _ := a.Place(b.End)
	first, last := a, a
	if from < 0 {
		first = b
	}
	if to > a.Length() {
		last = b
	}
	out := a
	out.Start, out.End, out.Sag = first.Start, last.End, 0
	out.Height = (a.Height*a.Length() + b.Height*b.Length()) / max(a.Length()+b.Length(), 1e-6)
	return out
}

// drawnOn returns how many heights beyond an end of a line a word goes on along a drawn out stroke; 0 where none does.
func drawnOn(p vision.Plane, h vision.Homography, l text.Line, before bool) float64 {
	length := max(l.Length(), 1e-6)
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	at, k := l.End, l.Height/inkHeight // pixels of the page for a sample
	along := k
	if before { // the crop runs away from the line
		at, along = l.Start, -k
	}
	x, y := -drawnInside*inkHeight*along, -1.5*l.Height
	toPage := vision.Homography{along * cos, -k * sin, at.X + x*cos - y*sin, along * sin, k * cos, at.Y + x*sin + y*cos, 0, 0, 1}
	for _, reach := range [...]float64{drawnReach, drawnFar} {
		ink, ok := inkAt(p, h.Mul(toPage), int((drawnInside+reach)*inkHeight), int(3*inkHeight), l.Light)
		if !ok {
			return 0
		}
		further, whole := ink.bridged().drawnFrom(int(drawnInside * inkHeight))
		if whole {
			return further
		}
	}
	return 0
}

// drawnFrom returns how many heights beyond a column the piece of ink goes on that runs through it as a stroke and has a letter behind, and
// whether that ends within the ink.
func (b bitmap) drawnFrom(column int) (further float64, whole bool) {
	pieces, of := b.pieces()
	for i, s := range pieces {
		const beyond = inkHeight / 3
		if s.left > column || s.right < column+beyond || float64(s.bottom-s.top) > drawnHigh*inkHeight {
			continue
		}
		if s.right >= b.width {
			return 0, false
		}
		if b.strokeThenLetter(of, int32(i), s, column-inkHeight/2) {
			further = max(further, float64(s.right-column)/inkHeight)
		}
	}
	return further, true
}

// strokeThenLetter reports whether a piece of ink is, from a column on, a long stroke at the foot of the line with more behind it.
func (b bitmap) strokeThenLetter(of []int32, piece int32, s stroke, from int) bool {
	run, thick := 0, 0
	for x := max(s.left, from); x < s.right; x++ {
		top, bottom := b.column(of, piece, s, x)
		high := bottom - top
		switch {
		case bottom < 0:
			return false
		case float64(run) >= drawnStroke*inkHeight && float64(high) > float64(thick)/float64(run)+drawnLetter*inkHeight:
			return true
		case b.drawnAt(top, bottom):
			run++
			thick += high
		default:
			run, thick = 0, 0
		}
	}
	return false
}
