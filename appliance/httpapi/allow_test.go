package httpapi

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/httpapi/access"
)

// elsewhere is an address of this machine that is not loopback; the test is skipped without one.
func elsewhere(t *testing.T) netip.Addr {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		if err == nil && p.Addr().Is4() && !p.Addr().IsLoopback() {
			return p.Addr()
		}
	}
	t.Skip("this machine has no address but loopback")
	return netip.Addr{}
}

// from is a client that calls from one address and keeps no connection.
func from(a netip.Addr) *http.Client {
	d := &net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(a, 0)), Timeout: 10 * time.Second}
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: trusting(),
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return d.DialContext(ctx, network, addr)
		},
	}}
}

// TestAllow: only listed addresses and this machine itself get past the door, on every path and before a key counts; a
// new list holds from the next request on, also on a connection that is open.
func TestAllow(t *testing.T) {
	f := start(t, func(o *options) { o.tls = serverTLS(t) })
	other := elsewhere(t)
	_, port, _ := net.SplitHostPort(f.addr)
	f.want("loopback", f.post("/v1/ocr/passport", sample()), 200, 0)
	home := f.addr
	f.addr, f.client = other.String()+":"+port, from(other)
	for _, path := range []string{"/v1/ocr/passport", "/v1/none", "/healthz", "/metrics", "/v1/openapi.yaml"} {
		f.want("a stranger at "+path, f.post(path, sample()), 403, 403)
	}
	wrong := f.post("/v1/ocr/passport", sample(), header("ApiKey", "wrong"), header("X-Forwarded-For", "127.0.0.1"))
	f.want("a stranger without a key", wrong, 403, 403)
	f.want("a stranger with a body that is too large", f.post("/v1/ocr/passport", strings.Repeat(" ", 17<<20)), 403, 403)
	for list, status := range map[string]int{other.String(): 200, netip.PrefixFrom(other, 24).String(): 200, other.Next().String(): 403} {
		allow, err := access.ParseAllow([]string{"198.51.100.7", list})
		if err != nil {
			t.Fatal(err)
		}
		f.server.SetPolicy(access.Policy{Allow: allow, WrongKeysPerMinute: 60})
		if a := f.post("/v1/ocr/passport", sample()); a.status != status {
			t.Errorf("with %s on the list: HTTP %d, want %d", list, a.status, status)
		}
	}
	allow, err := access.ParseAllow([]string{other.String()})
	if err != nil {
		t.Fatal(err)
	}
	for status, list := range map[int]string{200: other.String(), 403: other.Next().String()} {
		metrics, err := access.ParseAllow([]string{list})
		if err != nil {
			t.Fatal(err)
		}
		f.server.SetPolicy(access.Policy{Allow: allow, Metrics: metrics, WrongKeysPerMinute: 60})
		if a := f.do("GET", "/metrics", nil); a.status != status {
			t.Errorf("/metrics for %s: HTTP %d, want %d", list, a.status, status)
		}
		f.want("a reading", f.post("/v1/ocr/passport", sample()), 200, 0)
	}
	f.addr, f.client = home, &http.Client{Transport: &http.Transport{TLSClientConfig: trusting()}}
	f.server.SetPolicy(access.Policy{WrongKeysPerMinute: 60})
	f.want("loopback, with an empty list", f.post("/v1/ocr/passport", sample()), 200, 0)
	if _, err := access.ParseAllow([]string{"bank"}); err == nil {
		t.Error("a word is an address")
	}
}

// TestRateOfAddress: an address gets its requests of a minute whatever keys it uses, then 429 with an honest time to
// wait; another limit holds at once.
func TestRateOfAddress(t *testing.T) {
	f := start(t, func(o *options) { o.cfg.Policy.RequestsPerMinute = 3 })
	ask := func() answer { return f.post("/v1/ocr/passport", sample()) }
	for n := range 3 {
		f.want(fmt.Sprint("request ", n), ask(), 200, 0)
	}
	for _, a := range []answer{ask(), f.post("/v1/ocr/passport", sample(), header("ApiKey", "")), f.do("GET", "/healthz", nil)} {
		f.want("beyond the rate", a, 429, 429)
		if a.header.Get("Retry-After") != "20" {
			t.Errorf("Retry-After %q, want 20", a.header.Get("Retry-After"))
		}
	}
	f.clock.Advance(20 * time.Second)
	f.want("after the wait", ask(), 200, 0)
	f.want("only one came back", ask(), 429, 429)
	f.server.SetPolicy(access.Policy{WrongKeysPerMinute: 60, RequestsPerMinute: 4})
	f.want("with another limit", ask(), 200, 0)
	f.server.SetPolicy(access.Policy{WrongKeysPerMinute: 60})
	for range 10 {
		f.want("without a limit", ask(), 200, 0)
	}
}

// TestSecurityHeaders: every answer, of success and of failure, carries the headers that keep browsers from doing more
// with it than showing it, and plain loopback demands no TLS.
func TestSecurityHeaders(t *testing.T) {
	f := start(t)
	for _, a := range []answer{
		f.post("/v1/ocr/passport", sample()), f.post("/v1/none", "{}"), f.do("GET", "/v1/openapi.yaml", nil), f.do("GET", "/metrics", nil),
		f.post("/v1/ocr/passport", sample(), header("ApiKey", "")), f.do("PUT", "/healthz", nil),
	} {
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
			"Referrer-Policy": "no-referrer", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cross-Origin-Resource-Policy": "same-origin",
			"Strict-Transport-Security": "", "Server": "",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("HTTP %d: %s is %q, want %q", a.status, name, got, want)
			}
		}
	}
}
