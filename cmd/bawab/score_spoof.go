package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/fraud"
)

// spoofScore is the report of `bawab eval spoof`; its JSON form is stable.
type spoofScore struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	Failed   int    `json:"failed"`
	// BPCER is the share of genuine documents that were judged fake, BPNRR that of those which were not found.
	BPCER share `json:"bpcer"`
	BPNRR share `json:"bpnrr"`
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
	APCER share `json:"apcer"`
	APNRR share `json:"apnrr"`
	// Named is the share for which the cue was raised that the attack should raise.
	Named share `json:"named"`
}

// cueScore is the report on one cue.
type cueScore struct {
	// Raised is the cue's own part of BPCER.
	Raised share `json:"bpcer"`
	// Attacks counts its attacks; AUC and EER are against all genuine documents, 0 without either.
	Attacks int     `json:"attacks"`
	AUC     float64 `json:"auc"`
	EER     float64 `json:"eer"`
}

// recapture is the name in the report of the two cues of a second photograph together.
const recapture = "recapture"

func scoreSpoof(outcomes []examined) spoofScore {
	s := spoofScore{Form: formEvalSpoof, Pictures: len(outcomes), Attacks: map[string]attackScore{}, Cues: map[string]cueScore{}}
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
			s.BPNRR.add(!o.found)
			if o.found {
				s.BPCER.add(o.fake())
			}
			continue
		}
		a := s.Attacks[o.Attack]
		a.APNRR.add(!o.found)
		if o.found {
			a.APCER.add(!o.fake())
			a.Named.add(slices.ContainsFunc(o.cues, func(c appliance.Cue) bool { return c.Name == o.cue() && c.Raised() }))
		}
		s.Attacks[o.Attack] = a
	}
	for _, name := range append(cueNames(), recapture) {
		if c := scoreCue(outcomes, name); c.Raised.Of > 0 || c.Attacks > 0 {
			s.Cues[name] = c
		}
	}
	slices.Sort(times)
	s.P50, s.P95 = milliseconds(percentile(times, 50)), milliseconds(percentile(times, 95))
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
			c.Raised.add(raised)
		case slices.Contains(names, o.cue()):
			attacks = append(attacks, best)
		}
	}
	c.Attacks = len(attacks)
	c.AUC, c.EER = parting(genuine, attacks)
	return c
}

// parting returns the area under the curve of attacks against genuine scores, and the error rate at the threshold at
// which both kinds of error are nearest to each other (their mean); zeros without either.
func parting(genuine, attacks []float64) (auc, eer float64) {
	if len(genuine) == 0 || len(attacks) == 0 {
		return 0, 0
	}
	slices.Sort(genuine)
	slices.Sort(attacks)
	below := func(sorted []float64, x float64) float64 {
		at, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int { return cmp.Compare(v, x) })
		return float64(at)
	}
	notAbove := func(sorted []float64, x float64) float64 {
		at, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int {
			if v <= x {
				return -1
			}
			return 1
		})
		return float64(at)
	}
	gap := 2.0
	for _, x := range append(slices.Clone(attacks), genuine...) {
		missed := below(attacks, x) / float64(len(attacks))
		refused := 1 - below(genuine, x)/float64(len(genuine))
		if d := max(missed-refused, refused-missed); d < gap {
			gap, eer = d, (missed+refused)/2
		}
	}
	for _, x := range attacks {
		auc += (below(genuine, x) + notAbove(genuine, x)) / 2
	}
	return auc / float64(len(attacks)*len(genuine)), eer
}

func (s spoofScore) print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d failed; examined in %.2f ms (median), %.2f ms (95 %%)\n\n", count(s.Pictures, "picture", "pictures"), s.Failed, s.P50, s.P95)
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
				fmt.Fprintf(w, "\tAUC %.4f\tEER %.2f %%\t%s\n", c.AUC, 100*c.EER, count(c.Attacks, "attack", "attacks"))
			}
		}
	}
	w.Flush()
}

// compare prints what changed against earlier figures.
func (s spoofScore) compare(out io.Writer, old spoofScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst the earlier figures")
	compareShares(w, "genuine accepted", accepted(s.BPCER), accepted(old.BPCER))
	for _, name := range slices.Sorted(maps.Keys(s.Attacks)) {
		if was, ok := old.Attacks[name]; ok {
			compareShares(w, name+" detected", accepted(s.Attacks[name].APCER), accepted(was.APCER))
		}
	}
	w.Flush()
}

// accepted is the other side of a share of errors.
func accepted(errors share) (s share) {
	s.count(errors.Of-errors.OK, errors.Of)
	return s
}
