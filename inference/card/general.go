package card

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// GeneralReader reads all print of a picture, a page, a form or a sign, whatever way it is turned. It is safe for
// concurrent use.
type GeneralReader struct {
	detector *text.Detector
	words    *text.LineReader
}

// NewGeneralReader makes a reader over a detector and a reader of lines, which stay the caller's.
func NewGeneralReader(detector *text.Detector, words *text.LineReader) *GeneralReader {
	return &GeneralReader{detector: detector, words: words}
}

// Read finds the lines of print and returns them in reading order, each in logical order. The confidence of a line is
// the geometric mean of its signs' probabilities, uncalibrated. A picture without print has no lines and is no error.
func (g *GeneralReader) Read(ctx context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
	ctx, watch := newStopwatch(ctx)
	lines, err := g.read(ctx, vision.Luma(p), watch)
	if err != nil {
		return appliance.Reading{}, fmt.Errorf("read text: %w", err)
	}
	return appliance.Reading{Lines: lines, Stages: watch.stages}, nil
}

func (g *GeneralReader) read(ctx context.Context, luma vision.Plane, watch *stopwatch) ([]appliance.Line, error) {
	whole := pageOf(luma, 0)
	sole, err := g.readSole(ctx, luma)
	watch.lap("read")
	if err != nil || legibility(sole) > surelyUpright {
		return arrange(sole, whole.h), err
	}
	sheet, lines, err := g.find(ctx, luma)
	watch.lap("detect")
	if err != nil {
		return nil, err
	}
	rows, err := g.readRows(ctx, luma, sheet, lines)
	watch.lap("read")
	if err != nil {
		return nil, err
	}
	if legibility(rows) < surelyUpright {
		sheet, rows, err = g.turn(ctx, luma, sheet, rows)
		watch.lap("turn")
		if err != nil {
			return nil, err
		}
	}
	if legibility(sole) >= legibility(rows) {
		return arrange(sole, whole.h), nil
	}
	return arrange(rows, sheet.h), nil
}

// slim is how many times as wide as high a picture is that may show a single line and nothing else.
const slim = 4

// readSole reads a picture that may be that of a single line as such; others have no rows.
func (g *GeneralReader) readSole(ctx context.Context, luma vision.Plane) ([]passage, error) {
	if float64(luma.Width) < slim*float64(luma.Height) {
		return nil, nil
	}
	l, ok := text.Sole(luma)
	if !ok {
		return nil, nil
	}
	return g.readRows(ctx, luma, pageOf(luma, 0), []text.Line{l})
}

// surelyUpright is the legibility above which a page is not tried upside down.
const surelyUpright = 0.85

// page is a picture laid so that its print runs from left to right: h maps the page, w x hgt pixels, to the picture.
type page struct {
	h      vision.Homography
	w, hgt float64
}

// pageOf lays the picture turned by an angle, in radians clockwise from x, along which its print runs.
func pageOf(p vision.Plane, angle float64) page {
	sin, cos := math.Sincos(angle)
	w, h := float64(p.Width), float64(p.Height)
	out := page{w: w*math.Abs(cos) + h*math.Abs(sin), hgt: w*math.Abs(sin) + h*math.Abs(cos)}
	// The middle of the page is that of the picture.
	out.h = vision.Homography{
		cos, -sin, w/2 - cos*out.w/2 + sin*out.hgt/2,
		sin, cos, h/2 - sin*out.w/2 - cos*out.hgt/2,
		0, 0, 1,
	}
	return out
}

// turned is the page upside down.
func (p page) turned() page {
	p.h = p.h.Mul(vision.Homography{-1, 0, p.w, 0, -1, p.hgt, 0, 0, 1})
	return p
}

// What the detector measures well: glyphs of 15.5 to 24 pixels of its input. Lower ones come out too high, because the
// cores that it marks have a least height, and higher ones too thin. bestGlyph is the middle.
const (
	smallGlyph = 15.5
	bestGlyph  = 18.5
	tallGlyph  = 24
)

// trueHeight estimates the height of glyphs, in pixels of the detector's input, from what it measures. The line is
// fitted to drawn pages of 9 to 26 pixels (November 2026, six fonts, good to 10 %); it only tells how close to look.
func trueHeight(measured float64) float64 { return max(2, (measured-5.4)/0.72) }

const (
	detectorSide = 512 // of the picture that the detector sees at once
	mostTiles    = 40  // bounds the work on a large picture
	greatestZoom = 2   // enlarging print further shows nothing new
	mostZooms    = 4
)

// find lays the picture so that its print runs from left to right or, as the case may be, from right to left, and finds
// its lines.
func (g *GeneralReader) find(ctx context.Context, luma vision.Plane) (page, []text.Line, error) {
	sheet := pageOf(luma, 0)
	lines, err := g.detect(ctx, luma, sheet, 2*sheet.whole())
	if err != nil {
		return sheet, nil, err
	}
	// Dense print that stands or hangs is seen in shreds: it is looked at again when it lies.
	if angle := directionOf(lines); math.Abs(angle) > math.Pi/8 {
		sheet = pageOf(luma, angle)
		if lines, err = g.detect(ctx, luma, sheet, 2*sheet.whole()); err != nil {
			return sheet, nil, err
		}
	}
	lines, err = g.zoom(ctx, luma, sheet, lines)
	return sheet, lines, err
}

// whole is the scale at which the detector sees the page in one piece.
func (p page) whole() float64 { return detectorSide / max(p.w, p.hgt) }

func (g *GeneralReader) detect(ctx context.Context, luma vision.Plane, p page, scale float64) ([]text.Line, error) {
	m, err := g.detector.DetectAt(ctx, luma, p.h, p.w, p.hgt, scale)
	if err != nil {
		return nil, err
	}
	return m.Lines(), nil
}

// zoom takes lines that were found at twice the page's whole scale and looks again, closer or from further away, until
// the common print is well measured; larger print is then taken from smaller scales.
func (g *GeneralReader) zoom(ctx context.Context, luma vision.Plane, p page, lines []text.Line) ([]text.Line, error) {
	scale := 2 * p.whole()
	for range mostZooms {
		h := commonHeight(lines) * scale
		if h >= smallGlyph && h <= tallGlyph {
			break
		}
		next := p.reachable(scale * bestGlyph / trueHeight(h))
		if math.Abs(math.Log(next/scale)) < 0.1 {
			break
		}
		again, err := g.detect(ctx, luma, p, next)
		if err != nil {
			return nil, err
		}
		if len(again) == 0 && len(lines) > 0 {
			break
		}
		lines, scale = again, next
	}
	for more := scale / 2; more >= p.whole()/2; more /= 2 {
		large, err := g.detect(ctx, luma, p, more)
		if err != nil {
			return nil, err
		}
		lines = replace(lines, slices.DeleteFunc(large, func(l text.Line) bool {
			return l.Height*more < smallGlyph || l.Height*more > 2*tallGlyph || l.Height > l.Length()
		}))
	}
	return lines, nil
}

// reachable is the scale, or the largest one below it that the bounds on work allow.
func (p page) reachable(scale float64) float64 {
	scale = min(scale, greatestZoom)
	for text.Tiles(p.w, p.hgt, scale) > mostTiles {
		scale *= 0.9
	}
	return scale
}

// replace adds large lines in place of those that lie within them. Where those lie in several rows, the large one is
// none: from far away, rows of small print run together.
func replace(lines, large []text.Line) []text.Line {
	for _, l := range large {
		within := func(s text.Line) bool {
			along, across := middleOf(l, s)
			return along > 0 && along < l.Length() && math.Abs(across) < 0.8*l.Height
		}
		upper, lower := 0.0, 0.0
		for _, s := range lines {
			if _, across := middleOf(l, s); within(s) && math.Abs(across) > 0.2*l.Height {
				if across < 0 {
					upper += s.Length()
				} else {
					lower += s.Length()
				}
			}
		}
		if min(upper, lower) < l.Length()/4 {
			lines = append(slices.DeleteFunc(lines, within), l)
		}
	}
	return lines
}

// middleOf returns where the middle of s lies: how far along l from its start, and how far below its centre line.
func middleOf(l, s text.Line) (along, across float64) {
	length := max(l.Length(), 1e-6)
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	x, y := (s.Start.X+s.End.X)/2-l.Start.X, (s.Start.Y+s.End.Y)/2-l.Start.Y
	return x*cos + y*sin, y*cos - x*sin
}

// directionOf returns the angle along which most of the print runs: the common axis of the lines, by their length, with
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

// commonHeight is the median height of the lines, by their length; 0 without lines.
func commonHeight(lines []text.Line) float64 {
	sorted := slices.SortedFunc(slices.Values(lines), func(a, b text.Line) int { return cmp.Compare(a.Height, b.Height) })
	total, sum := 0.0, 0.0
	for _, l := range sorted {
		total += l.Length()
	}
	for _, l := range sorted {
		if sum += l.Length(); sum >= total/2 {
			return l.Height
		}
	}
	return 0
}

// passage is a row of print with what was read of its pieces, from left to right.
type passage struct {
	extent
	strands  []strand
	readings []*text.Reading
}

// readRows reads the lines of a page, row by row. Lines that the detector saw from the other end are turned: the page
// lies upright, or upside down as a whole.
func (g *GeneralReader) readRows(ctx context.Context, luma vision.Plane, p page, lines []text.Line) ([]passage, error) {
	for i, l := range lines {
		if l.End.X < l.Start.X {
			lines[i] = l.Turned()
		}
	}
	var out []passage
	for _, row := range rowsOfPage(strandsOf(lines, skew(lines))) {
		q := passage{extent: extentOf(row), strands: row}
		for _, s := range row {
			r, err := g.words.ReadIn(ctx, luma, p.h, s.Line)
			if err != nil {
				return nil, err
			}
			q.readings = append(q.readings, r)
		}
		out = append(out, q)
	}
	return out, nil
}

// legibility is the geometric mean of the probabilities of all signs that were read; 0 when there are none.
func legibility(rows []passage) float64 {
	sum, count := 0.0, 0
	for _, r := range rows {
		for _, reading := range r.readings {
			for _, s := range reading.Symbols() {
				sum += math.Log(max(s.Prob, 1e-6))
				count++
			}
		}
	}
	if count == 0 {
		return 0
	}
	return math.Exp(sum / float64(count))
}

// sampleRows is how many lines tell whether a page stands on its head.
const sampleRows = 4

// turn looks whether the longest lines make more sense upside down, and if so reads the whole page so.
func (g *GeneralReader) turn(ctx context.Context, luma vision.Plane, p page, rows []passage) (page, []passage, error) {
	byLength := slices.SortedFunc(slices.Values(rows), func(a, b passage) int { return cmp.Compare(b.right-b.left, a.right-a.left) })
	upright := byLength[:min(len(byLength), sampleRows)]
	turned := make([]passage, len(upright))
	for i, r := range upright {
		for _, s := range r.strands {
			reading, err := g.words.ReadIn(ctx, luma, p.h, s.Line.Turned())
			if err != nil {
				return p, rows, err
			}
			turned[i].readings = append(turned[i].readings, reading)
		}
	}
	if legibility(turned) <= legibility(upright) {
		return p, rows, nil
	}
	// Upright print is seen better, too.
	p = p.turned()
	lines, err := g.detect(ctx, luma, p, 2*p.whole())
	if err != nil {
		return p, rows, err
	}
	if lines, err = g.zoom(ctx, luma, p, lines); err != nil {
		return p, rows, err
	}
	rows, err = g.readRows(ctx, luma, p, lines)
	return p, rows, err
}

// leastLegible is the legibility under which a row is no print but something that the detector took for it.
const leastLegible = 0.35

// arrange returns the rows as lines of text in reading order; h maps the page to the picture.
func arrange(rows []passage, h vision.Homography) []appliance.Line {
	rows = slices.DeleteFunc(rows, func(r passage) bool { return legibility([]passage{r}) < leastLegible })
	extents := make([]extent, len(rows))
	arabic := 0
	for i, r := range rows {
		extents[i] = r.extent
		arabic += r.arabic()
	}
	var out []appliance.Line
	for _, i := range readingOrder(extents, arabic > 0) {
		r := rows[i]
		if t := r.text(arabic > 0); t != "" {
			out = append(out, appliance.Line{Text: t, Confidence: legibility(rows[i : i+1]), Quad: h.ApplyQuad(r.quad())})
		}
	}
	return out
}

// arabic counts the Arabic letters of a row, less its Latin ones.
func (r passage) arabic() int {
	count := 0
	for _, reading := range r.readings {
		for _, s := range reading.Symbols() {
			switch {
			case unicode.Is(unicode.Arabic, s.Rune):
				count++
			case unicode.IsLetter(s.Rune):
				count--
			}
		}
	}
	return count
}

// text joins the pieces of a row in reading order; rtl is the direction of the page, which a row of digits takes.
func (r passage) text(rtl bool) string {
	if n := r.arabic(); n != 0 {
		rtl = n > 0
	}
	var words []string
	for _, reading := range r.readings {
		if t := reading.Text(); t != "" {
			words = append(words, t)
		}
	}
	if rtl {
		slices.Reverse(words)
	}
	return strings.Join(words, " ")
}

// quad is the outline of the row on the page.
func (r passage) quad() appliance.Quad {
	first, last := r.strands[0].Quad(), r.strands[len(r.strands)-1].Quad()
	return appliance.Quad{first[0], last[1], last[2], first[3]}
}
