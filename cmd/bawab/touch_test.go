package main

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// reachable is a script that finds what a finger cannot use on the page as it is shown now: controls below 44 pixels, but for links within
// a sentence, controls under something else, and a page that is wider than its screen.
const reachable = `(() => {
	const bad = [], least = 44;
	const wide = document.documentElement.scrollWidth - innerWidth;
	if (wide > 0) bad.push("the page is wider than its screen by " + wide);
	const within = document.querySelector("dialog[open]") ?? document; // what lies behind a dialog is not for fingers
	for (const e of within.querySelectorAll("a[href], button, input:not(.unseen), select, textarea, summary, [role=tab]")) {
		if (!e.checkVisibility() || e.disabled || e.closest(".skip, [aria-hidden=true]")) continue;
		e.scrollIntoView({block: "center", inline: "center"});
		const whole = e.closest("label") ?? e, r = whole.getBoundingClientRect();
		const sentence = e.tagName === "A" && getComputedStyle(e).display === "inline";
		const name = e.tagName + "." + e.className + " " + (e.innerText || e.name || e.ariaLabel);
		if (!sentence && (r.width < least - 0.5 || r.height < least - 0.5)) bad.push(name + " is " + r.width + " by " + r.height);
		const o = e.getBoundingClientRect(), hit = document.elementFromPoint(o.x + o.width / 2, o.y + o.height / 2);
		if (!sentence && !(hit && (whole.contains(hit) || hit.contains(e)))) bad.push(name + " lies under " + hit?.outerHTML.slice(0, 80));
	}
	scrollTo(0, 0);
	return bad.join("\n");
})()`

// fingers fails the test where a finger cannot use the page as it is shown now.
func (b *browser) fingers(where string) {
	b.t.Helper()
	if bad := b.ask(reachable); bad != "" {
		b.t.Errorf("%s: %s", where, bad)
	}
}

// tap puts a finger on the first shown place with a text.
func (b *browser) tap(place, text string) {
	b.t.Helper()
	b.see(place, text)
	var at struct{ X, Y float64 }
	middle := `(e => { e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect();
		return JSON.stringify({x: r.x + r.width / 2, y: r.y + r.height / 2}) })(` + shown(place, text) + `)`
	if err := json.Unmarshal([]byte(b.ask(middle)), &at); err != nil {
		b.t.Fatal(err)
	}
	for _, what := range []input.DispatchTouchEventType{input.DispatchTouchEventTypeTouchStart, input.DispatchTouchEventTypeTouchEnd} {
		touch := input.DispatchTouchEventParams{Type: what, TouchPoints: []*input.TouchPoint{}}
		if what == input.DispatchTouchEventTypeTouchStart {
			touch.TouchPoints = append(touch.TouchPoints, &input.TouchPoint{X: at.X, Y: at.Y})
		}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, touch); err != nil {
			b.t.Fatal(err)
		}
	}
}

// By touch alone, on a screen of 1024 x 600, a person enters every room, joins a value with its place in the picture from either side,
// makes a key and revokes it, and changes the language.
func TestPagesByTouch(t *testing.T) {
	p := startProgram(t, t.TempDir())
	b := openBrowser(t, p)
	s := screens()[0]
	b.run(chromedp.EmulateViewport(s.w, s.h, chromedp.EmulateTouch))
	b.enter(p.command("keys", "add", "operator", "--scopes", "ocr,face,camera,admin,review", "--data", p.dir))
	b.choose(onePicture, samplePath(t, "id_front.jpg"))
	b.see(".document .value", "رجب")
	b.fingers("a document that was read")
	b.tap("[data-field=idNumber]", "")
	b.await(`document.querySelectorAll(".outlines polygon.active").length === 1`)
	b.tap(".outlines polygon.field", "")
	b.await(`document.querySelector("[data-field].active:not([data-field=idNumber])") !== null`)
	for _, room := range []string{"Transactions", "Keys", "Review", "Camera", "Models", "Journal", "Health", "Drift", "Settings", "Try"} {
		b.tap("nav.rooms a", room)
		b.see("nav.rooms a[aria-current=page]", room)
		b.see("main h1", "")
	}
	b.tap("nav.rooms a", "Keys")
	b.tap(".room .button", "New key")
	b.see("dialog", "")
	b.fingers("the form of a key")
	b.write("dialog input[name=name]", "kiosk-12")
	b.tap("dialog .button", "Make the key")
	b.tap("dialog .button", "I have copied it")
	b.tap("tr[data-key=kiosk-12] .button", "Revoke")
	b.tap("dialog .button.danger", "Revoke")
	b.await(`document.querySelector("tr[data-key=kiosk-12]") === null`)
	b.tap(".language", "العربية")
	b.await(`document.documentElement.lang === "ar"`)
	b.calm()
}
