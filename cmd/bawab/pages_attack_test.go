package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
)

// eventually waits for what a promise of the page comes to.
func (b *browser) eventually(script string) string {
	b.t.Helper()
	b.run(
		chromedp.Evaluate[chromedp.Void](
			`window.come = ""; (` + script + `).then(v => window.come = String(v), e => window.come = "failed: " + e)`,
		),
	)
	b.await(`window.come !== "" /* ` + script + ` */`)
	return b.ask(`window.come`)
}

// blank serves an empty page, as somebody else's site does.
func blank(http.ResponseWriter, *http.Request) {}

// elsewhereServed serves an empty page on a port of its own and returns the port.
func elsewhereServed(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(blank))
	t.Cleanup(site.Close)
	_, port, err := net.SplitHostPort(site.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// attacks are what a page tries with the session of the person who opens it. Each comes to "read" with what it got, or fails.
func attacks(target, admin string) map[string]string {
	try := func(path, options string) string {
		return fmt.Sprintf(
			`fetch(%q, {credentials: "include", %s}).then(r => r.text().then(text => "read " + r.status + " " + text.slice(0, 80)))`,
			target+path,
			options,
		)
	}
	form := func(path, name, value string) string {
		return fmt.Sprintf(`new Promise((done) => { const f = document.createElement("form"), i = document.createElement("input"),
			w = document.createElement("iframe"); w.name = "w";
			w.onload = () => w.dataset.there ? done("sent") : (w.dataset.there = "1", f.submit());
			f.target = "w"; f.method = "POST"; f.enctype = "text/plain"; f.action = %q;
			i.name = %q; i.value = %q; f.append(i); document.body.append(f, w); })`, target+path, name, value)
	}
	newKey := `{"name":"stolen","scopes":["admin"],"x":"`
	return map[string]string{
		"read the session":  try("/console/session", ``),
		"read the keys":     try("/console/keys", ``),
		"follow the events": try("/v1/events", ``),
		"make a key": try(
			"/console/keys",
			`method: "POST", headers: {"Content-Type": "application/json", "Bawab-Token": "x"}, body: "{}"`,
		),
		"make a key, unasked":  try("/console/keys", `mode: "no-cors", method: "POST", body: '{"name":"stolen","scopes":["admin"]}'`),
		"make a key by a form": form("/console/keys", newKey, `"}`),
		"sign the person in":   form("/console/session", `{"key":"`+admin+`","x":"`, `"}`),
		"revoke a key":         try("/console/keys/operator", `method: "DELETE"`),
		"sign out":             try("/console/session", `method: "DELETE"`),
		"begin at the kiosk":   try("/kiosk/begin", `method: "POST", headers: {"Bawab-Kiosk": "1"}, body: '{"kind":"passport"}'`),
		"stop at the kiosk":    form("/kiosk/stop", `{"run":"`, `"}`),
		"look into a window": fmt.Sprintf(
			`new Promise(d => { const w = open(%q);
				setTimeout(() => { try { d("read " + w.document.body.innerText) } catch (e) { d("failed") } }, 500) })`,
			target+"/console/",
		),
		"load it as a script": fmt.Sprintf(
			`new Promise(d => { const s = document.createElement("script"); s.src = %q;
				s.onload = () => d("read"); s.onerror = () => d("failed"); document.body.append(s) })`,
			target+"/console/session",
		),
		"show it as a picture": fmt.Sprintf(
			`new Promise(d => { const s = new Image(); s.src = %q; s.onload = () => d("read"); s.onerror = () => d("failed") })`,
			target+"/console/assets/mark.svg",
		),
	}
}

// Pages of other origins, of this machine or not, listed in http.origins or not, neither frame the pages nor read or do anything with the
// session of the person who opens them; a listed one may call the API with a key, and another one may not.
func TestPagesAttacked(t *testing.T) {
	port := elsewhereServed(t)
	listed, unlisted := "http://127.0.0.1:"+port, "http://localhost:"+port // the cookies of the first are those of the appliance
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_HTTP_ORIGINS="+listed)
	b := openBrowser(t, p)
	admin := p.adminKey("operator")
	b.enter(admin)
	before := p.command("keys", "list", "--data", p.dir)
	for _, origin := range []string{listed, unlisted} {
		evil := b.tab()
		for name, attack := range attacks(b.base, p.adminKey("other-"+appliance.NewGUID()[:8])) {
			evil.run(chromedp.Navigate(origin + "/"))
			if got := evil.eventually(attack); got != "sent" && !strings.HasPrefix(got, "failed") && got != "read 0 " {
				t.Errorf("%s: %s comes to %s", origin, name, got)
			}
		}
		for _, path := range []string{"/", "/console/", "/kiosk/", "/readyz"} {
			if !evil.refusesFrame(origin, b.base+path) {
				t.Errorf("%s shows %s in a frame: %q", origin, path, evil.problems)
			}
		}
		evil.run(chromedp.Navigate(origin + "/"))
		got := evil.eventually(
			fmt.Sprintf(`fetch(%q, {method: "POST", headers: {ApiKey: %q, "Content-Type": "application/json"}, body: "{}"}).then(r => r.status)`,
				b.base+"/v1/ocr/passport", p.secret),
		)
		if want := map[string]string{listed: "400", unlisted: "failed: TypeError: Failed to fetch"}[origin]; got != want {
			t.Errorf("a call of the API from %s comes to %s, want %s", origin, got, want)
		}
	}
	after := p.command("keys", "list", "--data", p.dir)
	for _, name := range []string{"operator", "stolen"} {
		if strings.Contains(before, name) != strings.Contains(after, name) {
			t.Errorf("the keys were\n%s\nand are\n%s", before, after)
		}
	}
	b.press("nav.rooms a", "Keys") // the session is the same
	b.see("tr[data-key=operator]", "this session")
	b.calm()
}

// refusesFrame reports whether the browser shows an error where a page wanted another one in a frame: a frame of the same process is seen
// in the tree, and of another one the console says it.
func (b *browser) refusesFrame(origin, target string) bool {
	b.t.Helper()
	b.run(chromedp.Navigate(origin + "/"))
	b.eventually(
		fmt.Sprintf(
			`new Promise(d => { const f = document.createElement("iframe"); f.src = %q; f.onload = d; document.body.append(f) })`,
			target,
		),
	)
	tree, err := chromedp.Call(b.ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	if frames := tree.FrameTree.ChildFrames; len(frames) == 1 {
		return frames[0].Frame.UnreachableURL == target
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.problems, func(said string) bool {
		return strings.Contains(said, "'"+b.base+"/'") && strings.Contains(said, "frame")
	})
}

// as sends a request without a body, with such headers, from an address of this machine.
func (p *program) as(from, method, path string, header map[string]string) (reply, error) {
	client := http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext}}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(p.t.Context(), method, "http://"+p.listen+path, nil)
	if err != nil {
		return reply{}, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	r := reply{Status: res.StatusCode}
	return r, json.NewDecoder(res.Body).Decode(&r)
}

// A session's cookie is read by no script, and whoever carries it away, even with the token, can use it neither from another address nor
// from another origin.
func TestPagesCookieStolen(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	if cookie := b.ask(`document.cookie`); cookie != "" {
		t.Errorf("a script reads %s", cookie)
	}
	jar, err := chromedp.Call(b.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil || len(jar.Cookies) != 1 {
		t.Fatalf("the browser has %v, %v", jar, err)
	}
	c := jar.Cookies[0]
	if !c.HTTPOnly || c.SameSite != network.CookieSameSiteStrict || c.Secure {
		t.Errorf("the cookie is %+v", c)
	}
	carried := map[string]string{"Cookie": c.Name + "=" + c.Value}
	own, err := p.as("127.0.0.1", http.MethodGet, "/console/session", carried)
	if err != nil || own.Data["token"] == nil {
		t.Fatalf("the session is %+v, %v", own, err)
	}
	other, err := p.as("127.0.0.2", http.MethodGet, "/console/session", carried)
	if err != nil || other.Data != nil {
		t.Errorf("another address learns %+v, %v", other, err)
	}
	carried["Bawab-Token"] = own.Data["token"].(string)
	forged := map[string]string{"Cookie": carried["Cookie"], "Bawab-Token": carried["Bawab-Token"], "Origin": "https://evil.example"}
	for name, tt := range map[string]struct {
		from   string
		header map[string]string
		want   int
	}{"own": {"127.0.0.1", carried, 200}, "another address": {"127.0.0.2", carried, 401}, "another origin": {"127.0.0.1", forged, 403}} {
		if r, err := p.as(tt.from, http.MethodGet, "/console/keys", tt.header); err != nil || r.Status != tt.want {
			t.Errorf("%s: %d, want %d; %v", name, r.Status, tt.want, err)
		}
	}
	b.calm()
}
