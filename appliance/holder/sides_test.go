package holder

import (
	"testing"

	"github.com/bawab/bawab/appliance"
)

// A number that differs from the other side's raises the cue for it by how sure both readings are, and only that cue; the
// same number, or a document that was not examined, raises none.
func TestNumberInconsistentAcrossSides(t *testing.T) {
	side := func(kind appliance.Kind, number string, confidence float64) appliance.Document {
		return appliance.Document{
			Kind: kind, Fields: []appliance.Field{{Name: "idNumber", Value: number, Confidence: confidence}},
			Cues: []appliance.Cue{{Name: "other", Score: 0, Threshold: 0.9}, {Name: appliance.NumberInconsistent, Score: 0.1, Threshold: 0.9}},
		}
	}
	front := side(appliance.NationalIDFront, "29001011234567", 0.5)
	for name, c := range map[string]struct {
		number string
		want   float64
	}{"same": {"29001011234567", 0.1}, "another": {"29001011234568", 0.4}} {
		back := side(appliance.NationalIDBack, c.number, 0.8)
		compareSides(&back, nil, []appliance.Document{front})
		if back.Cues[1].Score != c.want || back.Cues[0].Score != 0 {
			t.Errorf("%s: %v, want %g", name, back.Cues, c.want)
		}
		back = side(appliance.NationalIDBack, c.number, 0.8)
		back.Cues = nil
		if compareSides(&back, nil, []appliance.Document{front}); back.Cues != nil {
			t.Errorf("%s: a document that was not examined got %v", name, back.Cues)
		}
	}
}
