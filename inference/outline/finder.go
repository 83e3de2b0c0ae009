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

// class is what is known of the documents of a class; shapes are their widths by their heights.
type class struct {
	kind   appliance.Kind
	shapes []float64
}

var classes = sync.OnceValue(func() []class {
	all := make([]class, kindClasses)
	for i := range all {
		all[i].kind = appliance.Unknown
	}
	for i, k := range appliance.Contract() {
		all[i].kind = k.Kind
		for _, s := range k.Sizes {
			all[i].shapes = append(all[i].shapes, s.Shape())
		}
	}
	return all
})

// shapesOf returns the shapes that documents of a class may have; nil where they are not known.
func shapesOf(class int) []float64 { return classes()[class].shapes }

func classKind(class int) appliance.Kind { return classes()[class].kind }

// Found is one document in a picture.
type Found struct {
	// Kind is the likeliest kind; Unknown for any other document-like sheet.
	Kind appliance.Kind
	// Mirrored tells that the picture shows the document as a mirror would; its Kind is Unknown.
	Mirrored bool
	// Quad outlines the document in pixels of the picture, oriented by its content. Corners of a document that
	// reaches beyond the picture lie outside.
	Quad appliance.Quad
	// Score is the network's belief, 0 to 1, that a document of this kind lies there.
	Score float64
	// Edges is the evidence in the picture, 0 to 1, for each side (top, right, bottom, left); where it is low the side
	// is the network's guess. sheet.OutOfPicture and, as FindHidden tells, sheet.UnderOthers mark sides of which the picture shows nothing.
	Edges [4]float64
	// CutOut tells that the picture was cut out along the sides of the document: it holds all of it and nothing else.
	CutOut bool

	odds [kindClasses]float64
}

// Probability returns the network's belief, 0 to 1, that the document is of kind k.
func (f *Found) Probability(k appliance.Kind) float64 { return probability(f.odds, k) }

func probability(odds [kindClasses]float64, k appliance.Kind) (sum float64) {
	for class, p := range odds {
		if classKind(class) == k {
			sum += p
		}
	}
	return sum
}

// Unmirrored is the document where print shows that it lies in no mirror: of the likeliest kind of all others.
func (f *Found) Unmirrored() Found {
	out := *f
	out.Mirrored, out.odds[classMirrored] = false, 0
	best := classUnknown
	for class, p := range out.odds {
		if p > out.odds[best] {
			best = class
		}
	}
	out.Kind = classKind(best)
	return out
}

// Outlined reports whether the picture shows at least two sides of the document.
func (f *Found) Outlined() bool {
	sides := 0
	for _, e := range f.Edges {
		if e >= sheet.Weakest {
			sides++
		}
	}
	return sides >= 2
}

// Visible is the evidence for all four sides together, 0 to 4.
func (f *Found) Visible() (sum float64) {
	for _, e := range f.Edges {
		sum += max(0, e)
	}
	return sum
}

// CutOff reports whether any side of the document lies beyond the picture.
func (f *Found) CutOff() bool { return slices.Contains(f.Edges[:], sheet.OutOfPicture) }

// Covered reports whether any side of the document lies under other documents.
func (f *Found) Covered() bool { return slices.Contains(f.Edges[:], sheet.UnderOthers) }

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

// nearDocuments is how many of the largest documents are looked at from near, each at most nearLooks times, until its
// outline stays within settled of its size. The reader of plates finds its way in a rough outline: settledPlate will do.
const (
	nearDocuments = 9 // one more than are read of one picture
	nearLooks     = 3
	settled       = 0.03
	settledPlate  = 0.12
	// strayed is how far looks from near may lead a corner, in sizes of the document, before their outline is compared with the first.
	strayed = 0.2
)

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

// supported reports whether the picture shows enough sides of what the network holds for a document. A known kind is
// believed without, since a card on cloth of its own colour has no visible sides.
func (f *Found) supported() bool {
	sides := 0
	for _, e := range f.Edges {
		if e < 0 || e >= sheet.Weakest {
			sides++
		}
	}
	return sides >= 3 || f.Kind != appliance.Unknown && (sides == 2 || f.Score >= 0.5)
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

// nearSide is the length in input pixels of the longer side of a document at the second look.
const nearSide = 208

// approach looks at one document from near.
func (f *Finder) approach(ctx context.Context, s *finderScratch, p *appliance.Picture, c *candidate) error {
	c.quad = sheet.Sidewise(p, c.quad, shapesOf(c.class()))
	far := *c
	if err := f.near(ctx, s, p, c); err != nil {
		return err
	}
	if astray(p, far, *c) {
		*c = far
	}
	return nil
}

// astray reports whether looks from near have lost their way: they lead far from the first outline, and the picture shows clearly less
// of the sides there.
func astray(p *appliance.Picture, far, near candidate) bool {
	if sheet.Farthest(far.quad, near.quad) < strayed*math.Sqrt(sheet.Area(far.quad)) {
		return false
	}
	after, _ := sheet.Visible(p, near.quad, shapesOf(near.class()))
	before, _ := sheet.VisibleAbove(p, far.quad, shapesOf(far.class()), after+sheet.MoreSides, nil)
	return before > after+sheet.MoreSides
}

// near looks at a candidate from near. The outline of a first look may be rough, so that it takes another to see the document whole
// and upright.
func (f *Finder) near(ctx context.Context, s *finderScratch, p *appliance.Picture, c *candidate) error {
	far := *c
	for range nearLooks {
		before := c.quad
		near, h, ok, err := f.closeLook(ctx, s, p, c.quad)
		if err != nil || !ok {
			return err
		}
		c.confirmed = true
		c.merge(far, near)
		c.quad = sheet.Best(p, shapesOf(c.class()), nil, before, h.ApplyQuad(near.quad), h.ApplyQuad(near.fitted), h.ApplyQuad(near.pointed))
		enough := settled
		if classKind(c.class()) == appliance.LicensePlate {
			enough = settledPlate
		}
		if sheet.Farthest(before, c.quad) < enough*math.Sqrt(sheet.Area(before)) {
			return nil
		}
	}
	return nil
}

// closeLook looks at one document cut out by its corners, where it is larger and upright if they are right. It returns
// what lies there and the map of its quad to the picture; ok is false when nothing does.
func (f *Finder) closeLook(ctx context.Context, s *finderScratch, p *appliance.Picture, q appliance.Quad) (near candidate, h vision.Homography, ok bool, err error) {
	h, target, ok := closeView(q)
	if !ok || !vision.Warp(vision.Luma(p), h, finderSide, finderSide, s.planes[0]) {
		return near, h, false, nil
	}
	if cb, cr, ok := vision.Chroma(p); ok {
		small := vision.ToChroma(p).Mul(h).Mul(vision.Homography{2, 0, 0, 0, 2, 0, 0, 0, 1})
		if !s.coarse(cb, small, s.planes[1]) || !s.coarse(cr, small, s.planes[2]) {
			return near, h, false, nil
		}
	} else {
		colourless(s, finderSide, finderSide)
	}
	if err := f.look(ctx, s); err != nil {
		return near, h, false, err
	}
	const farthestMiddle = 0.25 * nearSide
	least := math.Inf(1)
	for _, c := range s.candidates(h, float64(p.Width), float64(p.Height)) {
		ratio, off := sheet.Area(c.quad)/sheet.Area(target), cornersApart(c.quad, target)
		if !c.known() {
			off += sameQuad // where cells of a known kind point to the same, these know better
		}
		if off < least && sheet.Span(vision.Middle(c.quad), vision.Middle(target)) < farthestMiddle && ratio > 0.5 && ratio < 1.8 {
			near, least = c, off
		}
	}
	return near, h, !math.IsInf(least, 1), nil
}

// coarse cuts a chroma plane out at half the side of the input, since that is as fine as photographs hold it, and writes each
// sample four times; false where h makes no sense.
func (s *finderScratch) coarse(plane vision.Plane, h vision.Homography, out []byte) bool {
	const half = finderSide / 2
	if !vision.Warp(plane, h, half, half, s.half) {
		return false
	}
	for y := range finderSide {
		row, from := out[y*finderSide:][:finderSide], s.half[y/2*half:][:half]
		for x, v := range from {
			row[2*x], row[2*x+1] = v, v
		}
	}
	return true
}

// closeView returns the map from the input square of the second look to the picture, and where it puts the document.
func closeView(q appliance.Quad) (h vision.Homography, target appliance.Quad, ok bool) {
	w := sheet.Span(q[0], q[1]) + sheet.Span(q[3], q[2])
	hgt := sheet.Span(q[0], q[3]) + sheet.Span(q[1], q[2])
	scale := nearSide / max(w, hgt)
	// A document seen from the side looks flatter than it is; none of the contract's is flatter than a plate.
	w, hgt = max(w*scale, nearSide/2.5), max(hgt*scale, nearSide/2.5)
	h, ok = vision.RectToQuad(w, hgt, q)
	if !ok {
		return h, target, false
	}
	x, y := (finderSide-w)/2, (finderSide-hgt)/2
	target = appliance.Quad{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + hgt}, {X: x, Y: y + hgt}}
	return h.Mul(vision.Homography{1, 0, -x, 0, 1, -y, 0, 0, 1}), target, true
}

// leastSides is the evidence for the sides of an outline, all four together, that a doubtful candidate of no known kind needs with the
// doubt about its kind taken off, and allSides what is enough whatever that doubt is.
const (
	leastSides = 2.2
	allSides   = 3.0
)

// What looks from near say of an outline that holds parts of two documents is less sure of its kind: each unit of the log-odds that is
// lacking to sureKind counts for kindWeight visible sides. Of 590 photographs in which documents may cover each other (22 November
// 2026; normal and hard) the asked one keeps its outline in 531 with it, and in 512 without.
const (
	sureKind   = 5.0
	kindWeight = 0.5
)

// belief is how much speaks for a candidate of whose sides the picture shows so much.
func (c *candidate) belief(sides float64) float64 {
	odds := min(max(c.odds[c.class()], 0.02), 0.995)
	return sides - kindWeight*max(0, sureKind-math.Log(odds/(1-odds)))
}

// untangled judges the candidates of regions that may be several documents by what the picture shows of their sides and how sure
// their kinds are. Of the parts of a region only those count that a look from near confirms, of known kinds only those that are
// believed more than the region as one document, of no known kind those that are clearly seen; where two lie on each other, the one that is believed more stays.
func untangled(p *appliance.Picture, all []candidate) []candidate {
	type judged struct {
		candidate
		sides, belief float64
	}
	var heard []judged
	whole := map[int]float64{} // the belief in each region as one document
	for _, c := range all {
		j := judged{candidate: c}
		if slices.ContainsFunc(all, func(o candidate) bool { return o.doubtful && o.region == c.region }) {
			j.sides, _ = sheet.Visible(p, c.quad, shapesOf(c.class()))
			j.belief = c.belief(j.sides)
		}
		if !c.doubtful {
			whole[c.region] = j.belief
		}
		heard = append(heard, j)
	}
	heard = slices.DeleteFunc(heard, func(j judged) bool {
		believed := j.belief >= leastSides || j.sides >= allSides
		if j.known() {
			believed = j.belief >= whole[j.region]
		}
		return j.doubtful && !(j.confirmed && believed)
	})
	var kept []candidate
	for i, c := range heard {
		beaten := false
		for j, o := range heard {
			more := o.belief > c.belief || o.belief == c.belief && j < i
			beaten = beaten || more && o.region == c.region && o.confirmed && onEachOther(c.quad, o.quad) && !c.onSheet(o.candidate)
		}
		if !beaten {
			kept = append(kept, c.candidate)
		}
	}
	return kept
}

// onSheet reports whether c is a card that lies on a larger sheet of another kind.
func (c *candidate) onSheet(of candidate) bool {
	return c.confirmed && c.known() && of.class() == classUnknown && sheet.Area(c.quad) < cardOnSheet*sheet.Area(of.quad)
}

// onEachOther reports whether two outlines are so near each other that only one can be a document that lies on top.
func onEachOther(a, b appliance.Quad) bool {
	return vision.Contains(a, vision.Middle(b)) && vision.Contains(b, vision.Middle(a))
}

// distinct drops candidates that lie on a surer one, and keeps the order.
func distinct(all []candidate) []candidate {
	var kept []candidate
	for i, c := range all {
		hidden := slices.ContainsFunc(all, func(o candidate) bool {
			near := sheet.Span(vision.Middle(o.quad), vision.Middle(c.quad)) < 0.3*math.Sqrt(min(sheet.Area(o.quad), sheet.Area(c.quad)))
			return near && o.weight > c.weight && !c.onSheet(o)
		})
		if !hidden && sheet.Convex(c.quad) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// single drops what is several documents taken for one: two or more that are surer of their kinds lie within it and fill most of it.
func single(all []candidate) (out []candidate) {
	const within, filled = 0.8, 0.6
	for _, c := range all {
		parts, area := 0, 0.0
		for _, o := range all {
			if o.known() && o.odds[o.class()] > c.odds[c.class()] && sheet.Overlap(o.quad, c.quad) > within {
				parts, area = parts+1, area+sheet.Area(o.quad)
			}
		}
		if !c.known() || parts < 2 || area < filled*sheet.Area(c.quad) {
			out = append(out, c)
		}
	}
	return out
}
