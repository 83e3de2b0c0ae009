package fit

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bawab/bawab/inference/form"
)

// How weights are learned: passes over the examples, the first step, and how much a weight costs by its square.
const (
	passes    = 40
	firstStep = 0.3
	ridge     = 3e-4
)

// learnRoles fits log-linear weights under which the right choices of examples are likeliest: stochastic gradients with steps that
// shrink for each weight as it is moved. Those that are known stay as they are. The same examples and seed give the same weights.
func learnRoles(examples []example, known form.Weights, seed uint64) form.Weights {
	data, index := numbered(examples)
	l := learner{w: make([]float64, len(index)), moved: make([]float64, len(index)), kept: make([]bool, len(index))}
	for name, at := range index {
		if v, ok := known[name]; ok {
			l.w[at], l.kept[at] = v, true
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	order := rng.Perm(len(examples))
	for range passes {
		rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for _, i := range order {
			l.step(data[i], examples[i].right)
		}
	}
	out := form.Weights{}
	for name, at := range index {
		out[name] = l.w[at]
	}
	return out
}

// sparse are the features of a choice by the numbers of their names.
type sparse struct {
	at    []int
	value []float64
}

// numbered gives each name of a feature a number.
func numbered(examples []example) (data [][]sparse, index map[string]int) {
	data, index = make([][]sparse, len(examples)), map[string]int{}
	for i, e := range examples {
		for _, choice := range e.choices {
			var v sparse
			for _, name := range slices.Sorted(maps.Keys(choice)) {
				at, ok := index[name]
				if !ok {
					at = len(index)
					index[name] = at
				}
				v.at, v.value = append(v.at, at), append(v.value, choice[name])
			}
			data[i] = append(data[i], v)
		}
	}
	return data, index
}

// learner holds the weights, how much each was moved so far, and which are not learned.
type learner struct {
	w, moved []float64
	kept     []bool
}

// step moves the weights so that the right choice of one example becomes likelier.
func (l *learner) step(choices []sparse, right int) {
	shares := make([]float64, len(choices))
	for k, v := range choices {
		for n, at := range v.at {
			shares[k] += l.w[at] * v.value[n]
		}
	}
	total := 0.0
	top := slices.Max(shares)
	for _, s := range shares {
		total += math.Exp(s - top)
	}
	for k, v := range choices {
		off := math.Exp(shares[k] - (top + math.Log(total)))
		if k == right {
			off--
		}
		for n, at := range v.at {
			if l.kept[at] {
				continue
			}
			g := off*v.value[n] + ridge*l.w[at]
			l.moved[at] += g * g
			l.w[at] -= firstStep * g / math.Sqrt(1e-8+l.moved[at])
		}
	}
}
