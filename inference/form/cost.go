package form

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Weights are what features count, by name, in nats: what they say for a stretch being a value of a field against being none. They
// are learned; a feature without a weight counts nothing.
type Weights map[string]float64

// feature is one thing that speaks for or against a pair of stretch and field.
type feature struct {
	name  string
	value float64
}

// one is 1 for what is so, 0 for what is not.
func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// either is the first text for what is so, the second for what is not.
func either(is bool, so, not string) string {
	if is {
		return so
	}
	return not
}

// role is what a stretch may be: the beginning of a field's value, or a further line of it.
type role struct {
	field   int // -1 for none
	further bool
}

// none is the role of text that is no field.
var none = role{field: -1}

// roles are those that a description has, none first.
func (d *Description) roles() []role {
	out := []role{none}
	for i, f := range d.Fields {
		if f.head != i {
			continue
		}
		if out = append(out, role{field: i}); f.Lines > 1 && len(f.series) == 0 {
			out = append(out, role{field: i, further: true})
		}
	}
	return out
}

// weigh sums up features by their weights, whose names begin with a prefix.
func (w Weights) weigh(prefix string, fs []feature) (sum float64) {
	for _, f := range fs {
		sum += w[prefix+f.name] * f.value
	}
	return sum
}

// features are what speaks for and against a stretch having a role. None has no features: it is what the others are weighed
// against. Those of the layout have one weight for all fields; those of the content one for each decoder, so that a field of a kind
// that no one has measured is weighed as well.
func (s *sheet) features(i int, r role) []feature {
	if r.field < 0 {
		return nil
	}
	f, x := &s.description.Fields[r.field], &s.stretches[i]
	group := "first "
	switch {
	case r.further:
		group = "further "
	case len(f.series) > 0:
		group = "line "
	}
	out := []feature{{group + "any", 1}, {group + "clarity", x.clear - 0.9}}
	add := func(name string, value float64) {
		if value != 0 {
			out = append(out, feature{group + name, value})
		}
	}
	match := x.matches[f.reader]
	add("match", match)
	add("match well", ramp(match, 0.8, 1))
	add("match badly", ramp(-match, -0.5, -0.2))
	rival := slices.Max(slices.Delete(append(slices.Clone(x.matches), 0), f.reader, f.reader+1))
	add("rival", rival)
	add("rival well", ramp(rival, 0.8, 1))
	s.labelFeatures(f, x, add)
	s.neighbourFeatures(f, x, group != "first ", add)
	if f.Place != nil {
		dx, dy := (x.middle()/s.Width-f.Place.X)/f.Place.SpreadX, (x.y/s.Height-f.Place.Y)/f.Place.SpreadY
		add("place", max(-3, -(dx*dx+dy*dy)/2))
	}
	return append(out, s.content(group+f.Decoder+" ", x)...)
}

// ramp is 0 up to from, 1 from to on, and straight between.
func ramp(v, from, to float64) float64 { return max(0, min(1, (v-from)/(to-from))) }

// labelFeatures are what labels about a stretch say for a field.
func (s *sheet) labelFeatures(f *Field, x *stretch, add func(string, float64)) {
	linked := false
	for _, l := range x.links {
		whose := "another's label "
		switch {
		case f.announcedBy(l.label) && slices.Contains(s.description.Titles, l.label):
			whose = "its title "
		case f.announcedBy(l.label):
			whose, linked = "its label ", true
		case slices.Contains(s.description.Titles, l.label):
			whose = "a title "
		}
		add(whose+string(l.how), 1)
		add(whose+string(l.how)+" cost", l.cost)
		if l.announces() {
			add(whose+"near", 1)
			add(whose+string(l.how)+" gap", min(l.gap, 6)/6)
			add(whose+string(l.how)+" way", s.way)
		}
		add(whose+"in its line", one(l.whole && l.how == behind))
	}
	elsewhere := !linked && slices.ContainsFunc(s.labels, func(l placed) bool {
		return f.announcedBy(l.Label) && !slices.Contains(s.description.Titles, l.Label)
	})
	add("its label elsewhere", one(elsewhere))
	add("without a label", one(!linked && !elsewhere && len(f.Labels) > 0)*min(1, float64(len(s.labels))/8))
	leadFeatures(f, x, add)
}

// leadFeatures are what the words that lead into a stretch say for a field.
func leadFeatures(f *Field, x *stretch, add func(string, float64)) {
	switch {
	case x.lead != nil && slices.Contains(f.Leads, x.lead.Label):
		add("its lead", 1)
		add("its lead cost", x.lead.Cost/float64(len([]rune(x.lead.Wording))))
	case x.lead != nil:
		add("another's lead", 1)
	case len(f.Leads) > 0:
		add("without its lead", 1)
	}
}

// neighbourFeatures are what the stretches above and below say for a field.
func (s *sheet) neighbourFeatures(f *Field, x *stretch, further bool, add func(string, float64)) {
	switch {
	case further && x.above < 0:
		add("nothing above", 1)
	case further:
		o := &s.stretches[x.above]
		gap := (x.y - o.y) / max(x.height, o.height)
		add("gap", min(gap, 6)/6)
		add("close", ramp(-gap, -2.6, -1.6))
		add("aligned", ramp(-math.Abs(x.right-o.right)/x.height, -2, -0.5))
		add("above match", o.matches[f.reader])
		add("above not match", 1-o.matches[f.reader])
		add("above has its label", one(o.labelled(f)))
		another := func(l link) bool { return !f.announcedBy(l.label) && l.how == behind }
		add("above has another's label", one(slices.ContainsFunc(o.links, another)))
	}
	if further || f.Follows == "" {
		return
	}
	before := &s.description.Fields[s.description.field(f.Follows)]
	if x.above >= 0 {
		add("behind what it follows", s.stretches[x.above].matches[before.reader])
	}
	if x.below >= 0 {
		add("before what it follows", s.stretches[x.below].matches[before.reader])
	}
}

// content are what a stretch says, and what stands above and below it, for a decoder. prefix names it.
func (s *sheet) content(prefix string, x *stretch) []feature {
	out := []feature{{prefix + "any", 1}}
	words := strings.Fields(x.said)
	all := []rune(strings.Join(words, ""))
	signs, dash := float64(len(all)), func(r rune) bool { return r == '/' || unicode.Is(unicode.Pd, r) }
	digits := float64(len(slices.DeleteFunc(all, func(r rune) bool { return !unicode.IsDigit(r) })))
	out = append(out,
		feature{prefix + "digits", digits / max(signs, 1)}, feature{prefix + "any digit", min(1, digits)},
		feature{prefix + "dash", one(slices.ContainsFunc(all, dash))}, feature{prefix + "one word", one(len(words) == 1)},
		feature{prefix + "signs", min(signs, 30) / 30}, feature{prefix + "words", float64(min(len(words), 6)) / 6})
	for k, r := range s.description.readers {
		if m := x.matches[k]; m > 0 {
			out = append(out, feature{prefix + "like " + r.name, m}, feature{prefix + "much like " + r.name, ramp(m, 0.75, 1)})
		}
		if x.above >= 0 {
			out = append(out, feature{prefix + "below " + r.name, ramp(s.stretches[x.above].matches[k], 0.5, 1)})
		}
		if x.below >= 0 {
			out = append(out, feature{prefix + "above " + r.name, ramp(s.stretches[x.below].matches[k], 0.5, 1)})
		}
	}
	return out
}

// logShares are the natural logarithms of the probability of each role of a stretch, in the order of roles.
func (s *sheet) logShares(i int, roles []role) []float64 {
	out := make([]float64, len(roles))
	for k, r := range roles {
		out[k] = s.weigh("", s.features(i, r))
	}
	top, sum := slices.Max(out), 0.0
	for _, x := range out {
		sum += math.Exp(x - top)
	}
	for k := range out {
		out[k] -= top + math.Log(sum)
	}
	return out
}
