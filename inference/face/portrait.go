package face

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// PortraitReader is an appliance.Reader that adds the holder's portrait to the identity documents that another one reads.
type PortraitReader struct {
	reader  appliance.Reader
	finder  *Finder
	matcher *Matcher
}

var _ appliance.Reader = (*PortraitReader)(nil)

// NewPortraitReader makes a reader over another one, which keeps doing the reading.
func NewPortraitReader(r appliance.Reader, f *Finder, m *Matcher) *PortraitReader {
	return &PortraitReader{reader: r, finder: f, matcher: m}
}

// Read reads, and takes the portraits.
func (r *PortraitReader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	reading, err := r.reader.Read(ctx, p, earlier)
	if err != nil || !slices.ContainsFunc(reading.Documents, func(d appliance.Document) bool { return d.Kind.Identity() }) {
		return reading, err
	}
	var work inference.Work
	ctx, began := inference.WithWork(ctx, &work), time.Now()
	for i := range reading.Documents {
		d := &reading.Documents[i]
		if !d.Kind.Identity() {
			continue
		}
		if d.Portrait, err = r.portrait(ctx, p, d); err != nil {
			return appliance.Reading{Stages: reading.Stages}, fmt.Errorf("take portrait of %s: %w", d.Kind, err)
		}
	}
	runs, macs := work.Total()
	reading.Stages = append(reading.Stages, appliance.Stage{Name: "portrait", Elapsed: time.Since(began), Runs: runs, MACs: macs})
	return reading, nil
}

// The least distance between the eyes of a portrait in pixels of the picture, and how much of it may be hidden by glare and
// print.
const (
	leastPortraitEyes    = 14
	mostPortraitCovered  = 0.6
	mostPortraitBlur     = 0.7
	mostPortraitAngle    = 50 // degrees; a document upside down has its portrait so, too
	documentMargin       = 0.04
	nearlyAsLargeAsFirst = 0.8
	// leastPortrait is the size of a portrait in widths of its document. Those of 400 drawn cards and of the sample documents have 0.089 and more
	// (27 November 2026), the ghost images of drawn passports 0.05 or so.
	leastPortrait = 0.075
	// palePortrait is the contrast under which a face in the right half of a document is a ghost image, whatever its size: the portraits of
	// the contract's documents lie in the left half.
	palePortrait = 0.4
)

// portrait takes the portrait of one document; nil where it shows none that can be compared.
func (r *PortraitReader) portrait(ctx context.Context, p *appliance.Picture, d *appliance.Document) (*appliance.Portrait, error) {
	s, ok, err := r.finder.holder(ctx, p, d)
	if err != nil || !ok {
		return nil, err
	}
	q := s.quality(p)
	if q.EyeDistance < leastPortraitEyes || q.Covered > mostPortraitCovered || 1-q.Sharpness > mostPortraitBlur {
		return nil, nil
	}
	e, err := r.matcher.embed(ctx, p, s.view, s.landmarks)
	if err != nil {
		return nil, err
	}
	return &appliance.Portrait{Embedding: e, Model: r.matcher.model, Quality: q.Score}, nil
}

// aspect is the width by the height of an identity document.
func aspect(k appliance.Kind) float64 { return k.Facts().Sizes[0].Shape() }

// holder finds the portrait on a document, laid flat: the largest face, and among faces of nearly one size the leftmost, so that
// a ghost image beside it never wins, and never stands for a portrait that was painted over either.
func (f *Finder) holder(ctx context.Context, p *appliance.Picture, d *appliance.Document) (best sighting, ok bool, err error) {
	whole, ok := documentView(d)
	if !ok {
		return best, false, nil
	}
	toDocument, ok := whole.toPicture.Inverse()
	if !ok {
		return best, false, nil
	}
	all, err := f.look(ctx, p, whole, f.scores.Printed)
	if err != nil {
		return best, false, err
	}
	if len(all) == 0 || all[0].candidate.size < smallFace {
		// The portraits of the contract's documents lie in the left half.
		left := whole.within(appliance.Point{X: squareSide * 0.3, Y: squareSide / 2 / aspect(d.Kind)}, squareSide*0.62, 0, squareSide)
		more, err := f.look(ctx, p, left, f.scores.Printed)
		if err != nil {
			return best, false, err
		}
		all = append(all, more...)
	}
	slices.SortStableFunc(all, bySureness) // print, seals and holograms show many large faces that hardly anybody sees
	found, err := f.confirm(ctx, p, all)
	if err != nil {
		return best, false, err
	}
	found = slices.DeleteFunc(found, func(s sighting) bool {
		return math.Abs(s.tilt(toDocument)) > mostPortraitAngle || s.ghost(p, toDocument)
	})
	if len(found) == 0 {
		return best, false, nil
	}
	slices.SortStableFunc(found, bySize)
	best = found[0]
	for _, s := range found[1:] {
		if s.size >= nearlyAsLargeAsFirst*found[0].size && toDocument.Apply(s.at).X < toDocument.Apply(best.at).X {
			best = s
		}
	}
	return best, true, nil
}

// ghost reports whether a face is the second, small or pale print of a document's portrait.
func (s *sighting) ghost(p *appliance.Picture, toDocument vision.Homography) bool {
	left, right := appliance.Point{X: s.at.X - s.size/2, Y: s.at.Y}, appliance.Point{X: s.at.X + s.size/2, Y: s.at.Y}
	if vision.Distance(toDocument.Apply(left), toDocument.Apply(right)) < leastPortrait*documentWidth {
		return true
	}
	return toDocument.Apply(s.at).X > squareSide/2 && s.quality(p).Contrast < palePortrait
}

// tilt is the angle of the line of the eyes on a document, in degrees.
func (s *sighting) tilt(toDocument vision.Homography) float64 {
	h := toDocument.Mul(s.view.toPicture)
	left, right := h.Apply(s.landmarks[0]), h.Apply(s.landmarks[1])
	return angle(right.Y-left.Y, right.X-left.X)
}

// documentWidth is the width of a document in the square of its view.
const documentWidth = squareSide * (1 - 2*documentMargin)

// documentView is the view of a document laid flat, with a narrow margin, at the top of the square.
func documentView(d *appliance.Document) (view, bool) {
	h, ok := vision.RectToQuad(documentWidth, documentWidth/aspect(d.Kind), d.Quad)
	if !ok {
		return view{}, false
	}
	const margin = squareSide * documentMargin
	return view{toPicture: h.Mul(vision.Homography{1, 0, -margin, 0, 1, -margin, 0, 0, 1})}, true
}
