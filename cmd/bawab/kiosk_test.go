package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
)

// lay puts another picture before a played camera.
func lay(t *testing.T, dir, sample string) {
	t.Helper()
	raw, err := os.ReadFile(samplePath(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(dir, "new")
	if err := os.WriteFile(fresh, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, filepath.Join(dir, "0.jpg")); err != nil {
		t.Fatal(err)
	}
}

// letIn opens the kiosk's page and lets its screen in.
func (b *browser) letIn(p *program) {
	b.t.Helper()
	b.resize(screens()[0])
	b.run(chromedp.Navigate(b.base + "/kiosk/"))
	b.await(`/^\S{4}-\S{4}$/.test(document.querySelector(".pairing .code")?.innerText)`)
	p.command("keys", "screen", "hall-1", b.ask(`document.querySelector(".pairing .code").innerText`), "--data", p.dir)
	b.see(".welcome h1", "")
}

// touch presses the n-th shown place, for pages whose language is not known.
func (b *browser) touch(place, n string) {
	b.t.Helper()
	b.await(`document.querySelectorAll("` + place + `").length > ` + n)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("` + place + `")[` + n + `].click()`))
}

// kioskEnd is an event `kiosk`.
type kioskEnd struct {
	Transaction string `json:"transaction_id"`
	Key         string
	Outcome     string
}

// follows reads the events of a program: each outcome of the kiosk comes on the channel.
func (p *program) follows(admin string) <-chan kioskEnd {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+p.listen+"/v1/events", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("ApiKey", admin)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	found := make(chan kioskEnd, 16)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		for kiosk := false; lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && kiosk {
				var e kioskEnd
				if json.Unmarshal([]byte(data), &e) == nil {
					found <- e
				}
			}
			kiosk = lines.Text() == "event: kiosk"
		}
	})
	p.t.Cleanup(func() { p.stop(syscall.SIGKILL); reading.Wait() })
	return found
}

// ending waits for the next outcome of the kiosk.
func ending(t *testing.T, events <-chan kioskEnd) kioskEnd {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(browserPatience):
		t.Fatal("no outcome of the kiosk was told")
		return kioskEnd{}
	}
}

// transaction asks for all that a transaction holds.
func (p *program) transaction(admin, id string) (r reply) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+p.listen+"/v1/transactions/"+id, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("ApiKey", admin)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
		p.t.Fatal(err)
	}
	return r
}

// smallest is a script for the smallest type that the page shows, in pixels.
const smallest = `String(Math.min(...[...document.querySelectorAll("#page *")].filter(e => e.checkVisibility() &&
	[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))))`

// large fails the test where the page shows type below 48 pixels, or is wider or higher than its screen.
func (b *browser) large() {
	b.t.Helper()
	if px := b.ask(smallest); len(px) < 2 || px < "48" {
		b.t.Errorf("the page shows type of %s pixels", px)
	}
	if out := b.ask(`(d => d.scrollWidth > innerWidth || d.scrollHeight > innerHeight ? "out" : "")(document.documentElement)`); out != "" {
		b.t.Error("the page is larger than its screen")
	}
}

// A customer is led from the welcome over both sides of an ID, which are taken by themselves, and their own word to the look at the
// face; the screen shows what the bank allows and no more, in large type; the integrator hears the outcome and finds the
// transaction.
func TestKioskFlow(t *testing.T) {
	dir := played(t, "general.jpg")
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_CAMERA_DEVICE=replay:"+dir, "BAWAB_KIOSK_TIMEOUT=5m",
		"BAWAB_KIOSK_SHOW=name", "BAWAB_KIOSK_TEXT_EN_COLLEAGUE=Counter three, please.")
	admin := p.adminKey("integrator")
	events := p.follows(admin)
	b := openBrowser(t, p)
	b.letIn(p)
	if dir := b.ask(`document.documentElement.dir + document.documentElement.lang`); dir != "rtlar" {
		t.Errorf("the kiosk greets in %s", dir)
	}
	b.large()
	b.press(".language", "English")
	b.touch(".kinds .big", "0")
	b.see("h1", "Show the front")
	b.see(".guidance", "Hold the document before the camera")
	b.press(".language", "العربية")
	b.see(".guidance", "الكاميرا")
	b.press(".language", "English")
	b.see(".guidance", "Hold the document before the camera")
	b.large()
	lay(t, dir, "id_front.jpg")
	b.await(`document.querySelector(".over .outline") !== null`)
	b.see("h1", "turn your ID over")
	b.see(".guidance", "The other side, please")
	lay(t, dir, "id_back.jpg")
	b.see(".checked dd", "رجب")
	if shown := b.ask(`document.body.innerText`); strings.Contains(shown, "253110") || strings.Contains(shown, "1953") {
		t.Errorf("the screen shows more than the bank allows: %s", shown)
	}
	b.large()
	lay(t, dir, "face.jpg")
	b.press(".answers .big", "Yes")
	b.await(`document.querySelector(".eye.face") !== null`)
	b.large()
	b.see(".last h1", "Counter three") // a still is no living person
	e := ending(t, events)
	if e.Outcome != "colleague" || e.Key != "hall-1" ||
		!strings.EqualFold(e.Transaction[:4], b.ask(`document.querySelector(".reference").innerText`)) {
		t.Errorf("the outcome is %+v", e)
	}
	if r := p.transaction(admin, e.Transaction); r.Code != 0 || len(r.Data["records"].([]any)) < 3 {
		t.Errorf("the integrator finds %+v", r)
	}
	b.press("footer .big", "Finish")
	b.see(".welcome h1", "أهلًا")
	b.calm()
}

// Nobody before the screen: the page asks, then goes back to the welcome, and what was read is erased at once; who answers stays.
func TestKioskTimeout(t *testing.T) {
	t.Parallel()
	p := startProgram(
		t,
		t.TempDir(),
		"BAWAB_KIOSK_ENABLED=true",
		"BAWAB_CAMERA_DEVICE=replay:"+played(t, "passport.jpg"),
		"BAWAB_KIOSK_TIMEOUT=40s",
	)
	admin := p.adminKey("integrator")
	events := p.follows(admin)
	b := openBrowser(t, p)
	b.letIn(p)
	b.touch(".kinds .big", "1")
	b.await(`document.querySelector(".checked") !== null`)
	b.touch(".still .big", "0")
	b.await(`document.querySelector(".still") === null && document.querySelector(".checked") !== null`)
	b.await(`document.querySelector(".still") !== null`)
	b.see(".welcome h1", "")
	e := ending(t, events)
	if r := p.transaction(admin, e.Transaction); e.Outcome != "timed_out" || r.Code == 0 {
		t.Errorf("%+v leaves %+v", e, r)
	}
	b.calm()
}

// A page that is loaded again, a customer who stops, by hand or with the keyboard, and a daemon that is killed leave no data; the
// screen stays let in all the while.
func TestKioskLeavesNothing(t *testing.T) {
	settings := []string{"BAWAB_KIOSK_ENABLED=true", "BAWAB_CAMERA_DEVICE=replay:" + played(t, "passport.jpg"), "BAWAB_KIOSK_STEPS=check"}
	p := startProgram(t, t.TempDir(), settings...)
	admin := p.adminKey("integrator")
	events := p.follows(admin)
	b := openBrowser(t, p)
	b.letIn(p)
	for name, leave := range map[string]func(){
		"loaded again": func() { b.run(chromedp.Evaluate[chromedp.Void](`location.reload()`)) },
		"stopped":      func() { b.touch("footer > .big", "0") },
		"escape": func() {
			b.run(chromedp.Evaluate[chromedp.Void](`dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}))`))
		},
		"gone back": func() { b.run(chromedp.Navigate(b.base+"/"), chromedp.Evaluate[chromedp.Void](`history.back()`)) },
	} {
		b.touch(".kinds .big", "1")
		b.await(`document.querySelector(".checked") !== null`)
		leave()
		e := ending(t, events)
		if r := p.transaction(admin, e.Transaction); e.Outcome != "stopped" || r.Code == 0 {
			t.Errorf("%s: %+v leaves %+v", name, e, r)
		}
		b.see(".welcome h1", "")
	}
	b.touch(".kinds .big", "1")
	b.await(`document.querySelector(".checked") !== null`)
	if err := p.stop(syscall.SIGKILL); err == nil {
		t.Error("the daemon was not killed")
	}
	list, err := os.ReadFile(filepath.Join(p.dir, "kiosk.json"))
	if err != nil {
		t.Fatal(err)
	}
	var open map[string]string
	if err := json.Unmarshal(list, &open); err != nil || len(open) != 1 {
		t.Fatalf("the list of the kiosk is %s", list)
	}
	again := startProgram(t, p.dir, settings...)
	for id := range open {
		if r := again.transaction(admin, id); r.Code == 0 {
			t.Errorf("after the kill there is %+v", r)
		}
	}
}

// The browser's own camera does where the appliance has none: the picture is taken by itself, and the check is done.
func TestKioskBrowserCamera(t *testing.T) {
	raw, err := os.ReadFile(samplePath(t, "id_front.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	film := filepath.Join(t.TempDir(), "card.mjpeg")
	if err := os.WriteFile(film, bytes.Repeat(raw, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProgram(
		t,
		t.TempDir(),
		"BAWAB_KIOSK_ENABLED=true",
		"BAWAB_KIOSK_KINDS=national_id",
		"BAWAB_KIOSK_STEPS=check",
		"BAWAB_KIOSK_LANGUAGES=en",
	)
	events := p.follows(p.adminKey("integrator"))
	b := openBrowser(t, p, chromedp.Flag("use-file-for-fake-video-capture", film))
	b.letIn(p)
	b.press(".kinds .big", "Begin")
	b.press(".answers .big", "Yes")
	b.see(".last h1", "Thank you")
	if e := ending(t, events); e.Outcome != "done" {
		t.Errorf("the outcome is %+v", e)
	}
	b.press("footer .big", "Finish")
	b.run(
		chromedp.Evaluate[chromedp.Void](
			`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"))`,
		),
	)
	b.press(".kinds .big", "Begin")
	b.see(".guidance", "no camera")
	b.press("footer .big", "Stop")
	b.see(".welcome h1", "Welcome")
	b.calm()
}

// The key of a screen counts in its cookie, from its address, in requests of the kiosk's own page, and opens the kiosk's steps alone.
func TestKioskCookie(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true")
	post := func(from, path string, header map[string]string) (reply, []*http.Cookie) {
		t.Helper()
		client := http.Client{
			Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext},
		}
		defer client.CloseIdleConnections()
		req, err := http.NewRequestWithContext(
			t.Context(),
			http.MethodPost,
			"http://"+p.listen+path,
			strings.NewReader(`{"kind":"passport"}`),
		)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range header {
			req.Header.Set(name, value)
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		r := reply{Status: res.StatusCode}
		if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
			t.Fatal(err)
		}
		return r, res.Cookies()
	}
	page := map[string]string{"Bawab-Kiosk": "1"}
	waits, cookies := post("127.0.0.1", "/kiosk/open", page)
	code := waits.Data["code"].(string)
	p.command("keys", "screen", "hall-1", strings.ToLower(code[:4]), code[4:], "--data", p.dir)
	page["Cookie"] = cookies[0].Name + "=" + cookies[0].Value
	if r, _ := post("127.0.0.2", "/kiosk/open", page); r.Data["screen"] != "" {
		t.Errorf("another address took over the screen that was let in: %+v", r)
	}
	_, cookies = post("127.0.0.1", "/kiosk/open", page)
	c := cookies[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/kiosk/" {
		t.Fatalf("the cookie is %v", c)
	}
	page["Cookie"] = c.Name + "=" + c.Value
	with := func(name, value string) map[string]string {
		h := map[string]string{"Bawab-Kiosk": "1", "Cookie": page["Cookie"]}
		h[name] = value
		return h
	}
	for name, tt := range map[string]struct {
		from, path string
		header     map[string]string
		want       int
	}{
		"the screen":         {"127.0.0.1", "/kiosk/begin", page, 200},
		"another address":    {"127.0.0.2", "/kiosk/begin", page, 401},
		"another cookie":     {"127.0.0.1", "/kiosk/begin", with("Cookie", c.Name+"="+appliance.NewSecret()), 401},
		"another site":       {"127.0.0.1", "/kiosk/begin", with("Sec-Fetch-Site", "cross-site"), 403},
		"another origin":     {"127.0.0.1", "/kiosk/begin", with("Origin", "https://evil.example"), 403},
		"no page's header":   {"127.0.0.1", "/kiosk/begin", map[string]string{"Cookie": page["Cookie"]}, 403},
		"the key as ApiKey":  {"127.0.0.1", "/v1/ocr/passport", map[string]string{"ApiKey": c.Value}, 401},
		"the API's routes":   {"127.0.0.1", "/v1/ocr/passport", page, 401},
		"an API key instead": {"127.0.0.1", "/kiosk/begin", map[string]string{"Bawab-Kiosk": "1", "ApiKey": p.secret}, 401},
	} {
		if r, _ := post(tt.from, tt.path, tt.header); r.Status != tt.want {
			t.Errorf("%s: %d, %+v", name, r.Status, r)
		}
	}
	p.command("keys", "revoke", "hall-1", "--data", p.dir)
	if r, _ := post("127.0.0.1", "/kiosk/begin", page); r.Status != 401 {
		t.Errorf("revoked: %d", r.Status)
	}
}
