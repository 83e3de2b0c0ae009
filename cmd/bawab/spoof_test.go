package main

import (
	"encoding/base64"
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
