package httpapi

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"github.com/gofiber/fiber/v2"
)

// figures are those of the server under /metrics. Their labels come from fixed sets: routes, codes, stages.
type figures struct {
	set       *metrics.Set
	inFlight  atomic.Int64
	cancelled *metrics.Counter
	wrongKeys *metrics.Counter
	version   string
	warnings  func() []string // codes of the lasting conditions that hold
}

func newFigures(d Deps) *figures {
	f := &figures{set: metrics.NewSet(), version: d.Version, warnings: func() (codes []string) {
		for _, w := range d.Health.warnings() {
			codes = append(codes, string(w.Code))
		}
		return codes
	}}
	f.cancelled = f.set.NewCounter("bawab_cancelled_total")
	f.wrongKeys = f.set.NewCounter("bawab_wrong_keys_total")
	f.set.NewGauge("bawab_requests_in_flight", func() float64 { return float64(f.inFlight.Load()) })
	f.set.NewGauge("bawab_queue_depth", func() float64 { return float64(d.Health.queueDepth()) })
	f.set.NewGauge("bawab_store_bytes", func() float64 { return float64(d.Health.storeBytes()) })
	f.set.NewGauge("bawab_keys", func() float64 { return float64(len(d.Keys.List())) })
	return f
}

// seconds is the histogram of times of that name and labels, with bounds from 1 ms to 10 s.
func (f *figures) seconds(format string, labels ...any) *metrics.PrometheusHistogram {
	bounds := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	return f.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf(format, labels...), bounds)
}

// observe counts a finished exchange.
func (f *figures) observe(x *exchange, now time.Time) {
	f.set.GetOrCreateCounter(fmt.Sprintf("bawab_requests_total{code=%q,route=%q}", fmt.Sprint(int(x.code)), x.route)).Inc()
	f.seconds("bawab_request_seconds{route=%q}", x.route).Update(now.Sub(x.began).Seconds())
	for _, st := range x.stages {
		f.seconds("bawab_stage_seconds{stage=%q}", st.Name).Update(st.Elapsed.Seconds())
	}
	if x.stopped {
		f.cancelled.Inc()
	}
}

// handle answers /metrics in the Prometheus text format, with the figures of the process and of Go.
func (f *figures) handle(c *fiber.Ctx, _ *exchange) error {
	var out bytes.Buffer
	f.set.WritePrometheus(&out)
	metrics.WriteGaugeUint64(&out, fmt.Sprintf("bawab_build_info{version=%q}", f.version), 1)
	held := f.warnings()
	slices.Sort(held)
	for _, code := range slices.Compact(held) {
		metrics.WriteGaugeUint64(&out, fmt.Sprintf("bawab_warning{code=%q}", code), 1)
	}
	metrics.WriteProcessMetrics(&out)
	c.Set(fiber.HeaderContentType, "text/plain; version=0.0.4; charset=utf-8")
	c.Context().Response.SetBodyRaw(out.Bytes())
	return nil
}
