// Package metrics counts what a program does and shows it, with figures of the process and of Go's runtime, in the text
// format of Prometheus, version 0.0.4. It is the one place that knows Prometheus' own library.
package metrics

import (
	"bytes"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// ContentType is that of the text.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Set is the metrics of a program. It is filled before it is used; then its methods and those of its metrics are safe for
// concurrent use. Two metrics of one name, or labels that are none, are a mistake of the program, which ends with a panic.
type Set struct{ registry *prometheus.Registry }

// New makes a set with the figures of the process and of Go's runtime.
func New() *Set {
	s := &Set{prometheus.NewRegistry()}
	s.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return s
}

// Text is the present state of all metrics; one without a sample is left out. What can be shown is shown beside an error.
func (s *Set) Text() ([]byte, error) {
	families, err := s.registry.Gather()
	var text bytes.Buffer
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(&text, f); err != nil {
			return nil, err // of memory, or of a family that the registry let through
		}
	}
	return text.Bytes(), err
}

// Gauge shows what value says at the moment.
func (s *Set) Gauge(name, help string, value func() float64) {
	s.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Gauges shows a sample for each value that the label has at the moment.
func (s *Set) Gauges(name, help, label string, values func() map[string]float64) {
	s.registry.MustRegister(&gauges{prometheus.NewDesc(name, help, []string{label}, nil), values})
}

// Flags shows a 1 for each value that the label has at the moment; one that is there twice counts once.
func (s *Set) Flags(name, help, label string, values func() []string) {
	s.Gauges(name, help, label, func() map[string]float64 {
		held := map[string]float64{}
		for _, v := range values() {
			held[v] = 1
		}
		return held
	})
}

// gauges is a family whose labels change.
type gauges struct {
	desc   *prometheus.Desc
	values func() map[string]float64
}

// Describe implements prometheus.Collector.
func (g *gauges) Describe(out chan<- *prometheus.Desc) { out <- g.desc }

// Collect implements prometheus.Collector.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	values := g.values()
	for _, label := range slices.Sorted(maps.Keys(values)) {
		out <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, values[label], label)
	}
}

// Counter counts events, apart by the values of its labels.
type Counter struct{ vec *prometheus.CounterVec }

// Counter adds a counter. The values of its labels come from a small fixed set; without labels it shows 0 from the start.
func (s *Set) Counter(name, help string, labels ...string) Counter {
	c := Counter{prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)}
	if len(labels) == 0 {
		c.vec.WithLabelValues()
	}
	s.registry.MustRegister(c.vec)
	return c
}

// Inc counts one event, with a value for each label in their order.
func (c Counter) Inc(values ...string) { c.vec.WithLabelValues(values...).Inc() }

// Histogram counts observations by their size, apart by the value of its label.
type Histogram struct{ vec *prometheus.HistogramVec }

// Histogram adds a histogram with rising upper bounds. The values of its label come from a small fixed set.
func (s *Set) Histogram(name, help, label string, bounds []float64) Histogram {
	h := Histogram{prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds}, []string{label})}
	s.registry.MustRegister(h.vec)
	return h
}

// Observe counts an observation under a value of the label.
func (h Histogram) Observe(value string, v float64) { h.vec.WithLabelValues(value).Observe(v) }
