package person

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"text/tabwriter"
	"time"

	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference/eval/score"
	"github.com/bawab/bawab/inference/face"
)

// formFaces is the form of the figures that are printed as JSON.
const formFaces = "bawab-eval-faces/1"

// faceScore is the report of `bawab eval faces`; its JSON form is stable.
type faceScore struct {
	Form     string `json:"form"`
	Pictures int    `json:"pictures"`
	Failed   int    `json:"failed"`
	// Acquired is the share of pictures that a face match would take, Refused counts the others by their code.
	Acquired score.Share    `json:"acquired"`
	Refused  map[string]int `json:"refused"`
	Genuine  int            `json:"pairs_of_one_person"`
	Impostor int            `json:"pairs_of_two_persons"`
	// AUC and EER are those of all pairs.
	AUC float64 `json:"auc"`
	EER float64 `json:"eer"`
	// TAR1 and TAR01 are the shares of pairs of one person that match at the threshold at which 1 % and 0.1 % of the pairs of two
	// persons do; 0 of 0 where there are too few of those.
	TAR1  score.Share `json:"tar_fmr_1"`
	TAR01 score.Share `json:"tar_fmr_0.1"`
	// Threshold is the fixed similarity; Accuracy, TAR and FMR are at it.
	Threshold float64     `json:"threshold"`
	Accuracy  score.Share `json:"accuracy"`
	TAR       score.Share `json:"tar"`
	FMR       score.Share `json:"fmr"`
	Curve     []facePoint `json:"curve"`
	P50       float64     `json:"ms_p50"`
	P95       float64     `json:"ms_p95"`
}

// facePoint is one point of the curve.
type facePoint struct {
	Similarity float64 `json:"similarity"`
	FMR        float64 `json:"fmr"`
	FNMR       float64 `json:"fnmr"`
}

// missed is the similarity of a pair of which a picture was refused: below that of all others.
const missed = -1

func scoreFaces(outcomes []acquired, compared []comparedPair, scale face.Scale, limit float64) faceScore {
	s := faceScore{Form: formFaces, Pictures: len(outcomes), Refused: map[string]int{}, Threshold: limit}
	var times []time.Duration
	for i := range outcomes {
		o := &outcomes[i]
		times = append(times, o.elapsed)
		s.Acquired.Add(o.embedding != nil)
		switch {
		case o.err != nil:
			s.Failed++
		case o.embedding == nil:
			s.Refused[fmt.Sprint(int(o.code))]++
		}
	}
	var genuine, impostor []float64
	for _, c := range compared {
		similarity := float64(missed)
		if c.acquired {
			similarity = scale.Similarity(c.cosine)
		}
		matched := similarity >= limit
		if c.same {
			genuine = append(genuine, similarity)
			s.TAR.Add(matched)
		} else {
			impostor = append(impostor, similarity)
			s.FMR.Add(matched)
		}
		if !c.crossed {
			s.Accuracy.Add(matched == c.same)
		}
	}
	s.Genuine, s.Impostor = len(genuine), len(impostor)
	s.AUC, s.EER = score.Parting(impostor, genuine)
	s.TAR1, s.TAR01 = tarAt(genuine, impostor, 0.01), tarAt(genuine, impostor, 0.001)
	s.Curve = faceCurve(genuine, impostor)
	slices.Sort(times)
	s.P50, s.P95 = score.Milliseconds(score.Percentile(times, 50)), score.Milliseconds(score.Percentile(times, 95))
	return s
}

// tarAt is the share of genuine similarities that match at the least threshold at which at most the given share of impostors
// does. With fewer impostors than make one of that share it says nothing.
func tarAt(genuine, impostor []float64, rate float64) (s score.Share) {
	allowed := int(rate * float64(len(impostor)))
	if allowed < 1 {
		return s
	}
	sorted := slices.Clone(impostor)
	slices.Sort(sorted)
	limit := sorted[len(sorted)-allowed-1] // the best that may not match
	for _, g := range genuine {
		s.Add(g > limit && g > missed)
	}
	return s
}

// faceCurve gives both rates of error at similarities of the calibrated scale.
func faceCurve(genuine, impostor []float64) (points []facePoint) {
	genuine, impostor = slices.Clone(genuine), slices.Clone(impostor)
	slices.Sort(genuine)
	slices.Sort(impostor)
	for step := 30; step <= 80; step += 2 {
		at := float64(step) / 100
		p := facePoint{Similarity: at}
		if n := len(impostor); n > 0 {
			p.FMR = float64(n-sort.SearchFloat64s(impostor, at)) / float64(n)
		}
		if n := len(genuine); n > 0 {
			p.FNMR = float64(sort.SearchFloat64s(genuine, at)) / float64(n)
		}
		points = append(points, p)
	}
	return points
}

// partingWords are AUC and EER, which need pairs of both kinds.
func (s faceScore) partingWords() string {
	if s.Genuine == 0 || s.Impostor == 0 {
		return "AUC " + score.None + ", EER " + score.None
	}
	return fmt.Sprintf("AUC %.5f, EER %.2f %%", s.AUC, 100*s.EER)
}

// Print implements eval.Figures.
func (s faceScore) Print(out io.Writer) {
	fmt.Fprintf(
		out,
		"%s, %d failed; from bytes to embedding in %.2f ms (median), %.2f ms (95 %%)\n",
		words.Count(s.Pictures, "picture", "pictures"),
		s.Failed,
		s.P50,
		s.P95,
	)
	fmt.Fprintf(out, "%s of one person, %d of two; %s\n\n", words.Count(s.Genuine, "pair", "pairs"), s.Impostor, s.partingWords())
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "acquired\t%s\n", s.Acquired)
	for _, code := range slices.Sorted(maps.Keys(s.Refused)) {
		fmt.Fprintf(w, "refused %s\t\t%d\n", code, s.Refused[code])
	}
	for _, row := range []struct {
		name string
		score.Share
	}{{"TAR at FMR 1 %", s.TAR1}, {"TAR at FMR 0.1 %", s.TAR01}} {
		if row.Of > 0 {
			fmt.Fprintf(w, "%s\t%s\n", row.name, row.Share)
		}
	}
	fmt.Fprintf(w, "at the fixed threshold %.2f:\t\t\t\naccuracy\t%s\nTAR\t%s\nFMR\t%s\n\n", s.Threshold, s.Accuracy, s.TAR, s.FMR)
	fmt.Fprintln(w, "similarity\tFMR\tFNMR")
	for _, p := range s.Curve {
		fmr := score.None
		if s.Impostor > 0 {
			fmr = fmt.Sprintf("%.4f %%", 100*p.FMR)
		}
		fmt.Fprintf(w, "%.2f\t%s\t%s\n", p.Similarity, fmr, score.Percent(p.FNMR, s.Genuine))
	}
	w.Flush()
}

// Compare prints what changed against earlier figures.
func (s faceScore) Compare(out io.Writer, old faceScore) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst the earlier figures")
	score.CompareShares(w, "acquired", s.Acquired, old.Acquired)
	score.CompareShares(w, "TAR at FMR 1 %", s.TAR1, old.TAR1)
	score.CompareShares(w, "TAR at FMR 0.1 %", s.TAR01, old.TAR01)
	score.CompareShares(w, "accuracy", s.Accuracy, old.Accuracy)
	score.CompareShares(w, "TAR at the fixed threshold", s.TAR, old.TAR)
	score.CompareShares(w, "two persons told apart there", score.Accepted(s.FMR), score.Accepted(old.FMR))
	w.Flush()
}
