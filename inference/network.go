package inference

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mattn/go-tflite"

	"github.com/bawab/bawab/models"
)

// Tensor is the contract of a network's input or output, as in the manifest.
type Tensor = models.Tensor

// Steps are the steps of an input tensor for each byte, of which 0 to 255 stand for 0 to 1.
func Steps(t Tensor) (table [256]int8) {
	for v := range table {
		q := math.Round(float64(v)/255/float64(t.Scale)) + float64(t.ZeroPoint)
		table[v] = int8(min(max(q, -128), 127))
	}
	return table
}

// Quantise maps bytes, which stand for 0 to 1, to the steps of a network's input tensor.
func Quantise(src []byte, dst []int8, t Tensor) {
	table := Steps(t)
	for i, v := range src {
		dst[i] = table[v]
	}
}

// Network is one model of a Runtime. It is safe for concurrent use.
type Network struct {
	runtime     *Runtime
	model       models.Model // without its bytes, which the runtime has mapped
	shapes      []shape      // from the narrowest input to the widest
	accelerated bool
}

// shape is a network for one width of its input, with an interpreter for each place.
type shape struct {
	input, output Tensor
	macs          int64
	at            []*interpreter
}

// add prepares the i-th of its other widths, or the contract's behind them.
func (n *Network) add(ctx context.Context, native *tflite.Model, i int) error {
	s := shape{input: n.model.Input, output: n.model.Output, macs: n.model.MACs}
	resized := i < len(n.model.Widths)
	if resized {
		var err error
		if s.input, s.output, err = n.model.Resized(i); err != nil {
			return err
		}
		s.macs = s.macs * int64(s.input.Len()) / int64(n.model.Input.Len())
	}
	for _, p := range n.runtime.places {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := p.delegateFor(s.input)
		made, err := newInterpreter(native, d, s.input, s.output, resized)
		if err != nil {
			return err
		}
		n.accelerated = n.accelerated && d.tookAll()
		s.at, p.made = append(s.at, made), append(p.made, made)
	}
	n.shapes = append(n.shapes, s)
	slices.SortFunc(n.shapes, func(a, b shape) int { return cmp.Compare(a.input.Shape[2], b.input.Shape[2]) })
	return nil
}

// Name is the model's name.
func (n *Network) Name() string { return n.model.Name }

// Input describes what Run takes at the width of the contract.
func (n *Network) Input() Tensor { return n.model.Input }

// Output describes what Run gives at the width of the contract.
func (n *Network) Output() Tensor { return n.model.Output }

// Widths are the widths of the inputs that Run takes, ascending; that of Input
// is one of them.
func (n *Network) Widths() []int {
	widths := make([]int, len(n.shapes))
	for i, s := range n.shapes {
		widths[i] = s.input.Shape[2]
	}
	return widths
}

// Accelerated reports whether XNNPACK runs the whole network. Without it the
// answers are the same and come about seven times later.
func (n *Network) Accelerated() bool { return n.accelerated }

// Run computes the network once: in and out have exactly the lengths of Input
// and Output, or those of another width. It waits for a free place
// until ctx is done; a computation that has begun is not interrupted. Under a
// Budget that is used up it is ErrBudget. out is undefined after an error.
func (n *Network) Run(ctx context.Context, in, out []int8) error {
	at := slices.IndexFunc(n.shapes, func(s shape) bool { return s.input.Len() == len(in) && s.output.Len() == len(out) })
	if at < 0 {
		return fmt.Errorf("run model %s: %d elements in and %d out, need %d and %d",
			n.model.Name, len(in), len(out), n.model.Input.Len(), n.model.Output.Len())
	}
	s := n.shapes[at]
	if err := spend(ctx, s.macs); err != nil {
		return fmt.Errorf("run model %s: %w", n.model.Name, err)
	}
	p, err := n.runtime.borrow(ctx)
	if err != nil {
		return fmt.Errorf("run model %s: %w", n.model.Name, err)
	}
	defer func() { n.runtime.free <- p }()
	if err := s.at[p.index].run(in, out); err != nil {
		return fmt.Errorf("run model %s: %w", n.model.Name, err)
	}
	count(ctx, s.macs)
	return nil
}
