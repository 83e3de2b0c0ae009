package outline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// The tensors of the "documents" network: planes Y, Cb, Cr in; out, for each block of 2 x 2 cells of 4 x 4 input
// pixels, what each cell says, then what the block says as a whole.
const (
	finderSide   = 256
	finderCell   = 4
	finderGrid   = finderSide / finderCell
	finderBlocks = finderGrid / 2
	finderReach  = 320 // input pixels that the ends of a way's range stand for
)

// The channels of a block: the core of a document and its four corners for each of its cells, row by row; then for the
// block the classes, and the ways from its middle to the four corners of its document, x and y in turn.
const (
	cellChannels   = 1 + 4
	channelCore    = 0
	channelCorners = 1
	channelKinds   = 4 * cellChannels
	channelWays    = channelKinds + kindClasses
	finderChannels = channelWays + 8
)

// The classes of the network: the kinds of the contract in its order, any other document, and any document seen in a mirror. New sees to
// it that the contract has no more and no fewer: one more kind needs another network.
const (
	classUnknown  = 7
	classMirrored = 8
	kindClasses   = 9
)

// Finder finds documents: their kind, place and orientation. It is safe for concurrent use.
type Finder struct {
	net     *inference.Network
	scratch sync.Pool
}

// New makes a finder over the "documents" network, which stays the caller's.
func New(net *inference.Network) (*Finder, error) {
	if err := fits(net.Output(), appliance.Contract()); err != nil {
		return nil, fmt.Errorf("network %s: %w", net.Name(), err)
	}
	return &Finder{net: net, scratch: sync.Pool{New: func() any { return newFinderScratch(net.Input(), net.Output()) }}}, nil
}

// fits holds what a network says of a block against the kinds of the contract.
func fits(out inference.Tensor, kinds []appliance.Facts) error {
	if n := out.Shape[len(out.Shape)-1]; n != finderChannels {
		return fmt.Errorf("it says %d things of a block, not %d", n, finderChannels)
	}
	if len(kinds) != classUnknown {
		return fmt.Errorf("it knows %d kinds, and the contract has %d", classUnknown, len(kinds))
	}
	return nil
}

// finderScratch is the memory of one look.
type finderScratch struct {
	step  [256]int8    // of the input tensor, for each sample
	value [256]float64 // of each step of the output tensor, from -128 on
	light [256]byte    // of each sample, in a lightened picture

	planes [3][]byte
	half   []byte // a plane of half the side
	in     []int8
	out    []int8

	shown   [finderGrid * finderGrid]bool // cells in the picture
	free    [finderGrid * finderGrid]bool
	voted   [finderBlocks * finderBlocks]bool
	stack   []int // the cells in the picture
	votes   []vote
	contour []appliance.Point
	sorted  []weighted
}

func newFinderScratch(in, out inference.Tensor) *finderScratch {
	s := &finderScratch{
		half:  make([]byte, finderSide*finderSide/4),
		in:    make([]int8, finderSide*finderSide*3),
		out:   make([]int8, finderBlocks*finderBlocks*finderChannels),
		stack: make([]int, 0, finderGrid*finderGrid),
		step:  inference.Steps(in),
	}
	for i := range s.planes {
		s.planes[i] = make([]byte, finderSide*finderSide)
	}
	for v := range s.light {
		s.light[v] = byte(math.Round(255 * math.Pow(float64(v)/255, shadowGamma)))
		s.value[v] = min(max(float64(out.Scale)*float64(v-128-out.ZeroPoint), 0), 1)
	}
	return s
}

// Find returns the documents of p, largest first; none is no error. It looks once at the whole picture, then from near
// at each of the larger documents, and refines their sides on the full-resolution luma. A picture in the format of a card may be one that was cut out.
func (f *Finder) Find(ctx context.Context, p *appliance.Picture) ([]Found, error) {
	g, err := f.Glance(ctx, p)
	if err != nil {
		return nil, err
	}
	return f.Follow(ctx, p, g)
}

// Glance is what the network sees at one look at a whole picture: where documents may lie, roughly, and of which kinds.
type Glance struct{ candidates []candidate }

// Glance looks once at the whole picture, which takes a fraction of the time of Find.
func (f *Finder) Glance(ctx context.Context, p *appliance.Picture) (Glance, error) {
	s := f.scratch.Get().(*finderScratch)
	defer f.scratch.Put(s)
	return f.glance(ctx, s, p, 0)
}

func (f *Finder) glance(ctx context.Context, s *finderScratch, p *appliance.Picture, quarters int) (Glance, error) {
	candidates, err := f.firstLook(ctx, s, whole(p), s.showWhole(p, quarters))
	if err != nil {
		return Glance{}, fmt.Errorf("find documents: %w", err)
	}
	return Glance{candidates}, nil
}

// Follow is Find for a picture at which Glance has looked.
func (f *Finder) Follow(ctx context.Context, p *appliance.Picture, g Glance) ([]Found, error) {
	s := f.scratch.Get().(*finderScratch)
	defer f.scratch.Put(s)
	found, err := f.fromNear(ctx, s, p, slices.Clone(g.candidates))
	switch {
	case err != nil || !maybeCutOut(p, found):
		return found, err
	case len(found) > 0 && atCorners(p, found[0].Quad):
		found[0].CutOut = true
		return found[:1], nil
	}
	d, err := f.findCutOut(ctx, p)
	if err == nil && d.CutOut {
		found = []Found{d}
	}
	return found, err
}

// FindTurned is Find where the network first sees the picture turned clockwise by so many quarters, 0 to 3: what it takes one way for
// a part of another document, or for nothing, it may see as it is another way. What it returns lies as p does.
func (f *Finder) FindTurned(ctx context.Context, p *appliance.Picture, quarters int) ([]Found, error) {
	s := f.scratch.Get().(*finderScratch)
	defer f.scratch.Put(s)
	g, err := f.glance(ctx, s, p, quarters)
	if err != nil {
		return nil, err
	}
	return f.fromNear(ctx, s, p, g.candidates)
}

// Shows reports whether a glance shows a document of kind k, at least so surely, 0 to 1.
func (g Glance) Shows(k appliance.Kind, least float64) bool {
	return slices.ContainsFunc(g.candidates, func(c candidate) bool { return c.merit(k) >= least })
}

// Only is what a glance shows of kind k at least so surely and keep takes, given a rough outline. What it shows clearly is taken unasked.
func (g Glance) Only(k appliance.Kind, least, clearly float64, keep func(appliance.Quad) (bool, error)) (out Glance, err error) {
	for _, c := range g.candidates {
		m := c.merit(k)
		ok := m >= clearly
		if !ok && m >= least {
			if ok, err = keep(c.quad); err != nil {
				return out, err
			}
		}
		if ok {
			out.candidates = append(out.candidates, c)
		}
	}
	return out, nil
}

// Empty reports whether a glance shows nothing.
func (g Glance) Empty() bool { return len(g.candidates) == 0 }

// fromNear looks at candidates from near, the first ones, and returns those that are documents.
func (f *Finder) fromNear(ctx context.Context, s *finderScratch, p *appliance.Picture, candidates []candidate) ([]Found, error) {
	luma := vision.Luma(p)
	for i := range min(len(candidates), nearDocuments) {
		if err := f.approach(ctx, s, p, &candidates[i]); err != nil {
			return nil, fmt.Errorf("find documents: %w", err)
		}
	}
	var found []Found
	for _, c := range single(distinct(untangled(p, candidates))) {
		class := c.class()
		d := Found{
			Kind: classKind(class), Mirrored: class == classMirrored,
			Score: c.core * c.odds[class], odds: c.odds,
		}
		d.Quad, d.Edges = sheet.Refine(luma, c.quad)
		if d.supported() {
			found = append(found, d)
		}
	}
	return found, nil
}

// Again looks from near at a document, now where about says that it lies, such as where its text tells. It returns d where it sees none
// there.
func (f *Finder) Again(ctx context.Context, p *appliance.Picture, d Found, about appliance.Quad) (Found, error) {
	s := f.scratch.Get().(*finderScratch)
	defer f.scratch.Put(s)
	c := candidate{quad: about, odds: d.odds}
	if err := f.near(ctx, s, p, &c); err != nil {
		return d, fmt.Errorf("find document again: %w", err)
	}
	if !c.confirmed || !sheet.Convex(c.quad) {
		return d, nil
	}
	d.Quad, d.Edges = sheet.Refine(vision.Luma(p), c.quad)
	return d, nil
}

// firstLook returns what the network sees in a part of the picture that lies before it; toView maps what lies there to that part.
func (f *Finder) firstLook(ctx context.Context, s *finderScratch, view part, toView vision.Homography) ([]candidate, error) {
	if err := f.look(ctx, s); err != nil {
		return nil, err
	}
	toPicture := vision.Homography{1, 0, float64(view.x), 0, 1, float64(view.y), 0, 0, 1}.Mul(toView)
	wide, high := float64(view.width), float64(view.height)
	candidates := s.candidates(toView, wide, high)
	kept := candidates[:0]
	for _, c := range candidates {
		c.area = sheet.SeenArea(toView.ApplyQuad(c.quad), wide, high)
		c.quad, c.pointed = toPicture.ApplyQuad(c.quad), toPicture.ApplyQuad(c.pointed)
		if c.area >= leastShare*wide*high {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, func(a, b candidate) int { return cmp.Compare(b.area, a.area) })
	return kept, nil
}

// showWhole lays the picture, turned clockwise by so many quarters, before the network, and returns the map from there to the picture.
func (s *finderScratch) showWhole(p *appliance.Picture, quarters int) (toView vision.Homography) {
	sx, sy := vision.Fit(vision.Luma(p), finderSide, s.planes[0])
	w, h := vision.FittedSize(p.Width, p.Height, finderSide)
	if cb, cr, ok := vision.Chroma(p); ok {
		vision.Fit(cb, finderSide, s.planes[1])
		vision.Fit(cr, finderSide, s.planes[2])
	} else {
		colourless(s, w, h)
	}
	return vision.Homography{1 / sx, 0, 0, 0, 1 / sy, 0, 0, 0, 1}.Mul(s.turn(w, h, quarters))
}

// turn turns the picture of w x h samples at the top left of the planes clockwise by so many quarters, and returns the map back.
func (s *finderScratch) turn(w, h, quarters int) vision.Homography {
	back := [4]vision.Homography{
		{1, 0, 0, 0, 1, 0, 0, 0, 1},
		{0, 1, 0, -1, 0, float64(h), 0, 0, 1},
		{-1, 0, float64(w), 0, -1, float64(h), 0, 0, 1},
		{0, -1, float64(w), 1, 0, 0, 0, 0, 1},
	}[quarters]
	if quarters == 0 {
		return back
	}
	if quarters != 2 {
		w, h = h, w
	}
	for _, plane := range s.planes {
		before := slices.Clone(plane)
		clear(plane)
		for y := range h {
			for x := range w {
				from := back.Apply(appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})
				plane[y*finderSide+x] = before[int(from.Y)*finderSide+int(from.X)]
			}
		}
	}
	return back
}

// leastShare is the smallest share of the picture that a document may cover. The contract begins at 8 %; below this
// nothing could be read.
const leastShare = 0.015

// colourless fills the chroma planes for a grey picture of w x h samples at the top left.
func colourless(s *finderScratch, w, h int) {
	for _, plane := range s.planes[1:] {
		clear(plane)
		for y := range min(h, finderSide) {
			row := plane[y*finderSide:][:min(w, finderSide)]
			for x := range row {
				row[x] = 128
			}
		}
	}
}

// look runs the network on the planes of s.
func (f *Finder) look(ctx context.Context, s *finderScratch) error {
	luma, cb, cr := s.planes[0], s.planes[1], s.planes[2]
	for i, v := range luma {
		s.in[3*i], s.in[3*i+1], s.in[3*i+2] = s.step[v], s.step[cb[i]], s.step[cr[i]]
	}
	return f.net.Run(ctx, s.in, s.out)
}
