package scene

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Finder looks again where a document seems to lie otherwise; outline.Finder is the one there is.
type Finder interface {
	Again(ctx context.Context, p *appliance.Picture, d outline.Found, about appliance.Quad) (outline.Found, error)
}

// Kinds tells of kinds what the view of a document depends on.
type Kinds interface {
	// PrintSize is how large the print of a kind is, in that of licences; at least 1.
	PrintSize(k appliance.Kind) float64
	// ByLook reports whether a kind is one that its look tells, as the sides of the national ID.
	ByLook(k appliance.Kind) bool
}

// Viewer lays the documents of scenes flat and finds their lines. It is safe for concurrent use where its parts are.
type Viewer struct {
	Finder   Finder
	Detector *line.Detector
	Kinds    Kinds
}

// usualMagnification is how large the detector sees a card when it looks for its lines, in pixels for one of the view. The print of
// licences is about two thirds as high as that of an ID, and what stands close above each other on them hangs together unless it is seen
// larger; four lower windows are as much as this takes. On 210 drawn licences two looks, at 2.5 and at 1.58, gained 20 of 2,660 values over
// it and lost 24 for three times the arithmetic (23 November 2026).
const usualMagnification = 1.75

// magnification is how large the lines of a card are looked for.
func (e *Viewer) magnification(v Flat) float64 {
	m := usualMagnification / e.Kinds.PrintSize(v.Kind)
	if v.left > 0 {
		m *= viewWidth / float64(viewHeight)
	}
	return m
}

// Lines finds the lines of a document laid flat, and lays it along its text where its outline turns out to be askew or to end too early.
func (e *Viewer) Lines(ctx context.Context, s *Scene, v Flat) (Flat, []text.Line, error) {
	lines, err := e.linesOf(ctx, s, v)
	if err != nil {
		return v, nil, err
	}
	if v, lines, err = e.straightened(ctx, s, v, lines); err != nil {
		return v, nil, err
	}
	return e.upright(ctx, s, v, lines)
}

// linesOf detects the lines of a card, without those on what lies on it or beside it.
func (e *Viewer) linesOf(ctx context.Context, s *Scene, v Flat) ([]text.Line, error) {
	magnification := e.magnification(v)
	lines, err := e.detectPrint(ctx, s.Luma, v.ToPicture, magnification)
	if err == nil {
		lines, err = e.withLight(ctx, s, v, magnification, lines)
	}
	beside := func(l text.Line) bool { return vision.Between(l.Start, l.End, 0.5).X < v.left }
	return slices.DeleteFunc(uncovered(lines, v.ToPicture, v.Covers), beside), err
}

// detectPrint detects the lines of a card as they are seen from so far away that a ground made of rows of tiny words is none, if it has
// such a ground.
func (e *Viewer) detectPrint(
	ctx context.Context, luma vision.Plane, toPicture vision.Homography, magnification float64,
) ([]text.Line, error) {
	lines, err := e.detect(ctx, luma, toPicture, magnification)
	if err != nil || !block.Tiny(lines) {
		return lines, err
	}
	for _, farther := range []float64{0.5, 0.4} {
		again, err := e.detect(ctx, luma, toPicture, farther*magnification)
		if err != nil || len(again) > 0 && !block.Tiny(again) {
			return again, err
		}
	}
	return lines, nil
}

// detect finds the lines of a card, in view pixels.
func (e *Viewer) detect(ctx context.Context, luma vision.Plane, toPicture vision.Homography, magnification float64) ([]text.Line, error) {
	seen, err := e.Detector.DetectAt(ctx, luma, toPicture, viewWidth, viewHeight, magnification)
	if err != nil {
		return nil, err
	}
	return seen.Lines(), nil
}

// withLight adds the light text of a card to its lines.
func (e *Viewer) withLight(ctx context.Context, s *Scene, v Flat, magnification float64, lines []text.Line) ([]text.Line, error) {
	return s.view(v.ToPicture).WithLight(ctx, lines, func(ctx context.Context, luma vision.Plane) ([]text.Line, error) {
		return e.detect(ctx, luma, v.ToPicture, magnification)
	})
}
