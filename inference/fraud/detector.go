package fraud

import (
	"context"

	"github.com/bawab/bawab/appliance"
)

// The cues, by the names under which evidence gives them.
const (
	ScreenReplay      = "screen_replay"
	PrintedCopy       = "printed_copy"
	GreyCopy          = "grey_copy"
	PortraitReplaced  = "portrait_replaced"
	TextAltered       = "text_altered"
	MRZVisualMismatch = "mrz_visual_mismatch"
)

// Detector examines documents. It is safe for concurrent use.
type Detector struct {
	thresholds map[string]float64
}

// New makes a detector. thresholds holds, by the name of the cue, the score from which it counts; a cue without one is
// only reported.
func New(thresholds map[string]float64) *Detector {
	return &Detector{thresholds: thresholds}
}

// Examine returns the cues of one document of p, always the same ones for a kind, in a fixed order. doc needs Kind and
// Quad, and after reading Fields and Validations. A plate has none.
func (d *Detector) Examine(ctx context.Context, p *appliance.Picture, doc appliance.Document) ([]appliance.Cue, error) {
	if doc.Kind == appliance.LicensePlate || doc.Kind == appliance.Unknown {
		return nil, ctx.Err()
	}
	cues := []appliance.Cue{{Name: appliance.NumberInconsistent, Score: numberInconsistent(&doc)}}
	for i := range cues {
		cues[i].Threshold = d.thresholds[cues[i].Name]
	}
	return cues, ctx.Err()
}
