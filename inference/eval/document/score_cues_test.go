package document

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/score"
)

// The curve of scores that lie apart has the area 1 and no error, that of equal ones a half each; ties count half.
func TestParting(t *testing.T) {
	for name, c := range map[string]struct {
		genuine, attacks []float64
		auc, eer         float64
	}{
		"apart":    {[]float64{0.1, 0.2}, []float64{0.8, 0.9}, 1, 0},
		"reversed": {[]float64{0.8, 0.9}, []float64{0.1, 0.2}, 0, 1},
		"tied":     {[]float64{0.5, 0.5}, []float64{0.5, 0.5}, 0.5, 0.5},
		"crossed":  {[]float64{0.1, 0.2, 0.3, 0.6}, []float64{0.4, 0.7, 0.8, 0.9}, 15.0 / 16, 0.25},
		"alone":    {[]float64{0.5}, nil, 0, 0},
	} {
		if auc, eer := score.Parting(c.genuine, c.attacks); math.Abs(auc-c.auc) > 1e-9 || math.Abs(eer-c.eer) > 1e-9 {
			t.Errorf("%s: AUC %g, EER %g, want %g, %g", name, auc, eer, c.auc, c.eer)
		}
	}
}

// A missed attack counts for APCER of its kind, a refused document for BPCER, one that was not found for neither.
func TestScoreSpoof(t *testing.T) {
	cue := func(name string, score float64) []appliance.Cue {
		return []appliance.Cue{{Name: name, Score: score, Threshold: 0.5}}
	}
	outcome := func(attack string, found bool, cues []appliance.Cue) examined {
		return examined{presentation: presentation{Attack: attack}, found: found, cues: cues}
	}
	s := scoreSpoof([]examined{
		outcome("", true, cue("screen_replay", 0.1)), outcome("", true, cue("screen_replay", 0.6)), outcome("", false, nil),
		outcome(
			"screen_replay/a",
			true,
			cue("screen_replay", 0.9),
		), outcome("screen_replay/a", true, cue("screen_replay", 0.2)), outcome("screen_replay/a", false, nil),
		outcome("screen_replay/b", true, cue("grey_copy", 0.9)),
	})
	a, b := s.Attacks["screen_replay/a"], s.Attacks["screen_replay/b"]
	for name, c := range map[string][2]score.Share{
		"BPCER": {s.BPCER, score.Share{OK: 1, Of: 2}}, "BPNRR": {s.BPNRR, score.Share{OK: 1, Of: 3}},
		"APCER a": {a.APCER, score.Share{OK: 1, Of: 2}},
		"APNRR a": {a.APNRR, score.Share{OK: 1, Of: 3}}, "named a": {a.Named, score.Share{OK: 1, Of: 2}},
		"APCER b": {b.APCER, score.Share{OK: 0, Of: 1}}, "named b": {b.Named, score.Share{OK: 0, Of: 1}},
	} {
		if c[0].OK != c[1].OK || c[0].Of != c[1].Of {
			t.Errorf("%s: %d of %d, want %d of %d", name, c[0].OK, c[0].Of, c[1].OK, c[1].Of)
		}
	}
}
