package main

import (
	"encoding/base64"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// An invented card shown by a screen, printed in colour or copied in grey is judged fake through the daemon and the evidence
// names the cue with its score; the same card itself is not.
func TestSpoof(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for file, want := range map[string]string{"genuine.jpg": "", "screen.jpg": "screen_replay", "print.jpg": "printed_copy", "grey.jpg": "grey_copy"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "inference", "fraud", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": base64.StdEncoding.EncodeToString(raw), "evidence": true})
		if r.Status != http.StatusOK || member(r.Services, "spoofing", "fake") != (want != "") {
			t.Errorf("%s: %+v", file, r)
		}
		var raised []string
		cues, _ := member(r.Services, "evidence", "cues").([]any)
		for _, c := range cues {
			score, _ := member(c, "score").(float64)
			threshold, _ := member(c, "threshold").(float64)
			if threshold > 0 && score >= threshold {
				raised = append(raised, member(c, "name").(string))
			}
		}
		if len(cues) == 0 || want == "" && len(raised) > 0 || want != "" && !strings.Contains(strings.Join(raised, " "), want) {
			t.Errorf("%s: raised %v of %v, want %q", file, raised, cues, want)
		}
	}
}

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
		if auc, eer := parting(c.genuine, c.attacks); math.Abs(auc-c.auc) > 1e-9 || math.Abs(eer-c.eer) > 1e-9 {
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
		outcome("screen_replay/a", true, cue("screen_replay", 0.9)), outcome("screen_replay/a", true, cue("screen_replay", 0.2)), outcome("screen_replay/a", false, nil),
		outcome("screen_replay/b", true, cue("grey_copy", 0.9)),
	})
	a, b := s.Attacks["screen_replay/a"], s.Attacks["screen_replay/b"]
	for name, c := range map[string][2]share{
		"BPCER": {s.BPCER, share{OK: 1, Of: 2}}, "BPNRR": {s.BPNRR, share{OK: 1, Of: 3}},
		"APCER a": {a.APCER, share{OK: 1, Of: 2}}, "APNRR a": {a.APNRR, share{OK: 1, Of: 3}}, "named a": {a.Named, share{OK: 1, Of: 2}},
		"APCER b": {b.APCER, share{OK: 0, Of: 1}}, "named b": {b.Named, share{OK: 0, Of: 1}},
	} {
		if c[0].OK != c[1].OK || c[0].Of != c[1].Of {
			t.Errorf("%s: %d of %d, want %d of %d", name, c[0].OK, c[0].Of, c[1].OK, c[1].Of)
		}
	}
}
