package person

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
)

// formLiveness is the form of the figures that are printed as JSON.
const formLiveness = "bawab-eval-liveness/1"

// LivenessScore is the report of `bawab eval liveness`; its JSON form is stable.
type LivenessScore struct {
	Form   string `json:"form"`
	Bursts int    `json:"bursts"`
	Failed int    `json:"failed"`
	// RulesAlone tells that the binary has no network for attacks.
	RulesAlone bool `json:"rules_alone"`
	// BPCER is the share of living persons' bursts that were refused, Reasons how many of them for each reason.
	BPCER   score.Share            `json:"bpcer"`
	Reasons map[string]score.Share `json:"reasons"`
	// Attacks holds the kinds of attack by their names.
	Attacks map[string]burstScore `json:"attacks,omitempty"`
	P50     float64               `json:"ms_p50"`
	P95     float64               `json:"ms_p95"`
}

// burstScore is the report on one kind of attack.
type burstScore struct {
	// APCER is the share that was judged live.
	APCER   score.Share            `json:"apcer"`
	Reasons map[string]score.Share `json:"reasons"`
}

func scoreLiveness(outcomes []judged) LivenessScore {
	s := LivenessScore{Form: formLiveness, Bursts: len(outcomes), Reasons: map[string]score.Share{}, Attacks: map[string]burstScore{}}
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
			s.BPCER.Add(!o.live())
			countReasons(s.Reasons, o.findings.Reasons)
			continue
		}
		a, ok := s.Attacks[o.kind]
		if !ok {
			a.Reasons = map[string]score.Share{}
		}
		a.APCER.Add(o.live())
		countReasons(a.Reasons, o.findings.Reasons)
		s.Attacks[o.kind] = a
	}
	slices.Sort(times)
	s.P50, s.P95 = score.Milliseconds(score.Percentile(times, 50)), score.Milliseconds(score.Percentile(times, 95))
	return s
}

// countReasons counts for each reason the bursts for which it was named.
func countReasons(counts map[string]score.Share, named []appliance.Reason) {
	for _, r := range appliance.Reasons() {
		c := counts[string(r)]
		c.Add(slices.Contains(named, r))
		counts[string(r)] = c
	}
}

// Print implements eval.Figures.
func (s LivenessScore) Print(out io.Writer) {
	fmt.Fprintf(
		out,
		"%s, %d failed; judged in %.2f ms (median), %.2f ms (95 %%)\n",
		words.Count(s.Bursts, "burst", "bursts"),
		s.Failed,
		s.P50,
		s.P95,
	)
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
func printReasons(w io.Writer, counts map[string]score.Share) {
	for _, r := range appliance.Reasons() {
		if c := counts[string(r)]; c.OK > 0 {
			fmt.Fprintf(w, "\t%s\t%s\n", r, c)
		}
	}
}

// Compare prints what changed against earlier figures.
func (s LivenessScore) Compare(out io.Writer, old LivenessScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst the earlier figures")
	score.CompareShares(w, "live accepted", score.Accepted(s.BPCER), score.Accepted(old.BPCER))
	for _, kind := range slices.Sorted(maps.Keys(s.Attacks)) {
		if was, ok := old.Attacks[kind]; ok {
			score.CompareShares(w, kind+" detected", score.Accepted(s.Attacks[kind].APCER), score.Accepted(was.APCER))
		}
	}
	w.Flush()
}
