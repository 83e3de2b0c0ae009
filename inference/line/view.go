package line

import (
	"context"
	"fmt"
	"math"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// CardWidth is how long a bank card is in a View.
	CardWidth = 512
	// CardHeight is how high it is there.
	CardHeight = 323
)

// View is how a document lies in a picture.
type View struct {
	// Width and Height are those of the view, in which the document is upright and level, in units of which a bank card is CardWidth long.
	// Its lines are given in these units.
	Width, Height float64
	// ToPicture maps the view to the picture.
	ToPicture vision.Homography
	// Dark is the luma of the picture, in which most print is dark. Light gives its negative, for light print; it may be asked once or never.
	Dark  vision.Plane
	Light func() vision.Plane
	// Print is how many times as high the print of the document is as that of licences; 0 counts as 1.
	Print float64
}

// Detect finds the lines of a view, scale pixels of the detector's for one of the view, light print too: that on dark bands, or all of it.
func (v View) Detect(ctx context.Context, d *Detector) ([]text.Line, error) {
	scale := v.detectorScale()
	look := func(ctx context.Context, luma vision.Plane) ([]text.Line, error) {
		m, err := d.DetectAt(ctx, luma, v.ToPicture, v.Width, v.Height, scale)
		if err != nil {
			return nil, fmt.Errorf("find lines: %w", err)
		}
		return m.Lines(), nil
	}
	lines, err := look(ctx, v.Dark)
	if err != nil {
		return nil, err
	}
	return v.WithLight(ctx, lines, look)
}

// detectorScale is how many pixels of the line detector a unit of the view becomes: on a bank card, whose print is as small as that of
// licences, cardScale; on sheets, which have larger print, less.
func (v View) detectorScale() float64 {
	const cardScale, leastScale = 1.75, 1.0
	return max(leastScale, cardScale/max(1, v.Print)*min(1, math.Sqrt(CardWidth*CardHeight/(v.Width*v.Height))))
}
