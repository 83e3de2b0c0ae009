package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// TestKeys: only a living key opens the door, all others are refused in the same words, and changes hold at once.
func TestKeys(t *testing.T) {
	f := start(t)
	ends := f.addKey(appliance.Key{Name: "ends", Scopes: appliance.Scopes(), Expires: f.clock.Now().Add(time.Hour)})
	gone := f.addKey(appliance.Key{Name: "gone", Scopes: appliance.Scopes()})
	f.want("before its end", f.post("/v1/ocr/passport", sample(), header("ApiKey", ends)), 200, 0)
	f.want("before it is revoked", f.post("/v1/ocr/passport", sample(), header("ApiKey", gone)), 200, 0)
	f.clock.Advance(time.Hour)
	if err := f.keys.Revoke(context.Background(), "gone"); err != nil {
		t.Fatal(err)
	}
	messages := map[string]bool{}
	for name, key := range map[string]string{"missing": "", "unknown": "x", "expired": ends, "revoked": gone, "half": f.key[:20], "longer": f.key + "A", "other case": "A" + f.key[1:]} {
		if key == f.key {
			continue
		}
		a := f.post("/v1/ocr/passport", sample(), header("ApiKey", key))
		f.want(name, a, 401, 401)
		messages[a.Message] = true
	}
	if len(messages) != 1 {
		t.Errorf("the refusals differ: %v", messages)
	}
	for _, name := range []string{"apikey", "APIKEY", "Apikey"} {
		a := f.post("/v1/ocr/passport", sample(), func(r *http.Request) {
			r.Header.Del("ApiKey")
			r.Header[name] = []string{f.key}
		})
		f.want(name, a, 200, 0)
	}
	f.want("in the query", f.post("/v1/ocr/passport?ApiKey="+f.key, sample(), header("ApiKey", "")), 401, 401)
	f.want("as a bearer", f.post("/v1/ocr/passport", sample(), header("ApiKey", ""), header("Authorization", "Bearer "+f.key)), 401, 401)
	added := f.addKey(appliance.Key{Name: "gone", Scopes: appliance.Scopes()})
	f.want("added again", f.post("/v1/ocr/passport", sample(), header("ApiKey", added)), 200, 0)
	f.want("revoked stays revoked", f.post("/v1/ocr/passport", sample(), header("ApiKey", gone)), 401, 401)
}

// TestScopes: each group of endpoints asks for its own scope and for no other.
func TestScopes(t *testing.T) {
	f := start(t)
	groups := map[appliance.Scope][]string{
		appliance.ScopeCamera: {"camera/liveness", "camera/document"},
		appliance.ScopeFace:   {string(appliance.EndpointFaceMatch), string(appliance.EndpointLiveness)},
	}
	for _, e := range appliance.DocumentEndpoints() {
		groups[appliance.ScopeOCR] = append(groups[appliance.ScopeOCR], string(e))
	}
	for _, held := range appliance.Scopes() {
		key := f.addKey(appliance.Key{Name: "only-" + string(held), Scopes: []appliance.Scope{held}})
		for needed, paths := range groups {
			for _, path := range paths {
				a := f.post("/v1/"+path, "{}", header("ApiKey", key))
				if refused := a.status == 403 && a.Code == 403; refused != (held != needed) {
					t.Errorf("%s with scope %s: HTTP %d", path, held, a.status)
				}
			}
		}
	}
}

// TestRateOfKey: a key with a limit gets its requests of a minute, then 429 with an honest time to wait; other keys and
// keys without a limit do not feel it.
func TestRateOfKey(t *testing.T) {
	f := start(t)
	limited := f.addKey(appliance.Key{Name: "limited", Scopes: appliance.Scopes(), RatePerMinute: 3})
	ask := func() answer { return f.post("/v1/ocr/passport", sample(), header("ApiKey", limited)) }
	for n := range 3 {
		f.want(fmt.Sprint("request ", n), ask(), 200, 0)
	}
	for range 3 {
		a := ask()
		f.want("beyond the rate", a, 429, 429)
		if a.header.Get("Retry-After") != "20" {
			t.Errorf("Retry-After %q, want 20", a.header.Get("Retry-After"))
		}
	}
	f.want("another key", f.post("/v1/ocr/passport", sample()), 200, 0)
	f.clock.Advance(19 * time.Second)
	f.want("a second too early", ask(), 429, 429)
	f.clock.Advance(time.Second)
	f.want("after the wait", ask(), 200, 0)
	f.want("only one came back", ask(), 429, 429)
	f.clock.Advance(time.Minute)
	ocr := f.addKey(appliance.Key{Name: "ocr", Scopes: []appliance.Scope{appliance.ScopeOCR}, RatePerMinute: 3})
	for n, want := range []int{403, 403, 403, 429, 429} {
		f.want(fmt.Sprint("without the scope ", n), f.post("/v1/ocr/face/match", sample(), header("ApiKey", ocr)), want, want)
	}
	f.clock.Advance(time.Minute)
	for n := range 3 {
		f.want(fmt.Sprint("a minute later ", n), ask(), 200, 0)
	}
	for range 200 {
		f.want("no limit", f.post("/v1/ocr/passport", sample()), 200, 0)
	}
}

// TestWrongKeys: sixty wrong keys a minute are 401, further ones 429, while a right key still works and no key at all
// is no guess; what a proxy header claims is not believed.
func TestWrongKeys(t *testing.T) {
	f := start(t)
	wrong := func(n int) answer {
		return f.post("/v1/ocr/passport", "{}", header("ApiKey", fmt.Sprint("wrong", n)), header("X-Forwarded-For", fmt.Sprint("10.0.0.", n)))
	}
	for n := range 60 {
		f.want(fmt.Sprint("wrong key ", n), wrong(n), 401, 401)
		f.clock.Advance(100 * time.Millisecond)
	}
	for n := range 5 {
		a := wrong(60 + n)
		f.want("too many", a, 429, 429)
		if after, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || after != 54 {
			t.Errorf("Retry-After %q, want 54", a.header.Get("Retry-After"))
		}
	}
	f.want("a right key", f.post("/v1/ocr/passport", sample()), 200, 0)
	f.want("no key", f.post("/v1/ocr/passport", sample(), header("ApiKey", "")), 401, 401)
	f.clock.Advance(54 * time.Second)
	f.want("after the wait", wrong(70), 401, 401)
	f.want("only one came back", wrong(71), 429, 429)
	for range 70 {
		f.want("no key", f.post("/v1/ocr/passport", sample(), header("ApiKey", "")), 401, 401)
	}
}
