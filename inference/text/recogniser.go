package text

import (
	"context"
	"fmt"
	"sync"

	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// The strip that the MRZ recogniser reads: a line with capitals StripHeight/2 pixels high, centred, the first
// character StripMargin pixels from the left, characters StripPitch pixels apart.
const (
	StripWidth  = 768
	StripHeight = 32
	StripMargin = 32
	StripPitch  = 16

	zoneColumns = 192
	zoneClasses = 1 + len(mrz.Alphabet) // the blank comes first
)

// Recogniser reads lines of machine readable zones. It is safe for concurrent use.
type Recogniser struct {
	net     *inference.Network
	exp     *[256]float64
	scratch sync.Pool
}

// NewRecogniser makes a recogniser over the "mrz" network: int8 1 x 32 x 768 x 1 in, int8 1 x 192 x 38 logits out.
func NewRecogniser(net *inference.Network) *Recogniser {
	return &Recogniser{net: net, exp: exponentials(net.Output()), scratch: sync.Pool{New: func() any {
		return &recogniserScratch{
			strip: make([]byte, StripWidth*StripHeight),
			piece: make([]byte, StripWidth*StripHeight/StripPieces),
			in:    make([]int8, StripWidth*StripHeight),
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

// StripPieces is how many pieces of equal width a strip is cut into where its line bends.
const StripPieces = 8

// Read samples the strip that the maps (strip to picture) cut out of the plane and reads it: one map for a straight
// line, or StripPieces maps for a bent one, each for its share of the strip's width.
func (r *Recogniser) Read(ctx context.Context, p vision.Plane, maps []vision.Homography) (*Lattice, error) {
	s := r.scratch.Get().(*recogniserScratch)
	defer r.scratch.Put(s)
	s.sample(p, maps)
	vision.NormalizeStrip(s.strip)
	inference.Quantise(s.strip, s.in, r.net.Input())
	if err := r.net.Run(ctx, s.in, s.out); err != nil {
		return nil, fmt.Errorf("read line: %w", err)
	}
	l := &Lattice{*newLattice(zoneColumns, zoneClasses)}
	for t := range l.columns {
		softmax(s.out[t*l.classes:(t+1)*l.classes], r.exp, l.column(t))
	}
	return l, nil
}

func (s *recogniserScratch) sample(p vision.Plane, maps []vision.Homography) {
	if len(maps) == 1 {
		vision.Warp(p, maps[0], StripWidth, StripHeight, s.strip)
		return
	}
	width := StripWidth / len(maps)
	for i, h := range maps {
		left := i * width
		vision.Warp(p, h.Mul(vision.Homography{1, 0, float64(left), 0, 1, 0, 0, 0, 1}), width, StripHeight, s.piece)
		for y := range StripHeight {
			copy(s.strip[y*StripWidth+left:], s.piece[y*width:(y+1)*width])
		}
	}
}
