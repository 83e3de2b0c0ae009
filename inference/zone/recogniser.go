package zone

import (
	"context"
	"fmt"
	"sync"

	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/ctc"
	"github.com/bawab/bawab/inference/vision"
)

// The strip that the MRZ recogniser reads: a line with capitals stripHeight/2 pixels high, centred, the first
// character stripMargin pixels from the left, characters stripPitch pixels apart.
const (
	stripWidth  = 768
	stripHeight = 32
	stripMargin = 32
	stripPitch  = 16

	zoneColumns = 192
	zoneClasses = 1 + len(mrz.Alphabet) // the blank comes first
)

// recogniser reads lines of machine readable zones. It is safe for concurrent use.
type recogniser struct {
	net     *inference.Network
	exp     *[256]float64
	scratch sync.Pool
}

// newRecogniser makes a recogniser over the "mrz" network: int8 1 x 32 x 768 x 1 in, int8 1 x 192 x 38 logits out.
func newRecogniser(net *inference.Network) *recogniser {
	return &recogniser{net: net, exp: ctc.Exponentials(net.Output()), scratch: sync.Pool{New: func() any {
		return &recogniserScratch{
			strip: make([]byte, stripWidth*stripHeight),
			piece: make([]byte, stripWidth*stripHeight/stripPieces),
			in:    make([]int8, stripWidth*stripHeight),
			out:   make([]int8, zoneColumns*zoneClasses),
		}
	}}}
}

type recogniserScratch struct {
	strip []byte
	piece []byte
	in    []int8
	out   []int8
}

// stripPieces is how many pieces of equal width a strip is cut into where its line bends.
const stripPieces = 8

// read samples the strip that the maps (strip to picture) cut out of the plane and reads it: one map for a straight
// line, or stripPieces maps for a bent one, each for its share of the strip's width.
func (r *recogniser) read(ctx context.Context, p vision.Plane, maps []vision.Homography) (*ctc.Lattice, error) {
	s := r.scratch.Get().(*recogniserScratch)
	defer r.scratch.Put(s)
	s.sample(p, maps)
	vision.NormalizeStrip(s.strip)
	inference.Quantise(s.strip, s.in, r.net.Input())
	if err := r.net.Run(ctx, s.in, s.out); err != nil {
		return nil, fmt.Errorf("read line: %w", err)
	}
	l := ctc.New(zoneColumns, zoneClasses)
	for t := range l.Columns {
		ctc.Softmax(s.out[t*l.Classes:(t+1)*l.Classes], r.exp, l.Column(t))
	}
	return l, nil
}

func (s *recogniserScratch) sample(p vision.Plane, maps []vision.Homography) {
	if len(maps) == 1 {
		vision.Warp(p, maps[0], stripWidth, stripHeight, s.strip)
		return
	}
	width := stripWidth / len(maps)
	for i, h := range maps {
		left := i * width
		vision.Warp(p, h.Mul(vision.Homography{1, 0, float64(left), 0, 1, 0, 0, 0, 1}), width, stripHeight, s.piece)
		for y := range stripHeight {
			copy(s.strip[y*stripWidth+left:], s.piece[y*width:(y+1)*width])
		}
	}
}

// marginals returns, for a line known to hold exactly width characters (at least 1), the log-probability of each
// symbol of mrz.Alphabet at each position: the sum over every CTC path of that length, not the best path alone.
func marginals(l *ctc.Lattice, width int) []mrz.Cell {
	cells := make([]mrz.Cell, width)
	l.Marginals(width, func(i, s int, p float64) { cells[i][s] = float32(ctc.Log(p)) })
	return cells
}
