package text

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/ctc"
	"github.com/bawab/bawab/inference/vision"
)

// barcode stands in for a network: it reads bars instead of letters. A sign is a bar in one of four slots, one upon the
// other, of the glyph box. Bars near the edge of a window are misread, as signs are of which a network sees only a part.
type barcode struct{ strip }

const barSigns = 4

func (b barcode) Input() inference.Tensor {
	return inference.Tensor{Shape: []int{1, b.height, b.width, 1}, Scale: 1.0 / 255, ZeroPoint: -128}
}

func (b barcode) Output() inference.Tensor {
	return inference.Tensor{Shape: []int{1, b.width / 4, 1 + barSigns}, Scale: 0.1}
}

func (b barcode) Widths() []int {
	return []int{b.width * 2 / 5, b.width * 3 / 5, b.width * 4 / 5, b.width}
}

func (b barcode) Run(_ context.Context, in, out []int8) error {
	clear(out)
	b.width = len(in) / b.height
	for t := range b.width / 4 {
		out[t*(1+barSigns)] = 100
	}
	for start := 0; start < b.width; start++ {
		sign := b.dark(in, start)
		if sign == 0 {
			continue
		}
		end := start + 1
		for end < b.width && b.dark(in, end) != 0 {
			end++
		}
		sign = b.dark(in, (start+end)/2)
		if start < 12 || end > b.width-12 {
			sign = 1 + sign%barSigns
		}
		t := (start + end) / 2 / 4
		out[t*(1+barSigns)], out[t*(1+barSigns)+sign] = 0, 100
		start = end
	}
	return nil
}

// dark returns the slot in which a column of the window is darkest, 1 and up; 0 where it is paper.
func (b barcode) dark(in []int8, x int) int {
	best, level := 0, int8(0)
	for i := range barSigns {
		y := int(b.centre + b.glyphs*((float64(i)+0.5)/barSigns-0.5))
		if v := in[y*b.width+x]; v < level {
			best, level = i+1, v
		}
	}
	return best
}

// bars draws signs as bars along a line into a picture of paper.
func bars(l Line, signs []int, pitch float64, w, h int) vision.Plane {
	p := vision.Plane{Pix: make([]byte, w*h), Width: w, Height: h, Stride: w}
	length := l.Length()
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	for y := range h {
		for x := range w {
			dx, dy := float64(x)+0.5-l.Start.X, float64(y)+0.5-l.Start.Y
			u, v := dx*cos+dy*sin, dy*cos-dx*sin
			v -= l.Bend(u / length)
			at := (u - pitch/2) / pitch
			i := int(math.Round(at))
			p.Pix[y*w+x] = 250
			slot := int(math.Floor((v/l.Height + 0.5) * barSigns))
			if i >= 0 && i < len(signs) && math.Abs(at-float64(i)) < 0.25 && slot == signs[i]-1 {
				p.Pix[y*w+x] = 10
			}
		}
	}
	return p
}

// Property: a line of any length, direction and bend is read sign by sign, none lost or doubled where tiles meet; the
// symbols lie where the signs are printed.
func TestCutter(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for name, l := range map[string]Line{
		"short":     {Start: appliance.Point{X: 100, Y: 200}, End: appliance.Point{X: 260, Y: 200}, Height: 17},
		"long":      {Start: appliance.Point{X: 30, Y: 500}, End: appliance.Point{X: 1470, Y: 500}, Height: 17},
		"large":     {Start: appliance.Point{X: 60, Y: 400}, End: appliance.Point{X: 1440, Y: 400}, Height: 40},
		"askew":     {Start: appliance.Point{X: 200, Y: 950}, End: appliance.Point{X: 1200, Y: 100}, Height: 20},
		"overhead":  {Start: appliance.Point{X: 1400, Y: 300}, End: appliance.Point{X: 100, Y: 340}, Height: 20},
		"bent":      {Start: appliance.Point{X: 100, Y: 500}, End: appliance.Point{X: 1400, Y: 520}, Height: 20, Sag: 45},
		"bent up":   {Start: appliance.Point{X: 100, Y: 500}, End: appliance.Point{X: 1400, Y: 480}, Height: 20, Sag: -45},
		"two tiles": {Start: appliance.Point{X: 100, Y: 500}, End: appliance.Point{X: 450, Y: 500}, Height: 17},
	} {
		t.Run(name, func(t *testing.T) {
			pitch := l.Height * (0.6 + rng.Float64()/4)
			signs := make([]int, int(l.Length()/pitch))
			for i := range signs {
				signs[i] = 1 + rng.IntN(barSigns)
			}
			p := bars(l, signs, pitch, 1500, 1000)
			c := newCutter(barcode{textStrip()}, textStrip())
			lattice, share, err := c.read(context.Background(), p, identity(), l)
			if err != nil {
				t.Fatal(err)
			}
			runs := lattice.BestPath()
			if got := ctc.ClassesOf(runs); !slices.Equal(got, signs) {
				t.Fatalf("read   %v\nprinted %v", got, signs)
			}
			for i, s := range symbols(runs, []rune("abcd"), share, symbolReach) {
				if printed := (float64(i) + 0.5) * pitch / l.Length(); math.Abs((s.Start+s.End)/2-printed)*l.Length() > 0.4*l.Height {
					t.Errorf("sign %d lies at %v to %v, printed at %v", i, s.Start, s.End, printed)
				}
			}
		})
	}
}

// Property: what shows beyond an end at which a line was cut is not read, at either end and with neither of its own signs lost; beyond the
// ends of others it is.
func TestCutEnds(t *testing.T) {
	const first, next = 3, 9 // signs of the stretch
	whole := Line{Start: appliance.Point{X: 100, Y: 200}, End: appliance.Point{X: 268, Y: 200}, Height: 20}
	signs, pitch := []int{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}, 14.0
	p := bars(whole, signs, pitch, 400, 400)
	l := whole
	l.Start.X, l.End.X = whole.Start.X+first*pitch, whole.Start.X+next*pitch
	c := newCutter(barcode{textStrip()}, textStrip())
	for _, cut := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		l.CutStart, l.CutEnd = cut[0], cut[1]
		lattice, _, err := c.read(t.Context(), p, identity(), l)
		if err != nil {
			t.Fatal(err)
		}
		got := ctc.ClassesOf(lattice.BestPath())
		from, to := 1, len(got)-1
		if cut[0] {
			from = 0
		}
		if cut[1] {
			to = len(got)
		}
		if len(got) < next-first || !slices.Equal(got[from:to], signs[first:next]) {
			t.Errorf("cut at start and end %v: %v, printed %v", cut, got, signs[first:next])
		}
	}
}

// Property: as few tiles as can be of the narrowest width that covers a strip lie within it, share what neighbours must share and
// leave nothing out.
func TestTiles(t *testing.T) {
	c := newCutter(barcode{textStrip()}, textStrip())
	for samples, want := range map[int]struct{ n, width int }{
		24: {1, 128}, 128: {1, 128}, 132: {1, 192}, 256: {1, 256}, 320: {1, 320}, 324: {2, 256}, 416: {2, 256}, 420: {2, 320}, 544: {2, 320},
		548: {3, 256}, 2000: {9, 320},
	} {
		starts, width := c.tiles(samples)
		if len(starts) != want.n || width != want.width {
			t.Errorf("%d samples: %d tiles of %d, want %d of %d", samples, len(starts), width, want.n, want.width)
		}
		for i, start := range starts {
			if start%c.stride != 0 || i == 0 && start != 0 || i > 0 && starts[i-1]+width-start < c.overlap {
				t.Errorf("%d samples: tiles of %d begin at %v", samples, width, starts)
			}
		}
		if last := starts[len(starts)-1]; last+width < samples || last > 0 && last+width > samples {
			t.Errorf("%d samples: the last of the tiles %v of %d ends at %d", samples, starts, width, last+width)
		}
	}
}

// Property: the tiles of a network that takes wider inputs than its file are as wide as the widest of them.
func TestWideTiles(t *testing.T) {
	c := newCutter(resizable{barcode{textStrip()}}, textStrip())
	for samples, want := range map[int]struct{ n, width int }{320: {1, 320}, 324: {1, 480}, 640: {1, 640}, 644: {2, 480}, 2000: {4, 640}} {
		if starts, width := c.tiles(samples); len(starts) != want.n || width != want.width {
			t.Errorf("%d samples: %d tiles of %d, want %d of %d", samples, len(starts), width, want.n, want.width)
		}
	}
}

// resizable is a barcode that takes wider inputs as well.
type resizable struct{ barcode }

func (r resizable) Widths() []int { return append(r.barcode.Widths(), r.width*3/2, r.width*2) }

// Property: a line of a network without tiles is sampled as wide as its narrowest input that also shows what lies behind the line, and
// never wider than its own.
func TestNarrowestWindow(t *testing.T) {
	c := newCutter(barcode{digitStrip()}, digitStrip())
	c.widths = []int{320, 384, 512}
	for length, want := range map[float64]int{10: 320, 250: 320, 257: 384, 320: 384, 321: 512, 480: 512, 900: 512} {
		l := Line{Start: appliance.Point{X: 10, Y: 50}, End: appliance.Point{X: 10 + length, Y: 50}, Height: 20}
		if got := c.fit(l).samples; got != want {
			t.Errorf("a line of %v samples: %d, want %d", length, got, want)
		}
	}
}

// Property: a line on a tilted sheet is read through the sheet's own coordinates.
func TestCutterThroughHomography(t *testing.T) {
	flat := Line{Start: appliance.Point{X: 20, Y: 100}, End: appliance.Point{X: 480, Y: 100}, Height: 20}
	signs := []int{1, 4, 2, 2, 3, 1, 1, 4, 3, 2, 4, 4, 1, 2, 3, 1, 2, 4}
	h, ok := vision.RectToQuad(500, 200, appliance.Quad{{X: 200, Y: 150}, {X: 900, Y: 320}, {X: 870, Y: 620}, {X: 60, Y: 480}})
	if !ok {
		t.Fatal("no such quad")
	}
	sheet := bars(flat, signs, 25, 500, 200)
	back, _ := h.Inverse()
	p := vision.Plane{Pix: make([]byte, 1000*700), Width: 1000, Height: 700, Stride: 1000}
	vision.Warp(sheet, back, 1000, 700, p.Pix)
	lattice, _, err := newCutter(barcode{textStrip()}, textStrip()).read(context.Background(), p, h, flat)
	if err != nil {
		t.Fatal(err)
	}
	if got := ctc.ClassesOf(lattice.BestPath()); !slices.Equal(got, signs) {
		t.Errorf("read   %v\nprinted %v", got, signs)
	}
}

// Property: lines that are no lines, of no length or height, outside the picture or endless, are read in bounded time
// and without a crash.
func TestCutterStandsNonsense(t *testing.T) {
	p := vision.Plane{Pix: make([]byte, 64*64), Width: 64, Height: 64, Stride: 64}
	for _, l := range []Line{
		{},
		{Start: appliance.Point{X: 3, Y: 3}, End: appliance.Point{X: 3, Y: 3}, Height: 5},
		{Start: appliance.Point{X: 3, Y: 3}, End: appliance.Point{X: 60, Y: 3}},
		{Start: appliance.Point{X: -1e6, Y: 3}, End: appliance.Point{X: 1e6, Y: 3}, Height: 1e-9, Sag: 1e6},
		{Start: appliance.Point{X: 500, Y: 500}, End: appliance.Point{X: 700, Y: 500}, Height: 30},
	} {
		for _, s := range []strip{textStrip(), digitStrip()} {
			if _, _, err := newCutter(barcode{s}, s).read(context.Background(), p, identity(), l); err != nil {
				t.Errorf("%v: %v", l, err)
			}
		}
	}
}
