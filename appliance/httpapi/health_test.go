package httpapi

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/metrics"
)

// TestHealth: the three pages of the operator need no key, show warnings and tell when the appliance is not ready.
func TestHealth(t *testing.T) {
	var broken error
	f := start(t, func(o *options) {
		o.health = Health{
			Ready: func() error { return broken },
			Warnings: func() []appliance.Warning {
				return []appliance.Warning{{Code: appliance.WarnDiskLow, Msg: "m", Hint: "h"}}
			},
			QueueDepth: func() int { return 7 },
			StoreBytes: func() int64 { return 4096 },
		}
	})
	noKey := header("ApiKey", "")
	if a := f.do("GET", "/healthz", nil, noKey); a.status != 200 || a.raw != `{"status":"ok"}` {
		t.Errorf("healthz: HTTP %d %s", a.status, a.raw)
	}
	const list = `"warnings":[{"code":"disk_low","message":"m","hint":"h"}]}`
	if a := f.do("GET", "/readyz", nil, noKey); a.status != 200 || a.raw != `{"ready":true,`+list {
		t.Errorf("readyz: HTTP %d %s", a.status, a.raw)
	}
	broken = errors.New("open /secret/path")
	if a := f.do("GET", "/readyz", nil, noKey); a.status != 503 || a.raw != `{"ready":false,`+list || a.header.Get("Retry-After") != "1" {
		t.Errorf("readyz while broken: HTTP %d %s", a.status, a.raw)
	}
	if said := f.log.String(); strings.Count(said, `"level":"INFO"`) != 0 || strings.Count(said, `"route":"/readyz"`) != 1 {
		t.Errorf("of probes only the one that failed is logged: %s", said)
	}
	f.post("/v1/ocr/passport", sample())
	f.post("/v1/ocr/passport", "{}")
	f.post("/v1/29001011234567", "{}")
	a := f.do("GET", "/metrics", nil, noKey)
	for _, want := range []string{
		`bawab_requests_total{code="0",route="/v1/ocr/passport"} 1`, `bawab_requests_total{code="400",route="/v1/ocr/passport"} 1`,
		`bawab_requests_total{code="404",route="other"} 1`, `bawab_stage_seconds_sum{stage="locate"} 0.003`, `bawab_stage_seconds_count{stage="decode"} 1`,
		"bawab_queue_depth 7", "bawab_store_bytes 4096", "bawab_keys 1", `bawab_warning{code="disk_low"} 1`, "bawab_requests_in_flight 1",
		`bawab_build_info{version="test"} 1`, "process_resident_memory_bytes ", "bawab_request_seconds_count",
	} {
		if !strings.Contains(a.raw, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") || strings.Contains(a.raw, "2900101") {
		t.Errorf("metrics: %s", a.header.Get("Content-Type"))
	}
}

// TestHealthDefaults: a server without health functions says that it is ready.
func TestHealthDefaults(t *testing.T) {
	f := start(t)
	if a := f.do("GET", "/readyz", nil); a.status != 200 || a.raw != `{"ready":true,"warnings":[]}` {
		t.Errorf("HTTP %d %s", a.status, a.raw)
	}
	if got := f.metric("bawab_queue_depth"); got != "0" {
		t.Errorf("queue depth %q", got)
	}
}

// TestLog: every request leaves one line with its id, route, outcome and stages, and nothing of what it says about a
// person, wherever in the request that stands.
func TestLog(t *testing.T) {
	const secret = "29001011234567"
	var documentless atomic.Bool
	f := start(t, func(o *options) {
		o.read = func(ctx context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
			r, err := readPassport(ctx, p, nil)
			if documentless.Load() {
				r.Documents = nil
				return r, err
			}
			r.Documents[0].Fields = append(r.Documents[0].Fields, appliance.Field{Name: "gender", Value: secret, Raw: secret})
			return r, err
		}
	})
	image := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(secret, 20)))
	body := `{"client_transaction_id":"` + secret + `","image":"` + image + `","evidence":true}`
	a := f.post("/v1/ocr/passport?q="+secret, body, header("X-Name", secret), header("Referer", "http://"+secret), header("User-Agent", secret), header("Cookie", "a="+secret))
	f.want("reading", a, 200, 0)
	f.post("/v1/"+secret, body)
	f.do("PUT", "/v1/ocr/passport", strings.NewReader(body))
	f.do("M"+secret, "/v1/ocr/passport", nil)
	f.post("/v1/ocr/passport", body, header("ApiKey", secret))
	f.post("/v1/ocr/passport", `{"image":"`+secret+`!"}`)
	f.post("/v1/ocr/passport", `{"`+secret+`":`+secret+`x}`)
	f.post("/v1/ocr/passport", `{"transaction_id":"`+secret+`"}`)
	c := f.raw()
	f.send(c, "%s\r\n\r\n", secret)
	f.receive(bufio.NewReader(c))
	f.transactions.Fail(appliance.Errorf(appliance.CodeUnavailable, "the store is not available: try again"))
	full := f.post("/v1/ocr/passport", body)
	f.want("store fails", full, 503, 503)
	if full.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", full.header.Get("Retry-After"))
	}
	log := f.log.String()
	if strings.Contains(log, secret) || strings.Contains(log, image[:20]) || strings.Contains(log, "2900101") {
		t.Errorf("the log tells a secret:\n%s", log)
	}
	lines := strings.Split(strings.TrimSpace(log), "\n")
	if len(lines) != 10 {
		t.Fatalf("%d lines, want one for each request:\n%s", len(lines), log)
	}
	var line struct {
		Time      time.Time          `json:"time"`
		RequestID string             `json:"request_id"`
		Route     string             `json:"route"`
		Method    string             `json:"method"`
		Status    int                `json:"status"`
		ErrorCode *int               `json:"error_code"`
		BytesIn   int                `json:"bytes_in"`
		BytesOut  int                `json:"bytes_out"`
		Took      *float64           `json:"ms"`
		Key       string             `json:"key"`
		Stages    map[string]float64 `json:"stages_ms"`
	}
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil {
		t.Fatal(err)
	}
	if line.Time.IsZero() || line.RequestID != a.Data["request_id"] || line.Route != "/v1/ocr/passport" || line.Method != "POST" || line.Status != 200 ||
		line.ErrorCode == nil || line.BytesIn != len(body) || line.BytesOut != len(a.raw) || line.Took == nil || line.Key != "all" || line.Stages["locate"] != 3 {
		t.Errorf("line: %s", lines[0])
	}
	f.transactions.Fail(nil)
	documentless.Store(true)
	f.post("/v1/ocr/multi", sample())
	if log := f.log.String(); !strings.Contains(log[strings.LastIndex(log, `"route":"/v1/ocr/multi"`):], `"status":400,"error_code":3011`) ||
		strings.Count(log, `"locate":3`) != 3 {
		t.Errorf("a failed reading leaves no stages:\n%s", log)
	}
	for _, l := range lines {
		if !strings.Contains(l, `"request_id":"`) || !strings.Contains(l, `"error_code":`) {
			t.Errorf("line: %s", l)
		}
	}
}

// The space of the disk and the end of the certificate are shown where they are known.
func TestGauges(t *testing.T) {
	set := metrics.New()
	gauges(set, Deps{Health: Health{
		DiskFree:       func() (int64, bool) { return 1 << 30, true },
		CertificateEnd: func() time.Time { return time.Unix(1800000000, 0) },
	}, Keys: appliance.NewKeyring(nil, time.Now)})
	text, err := set.Text()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`bawab_disk_free_bytes{disk="store"} 1.073741824e+09`, `bawab_certificate_end_timestamp_seconds{of="api"} 1.8e+09`,
	} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("metrics lack %s", want)
		}
	}
}
