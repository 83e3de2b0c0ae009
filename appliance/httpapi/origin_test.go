package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
)

const (
	listedOrigin  = "https://teller.bank.example"
	foreignOrigin = "https://evil.example"
)

// sharing is a server that lets pages of one origin call.
func sharing(t *testing.T) *fixture {
	t.Helper()
	return start(t, func(o *options) { o.cfg.Policy.Origins = []string{listedOrigin} })
}

// TestPreflight: a browser is told that pages of listed origins may send a request, also into a private network, and those of no other.
func TestPreflight(t *testing.T) {
	f := sharing(t)
	ask := func(path, origin string, change ...func(*http.Request)) answer {
		all := []func(*http.Request){
			header("Origin", origin),
			header("Access-Control-Request-Method", "POST"),
			header("Access-Control-Request-Headers", "apikey,content-type"),
			header("ApiKey", ""),
		}
		return f.do("OPTIONS", path, nil, append(all, change...)...)
	}
	for _, path := range []string{"/v1/ocr/passport", "/v1/camera/preview/token", "/v1/none"} {
		a := ask(path, listedOrigin, header("Access-Control-Request-Private-Network", "true"))
		f.want(path, a, 204, 0)
		for name, value := range map[string]string{
			"Access-Control-Allow-Origin": listedOrigin, "Access-Control-Allow-Methods": "GET, POST, DELETE", "Access-Control-Max-Age": "600",
			"Access-Control-Allow-Headers": "Accept-Language, ApiKey, Content-Type", "Access-Control-Allow-Private-Network": "true", "Vary": "Accept-Language, Origin",
		} {
			if got := a.header.Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
	}
	if got := ask("/v1/ocr/passport", listedOrigin).header.Get("Access-Control-Allow-Private-Network"); got != "" {
		t.Errorf("private network allowed without being asked for: %q", got)
	}
	for _, origin := range []string{foreignOrigin, "null", listedOrigin + ":8443", "http://teller.bank.example", listedOrigin + "/"} {
		a := ask("/v1/ocr/passport", origin)
		f.want(origin, a, 403, 403)
		if got := a.header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s is allowed as %q", origin, got)
		}
	}
	f.want("OPTIONS without a question", f.do("OPTIONS", "/v1/ocr/passport", nil, header("Origin", listedOrigin)), 405, 405)
	if n := strings.Count(f.log.String(), `"preflight"`); n == 0 {
		t.Error("preflights are not in the log")
	}
}

// TestOriginOfAnswers: pages of a listed origin may read answers, failures too, and others get no permission; without a list no header
// speaks of origins.
func TestOriginOfAnswers(t *testing.T) {
	f := sharing(t)
	for origin, shared := range map[string]bool{listedOrigin: true, foreignOrigin: false, "": false} {
		for what, a := range map[string]answer{
			"reading": f.post("/v1/ocr/passport", sample(), header("Origin", origin)),
			"failure": f.post("/v1/ocr/passport", sample(), header("Origin", origin), header("ApiKey", "wrong")),
			"nowhere": f.do("GET", "/v1/none", nil, header("Origin", origin)),
		} {
			want := map[bool][2]string{true: {origin, "cross-origin"}, false: {"", "same-origin"}}[shared]
			got := [2]string{a.header.Get("Access-Control-Allow-Origin"), a.header.Get("Cross-Origin-Resource-Policy")}
			if got != want || a.header.Get("Vary") != "Accept-Language, Origin" ||
				shared && a.header.Get("Access-Control-Expose-Headers") != "Retry-After, X-Request-Id" {
				t.Errorf("%s from %q: %v, want %v; %v", what, origin, got, want, a.header)
			}
		}
	}
	closed := start(t)
	a := closed.post("/v1/ocr/passport", sample(), header("Origin", listedOrigin))
	closed.want("no list", a, 200, 0)
	if strings.Replace(a.header.Get("Vary"), "Accept-Language", "", 1)+a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("got %v", a.header)
	}
}

// TestKeyOfOrigin: a key that was made for the pages of an origin is refused from anywhere else, and keeps its rate while it is.
func TestKeyOfOrigin(t *testing.T) {
	f := sharing(t)
	f.key = f.addKey(
		appliance.Key{Name: "page", Scopes: []appliance.Scope{appliance.ScopeOCR}, Origins: []string{listedOrigin}, RatePerMinute: 3},
	)
	f.want("its page", f.post("/v1/ocr/passport", sample(), header("Origin", listedOrigin)), 200, 0)
	f.want("another page", f.post("/v1/ocr/passport", sample(), header("Origin", foreignOrigin)), 403, 403)
	f.want("no page", f.post("/v1/ocr/passport", sample()), 403, 403)
	f.want("too often", f.post("/v1/ocr/passport", sample()), 429, 429)
}

// TestPreviewToken: an address for an <img> opens the preview without a key for a minute, on pages of listed origins too, and not after
// its key was revoked.
func TestPreviewToken(t *testing.T) {
	w := startCamera(t, always(appliance.GuideReady), nil)
	w.server.SetPolicy(access.Policy{Origins: []string{listedOrigin}, WrongKeysPerMinute: 60})
	all := w.key
	w.key = w.addKey(appliance.Key{Name: "kiosk", Scopes: []appliance.Scope{appliance.ScopeCamera}})
	token := func(change ...func(*http.Request)) string {
		a := w.post("/v1/camera/preview/token", "", change...)
		w.want("token", a, 200, 0)
		if a.Data["expires_in"] != 60.0 {
			t.Errorf("got %s", a.raw)
		}
		url, _ := a.Data["url"].(string)
		return strings.TrimPrefix(url, "/v1/camera/preview")
	}
	open := func(query string) (int, string) {
		res, _ := w.preview(query)
		defer res.Body.Close()
		return res.StatusCode, res.Header.Get("Cross-Origin-Resource-Policy")
	}
	own, shared := token(), token(header("Origin", listedOrigin))
	w.key = ""
	for query, want := range map[string]string{own: "same-origin", shared: "cross-origin"} {
		if status, policy := open(query); status != 200 || policy != want {
			t.Errorf("%s: HTTP %d, %s, want %s", query, status, policy, want)
		}
	}
	for _, query := range []string{"", "?token=", "?token=x", own + "x"} {
		if status, _ := open(query); status != 401 {
			t.Errorf("%q: HTTP %d", query, status)
		}
	}
	w.clock.Advance(access.TicketLife)
	if status, _ := open(own); status != 401 {
		t.Errorf("after a minute: HTTP %d", status)
	}
	w.key = all
	late := token()
	if err := w.keys.Revoke(t.Context(), "all"); err != nil {
		t.Fatal(err)
	}
	if status, _ := open(late); status != 401 {
		t.Errorf("of a revoked key: HTTP %d", status)
	}
}

// TestAdviceOnCommonMistakes: a key in the wrong header, a member in capitals and a missing camera are answered with what to change.
func TestAdviceOnCommonMistakes(t *testing.T) {
	f := start(t)
	a := f.post("/v1/ocr/passport", sample(), header("ApiKey", ""), header("Authorization", "Bearer "+f.key))
	if f.want("bearer", a, 401, 401); !strings.Contains(a.Message, "header ApiKey") {
		t.Errorf("got %q", a.Message)
	}
	a = f.post("/v1/ocr/passport", `{"Image":"QUJD"}`)
	if f.want("capitals", a, 400, 400); !strings.Contains(a.Message, "Image") || !strings.Contains(a.Message, "case-sensitive") {
		t.Errorf("got %q", a.Message)
	}
	a = f.post("/v1/camera/document", `{"endpoint":"passport"}`)
	if f.want("no camera", a, 503, 503); a.header.Get("Retry-After") != "" {
		t.Errorf("told to wait %s s for a camera that is not there", a.header.Get("Retry-After"))
	}
}
