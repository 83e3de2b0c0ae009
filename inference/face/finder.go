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
	"github.com/bawab/bawab/inference/vision"
)

// Finder finds the faces of pictures and measures how well they are shown; it implements appliance.FaceFinder. It is safe for
// concurrent use.
type Finder struct {
	faces, landmarks network
	scores           Scores
	grid             []anchor
	farScratch       sync.Pool
	nearScratch      sync.Pool
}

// Scores are those from which something counts as a face, each above 0 and below 1. They are calibrated with the networks and stand in
// the manifest.
type Scores struct {
	// Seen is that of the "faces" network in a picture, and Printed on a document that shows its holder: there a face is expected,
	// printed small, grey or engraved.
	Seen, Printed float64
	// Confirmed is the probability, by the "landmarks" network, that a face is one, which has the last word; but from Sure on, by the
	// "faces" network, a face is one also where that network doubts it, as with profiles.
	Confirmed, Sure float64
}

var _ appliance.FaceFinder = (*Finder)(nil)

// NewFinder makes a finder over the networks "faces" and "landmarks", which stay the caller's.
func NewFinder(faces, landmarks *inference.Network, scores Scores) (*Finder, error) {
	return newFinder(faces, landmarks, scores)
}

func newFinder(faces, landmarks network, scores Scores) (*Finder, error) {
	for _, v := range []float64{scores.Seen, scores.Printed, scores.Confirmed, scores.Sure} {
		if !(v > 0 && v < 1) {
			return nil, fmt.Errorf("open face finder: a score of %g is not between 0 and 1", v)
		}
	}
	f := &Finder{faces: faces, landmarks: landmarks, scores: scores, grid: anchors()}
	if err := fits("faces", faces, []int{1, squareSide, squareSide, 3}, []int{1, len(f.grid), anchorValues}); err != nil {
		return nil, err
	}
	if err := fits("landmarks", landmarks, []int{1, nearSide, nearSide, 3}, []int{1, nearValues}); err != nil {
		return nil, err
	}
	f.farScratch.New = func() any { return newLook(squareSide, faces.Input(), faces.Output()) }
	f.nearScratch.New = func() any { return newLook(nearSide, landmarks.Input(), landmarks.Output()) }
	return f, nil
}

// sighting is a candidate with the view in which it was seen. That of a face seen from near is turned so that the face stands upright.
type sighting struct {
	candidate
	view     view
	size     float64 // in pixels of the picture
	at       appliance.Point
	presence float64 // the log-odds that it is a face, from near
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
	// smallFace is the size in the square under which faces may go unseen: then the picture is looked at in parts.
	smallFace = 16
	// nearFaces is how many of the most promising faces are looked at from near.
	nearFaces = 4
)

// FindFaces finds the faces of a picture, the most prominent first, and measures how well each is shown. It looks at the whole picture,
// in parts where it finds nothing or little, and then at each face from near, which confirms it and tells which way up it is.
func (f *Finder) FindFaces(ctx context.Context, p *appliance.Picture) ([]appliance.Face, error) {
	found, err := f.find(ctx, p)
	if err != nil {
		return nil, err
	}
	faces := make([]appliance.Face, len(found))
	for i := range found {
		faces[i] = found[i].face(p)
	}
	return faces, nil
}

// find returns the faces of a picture without those of the background.
func (f *Finder) find(ctx context.Context, p *appliance.Picture) ([]sighting, error) {
	all, err := f.far(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("find faces: %w", err)
	}
	found, err := f.confirm(ctx, p, all)
	if err == nil && len(found) == 0 {
		// Faces on their side are often overlooked, those upside down hardly ever.
		if all, err = f.look(ctx, p, wholeView(p, squareSide).turned(squareSide), f.scores.Seen); err == nil {
			found, err = f.confirm(ctx, p, all)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("find faces: %w", err)
	}
	return foreground(found, p), nil
}

// confirm looks at the first faces from near and returns those that are some, each once.
func (f *Finder) confirm(ctx context.Context, p *appliance.Picture, all []sighting) (found []sighting, err error) {
	for _, s := range all[:min(len(all), nearFaces)] {
		near, ok, err := f.near(ctx, p, s)
		if err != nil {
			return nil, err
		}
		if ok && !slices.ContainsFunc(found, near.same) {
			found = append(found, near)
		}
	}
	return found, nil
}

// odds is the logarithm of the odds of a probability.
func odds(probability float64) float64 { return math.Log(probability / (1 - probability)) }

func bySize(a, b sighting) int     { return cmp.Compare(b.size, a.size) }
func bySureness(a, b sighting) int { return cmp.Compare(b.score, a.score) }

// byPromise puts first what is large and sure.
func byPromise(a, b sighting) int { return cmp.Compare(b.size*b.score, a.size*a.score) }

// same reports whether two sightings are of one face.
func (s sighting) same(o sighting) bool {
	return vision.Distance(s.at, o.at) < sameFace*max(s.size, o.size)
}

// far looks at the whole picture, and in parts where that shows nothing or only small faces; the most promising comes first.
func (f *Finder) far(ctx context.Context, p *appliance.Picture) ([]sighting, error) {
	all, err := f.look(ctx, p, wholeView(p, squareSide), f.scores.Seen)
	if err != nil || len(all) > 0 && all[0].candidate.size >= smallFace {
		return all, err
	}
	for _, part := range parts(p) {
		more, err := f.look(ctx, p, part, f.scores.Seen)
		if err != nil {
			return nil, err
		}
		for _, s := range more {
			if !slices.ContainsFunc(all, s.same) {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, byPromise)
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
			middle := appliance.Point{X: place(x, across, float64(p.Width), side), Y: place(y, down, float64(p.Height), side)}
			all = append(all, squareView(middle, side, 0, squareSide))
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

// look looks at one view for faces of at least the score accept; the most promising comes first.
func (f *Finder) look(ctx context.Context, p *appliance.Picture, v view, accept float64) ([]sighting, error) {
	l := f.farScratch.Get().(*look)
	defer f.farScratch.Put(l)
	if err := l.run(ctx, f.faces, p, v); err != nil {
		return nil, err
	}
	var all []sighting
	for _, c := range l.candidates(f.grid, accept) {
		all = append(all, seen(c, v))
	}
	slices.SortStableFunc(all, byPromise)
	return all, nil
}

// face is what a sighting says to others.
func (s *sighting) face(p *appliance.Picture) appliance.Face {
	b := s.box
	return appliance.Face{
		Quad:      s.view.toPicture.ApplyQuad(vision.RectQuad(b[0], b[1], b[2], b[3])),
		Landmarks: s.marks(), Score: s.score, Quality: s.quality(p),
	}
}
