package card

import (
	"context"
	"math"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// How a row of signs that stand far apart is looked at: so many samples for a height of the strip, which is wideBand heights
// high, with blanks of closeBlank heights.
const (
	wideSamples = 24
	wideBand    = 2.6
	closeBlank  = 0.55
	wideHeight  = 63
)

// wideHeights are the heights, as factors of what the signs take from the highest to the lowest, in which signs moved together are
// looked at. Of 46 plates of a drawer of vehicle licences (27 November 2026) 14 are read at 1, 27 at 0.8, 34 at 0.6 and 36 by these
// together.
func wideHeights() []float64 { return []float64{0.6, 0.52, 0.66} }

// closedUp reads a line with its signs moved together, in several heights, and counts the signs; there are no looks where they stand
// close already.
func (r *Reader) closedUp(ctx context.Context, s *scene, toPicture vision.Homography, l text.Line) (looks []script, signs int, err error) {
	across, length := wideSamples/max(l.Height, 1e-6), l.Length()
	width, height := int(math.Ceil(length*across)), wideHeight
	strip := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	half := wideBand / 2 * l.Height
	place := vision.Homography{cos / across, -sin / across, l.Start.X + sin*half, sin / across, cos / across, l.Start.Y - cos*half, 0, 0, 1}
	if !vision.Warp(s.plane(l), toPicture.Mul(place), width, height, strip.Pix) {
		return nil, 0, nil
	}
	closed, line, signs, ok := text.ClosedUp(strip, closeBlank)
	if !ok {
		return nil, signs, nil
	}
	for _, factor := range wideHeights() {
		read, err := r.Words.Read(ctx, closed, higher(line, factor))
		if err != nil {
			return nil, 0, err
		}
		ink := alternatives{score: read.Score, decode: read.Decode}
		looks = append(looks, script{text: read.Text(), confidence: read.Confidence(), alternatives: ink})
	}
	return looks, signs, nil
}

// withWideLetters reads a plate once more with its signs moved together, from the left end of its number to the next label or the
// edge of the card, where it is in doubt: letters that stand far apart are overlooked, or read as others.
func (s *sheet) withWideLetters(ctx context.Context, a cells, taken []int, e entry) (entry, error) {
	before, _ := e.plateText()
	if s.closed == nil || len(e.row) == 0 || before.Confidence >= surePlate && len(before.Letters) >= fewestLetters {
		return e, nil
	}
	l := e.row.whole().Line
	right := a.rightOf(l, &a[taken[0]])
	y := (l.Start.Y + l.End.Y) / 2 // the card lies level, and a short number tells its direction badly
	l.Start.Y, l.End.Y = y, y
	l.Start, l.End = along(l.Start, l.End, l.Start.X-0.6*l.Height), along(l.Start, l.End, max(l.End.X, right))
	looks, signs, err := s.closed(ctx, l)
	if err != nil || len(looks) == 0 {
		return e, err
	}
	wide := pooledPlate(l, looks)
	after, ok := wide.plateText()
	counted := countOf(after) == signs
	surer := after.Confidence > before.Confidence || len(before.Letters) < fewestLetters || counted && countOf(before) != signs
	if !ok || !after.Valid() || !surer {
		return e, nil
	}
	wide.parts[0].wide = !counted
	return wide, nil
}

// rightOf is how far a line may be led on to the right: to the next label that stands level with a cell, or the edge of the card.
func (a cells) rightOf(l text.Line, level *cell) float64 {
	right := float64(viewWidth)
	for i := range a {
		if c := &a[i]; c.label != "" && c.level(level) && c.left()*viewWidth > l.End.X-0.3*l.Height {
			right = min(right, c.left()*viewWidth-0.3*l.Height)
		}
	}
	return right
}

// countOf is how many signs a plate has.
func countOf(p egypt.PlateText) int { return len(p.Letters) + len(p.Number) }

// pooledPlate is a line of which looks are known, at least one: the one that shows a plate most surely first.
func pooledPlate(l text.Line, looks []script) entry {
	most, best := -1.0, looks[0]
	for _, w := range looks {
		if p, ok := egypt.DecodePlateText(egypt.PlateLook{Text: w.text, Confidence: w.confidence, Score: w.score}); ok && p.Confidence > most {
			most, best = p.Confidence, w
		}
	}
	best.place, best.looks = l, looks
	e := entry{row: row{{l}}, script: script{parts: []script{best}}}
	e.join()
	return e
}
