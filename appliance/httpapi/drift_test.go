package httpapi

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/drift"
)

// counts is a drift.Store in memory.
type counts struct{ writes int }

func (*counts) Drift(context.Context) (map[string][]byte, error) { return nil, nil }

func (c *counts) KeepDrift(context.Context, map[string][]byte, []string) error {
	c.writes++
	return nil
}

// What is answered is counted, a rise is told with its message in the language of the request, by the metrics too, until somebody with the
// scope admin acknowledges it, which is in the journal. Nobody else learns of it. The answers fit their description.
func TestDrift(t *testing.T) {
	log, kept, missing := &notes{}, &counts{}, false
	watch := (*drift.Watch)(nil)
	f := start(t, func(o *options) {
		o.journal = log
		o.read = func(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
			reading, err := readPassport(ctx, p, earlier)
			if missing {
				for i := range reading.Documents[0].Fields {
					if f := &reading.Documents[0].Fields[i]; f.Name == "name" {
						f.Value = ""
					}
				}
			}
			return reading, err
		}
		o.drift = func(now func() time.Time) *drift.Watch {
			watch = drift.New(kept, now, time.UTC)
			return watch
		}
	})
	read := func(n int) {
		for range n {
			if a := f.post("/v1/ocr/passport", sample()); a.status != 200 {
				t.Fatal(a.raw)
			}
		}
	}
	for range 3 {
		read(drift.LearnDocuments/3 + 1)
		f.clock.Advance(25 * time.Hour)
	}
	missing = true
	read(40)
	const series = "read.passport.empty.name"
	if alarms := watch.Alarms(); len(alarms) != 1 || string(alarms[0].ID) != series {
		t.Fatalf("%+v", alarms)
	}
	if m := f.do("GET", "/metrics", nil).raw; !strings.Contains(m, `bawab_drift_ratio{series="`+series+`"}`) {
		t.Error("the metrics do not tell of the rise")
	}
	a := f.do("GET", "/v1/drift?days=2&kind=passport", nil, header("Accept-Language", "ar"))
	if err := validator(t, "DriftAnswer")(a.raw); a.status != 200 || err != nil || !strings.Contains(a.raw, "لا يُقرأ «الاسم»") {
		t.Errorf("%d %v %s", a.status, err, a.raw)
	}
	if strings.Contains(a.raw, "TAREK") || strings.Contains(a.raw, "A00000001") {
		t.Error("a value is counted")
	}
	teller := f.addKey(appliance.Key{Name: "teller", Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeReview}})
	f.want("no admin", f.do("GET", "/v1/drift", nil, header("ApiKey", teller)), 403, 403)
	for _, days := range []string{"days=401", "days=0", "days=", "days=null", "days=1.5", "days=2&days=3"} {
		f.want(days, f.do("GET", "/v1/drift?"+days, nil), 400, 400)
	}
	if a := f.do("POST", "/v1/drift/acknowledge", strings.NewReader(`{"series":"`+strings.Repeat("s", 2000)+`"}`)); a.status != 413 ||
		!strings.Contains(a.raw, "1024 bytes") {
		t.Errorf("a body over the limit: %d %s", a.status, a.raw)
	}
	f.want("kind", f.do("GET", "/v1/drift?kind=x", nil), 400, 400)
	f.want("no series", f.post("/v1/drift/acknowledge", `{}`), 400, 400)
	f.want("no cause", f.post("/v1/drift/acknowledge", `{"series":"`+series+`","cause":"all"}`), 400, 400)
	f.want("another series", f.post("/v1/drift/acknowledge", `{"series":"a.b\n.c.d"}`), 404, 404)
	ask, err := json.Marshal(map[string]any{"series": series, "cause": true})
	if err != nil {
		t.Fatal(err)
	}
	f.want("no admin", f.post("/v1/drift/acknowledge", string(ask), header("ApiKey", teller)), 403, 403)
	a = f.post("/v1/drift/acknowledge", string(ask))
	if err := validator(t, "DriftAcknowledgeAnswer")(a.raw); a.status != 200 || err != nil || len(watch.Alarms()) != 0 || kept.writes == 0 {
		t.Errorf("%d %v %s", a.status, err, a.raw)
	}
	if e := log.of(appliance.EntryDriftAcknowledged); len(e) != 1 || e[0].Subject != series || e[0].Detail["key"] != "all" {
		t.Errorf("%+v", e)
	}
	f.want("nothing is counted", start(t).do("GET", "/v1/drift", nil), 501, 501)
}
