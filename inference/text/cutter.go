package text

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// strip says how a line lies in the input of a recogniser.
type strip struct {
	width, height int
	glyphs        float64 // height of the glyph box in samples
	centre        float64 // its middle, from the top
	margin        int     // samples before the line and after it
	overlap       int     // samples that two neighbouring tiles of a long line share at least
}

// textStrip is the strip of the "text" network, as in its training.
func textStrip() strip {
	return strip{width: 320, height: 40, glyphs: 18, centre: 18, margin: 8, overlap: 96}
}

// digitStrip is the strip of the "digits" network, as in its training.
func digitStrip() strip {
	return strip{width: 512, height: 32, glyphs: 16, centre: 16, margin: 8, overlap: 96}
}

// pieceWidth is how many samples of a strip one map covers where its line bends.
const pieceWidth = 40

// straight is the sag, as a share of the glyphs' height, up to which a line counts as straight.
const straight = 0.04

// mostTiles bounds the work on one line; a line that long is no text.
const mostTiles = 48

// identity maps a plane to itself.
func identity() vision.Homography { return vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// cutter samples lines from pictures and runs a recogniser over them. It is safe for concurrent use.
type cutter struct {
	strip
	net     *inference.Network
	exp     *[256]float64
	columns int // of one tile
	classes int
	stride  int // samples of the strip in one column
	scratch sync.Pool
}

func newCutter(net *inference.Network, s strip) *cutter {
	shape := net.Output().Shape
	c := &cutter{strip: s, net: net, exp: exponentials(net.Output()), columns: shape[1], classes: shape[2]}
	c.stride = s.width / c.columns
	c.scratch.New = func() any {
		return &cutterScratch{
			pix:   make([]byte, s.width*s.height),
			piece: make([]byte, s.width*s.height),
			in:    make([]int8, s.width*s.height),
			out:   make([]int8, c.columns*c.classes),
		}
	}
	return c
}

type cutterScratch struct {
	pix, piece []byte
	in, out    []int8
	line       []int8 // logits of the whole line
}

// read samples the line l, which h maps to the plane, and returns its lattice, and where along the line a column lies.
func (c *cutter) read(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (*lattice, func(float64) float64, error) {
	s := c.scratch.Get().(*cutterScratch)
	defer c.scratch.Put(s)
	f := c.fit(l)
	columns := max(c.columns, (f.samples+c.stride-1)/c.stride)
	s.line = slices.Grow(s.line[:0], columns*c.classes)[:columns*c.classes]
	end := 0 // the column up to which the line is known
	for _, start := range c.tiles(f.samples) {
		c.sample(p, h, f, start, s)
		if err := c.net.Run(ctx, s.in, s.out); err != nil {
			return nil, nil, err
		}
		end = c.stitch(s, start/c.stride, end)
	}
	out := newLattice(columns, c.classes)
	for t := range columns {
		softmax(s.line[t*c.classes:(t+1)*c.classes], c.exp, out.column(t))
	}
	share := func(column float64) float64 {
		return (column*float64(c.stride) - float64(c.margin)) / float64(f.samples-2*c.margin)
	}
	return out, share, nil
}

// fitted is a line laid into a strip as long as it needs.
type fitted struct {
	Line
	scale   float64 // samples for one unit of the line
	samples int     // length of the strip with its margins
}

func (c *cutter) fit(l Line) fitted {
	length := max(l.Length(), 1e-6)
	// The floor keeps a line that is all length from becoming endless work.
	height := max(l.Height, length*c.glyphs/float64(mostTiles*(c.width-c.overlap)-2*c.margin))
	scale := c.glyphs / height
	return fitted{l, scale, int(math.Ceil(length*scale)) + 2*c.margin}
}

// tiles returns where the tiles of a strip begin, each at a column's edge.
func (c *cutter) tiles(samples int) []int {
	if samples <= c.width {
		return []int{0}
	}
	n := (samples - c.overlap + c.width - c.overlap - 1) / (c.width - c.overlap)
	last := (samples - c.width + c.stride - 1) / c.stride // in columns
	out := make([]int, n)
	for i := range out {
		out[i] = (last*i + (n-1)/2) / (n - 1) * c.stride
	}
	return out
}

// sample fills the input with the tile that begins at a sample of the strip.
func (c *cutter) sample(p vision.Plane, h vision.Homography, f fitted, start int, s *cutterScratch) {
	used := min(c.width, f.samples-start)
	step := used
	if math.Abs(f.Sag)*f.scale > straight*c.glyphs {
		step = pieceWidth
	}
	for left := 0; left < used; left += step {
		w := min(step, used-left)
		piece := s.piece[:w*c.height]
		vision.Warp(p, h.Mul(c.place(f, start+left, w)), w, c.height, piece)
		for y := range c.height {
			copy(s.pix[y*c.width+left:], piece[y*w:(y+1)*w])
		}
	}
	c.pad(s.pix, used)
	vision.NormalizeStrip(s.pix)
	quantise(s.pix, s.in, c.net.Input())
}

// pad continues each row with its last sample: what lies beyond the line may be another line.
func (c *cutter) pad(pix []byte, used int) {
	for y := range c.height {
		row := pix[y*c.width : (y+1)*c.width]
		for x := used; x < c.width; x++ {
			row[x] = row[used-1]
		}
	}
}

// place returns the map from w samples of the strip, beginning at the sample left, to the line's coordinates.
func (c *cutter) place(f fitted, left, w int) vision.Homography {
	length := max(f.Length(), 1e-6)
	cos, sin := (f.End.X-f.Start.X)/length, (f.End.Y-f.Start.Y)/length
	unit := 1 / f.scale
	u0 := float64(left-c.margin) * unit
	v0, v1 := f.bend(u0/length), f.bend((u0+float64(w)*unit)/length)
	slope := (v1 - v0) / float64(w)
	top := v0 - c.centre*unit
	// (x, y) of the strip lies u = u0 + unit x along the line and v = top + slope x + unit y across it.
	return vision.Homography{
		cos*unit - sin*slope, -sin * unit, f.Start.X + cos*u0 - sin*top,
		sin*unit + cos*slope, cos * unit, f.Start.Y + sin*u0 + cos*top,
		0, 0, 1,
	}
}

// stitch adds the tile that begins at a column to the line, of which the columns up to end are known, and returns how
// far it is known then. In the overlap it changes from one tile to the other where both see the gap between two signs,
// near the middle: a sign is taken from one of them alone.
func (c *cutter) stitch(s *cutterScratch, first, end int) int {
	seam := first
	if end > first {
		seam = c.seam(s, first, end)
	}
	copy(s.line[seam*c.classes:], s.out[(seam-first)*c.classes:])
	return first + c.columns
}

// edge is how many columns at the end of a tile the network sees too little of: half of what it looks at around one.
const edge = 4

// seam returns the column from which on the later tile is taken.
func (c *cutter) seam(s *cutterScratch, first, end int) int {
	gap := func(logits []int8) int { // how much surer the blank is than the best sign
		best := logits[1]
		for _, q := range logits[2:] {
			best = max(best, q)
		}
		return int(logits[0]) - int(best)
	}
	middle, best, at := (first+end)/2, math.MinInt, (first+end)/2
	for t := first + edge; t < end-edge; t++ {
		least := math.MaxInt
		for d := t - 2; d <= t+1; d++ {
			least = min(least, gap(s.line[d*c.classes:(d+1)*c.classes]), gap(s.out[(d-first)*c.classes:(d-first+1)*c.classes]))
		}
		if v := least - 2*max(t-middle, middle-t); v > best {
			best, at = v, t
		}
	}
	return at
}
