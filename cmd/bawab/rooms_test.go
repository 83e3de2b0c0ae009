package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The rooms Camera, Models, Journal, Settings and Health work in a browser in both languages: the preview shows where a document
// lies, a burst tells its gaps, the networks pass their self-check, the journal is verified, each setting names its origin and
// has its meaning in the page's language, as the checks of the doctor have their details, and a kiosk screen that does not wait
// is not let in.
func TestConsoleMoreRooms(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Rel(here, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, dir, "BAWAB_CAMERA_DEVICE=replay:"+played(t, "id_front.jpg"), "BAWAB_KIOSK_ENABLED=true")
	b := openBrowser(t, p)
	b.enter(p.command("keys", "add", "operator", "--scopes", "ocr,face,camera,admin", "--data", p.dir))
	b.resize(screens()[0])
	shots := os.Getenv("PAGE_SHOTS") != ""
	look := func(name string) {
		if shots {
			b.shot("room-" + name)
			b.touch(".language", "0")
			b.shot("room-" + name + "-ar")
			b.touch(".language", "0")
		}
	}
	b.press("nav.rooms a", "Camera")
	b.await(`document.querySelector(".live polygon") !== null`)
	b.press(".camera .button", "Take three frames")
	b.see(".state.good", "Gaps by the kernel's clock")
	look("camera")
	b.press("nav.rooms a", "Models")
	b.see("tr[data-network=documents]", "documents")
	b.press(".models .button", "Self-check")
	b.see(".checks .state.good", "Reads it as it must")
	look("models")
	b.press("nav.rooms a", "Journal")
	b.press(".journal .button", "Verify")
	b.see(".notice.good", "Nothing was changed")
	look("journal")
	b.press("nav.rooms a", "Settings")
	b.see(`tr[data-key="camera.device"]`, "environment")
	b.see(`tr[data-key="listen"]`, "command line")
	b.touch(".language", "0")
	b.see(`tr[data-key="listen"] .meaning`, "العنوان والمنفذ")
	b.native()
	for _, room := range []struct{ name, button, settled string }{
		{"الحالة", "افحص من جديد", ".checks small"}, {"النماذج", "فحص ذاتي", ".checks .state.good"}, {"السجل", "تحقق", ".notice.good"},
	} {
		b.press("nav.rooms a", room.name)
		b.press("main .button", room.button)
		b.see(room.settled, "")
		b.native()
	}
	b.press("nav.rooms a", "الحالة")
	b.see(".checks small", "عدد الأنوية")
	b.see(".checks bdi[dir=ltr]", dir) // a path begins where it begins, also in Arabic
	b.touch(".language", "0")
	b.see(".checks small", "core")
	b.press("nav.rooms a", "Settings")
	look("settings")
	b.press("nav.rooms a", "Keys")
	b.press(".room .button", "Kiosk screen")
	b.write("dialog input[name=screen]", "hall-2")
	b.write("dialog input[name=code]", "AAAA AAAA\r")
	b.see("dialog .notice.bad", "no kiosk screen shows this code")
	look("screen")
	b.calm()
}
