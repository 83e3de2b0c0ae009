package card

import (
	"context"

	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// negative is the luma of the picture with light and dark exchanged.
func (s *scene) negative() vision.Plane {
	if s.inverted.Pix == nil {
		s.inverted = vision.Negative(s.luma)
	}
	return s.inverted
}

// view is a flat card as the document engine lays it.
func (s *scene) view(toPicture vision.Homography) laid.View {
	return laid.View{Width: viewWidth, Height: viewHeight, ToPicture: toPicture, Dark: s.luma, Light: s.negative}
}

// withLight adds the light text of a card to its lines.
func (r *Reader) withLight(ctx context.Context, s *scene, v flatCard, magnification float64, lines []text.Line) ([]text.Line, error) {
	return s.view(v.toPicture).WithLight(ctx, lines, func(ctx context.Context, luma vision.Plane) ([]text.Line, error) {
		return r.detect(ctx, luma, v.toPicture, magnification)
	})
}
