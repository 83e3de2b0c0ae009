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

// ErrClosed is returned by Run after Close.
var ErrClosed = errors.New("network is closed")

// Runtime holds the networks of a program and the places where they run: as many inferences run at once, each with one
// thread, as there are places, further ones wait. A place lends its working memory to whichever network runs there, and
// the weights of a network are there once for all places. It is safe for concurrent use.
type Runtime struct {
	networks []*Network
	natives  []*tflite.Model
	weights  *packedWeights
	places   []*place
	free     chan *place   // holds those where nothing runs
	closing  chan struct{} // closed by the first Close
	closed   chan struct{} // closed when everything is freed
	once     sync.Once
}

// place is where one inference at a time runs, in the goroutine that has borrowed it.
type place struct {
	index int
	// lines runs networks that see a line, pictures those that see a picture. Both are nil where XNNPACK refused.
	lines, pictures *delegate
	made            []*interpreter
}

// pictureSize is the number of elements from which an input is a picture. XNNPACK keeps eight bytes for each tap of each convolution at
// each pixel: 6 MB for the faces, 9 for the lines of a page, 28 for all networks of a place. For pictures it makes them anew at each run,
// which costs a page 4 % and an ID 2 % of their time; for lines, which are read by the hundred, it would cost a licence 10 % and save
// little.
const pictureSize = 50_000

// delegateFor chooses what runs a network with that input here.
func (p *place) delegateFor(input models.Tensor) *delegate {
	if input.Len() < pictureSize {
		return p.lines
	}
	return p.pictures
}

// Open verifies the bytes of the models, loads them and prepares them for the given number of places, at least one. It
// fails, naming the model, if the bytes are not those of the manifest or the network in them breaks its contract. The
// bytes are not used after Open returns; Close frees the rest.
func Open(ctx context.Context, set []models.Model, places int) (*Runtime, error) {
	r := &Runtime{
		weights: newPackedWeights(),
		free:    make(chan *place, max(places, 0)),
		closing: make(chan struct{}),
		closed:  make(chan struct{}),
	}
	for i := range places {
		p := &place{index: i, lines: newDelegate(r.weights, false), pictures: newDelegate(r.weights, true)}
		r.places = append(r.places, p)
		r.free <- p
	}
	for _, m := range set {
		if err := r.add(ctx, m); err != nil {
			r.Close()
			return nil, fmt.Errorf("open model %s: %w", m.Name, err)
		}
	}
	if !r.weights.seal() {
		r.Close()
		return nil, errors.New("open models: the runtime does not keep their weights")
	}
	return r, nil
}

// add loads a model and prepares it for all places, in each of its widths.
func (r *Runtime) add(ctx context.Context, m models.Model) error {
	if len(r.places) < 1 {
		return fmt.Errorf("%d places, need at least 1", len(r.places))
	}
	if err := m.Verify(); err != nil {
		return err
	}
	native, err := load(m)
	if err != nil {
		return err
	}
	r.natives = append(r.natives, native)
	m.Bytes = nil
	n := &Network{runtime: r, model: m, accelerated: true}
	for i := range len(m.Widths) + 1 {
		if err := n.add(ctx, native, i); err != nil {
			return err
		}
	}
	r.networks = append(r.networks, n)
	return nil
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

// Network returns the network of that name, nil where none was opened.
func (r *Runtime) Network(name string) *Network {
	at := slices.IndexFunc(r.networks, func(n *Network) bool { return n.model.Name == name })
	if at < 0 {
		return nil
	}
	return r.networks[at]
}

// Slow names the networks that XNNPACK does not run wholly, in the order in
// which they were opened.
func (r *Runtime) Slow() []string {
	var names []string
	for _, n := range r.networks {
		if !n.accelerated {
			names = append(names, n.model.Name)
		}
	}
	return names
}

// borrow takes a place. A done context and a closed runtime come first: select alone would choose by chance.
func (r *Runtime) borrow(ctx context.Context) (*place, error) {
	select {
	case <-r.closing:
		return nil, ErrClosed
	default:
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case p := <-r.free:
		return p, nil
	case <-r.closing:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close refuses new calls, waits for running ones and frees the native memory. It is safe to call twice and
// concurrently; each call returns when all is freed.
func (r *Runtime) Close() error {
	r.once.Do(func() {
		close(r.closing)
		for range r.places {
			<-r.free
		}
		for _, p := range r.places {
			p.clear()
		}
		r.weights.Delete()
		for _, native := range r.natives {
			native.Delete()
		}
		close(r.closed)
	})
	<-r.closed
	return nil
}

// clear frees what runs at a place, and then what it runs with.
func (p *place) clear() {
	for _, i := range p.made {
		i.free()
	}
	for _, d := range []*delegate{p.lines, p.pictures} {
		if d != nil {
			d.Delete()
		}
	}
}
