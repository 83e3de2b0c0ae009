package main

import (
	"testing"
)

// covered is a script for what of the values to confirm is not wholly in sight.
const covered = `(() => {
	const list = document.querySelector(".checked dl").getBoundingClientRect();
	const [top, foot] = [Math.max(0, list.top), Math.min(innerHeight, list.bottom)];
	const out = [...document.querySelectorAll(".checked :is(dt, dd)")].filter(e => {
		const r = e.getBoundingClientRect();
		return r.top < top || r.bottom > foot || r.left < 0 || r.right > innerWidth || e.scrollWidth > e.clientWidth;
	});
	return out.map(e => e.innerText).join(", ");
})()`

// What a customer is asked to confirm is in sight, in large type, on the screens of kiosks, lying and standing and in both languages.
func TestKioskShowsWhatIsConfirmed(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_CAMERA_DEVICE=replay:"+played(t, "id_front.jpg"),
		"BAWAB_KIOSK_TIMEOUT=10m", "BAWAB_KIOSK_STEPS=check", "BAWAB_KIOSK_KINDS=national_id",
		"BAWAB_KIOSK_SHOW=name,idNumber,address,dateOfBirth")
	b := openBrowser(t, p)
	b.letIn(p)
	b.touch(".kinds .big", "0")
	b.await(`document.querySelectorAll(".checked dd").length === 4`)
	for range 2 {
		language := b.ask(`document.documentElement.lang`)
		for _, s := range []screenSize{{1280, 800}, {1024, 768}, {1920, 1080}, {800, 1280}, {1080, 1920}} {
			b.resize(s)
			b.shot("check-" + s.String() + "-" + language)
			if out := b.ask(covered); out != "" {
				t.Errorf("%s, %s: out of sight: %s", s, language, out)
			}
			if b.ask(`getComputedStyle(document.querySelector(".answers .main")).visibility`) != "visible" {
				t.Errorf("%s, %s: nobody can say yes", s, language)
			}
			b.large()
		}
		b.touch(".language", "0")
	}
	b.calm()
}

// Where there is more to confirm than the screen holds, nobody says yes before the last of it was in sight.
func TestKioskAsksAfterTheLastValue(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_CAMERA_DEVICE=replay:"+played(t, "id_front.jpg"),
		"BAWAB_KIOSK_TIMEOUT=10m", "BAWAB_KIOSK_STEPS=check", "BAWAB_KIOSK_KINDS=national_id", "BAWAB_KIOSK_LANGUAGES=en",
		"BAWAB_KIOSK_SHOW=name,idNumber,address,dateOfBirth,gender,govern,first_name,last_names,idKey")
	b := openBrowser(t, p)
	b.letIn(p)
	b.touch(".kinds .big", "0")
	b.see(".checked .big", "More")
	if b.ask(`getComputedStyle(document.querySelector(".answers .main")).visibility`) != "hidden" {
		t.Error("values that nobody saw can be confirmed")
	}
	b.shot("check-more")
	b.large()
	b.await(`(more => (more?.click(), more === null))(document.querySelector(".checked .big"))`)
	b.await(`getComputedStyle(document.querySelector(".answers .main")).visibility === "visible"`)
	b.press(".answers .big", "Yes")
	b.see(".last h1", "")
	b.calm()
}
