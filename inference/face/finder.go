package face

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
)

// Finder finds the faces of pictures and measures how well they are shown; it implements appliance.FaceFinder. It is safe for
// concurrent use.
type Finder struct {
	net     network
	scores  Scores
	scratch sync.Pool
}

// Scores are those of the "faces" network from which something counts as a face, each above 0 and at most 1. They are calibrated
// with the network and stand in the manifest.
type Scores struct {
	// Seen is for a first look at a picture or a part of it, and Confirmed for the look from near, which has the last word.
	Seen, Confirmed float64
	// Printed is for both looks at a document that shows its holder: there a face is expected, printed small, grey or engraved.
	Printed float64
}

var _ appliance.FaceFinder = (*Finder)(nil)

// NewFinder makes a finder over the "faces" network, which stays the caller's.
func NewFinder(net *inference.Network, scores Scores) (*Finder, error) {
	return newFinder(net, scores)
}

func newFinder(net network, scores Scores) (*Finder, error) {
	for _, v := range []float64{scores.Seen, scores.Confirmed, scores.Printed} {
		if !(v > 0 && v <= 1) {
			return nil, fmt.Errorf("open face finder: a score of %g is not above 0 and at most 1", v)
		}
	}
	if err := fits("faces", net, []int{1, lookSide, lookSide, 3}, []int{1, blocks, blocks, faceChannels}); err != nil {
		return nil, err
	}
	return &Finder{net: net, scores: scores, scratch: sync.Pool{New: func() any { return newLook(net.Input(), net.Output()) }}}, nil
}

// sighting is a candidate with the view in which it was seen.
type sighting struct {
	candidate
	view view
	size float64 // in pixels of the picture
	at   appliance.Point
}

// seen puts a candidate of a view into the picture.
func seen(c candidate, v view) sighting {
	s := sighting{candidate: c, view: v, at: v.toPicture.Apply(c.middle())}
	x := v.toPicture.Apply(appliance.Point{X: c.middle().X + 1, Y: c.middle().Y})
	y := v.toPicture.Apply(appliance.Point{X: c.middle().X, Y: c.middle().Y + 1})
	s.size = c.size * math.Sqrt(math.Abs((x.X-s.at.X)*(y.Y-s.at.Y)-(x.Y-s.at.Y)*(y.X-s.at.X)))
	return s
}

const (
	// smallFace is the size in the square of a look under which faces may go unseen: then the picture is looked at in parts.
	smallFace = 20
	// nearFaces is how many of the largest faces are looked at from near.
	nearFaces = 4
	// background is the share of the largest face's size under which another face is one of the background.
	background = 0.65
	// largeFace is the size in the square of a look from which a nearer look tells hardly more.
	largeFace = 72
)

// FindFaces finds the faces of a picture, the largest first, and measures how well each is shown. It looks at the whole picture,
// in parts where it finds nothing or little, and then at each face from near, which confirms it.
func (f *Finder) FindFaces(ctx context.Context, p *appliance.Picture) ([]appliance.Face, error) {
	found, err := f.find(ctx, p, math.Inf(1))
	if err != nil {
		return nil, err
	}
	faces := make([]appliance.Face, len(found))
	for i := range found {
		faces[i] = found[i].face(p)
	}
	return faces, nil
}

// find returns the faces of a picture without those of the background. Those whose size in the square of the look is at least
// enough are not looked at from near.
func (f *Finder) find(ctx context.Context, p *appliance.Picture, enough float64) ([]sighting, error) {
	l := f.scratch.Get().(*look)
	defer f.scratch.Put(l)
	all, err := f.far(ctx, l, p)
	if err != nil {
		return nil, fmt.Errorf("find faces: %w", err)
	}
	var found []sighting
	for _, s := range all[:min(len(all), nearFaces)] {
		if s.candidate.size < enough {
			near, ok, err := f.near(ctx, l, p, s, f.scores.Confirmed)
			if err != nil {
				return nil, fmt.Errorf("find faces: %w", err)
			}
			if !ok {
				continue
			}
			s = near
		}
		if !slices.ContainsFunc(found, s.same) {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, bySize)
	return slices.DeleteFunc(found, func(s sighting) bool { return s.size < background*found[0].size }), nil
}

func bySize(a, b sighting) int { return cmp.Compare(b.size, a.size) }

// same tells whether two sightings are of one face.
func (s sighting) same(o sighting) bool { return apart(s.at, o.at) < sameFace*max(s.size, o.size) }

// far looks at the whole picture, and in parts where that shows nothing or only small faces; the largest face comes first.
func (f *Finder) far(ctx context.Context, l *look, p *appliance.Picture) ([]sighting, error) {
	all, err := f.look(ctx, l, p, wholeView(), f.scores.Seen)
	if err != nil || len(all) > 0 && all[0].candidate.size >= smallFace {
		return all, err
	}
	for _, part := range parts(p) {
		more, err := f.look(ctx, l, p, part, f.scores.Seen)
		if err != nil {
			return nil, err
		}
		for _, s := range more {
			if !slices.ContainsFunc(all, s.same) {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, bySize)
	return all, nil
}

// partShare is the side of a part as a share of the picture's longer side: parts overlap by more than the faces that are found
// in them and were too small before.
const partShare = 0.45

// parts are squares that cover the picture.
func parts(p *appliance.Picture) (all []view) {
	side := partShare * float64(max(p.Width, p.Height))
	across, down := pieces(float64(p.Width), side), pieces(float64(p.Height), side)
	for y := range down {
		for x := range across {
			all = append(all, squareView(appliance.Point{X: place(x, across, float64(p.Width), side), Y: place(y, down, float64(p.Height), side)}, side))
		}
	}
	return all
}

// pieces is how many parts of a side cover a length and overlap.
func pieces(length, side float64) int {
	if length <= side {
		return 1
	}
	return 1 + int(math.Ceil((length-side)/(0.7*side)))
}

// place is the middle of the i-th of n parts of a length.
func place(i, n int, length, side float64) float64 {
	if n == 1 {
		return length / 2
	}
	return side/2 + float64(i)*(length-side)/float64(n-1)
}

// look looks at one view for faces of at least the score accept; the largest comes first.
func (f *Finder) look(ctx context.Context, l *look, p *appliance.Picture, v view, accept float64) ([]sighting, error) {
	v, err := l.run(ctx, f.net, p, v)
	if err != nil {
		return nil, err
	}
	var all []sighting
	for _, c := range l.candidates(accept) {
		all = append(all, seen(c, v))
	}
	slices.SortStableFunc(all, bySize)
	return all, nil
}

// nearSide is the side of a look from near in sizes of the face.
const nearSide = 2

// near looks at one face so that it fills half of the square; ok is false where nothing is confirmed.
func (f *Finder) near(ctx context.Context, l *look, p *appliance.Picture, s sighting, accept float64) (best sighting, ok bool, err error) {
	v := s.view.within(s.middle(), nearSide*s.candidate.size)
	if v, err = l.run(ctx, f.net, p, v); err != nil {
		return best, false, err
	}
	const full = lookSide / nearSide
	middle, least := appliance.Point{X: lookSide / 2, Y: lookSide / 2}, 0.5*full
	for _, c := range l.candidates(accept) {
		if off := apart(c.middle(), middle); off < least && c.size > 0.5*full && c.size < 2*full {
			best, least, ok = seen(c, v), off, true
		}
	}
	return best, ok, nil
}

// face is what a sighting says to others.
func (s *sighting) face(p *appliance.Picture) appliance.Face {
	b := s.box
	return appliance.Face{
		Quad:      s.view.toPicture.ApplyQuad(appliance.Quad{{X: b[0], Y: b[1]}, {X: b[2], Y: b[1]}, {X: b[2], Y: b[3]}, {X: b[0], Y: b[3]}}),
		Landmarks: s.marks(), Score: s.score, Quality: s.quality(p),
	}
}
