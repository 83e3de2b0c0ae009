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
	wideBand    = 2.2
	closeBlank  = 0.55
	wideHeight  = 53
)

// closedUp reads a line with its signs moved together; ok is false where they stand close already.
func (r *Reader) closedUp(ctx context.Context, s *scene, toPicture vision.Homography, l text.Line) (w script, ok bool, err error) {
	across, length := wideSamples/max(l.Height, 1e-6), l.Length()
	width, height := int(math.Ceil(length*across)), wideHeight
	strip := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	half := wideBand / 2 * l.Height
	place := vision.Homography{cos / across, -sin / across, l.Start.X + sin*half, sin / across, cos / across, l.Start.Y - cos*half, 0, 0, 1}
	if !vision.Warp(s.plane(l), toPicture.Mul(place), width, height, strip.Pix) {
		return w, false, nil
	}
	closed, line, ok := text.ClosedUp(strip, closeBlank)
	if !ok {
		return w, false, nil
	}
	read, err := r.Words.Read(ctx, closed, line)
	if err != nil {
		return w, false, err
	}
	ink := alternatives{score: read.Score, decode: read.Decode}
	return script{text: read.Text(), confidence: read.Confidence(), alternatives: ink}, true, nil
}

// withWideLetters reads a plate once more with its signs moved together, from the left end of its number to the next label or the
// edge of the card, where it is in doubt: letters that stand far apart are overlooked, or read as others.
func (s *sheet) withWideLetters(ctx context.Context, a cells, taken []int, e entry) (entry, error) {
	before, _ := e.plateText()
	if s.closed == nil || len(e.row) == 0 || before.Confidence >= surePlate && len(before.Letters) >= fewestLetters {
		return e, nil
	}
	l := e.row.whole().Line
	right := float64(viewWidth)
	for i := range a {
		if c := &a[i]; c.label != "" && c.level(&a[taken[0]]) && c.left()*viewWidth > l.End.X-0.3*l.Height {
			right = min(right, c.left()*viewWidth-0.3*l.Height)
		}
	}
	y := (l.Start.Y + l.End.Y) / 2 // the card lies level, and a short number tells its direction badly
	l.Start.Y, l.End.Y = y, y
	l.Start, l.End = along(l.Start, l.End, l.Start.X-0.6*l.Height), along(l.Start, l.End, max(l.End.X, right))
	w, ok, err := s.closed(ctx, l)
	if err != nil || !ok {
		return e, err
	}
	after, ok := egypt.DecodePlateText(egypt.PlateLook{Text: w.text, Confidence: w.confidence, Score: w.score})
	if !ok || after.Confidence <= before.Confidence && len(before.Letters) >= fewestLetters || !after.Valid() {
		return e, nil
	}
	w.place, w.wide = l, true
	wide := entry{row: row{{l}}, script: script{parts: []script{w}}}
	wide.join()
	return wide, nil
}
