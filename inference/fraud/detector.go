package fraud

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// The cues, by the names under which evidence gives them; appliance.NumberInconsistent is one more.
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
	texture      *texture
	surroundings *surroundings
	thresholds   map[string]float64
}

// New makes a detector over the networks "fraud" and "surroundings", which stay the caller's. thresholds holds, by the name
// of the cue, the score from which it counts; a cue without one is only reported.
func New(texture, surroundings *inference.Network, thresholds map[string]float64) *Detector {
	return &Detector{texture: newTexture(texture), surroundings: newSurroundings(surroundings), thresholds: thresholds}
}

// Sign is a cue with what was measured for it, from which its score follows. Measures are for calibration; what each
// means stands where it is measured.
type Sign struct {
	Name     string
	Score    float64
	Measures []float64
	// NotJudged is appliance.Cue's.
	NotJudged string
}

// Examine returns the cues of one document of p, always the same ones for a kind, in a fixed order. doc needs Kind and
// Quad, and after reading Fields and Validations. A plate or a document of no known kind has none.
func (d *Detector) Examine(ctx context.Context, p *appliance.Picture, doc appliance.Document) ([]appliance.Cue, error) {
	signs, err := d.Measure(ctx, p, doc)
	if err != nil {
		return nil, err
	}
	return d.Cues(signs), nil
}

// Cues puts the thresholds to signs, in their order.
func (d *Detector) Cues(signs []Sign) []appliance.Cue {
	var cues []appliance.Cue
	for _, s := range signs {
		cues = append(cues, appliance.Cue{Name: s.Name, Score: s.Score, Threshold: d.thresholds[s.Name], NotJudged: s.NotJudged})
	}
	return cues
}

// Measure does what Examine does and gives what was measured instead of the thresholds.
func (d *Detector) Measure(ctx context.Context, p *appliance.Picture, doc appliance.Document) ([]Sign, error) {
	cues := doc.Kind.Facts().Cues
	if len(cues) == 0 || doc.Quad == (appliance.Quad{}) {
		return nil, nil
	}
	signs, err := d.recaptured(ctx, p, doc)
	if err != nil {
		return nil, err
	}
	for _, cue := range cues {
		switch cue {
		case GreyCopy:
			signs = append(signs, greyCopy(p, doc.Quad))
		case PortraitReplaced:
			if m, ok := portraitMeasures(p, doc); ok {
				signs = append(signs, calibrated(PortraitReplaced, m))
			}
		case TextAltered:
			if m, ok := fieldMeasures(p, doc); ok {
				signs = append(signs, calibrated(TextAltered, m))
			}
		case MRZVisualMismatch:
			signs = append(signs, Sign{Name: MRZVisualMismatch, Score: doc.Mismatch})
		case appliance.NumberInconsistent:
			signs = append(signs, Sign{Name: appliance.NumberInconsistent, Score: numberInconsistent(&doc)})
		}
	}
	return signs, ctx.Err()
}

// calibrated turns measures into a score by the cue's weights.
func calibrated(name string, measures []float64) Sign {
	w := weights(name)
	sum := w[0]
	for i, m := range measures {
		sum += w[i+1] * m
	}
	return Sign{Name: name, Score: vision.Sigmoid(sum), Measures: measures}
}
