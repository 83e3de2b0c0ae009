package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeSum is the SHA-256 of axe.min.js of axe-core 4.10.3 from npm. Licence: testdata/axe/LICENSE (MPL 2.0); it is in no program.
const axeSum = "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb"

// axe returns the script that finds barriers in pages.
func axe(t *testing.T) string {
	t.Helper()
	f, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	script, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(script); hex.EncodeToString(sum[:]) != axeSum {
		t.Fatal("axe.min.js is not the pinned file")
	}
	return string(script)
}

// barrier is one finding of axe.
type barrier struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML string }
}

// accessible fails the test where axe finds a serious or critical barrier on the page as it is shown now, or a finger cannot use it.
func (b *browser) accessible(script, where string) {
	b.t.Helper()
	b.fingers(where)
	b.native()
	b.run(chromedp.Evaluate[chromedp.Void](`if (!window.axe) { ` + script + ` }`))
	b.run(
		chromedp.Evaluate[chromedp.Void](
			`window.found = ""; axe.run(document, {resultTypes: ["violations"]}).then(r => window.found = JSON.stringify(r.violations))`,
		),
	)
	b.await(`window.found !== ""`)
	var found []barrier
	if err := json.Unmarshal([]byte(b.ask(`window.found`)), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range found {
		if f.Impact == "serious" || f.Impact == "critical" {
			b.t.Errorf("%s: %s (%s): %s", where, f.ID, f.Help, f.Nodes[0].HTML)
		}
	}
}

// foreign is a script for the English texts on a page in Arabic: two words of Latin letters after each other, but for what is code, a
// quotation or a value that was read.
const foreign = `(() => {
	const english = /\b[A-Za-z][a-z]{2,} [a-z]{2,}\b/, bad = [];
	if (document.documentElement.lang !== "ar") return "";
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement;
		const shown = e.checkVisibility() || e.closest("details");
		if (shown && english.test(n.data) && !e.closest("code, pre, [lang=en], .value, dd")) bad.push(n.data);
	}
	for (const name of ["title", "aria-label", "alt", "placeholder"]) {
		for (const e of document.querySelectorAll("[" + name + "]")) if (english.test(e.getAttribute(name))) bad.push(e.getAttribute(name));
	}
	return bad.join("\n");
})()`

// native fails the test where a page in Arabic goes on saying something in English: what comes from the appliance is asked for again when
// the language is changed.
func (b *browser) native() {
	b.t.Helper()
	b.await("(" + foreign + `) === ""`)
}

// No page has a serious barrier for people who cannot see, hear or point well, in either language, and a finger reaches every control on a
// screen of 1024 x 600 and on a telephone. What is said in Arabic is said in Arabic alone.
func TestPagesAccessible(t *testing.T) {
	script := axe(t)
	p := startProgram(
		t,
		t.TempDir(),
		"BAWAB_KIOSK_ENABLED=true",
		"BAWAB_CAMERA_DEVICE=replay:"+played(t, "passport.jpg"),
		"BAWAB_KIOSK_TIMEOUT=10m",
	)
	b := openBrowser(t, p)
	b.resize(screens()[0])
	b.accessible(script, "/")
	b.enter(p.command("keys", "add", "operator", "--scopes", "ocr,face,camera,admin,review", "--data", p.dir))
	for range 2 {
		language := b.ask(`document.documentElement.lang`)
		for _, room := range []string{"try", "transactions", "keys", "review", "camera", "models", "journal", "health", "drift", "settings"} {
			b.run(chromedp.Evaluate[chromedp.Void](`location.hash = "` + room + `"`))
			b.await(`document.querySelector("nav [aria-current=page]")?.getAttribute("href") === "#` + room + `"`)
			b.see("main h1", "")
			b.accessible(script, language+" "+room)
			b.resize(screenSize{390, 844})
			b.fingers(language + " " + room + " on a telephone")
			b.resize(screens()[0])
		}
		b.touch(".language", "0")
	}
	b.letIn(p)
	for range 2 {
		language := b.ask(`document.documentElement.lang`)
		b.accessible(script, language+" welcome")
		b.touch(".kinds .big", "1")
		b.await(`document.querySelector(".answers .big") !== null`)
		b.accessible(script, language+" check")
		b.touch("footer > .big", "0")
		b.see(".welcome h1", "")
		b.touch(".language", "0")
	}
}
