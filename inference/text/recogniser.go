package text

import (
	"context"
	"fmt"
	"math"
	"sync"

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

	latticeColumns = 192
)

// Recogniser reads lines of machine readable zones. It is safe for concurrent use.
type Recogniser struct {
	net     *inference.Network
	scratch sync.Pool
}

// NewRecogniser makes a recogniser over the "mrz" network: int8 1 x 32 x 768 x 1 in, int8 1 x 192 x 38 logits out.
func NewRecogniser(net *inference.Network) *Recogniser {
	return &Recogniser{net: net, scratch: sync.Pool{New: func() any {
		return &recogniserScratch{
			strip: make([]byte, StripWidth*StripHeight),
			in:    make([]int8, StripWidth*StripHeight),
			out:   make([]int8, latticeColumns*latticeSymbols),
		}
	}}}
}

type recogniserScratch struct {
	strip []byte
	in    []int8
	out   []int8
}

// Read samples the strip that h (strip to picture) cuts out of the plane and reads it.
func (r *Recogniser) Read(ctx context.Context, p vision.Plane, h vision.Homography) (*Lattice, error) {
	s := r.scratch.Get().(*recogniserScratch)
	defer r.scratch.Put(s)
	vision.Warp(p, h, StripWidth, StripHeight, s.strip)
	vision.NormalizeStrip(s.strip)
	quantise(s.strip, s.in, r.net.Input())
	if err := r.net.Run(ctx, s.in, s.out); err != nil {
		return nil, fmt.Errorf("read line: %w", err)
	}
	return newLattice(s.out, r.net.Output()), nil
}

// newLattice turns quantised logits into probabilities.
func newLattice(out []int8, t inference.Tensor) *Lattice {
	var exp [256]float64 // by distance below the column's largest step
	for d := range exp {
		exp[d] = math.Exp(-float64(d) * float64(t.Scale))
	}
	l := &Lattice{}
	for c := range latticeColumns {
		column := out[c*latticeSymbols : (c+1)*latticeSymbols]
		top := column[0]
		for _, q := range column {
			top = max(top, q)
		}
		sum := 0.0
		for i, q := range column {
			l.p[c][i] = exp[int(top)-int(q)]
			sum += l.p[c][i]
		}
		for i := range l.p[c] {
			l.p[c][i] /= sum
		}
	}
	return l
}
