package text

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/ctc"
	"github.com/bawab/bawab/inference/vision"
)

// strip says how a line lies in the input of a recogniser, as in its training. Sizes are in samples.
type strip struct {
	width, height int     // of the network's window, at its widest
	glyphs        float64 // height of the glyph box
	centre        float64 // its middle, from the top
	margin        int     // before the line, and after it
	// overlap is what two neighbouring tiles of a line longer than the window share at least. Where it is 0, there are
	// no tiles: a longer line is squeezed, and beyond a shorter one the window shows what is there.
	overlap int
}

// textStrip is the strip of the "text" network (bawab_training.photograph.text_lines).
func textStrip() strip {
	return strip{width: 320, height: 40, glyphs: 17, centre: 18.5, margin: 12, overlap: 96}
}

// digitStrip is the strip of the "digits" network (bawab_training.photograph.digit_lines).
func digitStrip() strip {
	return strip{width: 512, height: 32, glyphs: 20, centre: 16, margin: 16}
}

// pieceWidth is how many samples of a strip one map covers where its line bends.
const pieceWidth = 40

// straight is the sag, as a share of the glyphs' height, up to which a line counts as straight.
const straight = 0.04

// mostTiles bounds the work on one line; a line that long is no text.
const mostTiles = 20

// identity maps a plane to itself.
func identity() vision.Homography { return vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// cutter samples lines from pictures and runs a recogniser over them. It is safe for concurrent use.
type cutter struct {
	strip
	net     network
	exp     *[256]float64
	widths  []int // of the network's inputs, ascending
	classes int
	stride  int // samples of the strip in one column
	scratch sync.Pool
}

// network is what a cutter needs of an *inference.Network.
type network interface {
	Input() inference.Tensor
	Output() inference.Tensor
	Widths() []int
	Run(ctx context.Context, in, out []int8) error
}

func newCutter(net network, s strip) *cutter {
	shape := net.Output().Shape
	columns, classes := shape[len(shape)-2], shape[len(shape)-1]
	c := &cutter{strip: s, net: net, exp: ctc.Exponentials(net.Output()), widths: net.Widths(), classes: classes, stride: s.width / columns}
	c.width = c.widths[len(c.widths)-1]
	c.scratch.New = func() any {
		return &cutterScratch{in: make([]int8, c.width*c.height), out: make([]int8, c.width/c.stride*classes)}
	}
	return c
}

type cutterScratch struct {
	pix, piece []byte // the strip, as long as its line
	in, out    []int8
	line       []int8 // logits of the whole line
}

// read samples the line l, which h maps to the plane, and returns its lattice, and where along the line a column lies.
func (c *cutter) read(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (*ctc.Lattice, func(float64) float64, error) {
	s := c.scratch.Get().(*cutterScratch)
	defer c.scratch.Put(s)
	f := c.fit(l)
	c.sample(p, h, f, s)
	starts, width := c.tiles(f.samples)
	columns := max(width, f.samples) / c.stride
	s.line = slices.Grow(s.line[:0], columns*c.classes)[:columns*c.classes]
	end := 0 // the column up to which the line is known
	for _, start := range starts {
		in, out := s.in[:width*c.height], s.out[:width/c.stride*c.classes]
		c.window(s, in, f.samples, start)
		if err := c.net.Run(ctx, in, out); err != nil {
			return nil, nil, err
		}
		end = c.stitch(s, out, start/c.stride, end)
	}
	length := max(l.Length(), 1e-6) * f.along
	// What lies beyond the line's margin is another line's, such as the number to the right of a date.
	columns = min(columns, int(math.Ceil((length+float64(2*c.margin))/float64(c.stride))))
	out := ctc.New(columns, c.classes)
	for t := range columns {
		ctc.Softmax(s.line[t*c.classes:(t+1)*c.classes], c.exp, out.Column(t))
	}
	share := func(column float64) float64 { return (column*float64(c.stride) - float64(c.margin)) / length }
	blankBeyond(out, l, share, cutEdge*c.glyphs/length)
	return out, share, nil
}

// blankBeyond makes the columns hold nothing that lie farther than room beyond an end at which the line was cut; both are
// shares of it, as share gives for a column.
func blankBeyond(l *ctc.Lattice, cut Line, share func(column float64) float64, room float64) {
	for t := range l.Columns {
		if at := share(float64(t) + 0.5); cut.CutStart && at < -room || cut.CutEnd && at > 1+room {
			p := l.Column(t)
			clear(p)
			p[0] = 1
		}
	}
}

// cutEdge is how far, in heights, a sign of a line that was cut may stand beyond its end: where words end is known to a column.
const cutEdge = 0.2

// fitted is a line laid into a strip as long as it needs.
type fitted struct {
	Line
	along, across float64 // samples for one unit of the line
	samples       int     // length of the strip, a multiple of the stride
}

func (c *cutter) fit(l Line) fitted {
	length := max(l.Length(), 1e-6)
	f := fitted{Line: l, across: c.glyphs / max(l.Height, 1e-6), samples: c.width}
	f.along = f.across
	most := float64(c.width - 2*c.margin)
	if c.overlap > 0 {
		most = float64(mostTiles*(c.width-c.overlap) - 2*c.margin)
	}
	f.along = min(f.along, most/length)
	needed := int(math.Ceil((length*f.along+float64(2*c.margin))/float64(c.stride))) * c.stride
	if c.overlap > 0 {
		f.samples = needed
	} else {
		f.samples = c.narrowest(needed + beyond)
	}
	return f
}

// beyond is how many samples behind its margin a line without tiles is seen, whose network was trained on what pictures show there.
const beyond = 32

// narrowest is the narrowest width of the network's inputs that covers so many samples, its own where none does.
func (c *cutter) narrowest(samples int) int {
	if i := slices.IndexFunc(c.widths, func(w int) bool { return w >= samples }); i >= 0 {
		return c.widths[i]
	}
	return c.width
}

// tiles returns where the tiles of a strip begin, each at a column's edge, and their width: as few of them as can be, of the
// network's narrowest input that covers the strip with these.
func (c *cutter) tiles(samples int) (starts []int, width int) {
	n := 1
	if samples > c.width {
		n = (samples - c.overlap + c.width - c.overlap - 1) / (c.width - c.overlap)
	}
	width = c.narrowest((samples + (n-1)*c.overlap + n - 1) / n)
	starts = make([]int, n)
	last := (samples - width) / c.stride // in columns
	for i := 1; i < n; i++ {
		starts[i] = (last*i + (n-1)/2) / (n - 1) * c.stride
	}
	return starts, width
}

// sample fills s.pix with the whole strip, its grey levels stretched.
func (c *cutter) sample(p vision.Plane, h vision.Homography, f fitted, s *cutterScratch) {
	size := f.samples * c.height
	s.pix, s.piece = slices.Grow(s.pix[:0], size)[:size], slices.Grow(s.piece[:0], size)[:size]
	if math.Abs(f.Sag)*f.across <= straight*c.glyphs {
		vision.Warp(p, h.Mul(c.place(f, 0, f.samples)), f.samples, c.height, s.pix)
	} else {
		for left := 0; left < f.samples; left += pieceWidth {
			w := min(pieceWidth, f.samples-left)
			piece := s.piece[:w*c.height]
			vision.Warp(p, h.Mul(c.place(f, left, w)), w, c.height, piece)
			for y := range c.height {
				copy(s.pix[y*f.samples+left:], piece[y*w:(y+1)*w])
			}
		}
	}
	vision.NormalizeStrip(s.pix)
}

// window fills in, the network's input of the tile that begins at a sample of the strip. Beyond the end of the strip it is paper:
// the median of the strip's levels.
func (c *cutter) window(s *cutterScratch, in []int8, samples, start int) {
	width := len(in) / c.height
	used := min(width, samples-start)
	window := s.pix
	if samples != width {
		s.piece = slices.Grow(s.piece[:0], len(in))[:len(in)]
		window = s.piece
		paper := byte(0)
		if used < width {
			paper = byte(vision.Median(vision.Plane{Pix: s.pix, Width: samples, Height: c.height, Stride: samples}))
		}
		for y := range c.height {
			row := window[y*width : (y+1)*width]
			copy(row, s.pix[y*samples+start:y*samples+start+used])
			for x := used; x < width; x++ {
				row[x] = paper
			}
		}
	}
	inference.Quantise(window, in, c.net.Input())
}

// place returns the map from w samples of the strip, beginning at the sample left, to the line's coordinates.
func (c *cutter) place(f fitted, left, w int) vision.Homography {
	length := max(f.Length(), 1e-6)
	cos, sin := (f.End.X-f.Start.X)/length, (f.End.Y-f.Start.Y)/length
	if cos == 0 && sin == 0 {
		cos = 1
	}
	unit, high := 1/f.along, 1/f.across
	u0 := float64(left-c.margin) * unit
	v0, v1 := f.Bend(u0/length), f.Bend((u0+float64(w)*unit)/length)
	slope := (v1 - v0) / float64(w)
	if math.Abs(f.Sag)*f.across <= straight*c.glyphs {
		v0, slope = f.Sag*2/3, 0 // the mean height of the curve
	}
	top := v0 - c.centre*high
	// (x, y) of the piece lies u = u0 + unit x along the line and v = top + slope x + high y across it.
	return vision.Homography{
		cos*unit - sin*slope, -sin * high, f.Start.X + cos*u0 - sin*top,
		sin*unit + cos*slope, cos * high, f.Start.Y + sin*u0 + cos*top,
		0, 0, 1,
	}
}

// stitch adds the tile that begins at a column, whose logits are out, to the line, of which the columns up to end are known, and
// returns how far it is known then. In the overlap it changes from one tile to the other where both see the gap between two signs,
// near the middle: a sign is taken from one of them alone.
func (c *cutter) stitch(s *cutterScratch, out []int8, first, end int) int {
	seam := first
	if end > first {
		seam = c.seam(s, out, first, end)
	}
	copy(s.line[seam*c.classes:], out[(seam-first)*c.classes:])
	return first + len(out)/c.classes
}

// edge is how many columns at the end of a tile the network sees too little of: half of what it looks at around one.
const edge = 4

// seam returns the column from which on the later tile is taken.
func (c *cutter) seam(s *cutterScratch, out []int8, first, end int) int {
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
			least = min(least, gap(s.line[d*c.classes:(d+1)*c.classes]), gap(out[(d-first)*c.classes:(d-first+1)*c.classes]))
		}
		if v := least - 2*max(t-middle, middle-t); v > best {
			best, at = v, t
		}
	}
	return at
}
