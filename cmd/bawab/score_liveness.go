package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance"
)

// livenessScore is the report of `bawab eval liveness`; its JSON form is stable.
type livenessScore struct {
	Form   string `json:"form"`
	Bursts int    `json:"bursts"`
	Failed int    `json:"failed"`
	// RulesAlone tells that the binary has no network for attacks.
	RulesAlone bool `json:"rules_alone"`
	// BPCER is the share of living persons' bursts that were refused, Reasons how many of them for each reason.
	BPCER   share            `json:"bpcer"`
	Reasons map[string]share `json:"reasons"`
	// Attacks holds the kinds of attack by their names.
	Attacks map[string]burstScore `json:"attacks,omitempty"`
	P50     float64               `json:"ms_p50"`
	P95     float64               `json:"ms_p95"`
}

// burstScore is the report on one kind of attack.
type burstScore struct {
	// APCER is the share that was judged live.
	APCER   share            `json:"apcer"`
	Reasons map[string]share `json:"reasons"`
}

func scoreLiveness(outcomes []judged) livenessScore {
	s := livenessScore{Form: formEvalLiveness, Bursts: len(outcomes), Reasons: map[string]share{}, Attacks: map[string]burstScore{}}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		if o.err != nil {
			s.Failed++
			continue
		}
		s.RulesAlone = s.RulesAlone || o.rules
		times = append(times, o.elapsed)
		if o.kind == liveKind {
			s.BPCER.add(!o.live())
			countReasons(s.Reasons, o.findings.Reasons)
			continue
		}
		a, ok := s.Attacks[o.kind]
		if !ok {
			a.Reasons = map[string]share{}
		}
		a.APCER.add(o.live())
		countReasons(a.Reasons, o.findings.Reasons)
		s.Attacks[o.kind] = a
	}
	slices.Sort(times)
	s.P50, s.P95 = milliseconds(percentile(times, 50)), milliseconds(percentile(times, 95))
	return s
}

// countReasons counts for each reason the bursts for which it was named.
func countReasons(counts map[string]share, named []appliance.Reason) {
	for _, r := range appliance.Reasons() {
		c := counts[string(r)]
		c.add(slices.Contains(named, r))
		counts[string(r)] = c
	}
}

func (s livenessScore) print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d failed; judged in %.2f ms (median), %.2f ms (95 %%)\n", count(s.Bursts, "burst", "bursts"), s.Failed, s.P50, s.P95)
	if s.RulesAlone {
		fmt.Fprintln(out, "judged by the rules alone: this binary carries no network that tells attacks")
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if s.BPCER.Of > 0 {
		fmt.Fprintf(w, "\nlive\tBPCER\t%s\n", s.BPCER)
		printReasons(w, s.Reasons)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Attacks)) {
		fmt.Fprintf(w, "%s\tAPCER\t%s\n", kind, s.Attacks[kind].APCER)
		printReasons(w, s.Attacks[kind].Reasons)
	}
	w.Flush()
}

// printReasons prints the reasons that were named.
func printReasons(w io.Writer, counts map[string]share) {
	for _, r := range appliance.Reasons() {
		if c := counts[string(r)]; c.OK > 0 {
			fmt.Fprintf(w, "\t%s\t%s\n", r, c)
		}
	}
}

// compare prints what changed against earlier figures.
func (s livenessScore) compare(out io.Writer, old livenessScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst the earlier figures")
	compareShares(w, "live accepted", accepted(s.BPCER), accepted(old.BPCER))
	for _, kind := range slices.Sorted(maps.Keys(s.Attacks)) {
		if was, ok := old.Attacks[kind]; ok {
			compareShares(w, kind+" detected", accepted(s.Attacks[kind].APCER), accepted(was.APCER))
		}
	}
	w.Flush()
}
