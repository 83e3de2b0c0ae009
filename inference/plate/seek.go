package plate

import (
	"context"
	"math"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

// Where the middles of the digits and of the letters lie on a plate, in the units of plate.Sign: medians of 867 real
// plates (20 November 2026), nine of ten of which lie within 0.09 of them.
const (
	digitsX, digitsY   = 0.58, 0.629
	lettersX, lettersY = 1.456, 0.638
)

// Where the middles of digits and letters lie at the least and the most within an outline that is true, in the same units: of 469 drawn
// plates and 265 real ones that were read right within their outline, shifted by some per cent, all do (28 November 2026).
const (
	digitsFrom, digitsTo   = 0.36, 0.9
	lettersFrom, lettersTo = 1.2, 1.86
)

// aside says to which side a plate goes on beyond an outline that holds a part of it: -1 where digits stand at its left edge or letters
// about its middle, 1 for the other side, 0 where all is in its place.
func (g *read) aside() float64 {
	n := len(g.Plate.Letters)
	if n == 0 || g.Rows != 1 {
		return 0
	}
	letters, digits := g.Printed[:n], g.Printed[n:]
	middle := func(signs []plate.Sign) float64 { return (signs[0].X + signs[len(signs)-1].X) / 2 }
	switch l, d := middle(letters), middle(digits); {
	case d < digitsFrom || l < lettersFrom:
		return -1
	case d > digitsTo || l > lettersTo:
		return 1
	}
	return 0
}

// middles are those of the digits and of the letters that were read in one row.
func (g *read) middles() (digits, letters appliance.Point) {
	n := len(g.Plate.Letters)
	middle := func(signs []plate.Sign) appliance.Point {
		first, last := signs[0], signs[len(signs)-1]
		return appliance.Point{X: (first.X + last.X) / 2, Y: (first.Y + last.Y) / 2}
	}
	return middle(g.Printed[n:]), middle(g.Printed[:n]) // Printed begins with the rightmost letter
}

// misplaced reports whether the signs that were read say that the outline is not the plate's but that of something around it: they stand
// closer together than on any plate, and signs so small are lost.
func (g *read) misplaced() bool {
	const closest = 0.7
	if len(g.Plate.Letters) == 0 || g.Rows != 1 {
		return false
	}
	digits, letters := g.middles()
	return math.Hypot(letters.X-digits.X, letters.Y-digits.Y) < closest*(lettersX-digitsX)
}

// moved outlines the plate where the signs that were read say that it is; false for two rows, and where they say nothing
// sensible. It keeps the plane of the outline that the signs were seen in: only place, size and turn change.
func (g *read) moved() (appliance.Quad, bool) {
	if len(g.Plate.Letters) == 0 || g.Rows != 1 {
		return appliance.Quad{}, false
	}
	digits, letters := g.middles()
	if size := math.Hypot(letters.X-digits.X, letters.Y-digits.Y) / (lettersX - digitsX); size < 0.2 || size > 3 {
		return appliance.Quad{}, false
	}
	return g.toPicture(moved(digits, letters, appliance.Point{X: digitsX, Y: digitsY}, appliance.Point{X: lettersX, Y: lettersY})), true
}

// moved is the outline of a plate, 2 wide and 1 high, by the similarity that takes where two of its groups of signs are expected to where
// they were found.
func moved(left, right, leftExpected, rightExpected appliance.Point) (q appliance.Quad) {
	// The similarity takes (x, y) to (c x - s y, s x + c y) plus an offset.
	dx, dy, ex, ey := right.X-left.X, right.Y-left.Y, rightExpected.X-leftExpected.X, rightExpected.Y-leftExpected.Y
	norm := ex*ex + ey*ey
	c, s := (dx*ex+dy*ey)/norm, (dy*ex-dx*ey)/norm
	for i, p := range [4]appliance.Point{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 1}, {X: 0, Y: 1}} {
		x, y := p.X-leftExpected.X, p.Y-leftExpected.Y
		q[i] = appliance.Point{X: left.X + c*x - s*y, Y: left.Y + s*x + c*y}
	}
	return q
}

// The windows of a search, as shares of the picture's width, and their step as a share of the window.
const step = 0.45

func windows() []float64 { return []float64{1, 0.62, 0.4} }

// tallest is how many times as high as wide a picture may be whose parts are searched, some 300 of them: no camera and no scanner makes a
// higher one, and a strip would have thousands.
const tallest = 4

// enough is the confidence with which a plate must be read where nothing but its signs says that it is one. Set by
// judgement on 20 November 2026; no data set is on record.
const enough = 0.6

// Seek looks for a plate in a picture whose plates nobody has outlined: first the whole picture as one plate, since callers
// cut plates out, then windows of falling size. ok is false where none is read; what it returns may still be doubtful.
func (r *Reader) Seek(ctx context.Context, p *appliance.Picture) (d appliance.Document, ok bool, err error) {
	whole := frame(0, 0, float64(p.Width), float64(p.Height))
	best, quad, err := r.settle(ctx, p, whole)
	if err != nil {
		return appliance.Document{}, false, err
	}
	if best.Confidence < enough && !best.cut() {
		all, at := best, quad
		if best, quad, err = r.search(ctx, p); err != nil {
			return appliance.Document{}, false, err
		}
		if best.Confidence >= enough && best.partOf(&all) {
			best, quad = all, at
			best.Confidence = enough // two looks agree on what both hold
		}
	}
	if best.Confidence < enough && !best.cut() {
		return appliance.Document{}, false, nil
	}
	d, err = r.document(ctx, p, quad, quad, best)
	return d, err == nil, err
}

// partOf reports whether a plate that a window shows is another one without signs at its ends, which the window cut off.
func (g *read) partOf(all *read) bool {
	const least = 0.2
	own, whole := g.Plate, all.Plate
	return own.String() != whole.String() && whole.Valid() && all.Confidence >= least &&
		strings.Contains(whole.Number, own.Number) && strings.Contains(string(whole.Letters), string(own.Letters))
}

// cut reports whether the signs of a foreign plate fill a picture that was cut to it.
func (g *read) cut() bool {
	clear := len(g.clear())
	return g.Foreign && g.Rows == 1 && clear >= 4 && clear <= 9
}

// search reads windows all over a picture that is not too tall, and settles on the one that shows most signs surely. A window may have cut signs off, and
// nothing tells: what is found here is never surer than what is flagged.
func (r *Reader) search(ctx context.Context, p *appliance.Picture) (best read, quad appliance.Quad, err error) {
	luma, width, height := vision.Luma(p), float64(p.Width), float64(p.Height)
	if height > tallest*width {
		return read{}, quad, nil
	}
	for _, share := range windows() {
		w := share * width
		h := min(w/2, height)
		for _, y := range starts(height, h) {
			for _, x := range starts(width, w) {
				toPicture, ok := onPicture(frame(x, y, w, h))
				if !ok {
					continue
				}
				got, err := r.look(ctx, luma, toPicture)
				if err != nil {
					return read{}, quad, err
				}
				if got.weight() > best.weight() {
					best, quad = got, frame(x, y, w, h)
				}
			}
		}
	}
	if len(best.Plate.Letters) == 0 {
		return read{}, quad, nil
	}
	best, quad, err = r.better(ctx, p, quad, best)
	best.Confidence = min(best.Confidence, doubtful*r.accept)
	return best, quad, err
}

// doubtful is how near the confidence of what a search finds may come to that of what is not flagged.
const doubtful = 0.99

// weight is how many signs of a plate are read surely.
func (g *read) weight() float64 { return g.Confidence * float64(len(g.Printed)) }

// starts spreads windows of a size evenly over a length.
func starts(length, size float64) []float64 {
	n := int(math.Ceil((length-size)/(step*size))) + 1
	out := make([]float64, max(n, 1))
	for i := range out {
		if n > 1 {
			out[i] = (length - size) * float64(i) / float64(n-1)
		}
	}
	return out
}

func frame(x, y, w, h float64) appliance.Quad { return vision.RectQuad(x, y, x+w, y+h) }
