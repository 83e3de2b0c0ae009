package httpapi

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/bawab/bawab/appliance/httpapi/state"
)

// withConsole is a server with pages and a journal.
func withConsole(t *testing.T) (*fixture, *journalFake) {
	t.Helper()
	j := &journalFake{}
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = io.WriteString(w, "page "+r.URL.Path)
	})
	c := &browser.Console{
		Pages: pages, Status: func() state.Status { return state.Status{Version: "test", Started: time.Unix(0, 0)} },
		Checks: func(context.Context) []appliance.Check {
			return []appliance.Check{{Name: "disk", Detail: "full", Hint: "free some"}, {Name: "clock", OK: true, Hint: "not said"}}
		},
	}
	return start(t, func(o *options) { o.journal, o.console = j, c }), j
}

// entered is a signed-in browser.
type entered struct{ cookie, token string }

// enter signs in with a key.
func (f *fixture) enter(key string) entered {
	f.t.Helper()
	a := f.do("POST", "/console/session", strings.NewReader(`{"key":"`+key+`"}`), header("ApiKey", ""))
	f.want("sign in", a, 200, 0)
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return entered{cookie, a.Data["token"].(string)}
}

// as makes a request one of a signed-in page.
func (e entered) as(r *http.Request) {
	r.Header.Del("ApiKey")
	r.Header.Set("Cookie", e.cookie)
	r.Header.Set("Bawab-Token", e.token)
}

// A key with the scope admin opens a session whose cookie no script and no other site gets; the session may what the key
// may, and both its ends are in the journal.
func TestSession(t *testing.T) {
	f, j := withConsole(t)
	a := f.do("POST", "/console/session", strings.NewReader(`{"key":"`+f.key+`"}`), header("ApiKey", ""))
	f.want("sign in", a, 200, 0)
	set := strings.ToLower(a.header.Get("Set-Cookie"))
	if !strings.Contains(set, "httponly") || !strings.Contains(set, "samesite=strict") ||
		strings.Contains(set, "; secure") || strings.Contains(set, f.key) {
		t.Errorf("the cookie is %s", set)
	}
	in := f.enter(f.key)
	f.want("read", f.do("POST", "/v1/ocr/passport", strings.NewReader(sample()), in.as), 200, 0)
	f.want("health", f.do("GET", "/console/health", nil, in.as), 200, 0)
	a = f.do("GET", "/console/session", nil, in.as, func(r *http.Request) { r.Header.Del("Bawab-Token") })
	if a.Data["token"] != in.token || a.Data["key"] != "all" {
		t.Errorf("the page learns %s", a.raw)
	}
	f.want("sign out", f.do("DELETE", "/console/session", nil, in.as), 200, 0)
	f.want("afterwards", f.do("GET", "/console/health", nil, in.as), 401, 401)
	kinds := map[appliance.EntryKind]int{}
	for _, e := range j.take() {
		kinds[e.Kind]++
	}
	if kinds[appliance.EntrySignedIn] != 2 || kinds[appliance.EntrySignedOut] != 1 {
		t.Errorf("the journal has %v", kinds)
	}
}

// Neither the cookie alone, nor with another token, nor from another site does a request count as the session's.
func TestForgedRequests(t *testing.T) {
	f, _ := withConsole(t)
	in := f.enter(f.key)
	for name, tt := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"no token":     {func(r *http.Request) { r.Header.Del("Bawab-Token") }, 401},
		"wrong token":  {header("Bawab-Token", appliance.NewSecret()), 403},
		"other site":   {header("Sec-Fetch-Site", "cross-site"), 403},
		"same site":    {header("Sec-Fetch-Site", "same-site"), 403},
		"other origin": {header("Origin", "https://evil.example"), 403},
		"no cookie":    {func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		"wrong cookie": {header("Cookie", "bawab_session="+appliance.NewSecret()), 401},
	} {
		f.want(name, f.do("DELETE", "/console/keys/all", nil, in.as, tt.change), tt.status, tt.status)
	}
	a := f.do("POST", "/console/session", strings.NewReader(`{"key":"`+f.key+`"}`), header("Origin", "https://evil.example"))
	f.want("sign in from elsewhere", a, 403, 403)
	f.want("the session from elsewhere", f.do("GET", "/console/session", nil, in.as, header("Sec-Fetch-Site", "cross-site")), 403, 403)
	if f.server.gate.StillIn("all", strings.TrimPrefix(in.cookie, "bawab_session="), netip.Addr{}) {
		t.Error("the cookie counts at another address")
	}
	f.want("a key alone", f.do("GET", "/console/keys", nil), 403, 403)
}

// A session ends after fifteen minutes without a person's request, after twelve hours, and with its key; what a page asks by itself
// does not keep it.
func TestSessionEnds(t *testing.T) {
	f, _ := withConsole(t)
	in := f.enter(f.key)
	ask := func(status int, background string) {
		t.Helper()
		a := f.do("GET", "/console/health", nil, in.as, header("Bawab-Background", background))
		f.want("ask", a, status, map[int]int{200: 0, 401: 401}[status])
	}
	f.clock.Advance(access.SessionIdle - time.Second)
	ask(200, "")
	f.clock.Advance(access.SessionIdle - time.Second)
	ask(200, "1")
	f.clock.Advance(time.Second)
	ask(401, "")
	in = f.enter(f.key)
	for range int(12*time.Hour/(10*time.Minute)) - 1 {
		f.clock.Advance(10 * time.Minute)
		ask(200, "")
	}
	f.clock.Advance(10 * time.Minute)
	ask(401, "")
	in = f.enter(f.addKey(appliance.Key{Name: "short", Scopes: appliance.Scopes()}))
	if err := f.keys.Revoke(t.Context(), "short"); err != nil {
		t.Fatal(err)
	}
	ask(401, "")
}

// Only a right key with the scope admin signs in, and wrong ones use up the guesses of their address.
func TestSignInRefused(t *testing.T) {
	f, _ := withConsole(t)
	f.server.SetPolicy(access.Policy{WrongKeysPerMinute: 2})
	weak := f.addKey(appliance.Key{Name: "weak", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	try := func(body string) answer {
		return f.do("POST", "/console/session", strings.NewReader(body), header("ApiKey", ""))
	}
	f.want("without admin", try(`{"key":"`+weak+`"}`), 403, 403)
	f.want("no JSON", try(`{"key":`), 400, 400)
	f.want("wrong", try(`{"key":"x"}`), 401, 401)
	f.want("wrong again", try(`{"key":"x"}`), 401, 401)
	f.want("too often", try(`{"key":"x"}`), 429, 429)
	f.want("right", try(`{"key":"`+f.key+`"}`), 200, 0)
}

// The console lists, makes and revokes keys; a secret is answered once, and the journal of keys says by whom.
func TestConsoleKeys(t *testing.T) {
	f, _ := withConsole(t)
	in := f.enter(f.key)
	wanted := `{"name":"kiosk","scopes":["ocr"],"origins":["https://teller.example"],"expires":"2999-01-01T00:00:00Z"}`
	a := f.do("POST", "/console/keys", strings.NewReader(wanted), in.as)
	f.want("add", a, 200, 0)
	secret := a.Data["secret"].(string)
	list := f.do("GET", "/console/keys", nil, in.as)
	if keys, _ := list.Data["keys"].([]any); len(keys) != 2 ||
		strings.Contains(list.raw, secret) || !strings.Contains(list.raw, "teller.example") {
		t.Errorf("the list is %s", list.raw)
	}
	f.want("bad", f.do("POST", "/console/keys", strings.NewReader(`{"name":"<b>","scopes":["ocr"]}`), in.as), 400, 400)
	f.want("revoke", f.do("DELETE", "/console/keys/kiosk", nil, in.as), 200, 0)
	if _, err := f.keys.Authenticate(secret); err == nil {
		t.Error("the revoked key is valid")
	}
}

// Pages keep the policy and cache rule of their own, and get the common headers.
func TestPagesServed(t *testing.T) {
	f, _ := withConsole(t)
	for _, path := range []string{"/", "/console/", "/console/assets/x.js"} {
		a := f.do("GET", path, nil, header("ApiKey", ""))
		if a.raw != "page "+path || a.header.Get("Content-Security-Policy") != "default-src 'self'" ||
			a.header.Get(
				"Cache-Control",
			) != "no-cache" || a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" || a.header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %s %v", path, a.raw, a.header)
		}
	}
	if a := f.do("GET", "/healthz", nil); a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the API is kept: %v", a.header)
	}
}
