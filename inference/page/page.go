package page

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Words reads words; *text.LineReader does.
type Words interface {
	Level(ctx context.Context, p vision.Plane, h vision.Homography, l text.Line) (text.Line, error)
	ReadIn(ctx context.Context, p vision.Plane, h vision.Homography, l text.Line) (*text.Reading, error)
}

// Digits reads numbers; *text.DigitReader does.
type Digits interface {
	ReadIn(ctx context.Context, p vision.Plane, h vision.Homography, l text.Line) (*text.Digits, error)
}

// Size is how large a document is, in millimetres. Print is how many times as high its print is as that of licences, 0 counts as 1.
type Size struct{ Long, Short, Print float64 }

// BankCard is the size ID-1 of ISO/IEC 7810.
func BankCard() Size { return Size{Long: appliance.ID1.Width, Short: appliance.ID1.Height} }

// unitsPerMM is how many units of a view a millimetre of the document takes.
const unitsPerMM = line.CardWidth / 85.60 // geometry: ID-1

// Lay lays a document of a size flat that a quad outlines in a picture, its first corner at the top left.
func Lay(p *appliance.Picture, q appliance.Quad, size Size) (line.View, bool) {
	luma := vision.Luma(p)
	width, height := math.Round(size.Long*unitsPerMM), math.Round(size.Short*unitsPerMM)
	if vision.Distance(q[0], q[1])+vision.Distance(q[2], q[3]) < vision.Distance(q[1], q[2])+vision.Distance(q[3], q[0]) {
		width, height = height, width
	}
	h, ok := vision.RectToQuad(width, height, q)
	light := func() vision.Plane { return vision.Negative(luma) }
	return line.View{Width: width, Height: height, ToPicture: h, Dark: luma, Light: light, Print: size.Print}, ok
}

// Page is one document laid flat. It is one reading's, and not safe for concurrent use.
type Page struct {
	line.View
	// Rows are the lines of print from the top, each from left to right.
	Rows   []Row
	words  Words
	digits Digits
	light  func() vision.Plane
	lines  []text.Line
	judged *Judged
	// What networks said of lines as they were cut: where their letters stand, what words and what numbers they read.
	levels  map[text.Line]text.Line
	read    map[text.Line]*text.Reading
	counted map[text.Line]*text.Digits
	unboxed map[text.Line]bool // that boxes about their signs were looked for
}

// New lays out the lines that a detector saw in a view.
func New(v line.View, lines []text.Line, words Words, digits Digits, j *Judged) *Page {
	p := &Page{
		View: v, words: words, digits: digits, light: sync.OnceValue(v.Light), lines: lines,
		levels: map[text.Line]text.Line{}, read: map[text.Line]*text.Reading{}, counted: map[text.Line]*text.Digits{},
		unboxed: map[text.Line]bool{},
	}
	return p.Under(j)
}

// Under is the page under other judged numbers. What the networks said of it is kept.
func (p *Page) Under(j *Judged) *Page {
	out := *p
	out.judged, out.Rows = j, j.rowsOf(p.lines, p.Width, p.Height)
	return &out
}

// plane is the picture in which a line is dark print.
func (p *Page) plane(l text.Line) vision.Plane {
	if l.Light {
		return p.light()
	}
	return p.Dark
}

// once runs what takes a network for a line, and keeps what comes of it.
func once[V any](known map[text.Line]V, l text.Line, name string, run func() (V, error)) (V, error) {
	if v, ok := known[l]; ok {
		return v, nil
	}
	v, err := run()
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	known[l] = v
	return v, nil
}

// Base is a line where its letters stand, as high as they are.
func (p *Page) Base(ctx context.Context, l text.Line) (text.Line, error) {
	return once(p.levels, l, "level line", func() (text.Line, error) { return p.words.Level(ctx, p.plane(l), p.ToPicture, l) })
}

// Level is a line where its letters stand, as high as words are cut.
func (p *Page) Level(ctx context.Context, l text.Line) (text.Line, error) {
	level, err := p.Base(ctx, l)
	level.Height *= p.judged.WordsHigher
	return level, err
}

// Words reads a line of words as it is cut.
func (p *Page) Words(ctx context.Context, l text.Line) (*text.Reading, error) {
	return once(p.read, l, "read words", func() (*text.Reading, error) { return p.words.ReadIn(ctx, p.plane(l), p.ToPicture, l) })
}

// Digits reads a line of digits as it is cut.
func (p *Page) Digits(ctx context.Context, l text.Line) (*text.Digits, error) {
	return once(p.counted, l, "read digits", func() (*text.Digits, error) { return p.digits.ReadIn(ctx, p.plane(l), p.ToPicture, l) })
}

// Quad outlines in the picture what reaches from the first to the last of some stretches, with room for what rises above and hangs
// below the letters.
func (p *Page) Quad(ink []*Ink) appliance.Quad {
	const half = 0.75 // geometry: heights from the middle of a line
	if len(ink) == 0 {
		return appliance.Quad{}
	}
	left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, i := range ink {
		l := i.Line()
		left, right = min(left, l.Start.X), max(right, l.End.X)
		top = min(top, min(l.Start.Y, l.End.Y)-half*l.Height)
		bottom = max(bottom, max(l.Start.Y, l.End.Y)+half*l.Height)
	}
	return p.ToPicture.ApplyQuad(vision.RectQuad(left, top, right, bottom))
}
