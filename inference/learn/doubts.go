package learn

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/eval/document"
	"github.com/bawab/bawab/inference/site"
)

// key names a field of a kind.
type key struct {
	kind  appliance.Kind
	field string
}

// example is one value that was read: how surely, and whether it is right.
type example struct {
	at       key
	person   string
	x        float64 // logit of the confidence
	flagged  bool
	hard     bool // another code doubts it, which nothing here takes away
	right    bool
	empty    bool
	unseen   bool // empty, and nothing was seen there
	blank    bool // nothing is printed
	weight   float64
	estimate float64 // out of fold
}

// Numbers that the fit works with. They are bounds of what a small set may say, chosen before any set was seen.
const (
	folds = 5
	// fewest is how many values of a field a rule of its own takes.
	fewest = 20
	// ridgeField holds a field to what all fields have in common: as strong as so many values.
	ridgeField = 8.0
	ridgeAll   = 0.5
	// absentSure is how often at least a field that was not seen must not have been printed, by the 95 % bound.
	absentSure = 0.95
)

// examplesOf lists the values of readings.
func examplesOf(readings []document.Reading, weights map[string]float64) (all []example) {
	for i := range readings {
		r := &readings[i]
		weight, known := weights[r.File]
		if !known || r.Failed != "" || r.Answered != r.Kind {
			continue
		}
		for _, f := range r.Fields {
			if f.Covered {
				continue
			}
			e := example{
				at: key{r.Kind, f.Field}, person: r.Person, x: site.Logit(f.Confidence), right: f.Right, empty: f.Empty,
				unseen: f.Empty && !f.Seen, blank: f.Blank, weight: weight,
			}
			e.flagged = slices.Contains(f.Codes, appliance.CodeLowConfidence)
			e.hard = document.Doubted(slices.DeleteFunc(slices.Clone(f.Codes), func(c appliance.Code) bool {
				return c == appliance.CodeLowConfidence || e.unseen && c == appliance.CodeUnreadable
			}))
			all = append(all, e)
		}
	}
	return all
}

// model is a logistic regression: what all fields share, and what each differs by.
type model struct {
	bias, slope, flagged float64
	fields               map[key][2]float64 // bias and flag
}

func (m *model) logit(e *example) float64 {
	f := m.fields[e.at]
	x := m.bias + f[0] + m.slope*e.x
	if e.flagged {
		x += min(m.flagged+f[1], 0)
	}
	return x
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// fit finds the weights by gradient steps; it always ends, and gives the same for the same examples.
func fit(examples []example) *model {
	m := &model{slope: 1, fields: map[key][2]float64{}}
	count, total := map[key]float64{}, 0.0
	for i := range examples {
		if e := &examples[i]; !e.empty {
			count[e.at] += e.weight
			total += e.weight
		}
	}
	if total == 0 {
		return m
	}
	const steps, rate = 600, 2.0
	for step := range steps {
		at := rate / (1 + float64(step)/100)
		var bias, slope, flagged float64
		field := map[key][2]float64{}
		for i := range examples {
			e := &examples[i]
			if e.empty {
				continue
			}
			off := -sigmoid(m.logit(e)) * e.weight
			if e.right {
				off += e.weight
			}
			bias, slope = bias+off, slope+off*e.x/4
			g := field[e.at]
			g[0] += off
			if e.flagged {
				flagged += off
				g[1] += off
			}
			field[e.at] = g
		}
		m.bias += at * (bias - ridgeAll*m.bias) / total
		m.slope = max(m.slope+at*(slope-ridgeAll*(m.slope-1))/total, 0.05)
		m.flagged = min(m.flagged+at*(flagged-ridgeAll*m.flagged)/total, 0)
		for k, n := range count {
			f, g := m.fields[k], field[k]
			f[0] += at * (g[0] - ridgeField*f[0]/4) / (n + ridgeField)
			f[1] += at * (g[1] - ridgeField*f[1]/4) / (n + ridgeField)
			m.fields[k] = f
		}
	}
	return m
}

// foldOf parts persons into folds: what one of them shows is never judged by a model that saw him.
func foldOf(person string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(person))
	return int(h.Sum32() % folds)
}

// estimate judges every example by a model of the other persons.
func estimate(examples []example) {
	for fold := range folds {
		var others []example
		for _, e := range examples {
			if foldOf(e.person) != fold {
				others = append(others, e)
			}
		}
		m := fit(others)
		for i := range examples {
			if foldOf(examples[i].person) == fold {
				examples[i].estimate = sigmoid(m.logit(&examples[i]))
			}
		}
	}
}

// doubtsOf fits the rules of all fields to a budget: the share of values that may be wrong without a flag.
func doubtsOf(examples []example, budget float64) (doubts []site.Doubt) {
	estimate(examples)
	limit := limitOf(examples, budget)
	m := fit(examples)
	fields := map[key][]*example{}
	for i := range examples {
		fields[examples[i].at] = append(fields[examples[i].at], &examples[i])
	}
	for k, list := range fields {
		d := site.Doubt{Kind: k.kind, Field: k.field, N: len(list), Below: 0.5, Absent: absent(list)}
		values := slices.DeleteFunc(slices.Clone(list), func(e *example) bool { return e.empty })
		if len(values) >= fewest {
			if at := below(values, limit, budget); pays(values, at) {
				f := m.fields[k]
				d.Bias, d.Slope, d.Flagged = rounded(m.bias+f[0]), rounded(m.slope), rounded(min(m.flagged+f[1], 0))
				d.Below = at
			}
		}
		if d.Slope > 0 || d.Absent {
			doubts = append(doubts, d)
		}
	}
	slices.SortFunc(doubts, func(a, b site.Doubt) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Field, b.Field)) })
	return doubts
}

func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// limitOf is the least probability from which values may stand without a flag: those that the flag is taken from are expected to hold
// no more wrong ones than the budget allows of all values.
func limitOf(examples []example, budget float64) float64 {
	var cleared []float64
	n := 0.0
	for _, e := range examples {
		n += e.weight
		if e.flagged && !e.hard && !e.empty {
			cleared = append(cleared, e.estimate)
		}
	}
	slices.SortFunc(cleared, func(a, b float64) int { return cmp.Compare(b, a) })
	expected, limit := 0.0, 1-budget
	for _, p := range cleared {
		if expected += 1 - p; expected > budget*n {
			break
		}
		limit = min(limit, p)
	}
	return limit
}

// below is the probability under which values of a field are flagged: the limit, and above every wrong value but as many as the budget
// allows.
func below(values []*example, limit, budget float64) float64 {
	var wrong []float64
	for _, e := range values {
		if !e.right && !e.hard {
			wrong = append(wrong, e.estimate)
		}
	}
	slices.SortFunc(wrong, func(a, b float64) int { return cmp.Compare(b, a) })
	at := limit
	if allowed := int(budget * float64(len(values))); len(wrong) > allowed {
		at = max(at, wrong[allowed]+(1-wrong[allowed])/20)
	}
	return min(max(math.Ceil(at*1e4)/1e4, 0.5), 0.9999)
}

// mostFlags is how many more right values of a field, as a share of all, may be flagged to stop one that misleads.
const mostFlags = 0.05

// pays reports whether a rule is better for values than what the reader does: fewer of them mislead at the price of few flags, or no more
// do and fewer right ones are flagged.
func pays(values []*example, at float64) bool {
	var silent, flags [2]int // before, after
	for _, e := range values {
		for i, doubted := range [2]bool{e.flagged || e.hard, e.estimate < at || e.hard} {
			switch {
			case e.right && doubted:
				flags[i]++
			case !e.right && !doubted:
				silent[i]++
			}
		}
	}
	switch {
	case silent[1] > silent[0]:
		return false
	case silent[1] < silent[0]:
		return float64(flags[1]-flags[0]) <= mostFlags*float64(len(values))
	}
	return flags[1] < flags[0]
}

// absent reports whether a field that was not seen was hardly ever printed.
func absent(list []*example) bool {
	unseen, blank := 0, 0
	persons := map[string]bool{}
	for _, e := range list {
		if e.unseen {
			unseen++
			persons[e.person] = true
			if e.blank {
				blank++
			}
		}
	}
	if len(persons) < fewest {
		return false
	}
	low, _ := truth.Wilson(blank, unseen)
	return low >= absentSure || blank == unseen && low >= 0.85
}
