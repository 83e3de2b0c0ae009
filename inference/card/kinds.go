package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// readable reports whether the lines of a kind are known. What looks like nothing known is read where a licence is asked for, or all
// there is: no look of theirs is confirmed.
func (r *Reader) readable(k appliance.Kind) bool {
	return nationalID(k) || licence(k) || k == appliance.Unknown && (licence(r.kind) || r.kind == appliance.Unknown)
}

// How large the detector sees a card when it looks for its lines, in pixels for one of the view. The print of licences is about two thirds as
// high as that of an ID, and what stands close above each other on them hangs together unless it is seen larger; four lower windows are as much
// as this takes. On 210 drawn licences two looks, at 2.5 and at 1.58, gained 20 of 2,660 values over it and lost 24 for three times the arithmetic (23 November 2026).
const (
	usualMagnification   = 1.0
	licenceMagnification = 1.75
)

// magnification is how large the lines of a kind are looked for.
func magnification(k appliance.Kind) float64 {
	if nationalID(k) {
		return usualMagnification
	}
	return licenceMagnification
}

// detect finds the lines of a card, in view pixels.
func (r *Reader) detect(ctx context.Context, luma vision.Plane, toPicture vision.Homography, magnification float64) ([]text.Line, error) {
	seen, err := r.Detector.DetectAt(ctx, luma, toPicture, viewWidth, viewHeight, magnification)
	if err != nil {
		return nil, err
	}
	return seen.Lines(), nil
}

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read, and whether the print says what
// it is.
func (r *Reader) readSide(
	ctx context.Context, page *laid.Page, d *appliance.Document, earlier []appliance.Document,
) (legible float64, named bool, err error) {
	if nationalID(d.Kind) {
		return r.readByDescription(ctx, page, d, earlier)
	}
	return r.readDescribed(ctx, page, d, earlier)
}
