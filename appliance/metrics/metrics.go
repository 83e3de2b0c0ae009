// Package metrics counts what a program does and shows it, with figures of the process and of Go's runtime, in the text
// format of Prometheus, version 0.0.4. Prometheus' own library shows the same figures under the same names, and brings all
// of protobuf with it, for a format that this program does not speak.
package metrics

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is that of the text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Set is the metrics of a program. It is made and filled before it is used; then its methods and those of its metrics are
// safe for concurrent use.
type Set struct{ families families }

// family is all samples of one name.
type family struct {
	name, kind, help string
	samples          func(*text)
}

type families []family

func (out *families) add(kind, name, help string, samples func(*text)) {
	*out = append(*out, family{name, kind, help, samples})
}

// one adds a family that is one sample without labels.
func (out *families) one(kind, name, help string, value float64) {
	out.add(kind, name, help, func(t *text) { t.sample(name, "", value) })
}

// Text is the present state of all metrics, of the process and of Go's runtime. A metric without a sample is left out.
func (s *Set) Text() []byte {
	var t text
	for _, families := range []families{s.families, goFamilies(), processFamilies()} {
		for _, f := range families {
			t.family(f)
		}
	}
	return t
}

// text is samples as they are written.
type text []byte

var escapeHelp = strings.NewReplacer("\\", `\\`, "\n", `\n`)

func (t *text) family(f family) {
	before := len(*t)
	*t = append(*t, "# HELP "+f.name+" "+escapeHelp.Replace(f.help)+"\n# TYPE "+f.name+" "+f.kind+"\n"...)
	head := len(*t)
	f.samples(t)
	if len(*t) == head {
		*t = (*t)[:before]
	}
}

// sample writes one line; labels are as labelled makes them.
func (t *text) sample(name, labels string, value float64) {
	*t = append(*t, name...)
	if labels != "" {
		*t = append(*t, "{"+labels+"}"...)
	}
	*t = append(*t, " "+number(value)+"\n"...)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

var escapeLabel = strings.NewReplacer("\\", `\\`, "\n", `\n`, `"`, `\"`)

// labelled is names with their values as they stand in braces.
func labelled(names, values []string) string {
	var parts []string
	for i, name := range names {
		parts = append(parts, name+`="`+escapeLabel.Replace(values[i])+`"`)
	}
	return strings.Join(parts, ",")
}

// Gauge shows what value says at the moment.
func (s *Set) Gauge(name, help string, value func() float64) {
	s.families.add("gauge", name, help, func(t *text) { t.sample(name, "", value()) })
}

// Flags shows a 1 for each value that the label has at the moment; one that is there twice counts once.
func (s *Set) Flags(name, help, label string, values func() []string) {
	s.families.add("gauge", name, help, func(t *text) {
		held := values()
		slices.Sort(held)
		for _, v := range slices.Compact(held) {
			t.sample(name, labelled([]string{label}, []string{v}), 1)
		}
	})
}

// Counter counts events, apart by the values of its labels.
type Counter struct {
	labels []string

	mu     sync.Mutex
	counts map[string]uint64 // by labelled
}

// Counter adds a counter. The values of its labels come from a small fixed set; without labels it shows 0 from the start.
func (s *Set) Counter(name, help string, labels ...string) *Counter {
	c := &Counter{labels: labels, counts: map[string]uint64{}}
	if len(labels) == 0 {
		c.counts[""] = 0
	}
	s.families.add("counter", name, help, func(t *text) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, labels := range slices.Sorted(maps.Keys(c.counts)) {
			t.sample(name, labels, float64(c.counts[labels]))
		}
	})
	return c
}

// Inc counts one event, with a value for each label in their order.
func (c *Counter) Inc(values ...string) {
	key := labelled(c.labels, values)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[key]++
}

// Histogram counts observations by their size, apart by the value of its label.
type Histogram struct {
	label  string
	bounds []float64

	mu     sync.Mutex
	series map[string]*series // by labelled
}

// series is the observations of one label value.
type series struct {
	counts []uint64 // those up to each bound and above the one before; the last are above all bounds
	sum    float64
}

// Histogram adds a histogram with rising upper bounds. The values of its label come from a small fixed set.
func (s *Set) Histogram(name, help, label string, bounds []float64) *Histogram {
	h := &Histogram{label: label, bounds: append(slices.Clone(bounds), math.Inf(1)), series: map[string]*series{}}
	s.families.add("histogram", name, help, func(t *text) { h.write(name, t) })
	return h
}

// Observe counts an observation under a value of the label.
func (h *Histogram) Observe(value string, v float64) {
	key := labelled([]string{h.label}, []string{value})
	at, _ := slices.BinarySearch(h.bounds, v)
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.series[key]
	if s == nil {
		s = &series{counts: make([]uint64, len(h.bounds))}
		h.series[key] = s
	}
	s.counts[at]++
	s.sum += v
}

func (h *Histogram) write(name string, t *text) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, labels := range slices.Sorted(maps.Keys(h.series)) {
		s, n := h.series[labels], uint64(0)
		for i, bound := range h.bounds {
			n += s.counts[i]
			t.sample(name+"_bucket", labels+`,le="`+number(bound)+`"`, float64(n))
		}
		t.sample(name+"_sum", labels, s.sum)
		t.sample(name+"_count", labels, float64(n))
	}
}
