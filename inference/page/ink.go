package page

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Ink is a stretch of a line of text, with every look at it. Looks are of the whole line and cut to the stretch, so that taking a stretch
// apart runs no network.
type Ink struct {
	page     *Page
	line     text.Line // where its line was detected
	level    text.Line // where that was cut
	from, to float64   // the stretch, as shares of the line
	looks    []*text.Reading
	heights  []float64 // of the looks, as factors
	misread  text.Misread
	settled  bool // it is looked at no further
	// Row is the row of the page, counted from the top.
	Row int
}

// Read reads a piece of a row.
func (p *Page) Read(ctx context.Context, row, piece int) (Ink, error) {
	return p.ReadLine(ctx, p.Rows[row][piece], row)
}

// ReadLine reads a line of a row: without the boxes about its signs where it is doubtful and shows digits, as forms print these in such.
func (p *Page) ReadLine(ctx context.Context, l text.Line, row int) (Ink, error) {
	i, err := p.readAsSeen(ctx, l, row)
	if err != nil || p.unboxed[l] || !i.doubtful() || !strings.ContainsFunc(i.Text(), unicode.IsDigit) {
		return i, err
	}
	p.unboxed[l] = true
	if bare, ok := ink.WithoutBoxes(p.Dark, p.ToPicture, l); ok {
		p.Dark = bare // for all that is read from now on: boxes are no print
		delete(p.levels, l)
		delete(p.read, i.level)
		return p.readAsSeen(ctx, l, row)
	}
	return i, nil
}

// readAsSeen reads a line of a row with all that stands there.
func (p *Page) readAsSeen(ctx context.Context, l text.Line, row int) (Ink, error) {
	level, err := p.Level(ctx, l)
	if err != nil {
		return Ink{}, err
	}
	i := Ink{page: p, line: l, level: level, to: 1, Row: row}
	err = i.Look(ctx, 1)
	return i, err
}

// Look looks at a stretch at a height, as a factor, whatever is known of it: it reads the line so and keeps the stretch of it.
func (i *Ink) Look(ctx context.Context, height float64) error {
	if i.settled || slices.Contains(i.heights, height) {
		return nil
	}
	l := i.level
	l.Height *= height
	r, err := i.page.Words(ctx, l)
	if err != nil {
		return err
	}
	if i.from > 0 || i.to < 1 {
		r = r.Part(i.from, i.to)
	}
	if i.misread != nil {
		r = r.Through(i.misread)
	}
	i.looks, i.heights = append(slices.Clone(i.looks), r), append(slices.Clone(i.heights), height)
	return nil
}

// Anew is the stretch cut so many of its heights further down and so many times as high, and looked at once and no more.
func (i *Ink) Anew(ctx context.Context, down, higher float64) (Ink, error) {
	out := Ink{page: i.page, to: 1, misread: i.misread, Row: i.Row}
	out.line, out.level = i.Line().Moved(down, higher), i.level.Between(i.from, i.to).Moved(down, higher)
	err := out.Look(ctx, 1)
	out.settled = true
	return out, err
}

// LookAgain looks at a doubtful stretch a little smaller and larger as well, because the recogniser reads letters of one size best.
// The height is the least certain of the detector's measures.
func (i *Ink) LookAgain(ctx context.Context) error { return i.lookWhile(ctx, i.doubtful) }

// LookUntilAgreed does so where nothing but other knowledge casts doubt on a stretch as well, until a second look reads what the first did.
func (i *Ink) LookUntilAgreed(ctx context.Context) error {
	return i.lookWhile(ctx, func() bool { return i.doubtful() || i.divided() })
}

// lookWhile looks at other heights while something asks for it.
func (i *Ink) lookWhile(ctx context.Context, asked func() bool) error {
	for _, height := range [...]float64{i.page.judged.LowerLook, i.page.judged.HigherLook} {
		if !asked() {
			break
		}
		if err := i.Look(ctx, height); err != nil {
			return err
		}
	}
	return nil
}

// doubtful reports whether the stretch was not surely read.
func (i *Ink) doubtful() bool { return i.Confidence() < i.page.judged.SureLook }

// divided reports whether the stretch was looked at once, or is read in another way by its last look than by the first.
func (i *Ink) divided() bool {
	last := len(i.looks) - 1
	return last == 0 || i.looks[last].Text() != i.looks[0].Text()
}

// Part is what stands between two shares of the stretch.
func (i *Ink) Part(from, to float64) Ink {
	out := *i
	out.from, out.to = i.from+from*(i.to-i.from), i.from+to*(i.to-i.from)
	out.looks = make([]*text.Reading, len(i.looks))
	for k, r := range i.looks {
		out.looks[k] = r.Part(from, to)
	}
	return out
}

// Through makes it known what is misread in the face of the stretch: for the looks at it, and those that come.
func (i *Ink) Through(m text.Misread) {
	if len(m) == 0 {
		return
	}
	i.misread = m
	i.looks = slices.Clone(i.looks)
	for k, r := range i.looks {
		i.looks[k] = r.Through(m)
	}
}

// Reading is the look that the network is surest of.
func (i *Ink) Reading() *text.Reading {
	best := i.looks[0]
	for _, r := range i.looks[1:] {
		if r.Confidence() > best.Confidence() {
			best = r
		}
	}
	return best
}

// Looks are all looks, the first first.
func (i *Ink) Looks() []*text.Reading { return i.looks }

// Text is what the stretch says, in logical order.
func (i *Ink) Text() string { return i.Reading().Text() }

// Confidence is the network's probability of the whole of Text, uncalibrated; less where letters of it are known to be misread.
func (i *Ink) Confidence() float64 {
	best := i.Reading()
	if i.misread == nil || best.Confidence() == 0 {
		return best.Confidence()
	}
	return min(1, math.Exp(best.Score(best.Text())))
}

// Clarity is the mean probability of the signs of Text: of text it is high, of a pattern low.
func (i *Ink) Clarity() float64 {
	signs := i.Reading().Symbols()
	sum := 0.0
	for _, s := range signs {
		sum += s.Prob
	}
	return sum / float64(max(len(signs), 1))
}

// FairlyRead reports whether a few signs of the stretch were fairly read: print that lies upside down never is.
func (i *Ink) FairlyRead() bool {
	return len(i.Reading().Symbols()) >= i.page.judged.FairlySigns && i.Confidence() > i.page.judged.FairlyRead
}

// Score is the log-probability that the looks give to a text together: their mean. A look errs on its own, so that what is in doubt
// in one is often clear in the next.
func (i *Ink) Score(what string) float64 {
	if len(i.looks) == 1 {
		return i.looks[0].Score(what)
	}
	sum := 0.0
	for _, r := range i.looks {
		sum += max(-i.page.judged.MissedLook, r.Score(what))
	}
	return sum / float64(len(i.looks))
}

// Judged are the numbers by which the stretch is looked at.
func (i *Ink) Judged() *Judged { return i.page.judged }

// Line is the place of the stretch in the view.
func (i *Ink) Line() text.Line { return i.line.Between(i.from, i.to) }

// Digits reads the stretch as a number, higher times as high as it was detected; room widens it at both ends, in heights, where it
// ends with its line: the outer signs of a number that stands wide are easily overlooked.
func (i *Ink) Digits(ctx context.Context, higher, room float64) (*text.Digits, text.Line, error) {
	return i.digitsOn(ctx, grown(i.Line(), room, room), higher)
}

// LevelDigits reads the stretch as a number where its letters stand, higher times as high as they are.
func (i *Ink) LevelDigits(ctx context.Context, higher float64) (*text.Digits, text.Line, error) {
	return i.digitsOn(ctx, i.level.Between(i.from, i.to), higher/i.page.judged.WordsHigher)
}

// DigitsReaching reads the stretch as Digits does, led on by so many heights at most, up to what else stands on its row.
func (i *Ink) DigitsReaching(ctx context.Context, higher, reach float64) (*text.Digits, text.Line, error) {
	return i.digitsOn(ctx, i.wider(reach, reach), higher)
}

// digitsOn reads a line as a number, higher times as high as it is.
func (i *Ink) digitsOn(ctx context.Context, l text.Line, higher float64) (*text.Digits, text.Line, error) {
	l.Height *= higher
	d, err := i.page.Digits(ctx, l)
	return d, l, err
}

// Join is the stretch together with another one on its row, read as one line.
func (i *Ink) Join(ctx context.Context, o *Ink) (Ink, error) {
	l, r := inOrder(i, o)
	l.Height = (l.Height*l.Length() + r.Height*r.Length()) / (l.Length() + r.Length())
	l.End, l.CutEnd = r.End, r.CutEnd
	return i.page.ReadLine(ctx, l, i.Row)
}

// inOrder are the places of two stretches of one row, from the left.
func inOrder(i, o *Ink) (left, right text.Line) {
	if left, right = i.Line(), o.Line(); left.Start.X > right.Start.X {
		return right, left
	}
	return left, right
}

// Between is what stands between the stretch and another one on its row, read as a line of its own.
func (i *Ink) Between(ctx context.Context, o *Ink) (Ink, error) {
	l, r := inOrder(i, o)
	share := i.page.judged.BetweenRoom * l.Height / max(r.Start.X-l.End.X, 1e-9)
	l.Start, l.End, l.Sag = vision.Between(l.End, r.Start, share), vision.Between(l.End, r.Start, 1-share), 0
	l.CutStart, l.CutEnd, l.Sought = false, false, true
	return i.page.ReadLine(ctx, l, i.Row)
}

// Slim is how many times the height of its letters the stretch is long.
func (i *Ink) Slim() float64 { return i.Line().Length() / max(i.line.Height, 1e-9) }
