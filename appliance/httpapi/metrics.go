package httpapi

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// metrics are the figures of the server under /metrics. Their labels come from fixed sets: routes, codes, stages.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	stages    *prometheus.HistogramVec
	inFlight  prometheus.Gauge
	cancelled prometheus.Counter
	wrongKeys prometheus.Counter
}

func newMetrics(d Deps) *metrics {
	buckets := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bawab_requests_total", Help: "Answered requests by route and error_code (0 is success)."}, []string{"route", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bawab_request_seconds", Help: "Time from the headers of a request to its answer.", Buckets: buckets}, []string{"route"}),
		stages: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bawab_stage_seconds", Help: "Time of one step of a reading.", Buckets: buckets}, []string{"stage"}),
		inFlight:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "bawab_requests_in_flight", Help: "Requests without an answer yet."}),
		cancelled: prometheus.NewCounter(prometheus.CounterOpts{Name: "bawab_cancelled_total", Help: "Requests given up because the client went away."}),
		wrongKeys: prometheus.NewCounter(prometheus.CounterOpts{Name: "bawab_wrong_keys_total", Help: "Requests with a wrong API key."}),
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "bawab_build_info", Help: "Always 1; the label is the version.", ConstLabels: prometheus.Labels{"version": d.Version}})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.seconds, m.stages, m.inFlight, m.cancelled, m.wrongKeys, build,
		gauge("bawab_queue_depth", "Tasks that run or wait.", func() float64 { return float64(d.Health.queueDepth()) }),
		gauge("bawab_store_bytes", "Size of the store on disk.", func() float64 { return float64(d.Health.storeBytes()) }),
		gauge("bawab_keys", "API keys that exist.", func() float64 { return float64(len(d.Keys.List())) }),
		warnings{d.Health, prometheus.NewDesc("bawab_warning", "1 for every lasting condition that holds.", []string{"code"}, nil)},
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewGoCollector())
	return m
}

// warnings shows the lasting conditions that hold at the moment.
type warnings struct {
	health Health
	desc   *prometheus.Desc
}

// Describe names the one metric.
func (w warnings) Describe(ch chan<- *prometheus.Desc) { ch <- w.desc }

// Collect sends one sample for each code, which may be held by several warnings.
func (w warnings) Collect(ch chan<- prometheus.Metric) {
	seen := map[appliance.WarningCode]bool{}
	for _, warning := range w.health.warnings() {
		if !seen[warning.Code] {
			seen[warning.Code] = true
			ch <- prometheus.MustNewConstMetric(w.desc, prometheus.GaugeValue, 1, string(warning.Code))
		}
	}
}

// observe counts a finished exchange.
func (m *metrics) observe(x *exchange, now time.Time) {
	m.requests.WithLabelValues(x.route, strconv.Itoa(int(x.code))).Inc()
	m.seconds.WithLabelValues(x.route).Observe(now.Sub(x.began).Seconds())
	for _, st := range x.stages {
		m.stages.WithLabelValues(st.Name).Observe(st.Elapsed.Seconds())
	}
	if x.stopped {
		m.cancelled.Inc()
	}
}

// handle answers /metrics in the Prometheus text format.
func (m *metrics) handle(c *fiber.Ctx, _ *exchange) error {
	families, err := m.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	format := expfmt.NewFormat(expfmt.TypeTextPlain)
	var b bytes.Buffer
	enc := expfmt.NewEncoder(&b, format)
	for _, f := range families {
		if err := enc.Encode(f); err != nil {
			return fmt.Errorf("write metrics: %w", err)
		}
	}
	c.Set(fiber.HeaderContentType, string(format))
	c.Context().Response.SetBodyRaw(b.Bytes())
	return nil
}
