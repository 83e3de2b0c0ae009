package learn

import (
	"fmt"
	"io"

	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/eval/score"
)

// Print says what was learned and what it does.
func Print(w io.Writer, l *Learning, r *Result) {
	for _, said := range r.Said {
		fmt.Fprintf(w, "note: %s\n", said)
	}
	absent := 0
	for _, d := range r.Site.Doubts {
		if d.Absent {
			absent++
		}
	}
	fmt.Fprintf(w, "learned: %s, %s not always printed, %s, %s and %s of at least 5 persons, %s, %s\n",
		words.Count(len(r.Site.Doubts), "field", "fields"), words.Count(absent, "field", "fields"),
		words.Count(len(r.Site.Labels)+len(r.Described.Labels), "wording of a label", "wordings of labels"),
		words.Count(len(r.Site.Terms)+len(r.Described.Values), "value", "values"),
		words.Count(len(r.Site.Words), "word", "words"), words.Count(len(r.Site.Misread), "misread letter", "misread letters"),
		words.Count(len(r.Moved), "threshold", "thresholds"))
	for _, m := range r.Moved {
		fmt.Fprintf(w, "threshold: %s\n", m)
	}
	fmt.Fprintf(w, "\n%-28s %-26s %s\n", fmt.Sprintf("HALF TEST, %d values", r.Before.N), "BEFORE", "AFTER")
	for _, row := range []struct {
		name    string
		was, is score.Share
	}{
		{"exact", r.Before.Exact, r.After.Exact},
		{"right, but flagged", r.Before.Flagged, r.After.Flagged},
		{"wrong, flagged or empty", r.Before.Wrong, r.After.Wrong},
		{"wrong and silent", r.Before.Silent, r.After.Silent},
		{"not read, and not flagged", r.Before.Omitted, r.After.Omitted},
	} {
		fmt.Fprintf(w, "%-28s %-26s %s\n", row.name, truth.Rate(row.was.OK, row.was.Of), truth.Rate(row.is.OK, row.is.Of))
	}
	fmt.Fprintf(w, "%-28s %-26.4f %.4f\n", "confidence, log loss", r.Before.LogLoss, r.After.LogLoss)
	fmt.Fprintln(w)
	if more := r.More(l.WrongSilent); more > 0 {
		fmt.Fprintf(w, "to show %.3g %% with 95 %% certainty: %s more\n", 100*l.WrongSilent, words.Count(more, "document", "documents"))
	}
	for _, need := range r.Needs {
		fmt.Fprintf(w, "left as it is, needs more: %s\n", need)
	}
}
