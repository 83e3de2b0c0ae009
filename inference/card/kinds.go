package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
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

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read.
func (r *Reader) readSide(ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document) (float64, error) {
	switch d.Kind {
	case appliance.NationalIDFront:
		return r.readFront(ctx, s, d, earlier)
	case appliance.NationalIDBack:
		return r.readByDescription(ctx, s, d, earlier)
	}
	return r.readDescribed(ctx, s, d, earlier)
}

// editor fills in a document.
func (r *Reader) editor(s *sheet, d *appliance.Document, earlier []appliance.Document) *editor {
	return &editor{
		Document: d, sheet: s, now: r.Now(), earlier: earlier,
		nameWords: r.names, addressWords: r.addresses, jobWords: r.jobs, remarkWords: r.remarks,
	}
}

// readFront reads the front of a national ID.
func (r *Reader) readFront(ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document) (legible float64, err error) {
	p, err := s.readFront(ctx, r.names)
	if err != nil { // what was read until then may lack its half
		return 0, err
	}
	r.editor(s, d, earlier).front(p)
	return p.legible(), nil
}
