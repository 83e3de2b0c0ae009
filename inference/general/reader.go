// Package general reads all text of a picture, whatever it shows: the lines of a page, a form or a sign, in reading order.
package general

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Reader reads all text of a picture, a page, a form or a sign, whatever way it is turned. It is safe for
// concurrent use.
type Reader struct {
	detector *line.Detector
	words    *text.LineReader
	signs    *text.LineReader
	numbers  *text.NumberReader
	letters  *text.Letters
}

// NewReader makes a reader over a detector, a reader of words, one of lines with numbers and vowel signs, one of numbers, and what is known
// of the letters of words, which stay the caller's.
func NewReader(
	detector *line.Detector, words, signs *text.LineReader, numbers *text.NumberReader, letters *text.Letters,
) *Reader {
	return &Reader{detector: detector, words: words, signs: signs, numbers: numbers, letters: letters}
}

// Read finds the lines of text and returns them in reading order, each in logical order. The confidence of a line is
// the probability that all of it is right; a doubtful one carries a code. A picture without text has no lines and is no error.
func (g *Reader) Read(ctx context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
	ctx, watch := stopwatch.New(ctx)
	lines, err := g.read(ctx, vision.Luma(p), watch)
	if err != nil {
		return appliance.Reading{}, fmt.Errorf("read text: %w", err)
	}
	return appliance.Reading{Lines: lines, Stages: watch.Stages}, nil
}

func (g *Reader) read(ctx context.Context, luma vision.Plane, watch *stopwatch.Watch) ([]appliance.Line, error) {
	if line, ok, err := g.readSpread(ctx, luma); ok || err != nil {
		watch.Lap("read")
		return line, err
	}
	mounted, room := ink.Mounted(luma)
	sole, err := g.readSole(ctx, mounted, room)
	watch.Lap("read")
	if err != nil {
		return nil, err
	}
	if legibility(sole) > surelySole {
		return g.ofSole(ctx, mounted, room, sole)
	}
	sheet, strands, err := g.readUpright(ctx, luma, watch)
	if err != nil {
		return nil, err
	}
	if dark := vision.DarkShare(luma); dark >= mostlyDark {
		light, read, err := g.readUpright(ctx, vision.Negative(luma), watch)
		if err != nil {
			return nil, err
		}
		if sense(read) > sense(strands) {
			sheet, strands = light, read
		}
	} else if dark >= partlyDark && vision.DarkShare(printedPart(luma, sheet, strands)) >= partlyDark {
		if strands, err = g.withLight(ctx, luma, sheet, strands, watch); err != nil {
			return nil, err
		}
	}
	if legibility(sole) >= legibility(strands) {
		return g.ofSole(ctx, mounted, room, sole)
	}
	strands, err = g.spreadRows(ctx, luma, sheet, strands)
	watch.Lap("read")
	if err != nil {
		return nil, err
	}
	return g.arrange(luma, strands, sheet.h), nil
}

// ofSole are the lines of a picture that shows a single one, on a sheet with so many samples of room around it.
func (g *Reader) ofSole(ctx context.Context, mounted vision.Plane, room int, sole []strand) ([]appliance.Line, error) {
	p := pageOf(mounted, 0)
	sole, err := g.spreadRows(ctx, mounted, p, sole)
	if err != nil {
		return nil, err
	}
	return dismounted(g.arrange(mounted, sole, p.h), room), nil
}

// dismounted are lines of a picture on a sheet with so many samples of room around it, where they lie in the picture.
func dismounted(lines []appliance.Line, room int) []appliance.Line {
	for k := range lines {
		for i, c := range lines[k].Quad {
			lines[k].Quad[i] = appliance.Point{X: c.X - float64(room), Y: c.Y - float64(room)}
		}
	}
	return lines
}

// readUpright reads a page of dark text whatever way it lies, and returns how that is.
func (g *Reader) readUpright(ctx context.Context, luma vision.Plane, watch *stopwatch.Watch) (page, []strand, error) {
	sheet, first, err := g.lay(ctx, luma)
	if err != nil {
		return sheet, nil, err
	}
	strands, err := g.readPage(ctx, luma, sheet, first, watch)
	if err != nil || legibility(strands) >= surelyUpright {
		return sheet, strands, err
	}
	return g.turn(ctx, luma, sheet, strands, watch)
}

// withLight adds the light text on the dark parts of a page, in the place of what was made of it as dark text.
func (g *Reader) withLight(ctx context.Context, luma vision.Plane, p page, strands []strand, watch *stopwatch.Watch) ([]strand, error) {
	negative, lines := vision.Negative(luma), make([]text.Line, len(strands))
	for i, s := range strands {
		lines[i] = s.Line
	}
	scale := 2 * p.whole()
	if h := commonHeight(lines); h > 0 { // titles and labels in boxes are as high as the rest of the page, or somewhat higher
		scale = p.reachable(bestGlyph / h)
	}
	seen, err := g.detect(ctx, negative, p, scale)
	watch.Lap("detect")
	if err != nil {
		return nil, err
	}
	light := slices.DeleteFunc(seen.lines, func(l text.Line) bool { return !line.LightPrint(luma, p.h, l) })
	read, err := g.readLines(ctx, negative, p, light)
	watch.Lap("read")
	return prefer(strands, read), err
}

// The share of a picture that is dark from which on a line of light text has room there, and from which on it is a page of light text on
// dark ground.
const (
	partlyDark = 0.01
	mostlyDark = 0.5
)

// printedPart is the part of a picture in which text was found, and some way around it: what a page lies on is none of it. It is all of a
// picture where none was.
func printedPart(luma vision.Plane, p page, strands []strand) vision.Plane {
	const around = 0.05 // of its sides
	var corners []appliance.Point
	for _, s := range strands {
		if (passage{s}).legible() {
			q := p.h.ApplyQuad(s.Quad())
			corners = append(corners, q[:]...)
		}
	}
	left, top, right, bottom := vision.Bounds(corners...)
	wide, high := around*(right-left), around*(bottom-top)
	x0, y0 := max(0, int(left-wide)), max(0, int(top-high))
	x1, y1 := min(luma.Width, int(right+wide)), min(luma.Height, int(bottom+high))
	if left > right || x1 <= x0 || y1 <= y0 {
		return luma
	}
	return vision.Plane{Pix: luma.Pix[y0*luma.Stride+x0 : (y1-1)*luma.Stride+x1], Width: x1 - x0, Height: y1 - y0, Stride: luma.Stride}
}

// A picture that shows a single line and nothing else is slim times as wide as high or more, and its glyphs fill
// soleShare of its height. Above the legibility surelySole it is one: several lines read as one give less.
const (
	slim       = 2
	soleShare  = 0.2
	surelySole = 0.7
)

// readSole reads a picture that may be that of a single line as such, room samples of which were added on each side; others have none.
func (g *Reader) readSole(ctx context.Context, luma vision.Plane, room int) ([]strand, error) {
	high := float64(luma.Height - 2*room)
	if float64(luma.Width-2*room) < slim*high {
		return nil, nil
	}
	small, larger := reduced(luma)
	l, ok := ink.Sole(small)
	if l = enlarged(l, larger); !ok || l.Height < soleShare*high {
		return nil, nil
	}
	return g.readLines(ctx, luma, pageOf(luma, 0), []text.Line{l})
}

// readPage finds and reads the lines of a page that lies with its text along x. first is a first look at it.
func (g *Reader) readPage(ctx context.Context, luma vision.Plane, p page, first sight, watch *stopwatch.Watch) ([]strand, error) {
	lines, large, err := g.find(ctx, luma, p, first)
	watch.Lap("detect")
	if err != nil {
		return nil, err
	}
	strands, err := g.readLines(ctx, luma, p, lines)
	if err != nil {
		return nil, err
	}
	// Where the common text makes sense, there is no larger one.
	large = slices.DeleteFunc(large, func(l text.Line) bool { return legibility(within(strands, l)) > surelyUpright })
	larger, err := g.readLines(ctx, luma, p, large)
	watch.Lap("read")
	return prefer(strands, larger), err
}

// surelyUpright is the legibility above which a page is not tried upside down.
const surelyUpright = 0.85

// page is a picture laid so that its text runs from left to right: h maps the page, w x hgt pixels, to the picture.
type page struct {
	h      vision.Homography
	w, hgt float64
}

// pageOf lays the picture turned by an angle, in radians clockwise from x, along which its text runs.
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
	greatestZoom = 2   // enlarging text further shows nothing new
	mostZooms    = 4
	mostLines    = 800 // on one page, the longest first; the others are told as unreadable
	leastPrint   = 4.5 // pixels of the picture under which glyphs cannot be told apart
)

// whole is the scale at which the detector sees the page in one piece.
func (p page) whole() float64 { return detectorSide / max(p.w, p.hgt) }

func (g *Reader) detect(ctx context.Context, luma vision.Plane, p page, scale float64) (sight, error) {
	m, err := g.detector.DetectAt(ctx, luma, p.h, p.w, p.hgt, scale)
	if err != nil {
		return sight{}, err
	}
	return sight{scale, m, m.Lines()}, nil
}

// closer looks at a page at another scale where a first look had a hint of text; where it had none, all over.
func (g *Reader) closer(ctx context.Context, luma vision.Plane, p page, first sight, scale float64) (sight, error) {
	if len(first.lines) == 0 || scale < first.scale {
		return g.detect(ctx, luma, p, scale)
	}
	m, err := g.detector.DetectWhere(ctx, luma, p.h, p.w, p.hgt, scale, first.seen)
	if err != nil {
		return sight{}, err
	}
	return sight{scale, m, m.Lines()}, nil
}

// sameScale is the difference of the logarithms of two scales below which a second look shows nothing new, and likeScale that up to which
// a first look stands for one from further away, where lines may be up to three times as high as the smallest that are well measured.
const sameScale, likeScale = 0.1, 0.26

// find takes a first look and returns the lines seen at the scale at which the common text of the page is well
// measured, and larger ones seen from further away, which may also be rows of small text that run together.
func (g *Reader) find(ctx context.Context, luma vision.Plane, p page, first sight) (_, large []text.Line, err error) {
	best := first
	for range mostZooms {
		h := commonHeight(best.lines) * best.scale
		if h >= smallGlyph && h <= tallGlyph {
			break
		}
		next := p.reachable(best.scale * bestGlyph / trueHeight(h))
		if math.Abs(math.Log(next/best.scale)) < sameScale {
			break
		}
		again, err := g.closer(ctx, luma, p, first, next)
		if err != nil {
			return nil, nil, err
		}
		if len(again.lines) == 0 && len(best.lines) > 0 {
			break
		}
		best = again
	}
	large, err = g.further(ctx, luma, p, first, best.scale)
	return best.lines, large, err
}

// further returns the lines that are too large for the scale of the page's common text, seen from further away.
func (g *Reader) further(ctx context.Context, luma vision.Plane, p page, first sight, best float64) (large []text.Line, err error) {
	for more := best / 2; more > p.whole()/4; more /= 2 {
		further := first
		if math.Abs(math.Log(more/first.scale)) <= likeScale {
			more = first.scale
		} else if further, err = g.detect(ctx, luma, p, more); err != nil {
			return nil, err
		}
		for _, l := range further.lines {
			if h := l.Height * further.scale; h > smallGlyph && h < 2*tallGlyph && l.Height*best > tallGlyph && l.Length() > l.Height {
				large = append(large, l)
			}
		}
	}
	return large, nil
}

// reachable is the scale, or the largest one below it that the bounds on work allow.
func (p page) reachable(scale float64) float64 {
	scale = min(scale, greatestZoom)
	for line.Tiles(p.w, p.hgt, scale) > mostTiles {
		scale *= 0.9
	}
	return scale
}

// prefer puts large lines in the place of those that lie within them, wherever they make more sense. One that lies on a line that makes
// more is a part of its row with the vowel signs above it.
func prefer(strands, large []strand) []strand {
	for _, l := range large {
		better := func(s strand) bool { return isWithin(l.Line, s.Line) && sense([]strand{s}) >= sense([]strand{l}) }
		if sense([]strand{l}) > sense(within(strands, l.Line)) && !slices.ContainsFunc(strands, better) {
			strands = append(slices.DeleteFunc(strands, func(s strand) bool { return isWithin(s.Line, l.Line) }), l)
		}
	}
	return strands
}

// within returns the strands that lie within a line.
func within(strands []strand, l text.Line) []strand {
	var out []strand
	for _, s := range strands {
		if isWithin(s.Line, l) {
			out = append(out, s)
		}
	}
	return out
}

// isWithin reports whether the middle of s lies on l or just beside it.
func isWithin(s, l text.Line) bool {
	along, across := middleOf(l, s)
	return along > 0 && along < l.Length() && math.Abs(across) < 0.8*l.Height
}

// middleOf returns where the middle of s lies: how far along l from its start, and how far below its centre line.
func middleOf(l, s text.Line) (along, across float64) {
	return l.Place(appliance.Point{X: (s.Start.X + s.End.X) / 2, Y: (s.Start.Y + s.End.Y) / 2})
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

// readLines reads lines of a page. Those that the detector saw from the other end are turned: the page lies upright, or
// upside down as a whole.
func (g *Reader) readLines(ctx context.Context, luma vision.Plane, p page, lines []text.Line) ([]strand, error) {
	lines, unread := readable(lines)
	for i, l := range lines {
		if l.End.X < l.Start.X {
			lines[i] = l.Turned()
		}
	}
	lines = ink.Drawn(luma, p.h, alongPage(lines))
	out := make([]strand, 0, len(lines))
	places, readings := make([]text.Line, 0, len(lines)), make([]*text.Reading, 0, len(lines))
	for _, l := range lines {
		at, s, err := g.readLine(ctx, luma, p, l)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
		places, readings = append(places, at), append(readings, s.reading)
	}
	readings, err := g.numbered(ctx, luma, p.h, places, readings)
	if err != nil {
		return nil, err
	}
	for i, r := range readings {
		if r.Text() != out[i].reading.Text() {
			out[i].looks = text.Looks{} // which know nothing of its numbers
		}
		out[i].seen, out[i].reading = out[i].reading, r
	}
	return append(out, unread...), nil
}

// readable parts the lines that are read from those that are not: too low, or too many.
func readable(lines []text.Line) (read []text.Line, unread []strand) {
	for _, l := range lines {
		if l.Height < leastPrint {
			unread = append(unread, strand{Line: l, reading: new(text.Reading)})
		} else {
			read = append(read, l)
		}
	}
	if len(read) > mostLines {
		slices.SortFunc(read, func(a, b text.Line) int { return cmp.Compare(b.Length(), a.Length()) })
		for _, l := range read[mostLines:] {
			unread = append(unread, strand{Line: l, reading: new(text.Reading), unread: true})
		}
		read = read[:mostLines]
	}
	return read, unread
}

// readLine reads a line where its letters stand, and says where that is.
func (g *Reader) readLine(ctx context.Context, luma vision.Plane, p page, l text.Line) (at text.Line, s strand, err error) {
	s.Line = l
	if at, err = g.words.Level(ctx, luma, p.h, l); err != nil {
		return at, s, err
	}
	r, err := g.words.ReadIn(ctx, luma, p.h, at)
	if err != nil {
		return at, s, err
	}
	s.reading, s.looks, err = g.secondLook(ctx, luma, p, at, r)
	return at, s, err
}

// sense is how much of what was read makes sense: signs that are rather doubted than believed count against it.
func sense(strands []strand) float64 {
	const even = 0.6
	sum := 0.0
	for _, r := range strands {
		for _, s := range r.first().Symbols() {
			sum += s.Prob - even
		}
	}
	return sum
}

// first is how a line was read before its numbers were.
func (s strand) first() *text.Reading {
	if s.seen != nil {
		return s.seen
	}
	return s.reading
}

// legibility is that of all that was read.
func legibility(strands []strand) float64 {
	read := make([]*text.Reading, len(strands))
	for i, s := range strands {
		read[i] = s.first()
	}
	return text.Legibility(read...)
}

// sampleLines is how many lines report whether a page stands on its head.
const sampleLines = 4

// turn looks whether some lines make more sense upside down, and if so reads the whole page so.
func (g *Reader) turn(ctx context.Context, luma vision.Plane, p page, strands []strand, watch *stopwatch.Watch) (page, []strand, error) {
	upright := telling(strands)
	turned := make([]strand, len(upright))
	for i, s := range upright {
		_, again, err := g.readLine(ctx, luma, p, s.Line.Turned())
		if err != nil {
			return p, strands, err
		}
		turned[i].reading = again.reading
	}
	upright, turned = ofWords(upright, turned)
	watch.Lap("turn")
	if legibility(turned) <= legibility(upright) {
		return p, strands, nil
	}
	// Upright text is seen better, too.
	p = p.turned()
	first, err := g.look(ctx, luma, p)
	if err != nil {
		return p, strands, err
	}
	strands, err = g.readPage(ctx, luma, p, first, watch)
	return p, strands, err
}

// longestFirst sorts what lies on lines by their length.
func longestFirst[T any](all []T, line func(T) text.Line) []T {
	return slices.SortedFunc(slices.Values(all), func(a, b T) int { return cmp.Compare(line(b).Length(), line(a).Length()) })
}

// telling are the lines by which a page is turned: the longest ones, and as many of all the other lengths, since a form's longest lines may
// be boxes with digits, which are as legible upside down.
func telling(strands []strand) []strand {
	all := longestFirst(strands, func(s strand) text.Line { return s.Line })
	longest := min(len(all), sampleLines)
	out, rest := slices.Clone(all[:longest]), all[longest:]
	more := min(len(rest), sampleLines)
	for k := range more {
		out = append(out, rest[k*len(rest)/more])
	}
	return out
}

// ofWords are those of some lines that are words when they are read upright or when they are read turned, all where none is.
func ofWords(upright, turned []strand) (up, down []strand) {
	for i := range upright {
		if upright[i].ofLetters() || turned[i].ofLetters() {
			up, down = append(up, upright[i]), append(down, turned[i])
		}
	}
	if len(up) == 0 {
		return upright, turned
	}
	return up, down
}

// ofLetters reports whether most signs of a line are letters.
func (s strand) ofLetters() bool {
	letters, signs := 0, 0
	for _, x := range s.first().Symbols() {
		if unicode.IsLetter(x.Rune) {
			letters++
		}
		if x.Rune != ' ' {
			signs++
		}
	}
	return 2*letters > signs
}
