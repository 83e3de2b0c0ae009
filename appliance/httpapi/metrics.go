package httpapi

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance/metrics"
	"github.com/gofiber/fiber/v2"
)

// figures are those of the server under /metrics. Their labels come from fixed sets: routes, codes, stages.
type figures struct {
	set       *metrics.Set
	requests  metrics.Counter
	seconds   metrics.Histogram
	stages    metrics.Histogram
	inFlight  atomic.Int64
	cancelled metrics.Counter
	wrongKeys metrics.Counter
}

func newFigures(d Deps) *figures {
	bounds := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	f := &figures{set: metrics.New()}
	f.requests = f.set.Counter("bawab_requests_total", "Answered requests by route and error_code (0 is success).", "code", "route")
	f.seconds = f.set.Histogram("bawab_request_seconds", "Time from the headers of a request to its answer.", "route", bounds)
	f.stages = f.set.Histogram("bawab_stage_seconds", "Time of one step of a reading.", "stage", bounds)
	f.set.Gauge("bawab_requests_in_flight", "Requests without an answer yet.", func() float64 { return float64(f.inFlight.Load()) })
	f.cancelled = f.set.Counter("bawab_cancelled_total", "Requests given up because the client went away.")
	f.wrongKeys = f.set.Counter("bawab_wrong_keys_total", "Requests with a wrong API key.")
	f.set.Flags("bawab_build_info", "Always 1; the label is the version.", "version", func() []string { return []string{d.Version} })
	f.set.Gauge("bawab_queue_depth", "Tasks that run or wait.", func() float64 { return float64(d.Health.queueDepth()) })
	f.set.Gauge("bawab_store_bytes", "Size of the store on disk.", func() float64 { return float64(d.Health.storeBytes()) })
	f.set.Gauge("bawab_keys", "API keys that exist.", func() float64 { return float64(len(d.Keys.List())) })
	f.set.Flags("bawab_warning", "1 for every lasting condition that holds.", "code", func() (codes []string) {
		for _, w := range d.Health.warnings() {
			codes = append(codes, string(w.Code))
		}
		return codes
	})
	return f
}

// observe counts a finished exchange.
func (f *figures) observe(x *exchange, now time.Time) {
	f.requests.Inc(strconv.Itoa(int(x.code)), x.route)
	f.seconds.Observe(x.route, now.Sub(x.began).Seconds())
	for _, st := range x.stages {
		f.stages.Observe(st.Name, st.Elapsed.Seconds())
	}
	if x.stopped {
		f.cancelled.Inc()
	}
}

// handle answers /metrics in the Prometheus text format.
func (f *figures) handle(c *fiber.Ctx, _ *exchange) error {
	text, err := f.set.Text()
	if text == nil {
		return err
	}
	c.Set(fiber.HeaderContentType, metrics.ContentType)
	c.Context().Response.SetBodyRaw(text)
	return nil
}
