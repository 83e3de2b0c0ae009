// Package inference runs the int8 networks of package models on the
// processor, through the TFLite runtime and its XNNPACK kernels.
//
// It is the only place that touches the runtime. Nothing of it leaves: pictures
// and answers are slices of int8 that the caller owns, in the order and the
// quantization that the network's Input and Output describe.
package inference

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mattn/go-tflite"

	"github.com/bawab/bawab/models"
)

// Tensor is the contract of a network's input or output, as in the manifest.
type Tensor = models.Tensor

// ErrClosed is returned by Run after Close.
var ErrClosed = errors.New("network is closed")

// Network is a pool of interpreters of one model, one thread each, for each
// width of its input: as many calls of a width run at once as there are
// interpreters, further ones wait. It is safe for concurrent use.
type Network struct {
	model       models.Model // without its bytes, which the runtime has mapped
	native      *tflite.Model
	pools       []*pool // from the narrowest input to the contract's own
	accelerated bool
	closing     chan struct{} // closed by the first Close
	closed      chan struct{} // closed when everything is freed
	once        sync.Once
}

// pool holds the interpreters of one width.
type pool struct {
	input, output Tensor
	macs          int64
	count         int
	free          chan *interpreter // holds those that nobody uses
}

// Open verifies the model's bytes, loads them and prepares the given number of
// interpreters for each width, at least one. It fails, naming the model, if the
// bytes are not those of the manifest or the network in them breaks its
// contract. The bytes are not used after Open returns; Close frees the rest.
func Open(ctx context.Context, m models.Model, interpreters int) (*Network, error) {
	if interpreters < 1 {
		return nil, fmt.Errorf("open model %s: %d interpreters, need at least 1", m.Name, interpreters)
	}
	if err := m.Verify(); err != nil {
		return nil, err
	}
	native, err := load(m)
	if err != nil {
		return nil, fmt.Errorf("open model %s: %w", m.Name, err)
	}
	m.Bytes = nil
	n := &Network{
		model:       m,
		native:      native,
		accelerated: true,
		closing:     make(chan struct{}),
		closed:      make(chan struct{}),
	}
	for i := range len(m.Widths) + 1 {
		if err := n.add(ctx, i, interpreters); err != nil {
			n.Close()
			return nil, fmt.Errorf("open model %s: %w", m.Name, err)
		}
	}
	return n, nil
}

// load maps the model's bytes into the runtime.
func load(m models.Model) (*tflite.Model, error) {
	f, err := anonymousFile(m.Name, m.Bytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	native := tflite.NewModelFromFile(fdPath(f))
	if native == nil {
		return nil, fmt.Errorf("file %s is no network that the runtime can read", m.File)
	}
	return native, nil
}

// add prepares the interpreters of the i-th width; the last is the contract's.
func (n *Network) add(ctx context.Context, i, interpreters int) error {
	p := &pool{input: n.model.Input, output: n.model.Output, macs: n.model.MACs, free: make(chan *interpreter, interpreters)}
	narrow := i < len(n.model.Widths)
	if narrow {
		var err error
		if p.input, p.output, err = n.model.Narrowed(i); err != nil {
			return err
		}
		p.macs = p.macs * int64(p.input.Len()) / int64(n.model.Input.Len())
	}
	n.pools = append(n.pools, p)
	for range interpreters {
		if err := ctx.Err(); err != nil {
			return err
		}
		made, err := newInterpreter(n.native, p.input, p.output, narrow)
		if err != nil {
			return err
		}
		n.accelerated = n.accelerated && made.accelerated()
		p.free <- made
		p.count++
	}
	return nil
}

// Name is the model's name.
func (n *Network) Name() string { return n.model.Name }

// Input describes what Run takes at full width.
func (n *Network) Input() Tensor { return n.model.Input }

// Output describes what Run gives at full width.
func (n *Network) Output() Tensor { return n.model.Output }

// Widths are the widths of the inputs that Run takes, ascending; the last is
// that of Input.
func (n *Network) Widths() []int {
	widths := make([]int, len(n.pools))
	for i, p := range n.pools {
		widths[i] = p.input.Shape[2]
	}
	return widths
}

// Accelerated tells whether XNNPACK runs the whole network. Without it the
// answers are the same and come about seven times later.
func (n *Network) Accelerated() bool { return n.accelerated }

// Run computes the network once: in and out have exactly the lengths of Input
// and Output, or those of a narrower width. It waits for a free interpreter
// until ctx is done; a computation that has begun is not interrupted. out is
// undefined after an error.
func (n *Network) Run(ctx context.Context, in, out []int8) error {
	at := slices.IndexFunc(n.pools, func(p *pool) bool { return p.input.Len() == len(in) && p.output.Len() == len(out) })
	if at < 0 {
		return fmt.Errorf("run model %s: %d elements in and %d out, need %d and %d",
			n.model.Name, len(in), len(out), n.model.Input.Len(), n.model.Output.Len())
	}
	p := n.pools[at]
	i, err := n.borrow(ctx, p)
	if err != nil {
		return fmt.Errorf("run model %s: %w", n.model.Name, err)
	}
	defer func() { p.free <- i }()
	if err := i.run(in, out); err != nil {
		return fmt.Errorf("run model %s: %w", n.model.Name, err)
	}
	count(ctx, p.macs)
	return nil
}

// borrow takes an interpreter from a pool. A done context and a closed
// network come first: select alone would choose by chance.
func (n *Network) borrow(ctx context.Context, p *pool) (*interpreter, error) {
	select {
	case <-n.closing:
		return nil, ErrClosed
	default:
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case i := <-p.free:
		return i, nil
	case <-n.closing:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close refuses new calls, waits for running ones and frees the native memory.
// It is safe to call twice and concurrently; each call returns when all is
// freed.
func (n *Network) Close() error {
	n.once.Do(func() {
		close(n.closing)
		for _, p := range n.pools {
			for range p.count {
				(<-p.free).free()
			}
		}
		n.native.Delete()
		close(n.closed)
	})
	<-n.closed
	return nil
}
