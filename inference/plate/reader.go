package plate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// Reader reads single plates. It is safe for concurrent use.
type Reader struct {
	net     *inference.Network
	accept  float64
	scratch sync.Pool
}

// NewReader makes a reader over the "plates" network, which stays the caller's. labels are the network's; it fails when they are
// not plate.Signs and "?" for any other sign. A plate read with less confidence than accept, 0 to 1, is flagged 3301, one of
// a count or a last letter that no governorate uses below sureUnusual.
func NewReader(net *inference.Network, labels string, accept float64) (*Reader, error) {
	if labels != plate.Signs+"?" {
		return nil, errors.New("open plate reader: the network knows other signs than plates carry")
	}
	r := &Reader{net: net, accept: accept}
	r.scratch.New = func() any {
		return &scratch{view: make([]byte, viewWidth*viewHeight), in: make([]int8, viewWidth*viewHeight), out: make([]int8, rows*columns*channels)}
	}
	return r, nil
}

// scratch is the memory of one look at a plate.
type scratch struct {
	view []byte
	in   []int8
	out  []int8
}

// read is one plate as it was read.
type read struct {
	plate.Reading
	signs   []plate.Sign
	seen    []plate.Sign      // with those that are parts of another one, see joined
	strokes *ink              // of the view
	view    vision.Homography // from the view to the picture
	// category and groups are known once the outline is settled: whose plate it is, and what a diplomat's says.
	category string
	groups   plate.Diplomatic
	// rivals are the plates that single looks read surely enough.
	rivals []string
	// joined tells that what looked like two letters was one, and missed that a digit may not have been found.
	joined, missed bool
}

// disputed reports whether a look read another plate surely: then this one is flagged, however sure it is.
func (g *read) disputed() bool {
	own := g.Plate.String()
	return slices.ContainsFunc(g.rivals, func(v string) bool { return v != own })
}

// ReadIn reads the plate that q outlines in p, oriented, its corners true to several per cent of its size. The document has
// the field result and says what is wrong with it: 3302 where it cannot be read, 3307 where signs break the rules of a
// plate, 3301 where it may be wrong. Errors are the network's and ctx's.
func (r *Reader) ReadIn(ctx context.Context, p *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	got, at, err := r.settle(ctx, p, q)
	if err != nil {
		return appliance.Document{}, fmt.Errorf("read plate: %w", err)
	}
	d, err := r.document(ctx, p, q, at, got)
	if err != nil {
		return d, fmt.Errorf("read plate: %w", err)
	}
	return d, nil
}

// settle reads what q outlines, and returns with it the outline that was best. A plate that is not read surely, or whose outline is
// another thing's, is looked for where its signs say that it is; then it is read several times over, each time within a slightly
// different outline.
func (r *Reader) settle(ctx context.Context, p *appliance.Picture, q appliance.Quad) (read, appliance.Quad, error) {
	got, err := r.vote(ctx, p, q)
	if err != nil {
		return got, q, err
	}
	got, q, grown, err := r.grow(ctx, p, q, got)
	if err == nil && !grown && (got.Confidence < r.sure(got.Plate) || got.misplaced()) {
		if got, q, err = r.better(ctx, p, q, got); err != nil {
			return got, q, err
		}
		got, q, _, err = r.grow(ctx, p, q, got) // where the plate was found it may go on, too
	}
	if err == nil {
		got, err = r.enlarged(ctx, p, q, got)
	}
	return got, q, err
}

// grow widens an outline until no more signs are seen beyond it; grown tells that it did.
func (r *Reader) grow(ctx context.Context, p *appliance.Picture, q appliance.Quad, got read) (read, appliance.Quad, bool, error) {
	grown := false
	for range widenings {
		more, at, err := r.beyond(ctx, p, q, got)
		if err != nil {
			return got, q, grown, err
		}
		if len(more.Printed) <= len(got.Printed) {
			got.Confidence = more.Confidence
			break
		}
		got, q, grown = more, at, true
	}
	return got, q, grown, nil
}

// widenings is how often signs beyond an outline are looked for: a plate of which it holds half shows them one after the other.
const widenings = 3

// wider is how much larger the view is in which signs beyond the outline are looked for.
const wider = 1.3

// beyond looks for signs outside of an outline: one that cuts a plate reads as a plate with fewer signs. It returns the
// whole plate where that is confirmed within an outline of its own, else got, doubtful if more signs were seen.
func (r *Reader) beyond(ctx context.Context, p *appliance.Picture, q appliance.Quad, got read) (read, appliance.Quad, error) {
	h, ok := onPicture(q)
	if !ok {
		return got, q, nil
	}
	views := []vision.Homography{about(wider, 0, 0)}
	if side := got.aside(); side != 0 { // half of the plate may lie there, of which a rim shows no sign
		views = append(views, about(2, side/2, 0))
	}
	luma := vision.Luma(p)
	for _, view := range views {
		wide, err := r.look(ctx, luma, h.Mul(view))
		if err != nil {
			return got, q, err
		}
		if len(wide.Printed) <= len(got.Printed) || wide.Confidence < unreadable {
			if wide.inRow() > len(got.Printed) { // there are more, though together they are no plate, or cannot be read
				got.Confidence = min(got.Confidence, doubtful*r.accept)
			}
			continue
		}
		wide.Confidence = 0
		whole, at, err := r.better(ctx, p, q, wide)
		if err != nil || len(whole.Printed) > len(got.Printed) && whole.Confidence >= unreadable {
			return whole, at, err
		}
		got.Confidence = min(got.Confidence, doubtful*r.accept)
	}
	return got, q, nil
}

// clear returns the signs that are clearly there, the highest first.
func (g *read) clear() (out []plate.Sign) {
	const there = 0.6
	for _, s := range g.signs {
		if s.There > there {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b plate.Sign) int { return cmp.Compare(a.Y, b.Y) })
	return out
}

// inRow counts the signs that are clearly there and on one height with most.
func (g *read) inRow() int {
	const near = 0.2
	signs := g.clear()
	return len(slices.DeleteFunc(slices.Clone(signs), func(s plate.Sign) bool { return math.Abs(s.Y-signs[len(signs)/2].Y) >= near }))
}

// vote reads a plate within its outline and within outlines a little larger and smaller beside it: what is read by chance is
// not read each time. The confidence is the mean over the looks, of which those that read something else count nothing.
func (r *Reader) vote(ctx context.Context, p *appliance.Picture, q appliance.Quad) (read, error) {
	h, ok := onPicture(q)
	if !ok {
		return read{}, nil
	}
	luma := vision.Luma(p)
	var looks [3]read
	var rivals []string
	sums := map[string]float64{}
	for i, v := range variants() {
		var err error
		if looks[i], err = r.look(ctx, luma, h.Mul(v)); err != nil {
			return read{}, err
		}
		sums[looks[i].Plate.String()] += looks[i].Confidence
		if looks[i].Confidence >= enough {
			rivals = append(rivals, looks[i].Plate.String())
		}
	}
	best := 0
	for i := range looks {
		s, t := sums[looks[i].Plate.String()], sums[looks[best].Plate.String()]
		if s > t || s == t && looks[i].Confidence > looks[best].Confidence {
			best = i
		}
	}
	got := looks[best]
	got.Confidence = sums[got.Plate.String()] / float64(len(looks))
	if together, ok := pooled(looks[:]); ok && together.Plate.Valid() && together.Plate.String() != got.Plate.String() {
		got = looks[0]
		got.Reading = together
		got.Confidence = max(sums[together.Plate.String()]/float64(len(looks)), min(together.Confidence, doubtful*r.accept))
	}
	got.rivals = rivals
	got.joined = slices.ContainsFunc(looks[:], func(l read) bool { return l.joined })
	missed := 0
	for _, l := range looks {
		if l.missed && l.Plate.String() == got.Plate.String() {
			missed++
		}
	}
	got.missed = missed > 1
	return got, nil
}

// variants are the outlines of vote, as maps from view to view: the one given, then others that are off by some per cent.
func variants() [3]vision.Homography {
	return [3]vision.Homography{about(1, 0, 0), about(1.06, 0.012, -0.02), about(0.96, -0.014, 0.015)}
}

// looks is how often an outline is moved to where the signs seen within it say that the plate is.
const looks = 2

// about is a view of another one enlarged by scale about its middle and moved by shares of its width and height, as a map
// from view to view.
func about(scale, dx, dy float64) vision.Homography {
	const cx, cy = viewWidth / 2.0, viewHeight / 2.0
	return vision.Homography{scale, 0, cx*(1-scale) + dx*viewWidth, 0, scale, cy*(1-scale) + dy*viewHeight, 0, 0, 1}
}

// misplacedTrust is how much of the confidence of a misplaced reading counts against another one where its signs say that the plate is:
// signs that are small within their outline are lost all the more surely. Set by judgement on 28 November 2026.
const misplacedTrust = 0.6

// better moves an outline to where the signs say that the plate is, and takes what is read there if that is surer.
func (r *Reader) better(ctx context.Context, p *appliance.Picture, q appliance.Quad, got read) (read, appliance.Quad, error) {
	last, rivals := got, got.rivals
	for range looks {
		moved, ok := last.moved()
		if !ok {
			break
		}
		var err error
		if last, err = r.vote(ctx, p, moved); err != nil {
			return got, q, err
		}
		rivals = append(rivals, last.rivals...)
		least := got.Confidence
		if got.misplaced() && last.Plate.String() != got.Plate.String() {
			least *= misplacedTrust
		}
		if last.Confidence > least {
			got, q = last, moved
		}
	}
	got.rivals = rivals
	return got, q, nil
}

// look reads one view of a picture.
func (r *Reader) look(ctx context.Context, luma vision.Plane, h vision.Homography) (read, error) {
	s := r.scratch.Get().(*scratch)
	defer r.scratch.Put(s)
	if !vision.Warp(luma, h, viewWidth, viewHeight, s.view) {
		return read{}, nil
	}
	return r.name(ctx, s, h)
}

// name reads the view of a plate that lies in s; h maps it to the picture.
func (r *Reader) name(ctx context.Context, s *scratch, h vision.Homography) (read, error) {
	stretch(s.view, s.in)
	if err := r.net.Run(ctx, s.in, s.out); err != nil {
		return read{}, err
	}
	seen := signsOf(s.out, r.net.Output())
	strokes := inkOf(s.in)
	signs := strokes.joined(seen)
	got := read{Reading: plate.Decode(signs), signs: signs, seen: seen, strokes: strokes, view: h, joined: len(signs) < len(seen)}
	if got.Confidence >= hardlySigns && got.Rows == 1 {
		got.missed = strokes.missed(got.Printed[len(got.Plate.Letters):])
	}
	return got, nil
}

// Signs that are hardly there are no evidence of anything, and two middles nearer than apart cells are one sign.
const (
	leastThere = 0.08
	apart      = 2.3
)

// How the network's logits become probabilities that can be believed: of a middle times slope plus offset, of a class times
// scale. Fitted by plate_export calibrate on 26 November 2026, on views of real validation plates and of drawn ones.
const (
	thereSlope, thereOffset = 2.376, 0.491
	classScale              = 0.904
)

// signsOf finds the signs in the network's answer: the cells that are a sign's middle more than those around them.
func signsOf(out []int8, t inference.Tensor) []plate.Sign {
	value := func(v int8) float64 { return float64(t.Scale) * float64(int(v)-t.ZeroPoint) }
	var all []plate.Sign
	var cells [][2]float64
	for _, at := range peaks(out) {
		there := vision.Sigmoid(thereSlope*value(out[at*channels]) + thereOffset)
		x, y := middle(out, at)
		if there < leastThere || near(cells, x, y) {
			continue
		}
		s := plate.Sign{There: there}
		cells = append(cells, [2]float64{x, y})
		s.X, s.Y = 2*((x+0.5)/columns-margin)/(1-2*margin), ((y+0.5)/rows-margin)/(1-2*margin)
		top := math.Inf(-1)
		for i := range s.Cell {
			s.Cell[i] = classScale * value(out[at*channels+1+i])
			top = max(top, s.Cell[i])
		}
		sum := 0.0
		for _, v := range s.Cell {
			sum += math.Exp(v - top)
		}
		for i := range s.Cell {
			s.Cell[i] -= top + math.Log(sum)
		}
		all = append(all, s)
	}
	return all
}

// near reports whether a place lies near one of those cells.
func near(cells [][2]float64, x, y float64) bool {
	for _, c := range cells {
		if math.Hypot(c[0]-x, c[1]-y) < apart {
			return true
		}
	}
	return false
}

// Shows reports at one look, a fraction of the work of ReadIn, whether what q outlines roughly may be a plate: its signs make one, or
// several that stand side by side are clearly there. Of 373 outlines of drawn plates, as a glance at the whole picture gives them, 355
// show it, of 417 of houses and cars 95 (28 November 2026).
func (r *Reader) Shows(ctx context.Context, p *appliance.Picture, q appliance.Quad) (bool, error) {
	h, ok := onPicture(q)
	if !ok {
		return false, nil
	}
	got, err := r.look(ctx, vision.Luma(p), h)
	return got.Confidence >= hardlySigns || got.inRow() >= rowOfSigns, err
}

// What signs show that there may be a plate, see Shows: the confidence of what they say, and so many side by side.
const (
	hardlySigns = 0.05
	rowOfSigns  = 4
)
