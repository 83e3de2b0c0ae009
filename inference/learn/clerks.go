package learn

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/eval/document"
)

// mostShare bounds what one person who reviewed may weigh: of several, no more than all others together.
const mostShare = 0.5

// outlier is how far, in standard deviations, a reviewer's decisions may lie from the others': chance goes so far once in 15,000.
const outlier = 4.0

// weigh gives each line a weight, by its picture, and names the reviewers who are left out: those who correct what was read surely, or
// confirm what was flagged, at quite another rate than all others do. Of two who differ so nobody can say which one is right: then
// conflict is true.
func weigh(lines []truth.Line) (weights map[string]float64, left []string, conflict bool) {
	out := map[string]bool{}
	for {
		names := slices.Sorted(maps.Keys(reviewers(lines, out)))
		worst := strangest(lines, names, out)
		if worst == "" {
			break
		}
		if len(names) < 3 {
			conflict = true
			break
		}
		out[worst] = true
		left = append(left, worst)
	}
	return weightsOf(lines, out), left, conflict
}

// trusted weighs the lines of the half fit and takes out of the half test what was decided by none but reviewers who are left out: what
// they confirmed is no more truth to measure by than to learn from. Who is left out is told by both halves.
func trusted(set *truth.Set) (weights map[string]float64, left []string, conflict bool) {
	_, left, conflict = weigh(slices.Concat(set.Lines["fit"], set.Lines["test"]))
	out := map[string]bool{}
	for _, by := range left {
		out[by] = true
	}
	measured := weightsOf(set.Lines["test"], out)
	set.Lines["test"] = slices.DeleteFunc(slices.Clone(set.Lines["test"]), func(l truth.Line) bool {
		_, ok := measured[l.File]
		return !ok && len(l.People) > 0
	})
	return weightsOf(set.Lines["fit"], out), left, conflict
}

// strangest is the reviewer who differs most from the others, "" where none is an outlier.
func strangest(lines []truth.Line, names []string, out map[string]bool) string {
	worst, most := "", outlier
	for _, by := range names {
		if z := strange(lines, by, out); z > most {
			worst, most = by, z
		}
	}
	return worst
}

// weightsOf gives each line the mean weight of those who decided about it and are not left out: a reviewer who decided most of all counts
// as much as the others together.
func weightsOf(lines []truth.Line, out map[string]bool) map[string]float64 {
	counts := reviewers(lines, out)
	all := 0
	for _, n := range counts {
		all += n
	}
	weights := map[string]float64{}
	for _, l := range lines {
		sum, n := 0.0, 0
		for _, by := range l.People {
			if out[by] {
				continue
			}
			w := 1.0
			if rest := all - counts[by]; len(counts) > 1 && float64(counts[by]) > mostShare*float64(all) {
				w = float64(rest) / float64(counts[by])
			}
			sum, n = sum+w, n+1
		}
		if n > 0 {
			weights[l.File] = sum / float64(n)
		}
	}
	return weights
}

// reviewers counts the decisions of each, but of those who are left out.
func reviewers(lines []truth.Line, out map[string]bool) map[string]int {
	counts := map[string]int{}
	for _, l := range lines {
		for _, by := range l.People {
			if !out[by] {
				counts[by]++
			}
		}
	}
	return counts
}

// strange compares one reviewer with all others who are not left out, by what the appliance answered and what they made of it: in
// standard deviations, 0 where the rates are alike.
func strange(lines []truth.Line, by string, out map[string]bool) (most float64) {
	var mine, others [2][2]float64 // sure and doubted values: changed, all
	for _, l := range lines {
		into := &others
		if slices.Contains(l.People, by) {
			into = &mine
		} else if !slices.ContainsFunc(l.People, func(o string) bool { return !out[o] }) {
			continue
		}
		countChanges(into, l)
	}
	for kind := range mine {
		n, m := mine[kind][1], others[kind][1]
		if n < fewest || m < fewest {
			continue
		}
		p := (mine[kind][0] + others[kind][0] + 1) / (n + m + 2)
		z := (mine[kind][0]/n - others[kind][0]/m) / math.Sqrt(p*(1-p)*(1/n+1/m))
		if math.Abs(mine[kind][0]/n-others[kind][0]/m) > 0.05 {
			most = max(most, math.Abs(z))
		}
	}
	return most
}

// countChanges counts the values of a line that were read surely, and those in doubt: the changed ones and all.
func countChanges(into *[2][2]float64, l truth.Line) {
	for field, value := range l.Documents[0].Fields {
		read, ok := l.Read[field]
		if !ok {
			continue
		}
		kind := 0
		if document.Doubted(read.Codes) {
			kind = 1
		}
		into[kind][1]++
		if read.Value != value {
			into[kind][0]++
		}
	}
}

// leftWords says who was left out.
func leftWords(left []string) (said []string) {
	for _, by := range left {
		said = append(said, fmt.Sprintf("what %s decided differs too much from what others did and is left out", by))
	}
	return said
}
