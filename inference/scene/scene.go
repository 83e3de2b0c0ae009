package scene

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Scene is a picture that is read, with the documents that were found in it, largest first. It is not safe for concurrent use.
type Scene struct {
	*appliance.Picture
	*stopwatch.Watch
	Luma  vision.Plane
	Found []outline.Found
	// Earlier are the documents that the next one may be decoded together with, newest first.
	Earlier  []appliance.Document
	inverted vision.Plane // see negative; empty until it is needed
	page     *laid.Page   // the card that was read last, and its lines
	lines    []text.Line
}

// New is a picture in which nothing was found yet. It starts the watch, which counts the networks' work under the context that it returns.
func New(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (context.Context, *Scene) {
	ctx, watch := stopwatch.New(ctx)
	return ctx, &Scene{Picture: p, Watch: watch, Luma: vision.Luma(p), Earlier: earlier}
}

// With is the same picture with other documents in it.
func (s *Scene) With(found []outline.Found) *Scene {
	other := *s
	other.Found = found
	return &other
}

// At returns which document a point lies in, the smallest one where there are several, and -1 outside of all.
func (s *Scene) At(p appliance.Point) int {
	for i, f := range slices.Backward(s.Found) {
		if f.Quad.Contains(p) {
			return i
		}
	}
	return -1
}

// Beside lists the outlines of all documents but the i-th.
func (s *Scene) Beside(i int) (others []appliance.Quad) {
	for k, f := range s.Found {
		if k != i {
			others = append(others, f.Quad)
		}
	}
	return others
}

// Page is a document of the scene as the document engine takes it, laid flat, with its lines in the view. What was read of a page is kept
// while it is asked for again and again, as of a card that is read as one kind after the other.
func (s *Scene) Page(
	toPicture vision.Homography, lines []text.Line, words laid.Words, digits laid.Digits, j *laid.Judged,
) *laid.Page {
	if s.page == nil || s.page.ToPicture != toPicture || !slices.Equal(s.lines, lines) {
		s.page, s.lines = laid.New(s.view(toPicture), lines, words, digits, j), lines
	}
	return s.page
}

// view is a document as the engine lays it.
func (s *Scene) view(toPicture vision.Homography) line.View {
	return line.View{Width: viewWidth, Height: viewHeight, ToPicture: toPicture, Dark: s.Luma, Light: s.negative}
}

// negative is the luma of the picture with light and dark exchanged.
func (s *Scene) negative() vision.Plane {
	if s.inverted.Pix == nil {
		s.inverted = vision.Negative(s.Luma)
	}
	return s.inverted
}

// Reading is the answer to a picture of which one document was read; the others are named.
func (s *Scene) Reading(d appliance.Document, target int) appliance.Reading {
	out := appliance.Reading{Documents: []appliance.Document{d}, Stages: s.Stages}
	for i, f := range s.Found {
		if i != target {
			out.Others = append(out.Others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	return out
}
