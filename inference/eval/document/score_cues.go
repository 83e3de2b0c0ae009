package document

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/fraud"
)

// formCues is the form of the figures that are printed as JSON.
const formCues = "bawab-eval-spoof/1"

// spoofScore is the report of `bawab eval spoof`; its JSON form is stable.
type spoofScore struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	Failed   int    `json:"failed"`
	// BPCER is the share of genuine documents that were judged fake, BPNRR that of those which were not found.
	BPCER score.Share `json:"bpcer"`
	BPNRR score.Share `json:"bpnrr"`
	// Attacks are the kinds of attack by their names.
	Attacks map[string]attackScore `json:"attacks,omitempty"`
	Cues    map[string]cueScore    `json:"cues"`
	// Examination is the time of all cues together for each document, in milliseconds.
	P50 float64 `json:"ms_p50"`
	P95 float64 `json:"ms_p95"`
}

// attackScore is the report on one kind of attack.
type attackScore struct {
	// APCER is the share that was not judged fake, by whichever cue; APNRR that of those which were not found.
	APCER score.Share `json:"apcer"`
	APNRR score.Share `json:"apnrr"`
	// Named is the share for which the cue was raised that the attack should raise.
	Named score.Share `json:"named"`
}

// cueScore is the report on one cue.
type cueScore struct {
	// Raised is the cue's own part of BPCER.
	Raised score.Share `json:"bpcer"`
	// Attacks counts its attacks; AUC and EER are against all genuine documents, 0 without either.
	Attacks int     `json:"attacks"`
	AUC     float64 `json:"auc"`
	EER     float64 `json:"eer"`
}

// recapture is the name in the report of the two cues of a second photograph together.
const recapture = "recapture"

func scoreSpoof(outcomes []examined) spoofScore {
	s := spoofScore{Form: formCues, Pictures: len(outcomes), Attacks: map[string]attackScore{}, Cues: map[string]cueScore{}}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			s.Failed++
			continue
		}
		if o.found {
			times = append(times, o.elapsed)
		}
		if o.Attack == "" {
			s.BPNRR.Add(!o.found)
			if o.found {
				s.BPCER.Add(o.fake())
			}
			continue
		}
		a := s.Attacks[o.Attack]
		a.APNRR.Add(!o.found)
		if o.found {
			a.APCER.Add(!o.fake())
			a.Named.Add(slices.ContainsFunc(o.cues, func(c appliance.Cue) bool { return c.Name == o.cue() && c.Raised() }))
		}
		s.Attacks[o.Attack] = a
	}
	for _, name := range append(cueNames(), recapture) {
		if c := scoreCue(outcomes, name); c.Raised.Of > 0 || c.Attacks > 0 {
			s.Cues[name] = c
		}
	}
	slices.Sort(times)
	s.P50, s.P95 = score.Milliseconds(score.Percentile(times, 50)), score.Milliseconds(score.Percentile(times, 95))
	return s
}

// scoreCue parts the cue's attacks from genuine documents.
func scoreCue(outcomes []examined, name string) (c cueScore) {
	names := []string{name}
	if name == recapture {
		names = []string{fraud.ScreenReplay, fraud.PrintedCopy}
	}
	var genuine, attacks []float64
	for i := range outcomes {
		o := &outcomes[i]
		best, examined, raised := 0.0, false, false
		for _, part := range names {
			if score, ok := o.score(part); ok {
				best, examined = max(best, score), true
			}
			raised = raised || slices.ContainsFunc(o.cues, func(c appliance.Cue) bool { return c.Name == part && c.Raised() })
		}
		switch {
		case !examined:
		case o.Attack == "":
			genuine = append(genuine, best)
			c.Raised.Add(raised)
		case slices.Contains(names, o.cue()):
			attacks = append(attacks, best)
		}
	}
	c.Attacks = len(attacks)
	c.AUC, c.EER = score.Parting(genuine, attacks)
	return c
}

// Print implements eval.Figures.
func (s spoofScore) Print(out io.Writer) {
	fmt.Fprintf(
		out,
		"%s, %d failed; examined in %.2f ms (median), %.2f ms (95 %%)\n\n",
		words.Count(s.Pictures, "picture", "pictures"),
		s.Failed,
		s.P50,
		s.P95,
	)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if s.BPNRR.Of > 0 {
		fmt.Fprintf(w, "genuine\tBPCER\t%s\n\tBPNRR\t%s\n", s.BPCER, s.BPNRR)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Attacks)) {
		a := s.Attacks[name]
		fmt.Fprintf(w, "%s\tAPCER\t%s\n\tAPNRR\t%s\n\tnamed\t%s\n", name, a.APCER, a.APNRR, a.Named)
	}
	fmt.Fprintln(w)
	for _, name := range append(cueNames(), recapture) {
		if c, ok := s.Cues[name]; ok {
			fmt.Fprintf(w, "%s\tBPCER\t%s\n", name, c.Raised)
			if c.Attacks > 0 && c.Raised.Of > 0 {
				fmt.Fprintf(w, "\tAUC %.4f\tEER %.2f %%\t%s\n", c.AUC, 100*c.EER, words.Count(c.Attacks, "attack", "attacks"))
			}
		}
	}
	w.Flush()
}

// Compare prints what changed against earlier figures.
func (s spoofScore) Compare(out io.Writer, old spoofScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst the earlier figures")
	score.CompareShares(w, "genuine accepted", score.Accepted(s.BPCER), score.Accepted(old.BPCER))
	for _, name := range slices.Sorted(maps.Keys(s.Attacks)) {
		if was, ok := old.Attacks[name]; ok {
			score.CompareShares(w, name+" detected", score.Accepted(s.Attacks[name].APCER), score.Accepted(was.APCER))
		}
	}
	w.Flush()
}
