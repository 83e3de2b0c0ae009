package page

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// lineAt is text from one x to another at a height.
func lineAt(from, to, y, height float64) text.Line {
	return text.Line{Start: appliance.Point{X: from, Y: y}, End: appliance.Point{X: to, Y: y}, Height: height}
}

// counting counts what the networks behind a page are asked.
type counting struct {
	levels, words, digits int
	err                   error
}

func (c *counting) Level(_ context.Context, _ vision.Plane, _ vision.Homography, l text.Line) (text.Line, error) {
	c.levels++
	return l, c.err
}

func (c *counting) ReadIn(context.Context, vision.Plane, vision.Homography, text.Line) (*text.Reading, error) {
	c.words++
	return &text.Reading{}, c.err
}

// numbers is counting as a reader of digits.
type numbers struct{ *counting }

func (n numbers) ReadIn(context.Context, vision.Plane, vision.Homography, text.Line) (*text.Digits, error) {
	n.digits++
	return &text.Digits{}, n.err
}

func pageOf(t *testing.T, c *counting, lines ...text.Line) *Page {
	t.Helper()
	dark := vision.Plane{Pix: make([]byte, 16), Width: 4, Height: 4, Stride: 4}
	v := line.View{Width: 512, Height: 323, ToPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, Dark: dark}
	v.Light = func() vision.Plane { return vision.Negative(dark) }
	return New(v, lines, c, numbers{c}, inferencetest.Calibrate[Judged](t))
}

// Property: the same ink seen the same way is read once, however often and by whomever it is asked for; another height is another view.
func TestInkIsReadOnce(t *testing.T) {
	c := &counting{}
	p := pageOf(t, c, lineAt(10, 200, 50, 12))
	for range 3 {
		ink, err := p.Read(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		part := ink.Part(0.2, 0.6)
		for _, k := range []*Ink{&ink, &part} {
			if err := k.Look(t.Context(), 1.18); err != nil {
				t.Fatal(err)
			}
			if _, _, err := k.Digits(t.Context(), 1, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c.levels != 1 || c.words != 2 || c.digits != 2 {
		t.Errorf("%d levels, %d readings of words in two heights, %d of digits in two places", c.levels, c.words, c.digits)
	}
}

// Property: a failure of a network is the caller's to see, and is not kept as a reading.
func TestFailureIsNotKept(t *testing.T) {
	c := &counting{err: errors.New("no memory")}
	p := pageOf(t, c, lineAt(10, 200, 50, 12))
	if _, err := p.Read(t.Context(), 0, 0); !errors.Is(err, c.err) {
		t.Fatalf("read: %v", err)
	}
	c.err = nil
	if _, err := p.Read(t.Context(), 0, 0); err != nil {
		t.Errorf("again: %v", err)
	}
}

// Property: print on one height is one row, of which pieces are joined that only a word gap parts; what is too large, too small,
// steep or beside the document is none.
func TestRows(t *testing.T) {
	steep := lineAt(300, 360, 100, 12)
	steep.End.Y += 40
	p := pageOf(t, &counting{},
		lineAt(300, 480, 50, 12), lineAt(170, 280, 51, 12), lineAt(20, 100, 50, 12), // a gap of 20 is one between words, one of 70 is not
		lineAt(250, 480, 80, 12), lineAt(20, 120, 80, 22), // of two sizes
		steep, lineAt(10, 500, 200, 60), lineAt(10, 60, 220, 1), lineAt(10, 60, -9, 12), lineAt(600, 700, 240, 12),
	)
	if len(p.Rows) != 2 || len(p.Rows[0]) != 2 || len(p.Rows[1]) != 2 {
		t.Fatalf("rows: %+v", p.Rows)
	}
	if l := p.Rows[0][1]; l.Start.X != 170 || l.End.X != 480 {
		t.Errorf("joined: %+v", l)
	}
}

// Property: rows of a document that lies askew in its outline are rows all the same.
func TestRowsThatSlope(t *testing.T) {
	const slope = 0.06
	var lines []text.Line
	for _, y := range []float64{60.0, 85, 110} {
		for _, x := range []float64{30.0, 180, 340} {
			l := lineAt(x, x+110, y+slope*x, 11)
			l.End.Y = y + slope*(x+110)
			lines = append(lines, l)
		}
	}
	p := pageOf(t, &counting{}, lines...)
	if len(p.Rows) != 3 {
		t.Fatalf("%d rows: %+v", len(p.Rows), p.Rows)
	}
}

// Property: the places of stretches are those of their shares of the line, and a quad about them holds them all.
func TestPlaces(t *testing.T) {
	p := pageOf(t, &counting{}, lineAt(100, 300, 50, 12))
	ink, err := p.Read(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	part := ink.Part(0.5, 1)
	again := part.Part(0, 0.5)
	if l := again.Line(); math.Abs(l.Start.X-200) > 1e-9 || math.Abs(l.End.X-250) > 1e-9 || l.Start.Y != 50 {
		t.Errorf("from %v to %v", l.Start, l.End)
	}
	q := p.Quad([]*Ink{&ink, &again})
	if q[0].X != 100 || q[2].X != 300 || !q.Contains(appliance.Point{X: 220, Y: 56}) {
		t.Errorf("quad %v", q)
	}
	if p.Quad(nil) != (appliance.Quad{}) {
		t.Error("no lines have a quad")
	}
}

// Property: two stretches of a row are read together as one line from the first to the last, once.
func TestJoin(t *testing.T) {
	c := &counting{}
	p := pageOf(t, c, lineAt(10, 100, 50, 12), lineAt(160, 300, 50, 12))
	left, err := p.Read(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	right, err := p.Read(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range [][2]*Ink{{&left, &right}, {&right, &left}} {
		both, err := of[0].Join(t.Context(), of[1])
		if l := both.Line(); err != nil || l.Start.X != 10 || l.End.X != 300 || l.Height != 12 {
			t.Errorf("%+v, %v", l, err)
		}
		if _, l, err := both.LevelDigits(t.Context(), 1.12); err != nil || math.Abs(l.Height-1.12*12) > 1e-9 {
			t.Errorf("digits %v high, %v", l.Height, err)
		}
	}
	if c.levels != 3 || c.words != 3 || c.digits != 1 {
		t.Errorf("%d levels, %d readings of words, %d of digits", c.levels, c.words, c.digits)
	}
}

// Property: a stretch is led on to both sides as far as is asked, over signs that stand alone, and never into other print of its row.
func TestWider(t *testing.T) {
	p := pageOf(t, &counting{},
		lineAt(20, 60, 50, 12), lineAt(120, 180, 50, 12), lineAt(210, 218, 50, 12), lineAt(300, 400, 50, 12), lineAt(20, 400, 90, 12))
	ink, err := p.Read(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ left, right, from, to float64 }{
		{0, 0, 120, 180}, {0, 3, 120, 216}, {2, 0, 96, 180}, {100, 100, 66, 294},
	} {
		wide, err := ink.Wider(t.Context(), c.left, c.right)
		if l := wide.Line(); err != nil || math.Abs(l.Start.X-c.from) > 1e-9 || math.Abs(l.End.X-c.to) > 1e-9 {
			t.Errorf("%v and %v heights: %+v, %v", c.left, c.right, l, err)
		}
	}
}

// Property: a stretch cut anew is read once where it was cut to, and looked at in no other height, whoever asks; another cut is another
// look.
func TestAnew(t *testing.T) {
	c := &counting{}
	p := pageOf(t, c, lineAt(100, 300, 50, 12))
	ink, err := p.Read(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	part := ink.Part(0.5, 1)
	for _, cut := range []struct{ down, higher float64 }{{0.5, 1}, {0, 0.5}, {0.5, 1}} {
		anew, err := part.Anew(t.Context(), cut.down, cut.higher)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(anew.Look(t.Context(), 1.18), anew.LookUntilAgreed(t.Context())); err != nil || len(anew.Looks()) != 1 {
			t.Errorf("%d looks, %v", len(anew.Looks()), err)
		}
		if l := anew.Line(); math.Abs(l.Start.X-200) > 1e-9 || l.Start.Y != 50+12*cut.down || l.Height != 12*cut.higher {
			t.Errorf("%v down and %v times as high: %+v", cut.down, cut.higher, l)
		}
	}
	if c.levels != 1 || c.words != 3 || len(part.Looks()) != 1 {
		t.Errorf("%d levels, %d readings, and %d looks at the stretch itself", c.levels, c.words, len(part.Looks()))
	}
}

// tones is a reader that sees a digit on every line, and keeps the tone of the picture in one place.
type tones struct {
	*counting
	at   appliance.Point
	seen []byte
}

func (n *tones) ReadIn(_ context.Context, p vision.Plane, _ vision.Homography, _ text.Line) (*text.Reading, error) {
	n.seen = append(n.seen, p.Pix[int(n.at.Y)*p.Stride+int(n.at.X)])
	return new(text.Reading).With([]text.Symbol{{Rune: '7', Prob: 0.5}}), nil
}

// Property: a doubtful line of digits in boxes is read once more, without the boxes, and another one is not; it stays so for whoever reads
// it then, and the picture that was given has its boxes.
func TestBoxesAreReadThrough(t *testing.T) {
	for name, sides := range map[string]int{"in boxes": 9, "in one cell": 2} {
		dark := vision.Plane{Pix: bytes.Repeat([]byte{230}, 420*124), Width: 420, Height: 124, Stride: 420}
		fill := func(x, y, w, h int) {
			for at := range w * h {
				dark.Pix[(y+at/w)*420+x+at%w] = 20
			}
		}
		for i := range 8 {
			fill(60+40*i, 50, 8, 24)
		}
		for i := range sides {
			fill(44+i*320/(sides-1), 40, 2, 44)
		}
		fill(44, 40, 322, 2)
		fill(44, 82, 322, 2)
		n := &tones{counting: &counting{}, at: appliance.Point{X: 45, Y: 60}}
		v := line.View{Width: 420, Height: 124, ToPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, Dark: dark}
		v.Light = func() vision.Plane { return dark }
		l := text.Line{Start: appliance.Point{X: 60, Y: 62}, End: appliance.Point{X: 348, Y: 62}, Height: 24}
		judged := inferencetest.Calibrate[Judged](t)
		judged.SureLook = 2 // nothing is sure
		p := New(v, []text.Line{l}, n, numbers{n.counting}, judged)
		for range 2 {
			if _, err := p.ReadLine(t.Context(), l, 0); err != nil {
				t.Fatal(err)
			}
		}
		if want := map[bool]string{true: "\x14\xe6", false: "\x14"}[sides > 2]; string(n.seen) != want || dark.Pix[60*420+45] != 20 {
			t.Errorf("%s: read on %v", name, n.seen)
		}
	}
}
