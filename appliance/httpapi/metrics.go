package httpapi

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/metrics"
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

	// What was decided, with nothing of whom it concerns.
	documents metrics.Counter
	codes     metrics.Counter
	cues      metrics.Counter
	matches   metrics.Counter
	liveness  metrics.Counter
	reasons   metrics.Counter
	gaps      metrics.Histogram
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
	f.set.Gauges("bawab_disk_free_bytes", "Bytes that may still be used on the disk of the data folder.", "disk", d.Health.diskFree)
	f.set.Gauges("bawab_certificate_end_timestamp_seconds", "When the certificate of the API ends, in seconds since 1970.", "of", d.Health.certificateEnd)
	f.outcomes(bounds)
	f.set.Gauges("bawab_drift_ratio", "How many times as often as before, for every share that has risen to stay.", "series", d.rises)
	f.set.Flags("bawab_warning", "1 for every lasting condition that holds.", "code", func() (codes []string) {
		for _, w := range d.Health.warnings() {
			codes = append(codes, string(w.Code))
		}
		return codes
	})
	return f
}

// rises are the series with an alarm, each with its ratio.
func (d Deps) rises() map[string]float64 {
	out := map[string]float64{}
	if d.Drift != nil {
		for _, s := range d.Drift.Alarms() {
			out[string(s.ID)] = s.Alarm.Ratio
		}
	}
	return out
}

// outcomes adds what tells how the appliance decides: a shift of these shares says that light, camera or callers changed.
func (f *figures) outcomes(bounds []float64) {
	f.documents = f.set.Counter("bawab_documents_total", "Documents read, by kind and by the verdict on fraud.", "kind", "verdict")
	f.codes = f.set.Counter("bawab_codes_total", "Validation codes of the documents read, each at most once in a document.", "code")
	f.cues = f.set.Counter("bawab_fraud_cues_total", "Signs of fraud on documents that count against them, by name.", "cue")
	f.matches = f.set.Counter("bawab_face_matches_total", "Comparisons of faces, by outcome.", "outcome")
	f.liveness = f.set.Counter("bawab_liveness_total", "Liveness checks, by outcome.", "outcome")
	f.reasons = f.set.Counter("bawab_face_reasons_total", "Why faces were refused, by reason.", "reason")
	f.gaps = f.set.Histogram("bawab_camera_gap_seconds", "Time between two frames of a liveness check, where the camera told it.", "route", bounds)
}

// decided counts what an answer decides.
func (f *figures) decided(x *exchange) {
	for i := range x.decision.Documents {
		f.document(&x.decision.Documents[i])
	}
	if matched := x.decision.Matched; matched != nil {
		f.matches.Inc(outcome(*matched, "matched", "refused"))
	}
	if live := x.decision.Live; live != nil {
		f.liveness.Inc(outcome(*live, "live", "refused"))
	}
	for _, r := range x.decision.Reasons {
		f.reasons.Inc(string(r))
	}
	for _, gap := range x.gaps {
		f.gaps.Observe(x.route, gap.Seconds())
	}
}

func (f *figures) document(d *appliance.Document) {
	f.documents.Inc(string(d.Kind), outcome(d.Fake, "fake", "genuine"))
	for _, code := range d.AllCodes() {
		f.codes.Inc(strconv.Itoa(int(code)))
	}
	for _, c := range d.Cues {
		if c.Raised() {
			f.cues.Inc(c.Name)
		}
	}
}

func outcome(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
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
	if x.code == 0 {
		f.decided(x)
	}
}

// metrics answers /metrics in the Prometheus text format, to those who may read it.
func (s *Server) metrics(c *fiber.Ctx, _ *exchange) error {
	if err := s.gate.Figures(c); err != nil {
		return err
	}
	text, err := s.figures.set.Text()
	if text == nil {
		return err
	}
	c.Set(fiber.HeaderContentType, metrics.ContentType)
	c.Context().Response.SetBodyRaw(text)
	return nil
}
