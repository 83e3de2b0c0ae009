package fit

import (
	"maps"
	"math"
	"slices"

	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/vision"
)

// rates are how values are flagged: of all, those that are right and are, and those that are wrong and are not, on pages not fitted to.
type rates struct{ rightFlagged, wrongSilent float64 }

// How confidences are fitted: how strongly a weight is drawn to 0 where all decoders share it, and that of one decoder to the shared one;
// how often, and how far at most at once, they are moved. The pulls were chosen among 0.3 and 1, and 1, 3 and 10, on 23,935 values of
// 2,000 drawn licences (28 November 2026); little differs between them.
const (
	sharedPull, ownPull = 1.0, 3.0
	newtonSteps         = 12
	farthestStep        = 3.0
)

// numberBudget is how many of a thousand numbers like one that is not flagged may be wrong, as a share: a wrong one is another person's.
// It is the limit that numbers of IDs had before there were descriptions, above which none of 539 was wrong (20 November 2026).
const numberBudget = 0.005

// strict is the budget of numbers that tell the holder, where that of other values is budget.
func strict(budget float64) float64 { return min(budget, numberBudget) }

// calibrate fits the confidence of each decoder's values. Decoders share what tells wrong from right, and each differs from it only as far
// as its own values bear out: most have few wrong ones. A value is flagged where more than the share budget of those like it is wrong, and
// that limit is the same for all but those of numbers that tell whose a document is, whose budget is at most numberBudget. Where there are
// weights, values are as sure by one look as these say, and only what further cuts of print say is fitted.
func calibrate(judged []verdict, budget float64, numbers map[string]bool, weights form.Weights) (out form.Weights, found rates) {
	learn := func(of []verdict) form.Weights {
		w := maps.Clone(weights)
		if w == nil {
			w = confidences(of)
		}
		maps.Copy(w, anew(of, w))
		return w
	}
	all := unseen(judged, learn)
	out = learn(judged)
	for _, decoder := range decodersOf(judged) {
		out[limitOf(decoder)] = 1 - budget
		if numbers[decoder] {
			out[limitOf(decoder)] = 1 - strict(budget)
		}
	}
	for _, o := range all {
		switch flagged := o.confidence < out[limitOf(o.decoder)]; {
		case o.right && flagged:
			found.rightFlagged += 1 / float64(len(all))
		case !o.right && !flagged:
			found.wrongSilent += 1 / float64(len(all))
		}
	}
	return out, found
}

// logOdds are those of a value by what speaks for it.
func (v *verdict) logOdds(w form.Weights) float64 {
	return weighed(w, form.ConfidenceWeight(v.Decoder, ""), v.Features)
}

// further is what further cuts of its print add to them.
func (v *verdict) further(w form.Weights) float64 { return weighed(w, form.AnewWeight(""), v.Anew) }

// weighed sums up features by their weights, whose names begin with a prefix.
func weighed(w form.Weights, prefix string, features map[string]float64) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(features)) {
		sum += w[prefix+name] * features[name]
	}
	return sum
}

// anew fits what further cuts of print say of values that are not sure by other weights: how much these count beside it, which is 1 where
// nothing is learned, and each thing that the cuts tell. All decoders share that.
func anew(judged []verdict, by form.Weights) form.Weights {
	const sure = "sure" // what form calls how sure a value was
	var names []string
	for _, j := range judged {
		names = slices.AppendSeq(names, maps.Keys(j.Anew))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	data, prior := make([]sparse, len(judged)), make([]float64, len(names))
	for i, j := range judged {
		for at, name := range names {
			value := j.Anew[name]
			if name == sure {
				value, prior[at] = j.logOdds(by), 1
			}
			data[i].at, data[i].value = append(data[i].at, at), append(data[i].value, value)
		}
	}
	w, out := logistic(data, judged, func(i int) bool { return len(judged[i].Anew) > 0 }, prior, sharedPull), form.Weights{}
	for at, name := range names {
		out[form.AnewWeight(name)] = w[at] - prior[at]
	}
	return out
}

// limitOf is the name of the limit of a decoder.
func limitOf(decoder string) string { return form.ConfidenceWeight(decoder, form.ConfidenceLimit) }

func decodersOf(judged []verdict) []string {
	seen := map[string]bool{}
	for _, j := range judged {
		seen[j.Decoder] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// outcome is a value by the confidence that it was given.
type outcome struct {
	decoder    string
	confidence float64
	right      bool
}

// unseen are the outcomes of values under weights that were fitted to others: those of other documents, which stand together.
func unseen(judged []verdict, learn func([]verdict) form.Weights) []outcome {
	const parts = 5
	out := make([]outcome, 0, len(judged))
	for k := range parts {
		from, to := k*len(judged)/parts, (k+1)*len(judged)/parts
		w := learn(slices.Concat(judged[:from], judged[to:]))
		for _, j := range judged[from:to] {
			out = append(out, outcome{j.Decoder, vision.Sigmoid(j.logOdds(w) + j.further(w)), j.right})
		}
	}
	return out
}

// confidences fits the weights under which right values are told from wrong ones.
func confidences(judged []verdict) form.Weights {
	index, data := map[string]int{}, make([]sparse, len(judged))
	for i := range judged {
		for _, name := range slices.Sorted(maps.Keys(judged[i].Features)) {
			if _, ok := index[name]; !ok {
				index[name] = len(index)
			}
			data[i].at, data[i].value = append(data[i].at, index[name]), append(data[i].value, judged[i].Features[name])
		}
	}
	every := func(int) bool { return true }
	shared := logistic(data, judged, every, make([]float64, len(index)), sharedPull)
	out := form.Weights{}
	for _, decoder := range decodersOf(judged) {
		own := logistic(data, judged, func(i int) bool { return judged[i].Decoder == decoder }, shared, ownPull)
		for _, j := range judged {
			if j.Decoder == decoder {
				for name := range j.Features {
					out[form.ConfidenceWeight(decoder, name)] = own[index[name]]
				}
			}
		}
	}
	return out
}

// logistic fits the weights of those values that count, each drawn to its prior: Newton's method.
func logistic(data []sparse, judged []verdict, counts func(i int) bool, prior []float64, pull float64) []float64 {
	w := slices.Clone(prior)
	for range newtonSteps {
		slope, curve := make([]float64, len(w)), make([][]float64, len(w))
		for a := range w {
			slope[a], curve[a] = pull*(w[a]-prior[a]), make([]float64, len(w))
			curve[a][a] = pull
		}
		for i, x := range data {
			if counts(i) {
				x.bend(w, judged[i].right, slope, curve)
			}
		}
		step := solve(curve, slope)
		far := 0.0
		for _, s := range step {
			far = max(far, math.Abs(s))
		}
		for a := range w {
			w[a] -= step[a] * min(1, farthestStep/max(far, 1e-9))
		}
	}
	return w
}

// bend adds what a value says to the slope and the curvature of the loss.
func (x sparse) bend(w []float64, right bool, slope []float64, curve [][]float64) {
	sum := 0.0
	for n, at := range x.at {
		sum += w[at] * x.value[n]
	}
	p := vision.Sigmoid(sum)
	off := p
	if right {
		off--
	}
	for n, a := range x.at {
		slope[a] += off * x.value[n]
		for m, b := range x.at {
			curve[a][b] += p * (1 - p) * x.value[n] * x.value[m]
		}
	}
}

// solve finds x where a*x is b, for a symmetric a that bends upwards everywhere: Cholesky's method. It overwrites a.
func solve(a [][]float64, b []float64) []float64 {
	x := slices.Clone(b)
	for i := range a {
		for k := range i + 1 {
			for m := range k {
				a[i][k] -= a[i][m] * a[k][m]
			}
			if k < i {
				a[i][k] /= a[k][k]
			} else {
				a[i][i] = math.Sqrt(a[i][i])
			}
		}
		for m := range i {
			x[i] -= a[i][m] * x[m]
		}
		x[i] /= a[i][i]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for m := i + 1; m < len(a); m++ {
			x[i] -= a[m][i] * x[m]
		}
		x[i] /= a[i][i]
	}
	return x
}
