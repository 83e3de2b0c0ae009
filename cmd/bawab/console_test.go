package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/bawab/bawab/appliance"
)

// browserPatience bounds a step in a browser: starting one takes seconds on a busy machine.
const browserPatience = 90 * time.Second

// browser is a page in Chromium that looks at a running program.
type browser struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu       sync.Mutex
	problems []string // what the page's console says, but for refusals that a test asks for
	hosts    []string // that were asked
}

// openBrowser starts Chromium with a camera that is made up, and looks at a program. Where no Chromium is installed the test is skipped.
func openBrowser(t *testing.T, p *program, more ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	return browse(t, "http://"+p.listen, more...)
}

// browse starts Chromium at an address.
func browse(t *testing.T, base string, more ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium is installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(browserPatience), chromedp.WindowSize(1024, 600), chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("lang", "en"), chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-fake-device-for-media-stream", true))
	options = append(options, more...)
	allocated, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	b := &browser{t: t, ctx: allocated, base: base}
	b = b.tab()
	b.run(chromedp.Navigate(b.base + "/"))
	return b
}

// tab opens another page in the same browser.
func (b *browser) tab() *browser {
	b.t.Helper()
	ctx, end := chromedp.NewContext(b.ctx)
	b.t.Cleanup(end)
	other := &browser{t: b.t, ctx: ctx, base: b.base}
	if err := chromedp.Do(ctx); err != nil { // starts it
		b.t.Fatal(err)
	}
	_, logs := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	_, requests := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	if err := errors.Join(logs, requests, chromedp.Listen(ctx, other.hear)); err != nil {
		b.t.Fatal(err)
	}
	return other
}

// hear notes what goes wrong in the page and whom it asks.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, fmt.Sprint(e.ExceptionDetails.Text, " ", e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		if e.Entry.Source != log.EntrySourceNetwork { // refusals are answers too
			b.problems = append(b.problems, e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err == nil && strings.HasPrefix(u.Scheme, "http") && !slices.Contains(b.hosts, u.Host) {
			b.hosts = append(b.hosts, u.Host)
		}
	}
}

// run makes steps in the page, all of which must succeed in time.
func (b *browser) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, browserPatience)
	defer stop()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v; the page:\n%s", err, b.ask(`document.body.innerText`))
	}
}

// ask returns the text that a script finds in the page.
func (b *browser) ask(script string) string {
	b.t.Helper()
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return found
}

// await waits until a script says yes.
func (b *browser) await(script string) {
	b.t.Helper()
	poll := time.NewTicker(100 * time.Millisecond)
	defer poll.Stop()
	for end := time.Now().Add(browserPatience); time.Now().Before(end); <-poll.C {
		if holds, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](script)); err == nil && holds {
			return
		}
	}
	b.t.Fatalf("%s never came true; the page:\n%s", script, b.ask(`document.body.innerText`))
}

// shown is a script for the first place that is shown with a text.
func shown(place, text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].find(e => e.checkVisibility() && (e.innerText ?? "").includes(%q))`, place, text)
}

// see waits until a place of the page is shown, with a text in it.
func (b *browser) see(place, text string) {
	b.t.Helper()
	b.await(shown(place, text) + " !== undefined")
}

// press clicks the first shown place with a text.
func (b *browser) press(place, text string) {
	b.t.Helper()
	b.see(place, text)
	b.run(chromedp.Evaluate[chromedp.Void](shown(place, text) + ".click()"))
}

// write types into a field; a line break at the end sends its form.
func (b *browser) write(field, text string) {
	b.t.Helper()
	b.run(chromedp.SendKeys(chromedp.CSS(field), text))
}

// choose gives files to the file field of a place.
func (b *browser) choose(place string, files ...string) {
	b.t.Helper()
	b.await(fmt.Sprintf(`document.querySelector(%q) !== null`, place))
	b.run(chromedp.SetUploadFiles(chromedp.CSS(place), files, chromedp.NodeReady))
}

// enter signs in with a key.
func (b *browser) enter(key string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.base + "/console/"))
	b.write("input[name=key]", key+"\r")
	b.see("nav.rooms", "Keys")
}

// calm fails the test when the page's console said something, or when another host was asked.
func (b *browser) calm() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Errorf("the page's console says %s", p)
	}
	if len(b.hosts) != 1 || "http://"+b.hosts[0] != b.base {
		b.t.Errorf("the pages asked %v", b.hosts)
	}
}

// samplePath is the whole path of a committed picture.
func samplePath(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "models", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// adminKey makes a key that may sign in.
func (p *program) adminKey(name string) string {
	return p.command("keys", "add", name, "--scopes", "ocr,face,admin", "--data", p.dir)
}

const onePicture = ".one input.unseen:not([capture])"

// A person who signs in reads a picture, sees each value beside its place, and goes over to Arabic without losing anything; a wrong key
// is told so.
func TestConsoleTry(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.see("h1", "The doorman is at work")
	b.see(".notice", "Ready")
	b.run(chromedp.Navigate(b.base + "/console/"))
	b.see(".aside pre", "sudo bawab keys add operator") // a package has no bin/bawab, and its data elsewhere
	b.write("input[name=key]", "wrong\r")
	b.see(".notice.bad", "This key is not valid")
	b.enter(p.adminKey("operator"))
	b.see(".drop .hint", "is not kept")
	b.choose(onePicture, samplePath(t, "id_front.jpg"))
	b.see(".document", "National number")
	b.see(".document .value", "رجب")
	b.await(`document.querySelectorAll(".outlines polygon.field").length >= 5`)
	b.run(chromedp.Focus(chromedp.CSS("[data-field=idNumber]")))
	b.await(`document.querySelectorAll(".outlines polygon.active").length === 1`)
	b.press("[role=tab]", "curl")
	b.see("pre", "/v1/ocr/multi")
	b.see("pre", `"ApiKey: $API_KEY"`) // a variable BAWAB_KEY would be taken for a key of the configuration
	if shown := b.ask(`document.body.innerHTML`); strings.Contains(shown, p.secret) {
		t.Error("a page shows a key")
	}
	b.press("[role=tab]", "Fields")
	b.press(".language", "العربية")
	b.see(".document", "الرقم القومي")
	if dir := b.ask(`document.documentElement.dir + " " + document.documentElement.lang`); dir != "rtl ar" {
		t.Errorf("the page is %s", dir)
	}
	b.calm()
}

// A file that is no picture and one of 50 MB are refused in plain words, without a byte sent, and the next picture is read.
func TestConsoleWrongFiles(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	dir := t.TempDir()
	for name, size := range map[string]int64{"letter.txt": 100, "huge.jpg": 50 << 20} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	b.choose(onePicture, filepath.Join(dir, "letter.txt"))
	b.see(".notice.bad", "no picture")
	b.choose(onePicture, filepath.Join(dir, "huge.jpg"))
	b.see(".notice.bad", "50 MB")
	b.choose(onePicture, samplePath(t, "general.jpg"))
	b.see(".notice, .document", "")
	b.calm()
}

// Where pictures are kept for review the page says so before one is sent, in both languages, and of one that was kept; a scanned PDF is
// read like a picture, although no browser draws it.
func TestConsoleTryKeeps(t *testing.T) {
	p := startProgram(t, t.TempDir(), reviewEnviron()...)
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	b.see(".drop .hint", "It may be kept there, sealed, for people to review (days: 3).")
	b.press(".language", "العربية")
	b.see(".drop .hint", "وقد تُحفظ فيه")
	b.press(".language", "English")
	file := filepath.Join(t.TempDir(), "card.pdf")
	if err := os.WriteFile(file, scannedPDF(t, "id_front.jpg"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.choose(onePicture, file)
	b.see(".document .value", "رجب")
	b.see(".stage .notice", "The appliance reads it all the same")
	b.see(".answer .kept", "keeps this picture")
	b.shot("try-pdf")
	b.calm()
}

// A session that has ended is told so over the page, which keeps what it shows, and goes on after the next sign-in.
func TestConsoleSessionEnds(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.enter(p.adminKey("first-shift"))
	b.choose(onePicture, samplePath(t, "id_front.jpg"))
	b.see(".document .value", "رجب")
	p.command("keys", "revoke", "first-shift", "--data", p.dir)
	b.press(".bar .button", "Read again")
	b.see(".over .notice", "Your session has ended")
	b.write(".over input[name=key]", p.adminKey("second-shift")+"\r")
	b.await(`document.querySelector(".over") === null`)
	b.press(".bar .button", "Read again")
	b.see(".document .value", "رجب")
	b.calm()
}

// A key is made with its secret shown once, and revoked; a transaction appears as it happens, its hostile text is shown as text,
// and it is erased.
func TestConsoleRooms(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	b.press("nav.rooms a", "Keys")
	b.press(".room .button", "New key")
	b.write("dialog input[name=name]", "kiosk-12")
	b.press("dialog .button", "Make the key")
	b.see("dialog", "shown only this once")
	p.secret = strings.TrimSpace(b.ask(`document.querySelector("dialog pre").innerText`))
	b.press("dialog .button", "I have copied it")
	b.see("tr[data-key=kiosk-12]", "ocr")
	b.press("nav.rooms a", "Transactions")
	b.see(".pulse", "Live")
	hostile := `<img src=x onerror="document.title='taken'">`
	r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": samplePictureText(t, "id_front.jpg"), "client_transaction_id": hostile})
	b.see(".transactions tbody tr", "kiosk-12")
	b.press(".transactions tbody a.id", "")
	b.see(".record .tag", hostile)
	if title := b.ask(`document.title`); strings.Contains(title, "taken") {
		t.Error("text became markup")
	}
	b.press(".button.danger", "Erase now")
	b.press("dialog .button.danger", "Erase now")
	b.see(".notice.good", "was erased")
	asked := map[string]any{"image": samplePictureText(t, "face.jpg"), "transaction_id": r.Data["transaction_id"]}
	again := p.mustPost(appliance.EndpointFaceMatch, asked)
	if again.Code != int(appliance.CodeTransactionUnknown) && again.Code != int(appliance.CodeTransactionExpired) {
		t.Errorf("the erased transaction answers %+v", again)
	}
	b.press("nav.rooms a", "Keys")
	b.press("tr[data-key=kiosk-12] .button", "Revoke")
	b.press("dialog .button.danger", "Revoke")
	b.await(`document.querySelector("tr[data-key=kiosk-12]") === null`)
	if r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": ""}); r.Code != 401 {
		t.Errorf("the revoked key is answered %d", r.Code)
	}
	b.press("nav.rooms a", "Health")
	b.see(".checks", "Clock")
	b.press(".foot .button", "Sign out")
	b.see("h1", "Sign in")
	b.calm()
}

// The whole check goes from the front over the back and the face to three frames of the browser's camera, which are at most 500 ms apart, in one
// transaction.
func TestConsoleWholeCheck(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	b.press("[role=tab]", "Whole check")
	const field = ".check input.unseen"
	b.choose(field, samplePath(t, "id_front.jpg"))
	b.press(".check footer .button", "Go on")
	b.see("h2", "Back of the ID")
	b.choose(field, samplePath(t, "id_back.jpg"))
	b.press(".check footer .button", "Go on")
	b.see("h2", "Face")
	b.choose(field, samplePath(t, "face.jpg"))
	b.see(".verdicts", "person on the document")
	b.press(".check footer .button", "Go on")
	b.press(".webcam .button", "Start the camera")
	b.await(`document.querySelector("video")?.videoWidth > 0`)
	b.press(".webcam .button", "Take three frames")
	b.see(".verdicts", "Gaps:") // a late burst would be refused by the page
	b.see(".reasons", "No face was found")
	b.press(".check footer .button", "Go on")
	b.see(".notice", "Ask a colleague")
	b.calm()
}

// Without a camera the page says what to do instead.
func TestConsoleNoCamera(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	const deny = `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"))`
	b.run(chromedp.Evaluate[chromedp.Void](deny))
	b.press("[role=tab]", "Whole check")
	b.press(".webcam .button", "Start the camera")
	b.see(".notice.bad", "did not give this page the camera")
	b.calm()
}
