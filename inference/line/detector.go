package line

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// The detector's tensors: one grey picture in, four maps at a quarter of its side out.
const (
	detectorSide   = 512
	detectorStride = 4
	mapSide        = detectorSide / detectorStride
	mapChannels    = 4
	tileOverlap    = 128 // samples that neighbouring tiles share, so that each cell is seen with what lies around it
)

// channel is one of the detector's maps.
type channel int

const (
	channelText channel = iota // probability that the cell lies in the core of a text line
	channelZone                // probability that the cell lies in a machine readable zone
	channelCos                 // cosine of the reading direction
	channelSin                 // sine of the reading direction, y down
)

// Detector finds text lines and machine readable zones. It is safe for concurrent use.
type Detector struct {
	square  window
	windows []window // all that there are, square first
	scratch sync.Pool
}

// window is a network with the height of picture that it takes, in cells; all are mapSide cells wide.
type window struct {
	net  *inference.Network
	rows int
}

// NewDetector makes a detector over the "lines" network: int8 1 x 512 x 512 x 1 in, int8 1 x 128 x 128 x 4 out. lower are the same
// network for pictures of the same width and less height; what fits into them takes less work.
func NewDetector(net *inference.Network, lower ...*inference.Network) *Detector {
	d := &Detector{square: window{net, mapSide}, windows: []window{{net, mapSide}}}
	for _, n := range lower {
		d.windows = append(d.windows, window{n, n.Output().Shape[1]})
	}
	d.scratch.New = func() any {
		return &detectorScratch{
			view:   make([]byte, detectorSide*detectorSide),
			fitted: make([]byte, detectorSide*detectorSide),
			in:     make([]int8, detectorSide*detectorSide),
			out:    make([]int8, mapSide*mapSide*mapChannels),
		}
	}
	return d
}

type detectorScratch struct {
	view   []byte // a part of a picture laid flat
	fitted []byte
	in     []int8
	out    []int8
}

// Map is what the detector saw in one picture. Places are given in the pixels of that picture.
type Map struct {
	width, height int // in cells
	cells         []int8
	scale         float32 // real value of one step of a cell
	zero          int
	// cellX and cellY are the size of a cell in pixels of the picture.
	cellX, cellY float64
	level        [256]float32
}

// newMap makes an empty map for a picture of which the point (x, y) is seen at (x*sx, y*sy).
func (d *Detector) newMap(width, height int, sx, sy float64) *Map {
	out := d.square.net.Output()
	m := &Map{
		width: width, height: height,
		cells: make([]int8, width*height*mapChannels),
		scale: out.Scale, zero: out.ZeroPoint,
		cellX: detectorStride / sx, cellY: detectorStride / sy,
	}
	for i := range m.level {
		m.level[i] = float32(i-128-m.zero) * m.scale
	}
	return m
}

// Detect runs the network once over the whole plane, scaled down to 512 pixels on its longer side.
func (d *Detector) Detect(ctx context.Context, p vision.Plane) (*Map, error) {
	s := d.scratch.Get().(*detectorScratch)
	defer d.scratch.Put(s)
	sx, sy := vision.Fit(p, detectorSide, s.fitted)
	m := d.newMap(mapSide, mapSide, sx, sy)
	return m, d.square.run(ctx, s, m.cells)
}

// DetectIn runs the network once over a part of the plane that is laid flat on the way: h maps a rectangle of w x hgt to
// the plane. What is found is given in the rectangle's coordinates. Warping needs the rectangle in front of the horizon
// of h; beyond it, nothing is found.
func (d *Detector) DetectIn(ctx context.Context, p vision.Plane, h vision.Homography, w, hgt float64) (*Map, error) {
	s := d.scratch.Get().(*detectorScratch)
	defer d.scratch.Put(s)
	k := detectorSide / max(w, hgt)
	columns, rows := max(1, int(math.Round(w*k))), max(1, int(math.Round(hgt*k)))
	sx, sy := float64(columns)/w, float64(rows)/hgt
	s.fit(p, h.Mul(vision.Homography{1 / sx, 0, 0, 0, 1 / sy, 0, 0, 0, 1}), columns, rows)
	m := d.newMap(mapSide, mapSide, sx, sy)
	return m, d.square.run(ctx, s, m.cells)
}

// DetectAt runs the network over a part of the plane at a scale, in as many overlapping tiles as that takes, and returns
// one map of them all: print that is small in the picture is seen larger, and no line is cut where tiles meet. h maps a
// rectangle of w x hgt to the plane, as in DetectIn; a pixel of the rectangle becomes scale pixels of the network's input.
func (d *Detector) DetectAt(ctx context.Context, p vision.Plane, h vision.Homography, w, hgt, scale float64) (*Map, error) {
	m := d.newMap(cellsOf(w, scale), cellsOf(hgt, scale), scale, scale)
	return m, d.tile(ctx, p, h, w, hgt, m, area{right: m.width, bottom: m.height}, func(area) bool { return true })
}

// cellsOf is how many cells a side has at a scale.
func cellsOf(side, scale float64) int { return max(1, int(math.Ceil(side*scale/detectorStride))) }

// tile fills a part of the map of a rectangle, in the tiles that are wanted.
func (d *Detector) tile(
	ctx context.Context, p vision.Plane, h vision.Homography, w, hgt float64, m *Map, part area, wanted func(area) bool,
) error {
	s := d.scratch.Get().(*detectorScratch)
	defer d.scratch.Put(s)
	scale := detectorStride / m.cellX
	f := d.cheapest(part.right-part.left, part.bottom-part.top)
	xs, ys := tilesOf(part.right-part.left, mapSide), tilesOf(part.bottom-part.top, f.rows)
	for i := range ys {
		for j := range xs {
			x, y := part.left+xs[j], part.top+ys[i]
			if !wanted(area{x, y, x + mapSide, y + f.rows}) {
				continue
			}
			left, top := float64(x)*m.cellX, float64(y)*m.cellY
			// What lies beyond the rectangle is black, as beyond a picture that is fitted whole.
			columns := min(detectorSide, int(math.Ceil((w-left)*scale)))
			rows := min(f.rows*detectorStride, int(math.Ceil((hgt-top)*scale)))
			s.fit(p, h.Mul(vision.Homography{1 / scale, 0, left, 0, 1 / scale, top, 0, 0, 1}), columns, rows)
			if err := f.run(ctx, s, s.out[:f.rows*mapSide*mapChannels]); err != nil {
				return err
			}
			m.paste(s.out, f.rows, x, y, seam(xs, j, mapSide), seam(ys, i, f.rows))
		}
	}
	return nil
}

// cheapest is the window with which a map of width x height cells takes the least work.
func (d *Detector) cheapest(width, height int) window {
	return slices.MinFunc(d.windows, func(a, b window) int {
		work := func(f window) int { return len(tilesOf(width, mapSide)) * len(tilesOf(height, f.rows)) * f.rows }
		return cmp.Compare(work(a), work(b))
	})
}

// Tiles returns how many square tiles cover w x hgt pixels at a scale; DetectAt takes no more work than a run of the network for each.
func Tiles(w, hgt, scale float64) int {
	return len(tilesOf(cellsOf(w, scale), mapSide)) * len(tilesOf(cellsOf(hgt, scale), mapSide))
}

// tilesOf returns where tiles, each so long, begin along a side of so many cells.
func tilesOf(cells, long int) []int {
	if cells <= long {
		return []int{0}
	}
	step := long - tileOverlap/detectorStride
	n := (cells - long + step - 1) / step
	out := make([]int, n+1)
	for i := range out {
		out[i] = (cells - long) * i / n
	}
	return out
}

// seam returns the first cell, from its own beginning, that tile i of a row gives, each so long: the middle of the overlap with the
// tile before it.
func seam(tiles []int, i, long int) int {
	if i == 0 {
		return 0
	}
	return (tiles[i-1] + long - tiles[i]) / 2
}

// paste copies a tile of so many rows that begins at the cell (x, y), from its column left and its row top on.
func (m *Map) paste(tile []int8, rows, x, y, left, top int) {
	right := min(mapSide, m.width-x)
	for row := top; row < min(rows, m.height-y); row++ {
		copy(m.cells[((y+row)*m.width+x+left)*mapChannels:], tile[(row*mapSide+left)*mapChannels:(row*mapSide+right)*mapChannels])
	}
}

// fit samples columns x rows of the plane through h into the top left of the input.
func (s *detectorScratch) fit(p vision.Plane, h vision.Homography, columns, rows int) {
	vision.Warp(p, h, columns, rows, s.view)
	clear(s.fitted)
	for y := range rows {
		copy(s.fitted[y*detectorSide:], s.view[y*columns:(y+1)*columns])
	}
}

// run runs the network over what is fitted, the dark parts of which are lit up: of text in a deep shadow it sees little.
func (f window) run(ctx context.Context, s *detectorScratch, cells []int8) error {
	rows := f.rows * detectorStride
	vision.Brighten(s.fitted, detectorSide, rows)
	in := s.in[:rows*detectorSide]
	inference.Quantise(s.fitted[:len(in)], in, f.net.Input())
	if err := f.net.Run(ctx, in, cells); err != nil {
		return fmt.Errorf("detect lines: %w", err)
	}
	return nil
}

func (m *Map) at(cell int32, c channel) float32 {
	return m.level[int(m.cells[int(cell)*mapChannels+int(c)])+128]
}

// step returns the quantised step of a probability, so that whole maps are compared without converting them.
func (m *Map) step(p float32) int8 {
	return int8(min(max(math.Round(float64(p/m.scale))+float64(m.zero), -128), 127))
}
