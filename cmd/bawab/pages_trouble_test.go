package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	permission "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// goBack presses the browser's back button.
func (b *browser) goBack() {
	b.t.Helper()
	b.run(chromedp.Evaluate[chromedp.Void](`history.back()`))
}

// uploading gives the room Try a picture that a wire holds up.
func (b *browser) uploading(w *wire, picture string) {
	b.t.Helper()
	w.hold(true)
	b.choose(".one input.unseen:not([capture])", picture)
	b.see(".reading", "")
}

// What breaks in the middle leaves a page that works: an upload that ends with a reload or a cut wire, a daemon that dies and comes back,
// tabs that sign in and out of each other's session, and the back button, which shows nothing to whoever has signed out.
func TestPagesInterrupted(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir)
	w := newWire(t, p)
	b := browse(t, "http://"+w.address)
	operator, picture := p.adminKey("operator"), samplePath(t, "id_front.jpg")
	b.enter(operator)
	t.Run("reload during an upload", func(t *testing.T) {
		b.uploading(w, picture)
		b.run(chromedp.Reload())
		b.see(".drop", "")
		b.see("nav.rooms", "operator")
		w.hold(false)
	})
	t.Run("lost connection in an upload", func(t *testing.T) {
		b.uploading(w, picture)
		w.sever()
		b.see(".answer .notice.bad", "connection to the appliance broke")
		w.mend(p)
		b.press(".answer .notice .button", "Try again")
		b.see(".document .value", "رجب")
	})
	t.Run("daemon that comes back", func(t *testing.T) {
		b.press("nav.rooms a", "Transactions")
		b.see(".pulse", "Live")
		if err := p.stop(syscall.SIGKILL); err == nil {
			t.Error("the daemon was not killed")
		}
		b.see(".pulse", "Connecting")
		p = startProgram(b.t, dir) // it outlives this part
		w.mend(p)
		b.see(".over .notice", "Your session has ended")
		b.write(".over input[name=key]", operator+"\r")
		b.see(".pulse", "Live")
		b.press("nav.rooms a", "Try")
		b.see(".document .value", "رجب")
	})
	t.Run("two tabs", func(t *testing.T) { testTwoTabs(t, b, p, operator) })
	t.Run("back", func(t *testing.T) { testBack(t, b) })
	b.calm()
}

// testTwoTabs signs in and out in one tab and looks at the other.
func testTwoTabs(t *testing.T, b *browser, p *program, operator string) {
	other := b.tab()
	anew := func(key string) { // ends the session of both tabs and begins another one in this one
		other.run(chromedp.Navigate(b.base + "/console/"))
		other.see("nav.rooms", "operator")
		other.press(".foot .button", "Sign out")
		other.see("h1", "Sign in")
		if key != "" {
			other.write("input[name=key]", key+"\r")
			other.see("nav.rooms", "Keys")
		}
	}
	anew("")
	b.press("nav.rooms a", "Keys")
	b.see(".over .notice", "Your session has ended")
	b.write(".over input[name=key]", operator+"\r")
	b.see("tr[data-key=operator]", "")
	anew(operator) // the page of the first tab has not the new token
	b.press("nav.rooms a", "Health")
	b.see(".checks", "Clock")
	anew(p.adminKey("colleague"))
	b.press("nav.rooms a", "Keys")
	b.see("nav.rooms .who", "colleague")
	b.see(".notice.bad", "")
	b.press(".notice .button", "Try again")
	b.see("tr[data-key=colleague]", "")
	other.calm()
}

// testBack goes back through rooms, and behind a sign-out.
func testBack(t *testing.T, b *browser) {
	b.press("nav.rooms a", "Try")
	b.press(".answer a", "Open")
	b.see(".record", "رجب")
	b.goBack()
	b.see(".document .value", "رجب")
	b.run(chromedp.Evaluate[chromedp.Void](`history.forward()`))
	b.see(".record", "رجب")
	b.press(".foot .button", "Sign out")
	b.see("h1", "Sign in")
	b.run(chromedp.Navigate(b.base + "/"))
	for range 3 {
		b.goBack()
		b.see("h1", "Sign in")
	}
	if text := b.ask(`document.documentElement.outerHTML`); strings.Contains(text, "رجب") {
		t.Error("the back button shows what was read to whoever has signed out")
	}
}

// Text that comes from outside stays text wherever pages show it: in the address, in names of files, in transactions and in the kiosk's own
// sentences.
func TestPagesHostileText(t *testing.T) {
	const hostile = `"><img src=x onerror="document.title='taken'">`
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_KIOSK_LANGUAGES=en", "BAWAB_KIOSK_TEXT_EN_WELCOME="+hostile)
	b := openBrowser(t, p)
	b.enter(p.adminKey("operator"))
	raw, err := os.ReadFile(samplePath(t, "id_front.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(t.TempDir(), hostile+"$(id).jpg")
	if err := os.WriteFile(named, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	clean := func(where string) {
		t.Helper()
		if found := b.ask(`document.title + document.querySelectorAll("img[src=x]").length`); strings.Contains(found, "taken") ||
			!strings.HasSuffix(found, "0") {
			t.Errorf("%s: text became markup: %s", where, found)
		}
	}
	b.choose(".one input.unseen:not([capture])", named)
	b.see(".document", "National number")
	for _, tab := range []string{"curl", "Python", "TypeScript"} {
		b.press("[role=tab]", tab)
		b.see("pre", "picture.jpg")
		if text := b.ask(`document.querySelector("pre").innerText`); strings.Contains(text, "$(id)") || strings.Contains(text, "onerror") {
			t.Errorf("the example in %s has the file's name: %s", tab, text)
		}
	}
	clean("a file's name")
	for _, hash := range []string{"transactions/" + hostile, hostile, "__proto__", "transactions/../../v1/camera/preview"} {
		b.run(chromedp.Evaluate[chromedp.Void](`location.hash = ` + "`" + hash + "`"))
		b.see("main h1, main .notice", "")
		clean("the address " + hash)
	}
	b.letIn(p)
	b.see(".welcome h1", "<img src=x")
	clean("the kiosk")
	b.calm()
}

// A browser that gives its camera to nobody is told what to do instead, in the console and at the kiosk.
func TestPagesCameraRefused(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_KIOSK_LANGUAGES=en")
	b := openBrowser(t, p, chromedp.Flag("use-fake-ui-for-media-stream", false))
	if _, err := chromedp.CallBrowser(b.ctx, permission.SetPermission, permission.SetPermissionParams{
		Permission: &permission.PermissionDescriptor{Name: "camera"}, Setting: permission.PermissionSettingDenied,
	}); err != nil {
		t.Fatal(err)
	}
	b.enter(p.adminKey("operator"))
	b.press("[role=tab]", "Whole check")
	b.press(".webcam .button", "Start the camera")
	b.see(".notice.bad", "did not give this page the camera")
	b.letIn(p)
	b.touch(".kinds .big", "0")
	b.see(".guidance", "no camera")
	b.calm()
}
