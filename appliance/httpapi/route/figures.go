package route

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/metrics"
)

// figures are those of requests under /metrics. Their labels come from fixed sets: routes, codes, stages.
type figures struct {
	requests  metrics.Counter
	seconds   metrics.Histogram
	stages    metrics.Histogram
	inFlight  atomic.Int64
	cancelled metrics.Counter

	// What was decided, with nothing of whom it concerns.
	documents metrics.Counter
	codes     metrics.Counter
	cues      metrics.Counter
	matches   metrics.Counter
	liveness  metrics.Counter
	reasons   metrics.Counter
	gaps      metrics.Histogram
}

// newFigures adds the figures of requests to a set.
func newFigures(set *metrics.Set) *figures {
	bounds := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	f := &figures{}
	f.requests = set.Counter("bawab_requests_total", "Answered requests by route and error_code (0 is success).", "code", "route")
	f.seconds = set.Histogram("bawab_request_seconds", "Time from the headers of a request to its answer.", "route", bounds)
	f.stages = set.Histogram("bawab_stage_seconds", "Time of one step of a reading.", "stage", bounds)
	set.Gauge("bawab_requests_in_flight", "Requests without an answer yet.", func() float64 { return float64(f.inFlight.Load()) })
	f.cancelled = set.Counter("bawab_cancelled_total", "Requests given up because the client went away.")
	f.outcomes(set, bounds)
	return f
}

// outcomes adds what tells how the appliance decides: a shift of these shares says that light, camera or callers changed.
func (f *figures) outcomes(set *metrics.Set, bounds []float64) {
	f.documents = set.Counter("bawab_documents_total", "Documents read, by kind and by the verdict on fraud.", "kind", "verdict")
	f.codes = set.Counter("bawab_codes_total", "Validation codes of the documents read, each at most once in a document.", "code")
	f.cues = set.Counter("bawab_fraud_cues_total", "Signs of fraud on documents that count against them, by name.", "cue")
	f.matches = set.Counter("bawab_face_matches_total", "Comparisons of faces, by outcome.", "outcome")
	f.liveness = set.Counter("bawab_liveness_total", "Liveness checks, by outcome.", "outcome")
	f.reasons = set.Counter("bawab_face_reasons_total", "Why faces were refused, by reason.", "reason")
	f.gaps = set.Histogram("bawab_camera_gap_seconds",
		"Time between two frames of a liveness check, where the camera told it.", "route", bounds)
}

// decided counts what an answer decides.
func (f *figures) decided(x *Exchange) {
	for i := range x.Decision.Documents {
		f.document(&x.Decision.Documents[i])
	}
	if matched := x.Decision.Matched; matched != nil {
		f.matches.Inc(outcome(*matched, "matched", "refused"))
	}
	if live := x.Decision.Live; live != nil {
		f.liveness.Inc(outcome(*live, "live", "refused"))
	}
	for _, r := range x.Decision.Reasons {
		f.reasons.Inc(string(r))
	}
	for _, gap := range x.Gaps {
		f.gaps.Observe(x.Route, gap.Seconds())
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
func (f *figures) observe(x *Exchange, now time.Time) {
	f.requests.Inc(strconv.Itoa(int(x.Code)), x.Route)
	f.seconds.Observe(x.Route, now.Sub(x.began).Seconds())
	for _, st := range x.Stages {
		f.stages.Observe(st.Name, st.Elapsed.Seconds())
	}
	if x.stopped {
		f.cancelled.Inc()
	}
	if x.Code == 0 {
		f.decided(x)
	}
}
