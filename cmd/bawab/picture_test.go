package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const (
	// levels of grey in a kept picture, and how many of them two of its points may differ before they count as different. Another
	// version of the browser draws the edges of letters otherwise.
	greyLevels, greyApart = 16, 4
	// mostApart is the share of points that may differ: a line of text more or less on one of the six screens is above it.
	mostApart = 0.006
	// sheetEdge is the longer side of one screen in a kept picture at most, and its place in the sheet.
	sheetEdge = 256
)

// sheet is a page in both languages on all screens, small and grey: so much of a page holds on another machine.
type sheet struct{ *image.Paletted }

func newSheet() sheet {
	grey := make(color.Palette, greyLevels)
	for i := range grey {
		grey[i] = color.Gray{Y: uint8(i * 255 / (greyLevels - 1))}
	}
	return sheet{image.NewPaletted(image.Rect(0, 0, len(screens())*sheetEdge, 2*sheetEdge), grey)}
}

// lay puts a picture of a screen into the place of its size and language. Each point is the mean of a square.
func (s sheet) lay(picture image.Image, column, row int) {
	b := picture.Bounds()
	step := (max(b.Dx(), b.Dy()) + sheetEdge - 1) / sheetEdge
	for y := range b.Dy() / step {
		for x := range b.Dx() / step {
			sum := 0
			for i := range step * step {
				at := color.GrayModel.Convert(picture.At(b.Min.X+x*step+i%step, b.Min.Y+y*step+i/step))
				sum += int(at.(color.Gray).Y)
			}
			mean := sum / (step * step)
			s.SetColorIndex(column*sheetEdge+x, row*sheetEdge+y, uint8((mean*(greyLevels-1)+127)/255))
		}
	}
}

// apart is the share of points in which two sheets differ, of one screen's.
func (s sheet) apart(o *image.Paletted) float64 {
	if s.Bounds() != o.Bounds() {
		return 1
	}
	differ := 0
	for i, v := range s.Pix {
		if d := int(v) - int(o.Pix[i]); d >= greyApart || d <= -greyApart {
			differ++
		}
	}
	return float64(differ) * float64(len(screens())*2) / float64(len(s.Pix))
}

// compare holds a sheet against the kept one; where PAGE_SHOTS is set it becomes the kept one.
func (s sheet) compare(t *testing.T, name string) {
	t.Helper()
	kept := filepath.Join("testdata", "pages", name+".png")
	if os.Getenv("PAGE_SHOTS") != "" {
		if err := s.write(kept); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(kept)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if share := s.apart(before.(*image.Paletted)); share > mostApart {
		now := filepath.Join(os.TempDir(), "bawab-page-"+name+".png")
		t.Errorf("%s: %.2f %% of a screen differ from %s, at most %.2f %% may; it looks like %s now (%v)",
			name, share*100, kept, mostApart*100, now, s.write(now))
	}
}

func (s sheet) write(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return errors.Join(encoder.Encode(f, s.Paletted), f.Close())
}

// same lets a page look the same on every machine and at every time: kept answers for what it asks, in its language where there are such,
// the embedded faces for code too, and nothing that moves.
const same = `(kept => {
	const real = window.fetch;
	window.fetch = (path, o) => {
		const asked = (o?.method ?? "GET") + " " + path;
		const answer = kept[o?.headers?.["Accept-Language"] + " " + asked] ?? kept[asked];
		if (answer === undefined) return real(path, o);
		const stream = () => new ReadableStream({start: c => c.enqueue(new TextEncoder().encode(answer))});
		const body = typeof answer === "string" ? stream() : JSON.stringify(answer);
		return Promise.resolve(new Response(body));
	};
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(':root { --mono: "Bawab Sans", "Bawab Sans Arabic" !important } * { caret-color: transparent !important } ' +
		'header small.faint, .took { visibility: hidden }');
	document.adoptedStyleSheets = [sheet];
})`

// fixed makes the page look the same everywhere, with answers for what it asks, or with "{}".
func (b *browser) fixed(answers string) {
	b.t.Helper()
	_, zone := chromedp.Call(b.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Africa/Cairo"})
	_, media := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-reduced-motion", Value: "reduce"}, {Name: "prefers-color-scheme", Value: "light"},
	}})
	if err := errors.Join(zone, media); err != nil {
		b.t.Fatal(err)
	}
	b.run(chromedp.Evaluate[chromedp.Void](same + "(" + answers + ")"))
}

// pictured compares the page as it is shown now, in both languages and on all screens, with the kept pictures; the language is as before
// at the end. settled is a script that says that all is there.
func (b *browser) pictured(t *testing.T, name, settled string) {
	t.Helper()
	s := newSheet()
	for row := range 2 {
		for column, size := range screens() {
			b.resize(size)
			b.await(settled)
			s.lay(b.shot(fmt.Sprintf("%s-%s-%v", name, b.ask(`document.documentElement.lang`), size)), column, row)
		}
		b.touch(".language", "0")
	}
	s.compare(t, name)
}

// inLanguage adds to a script that what an answer says at a place is in the page's language.
func inLanguage(place string) string {
	return ` && /[\u0600-\u06ff]/.test(document.querySelector("` + place + `").textContent) === (document.documentElement.lang === "ar")`
}

const guidOfAnswers = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"

// Every page looks as somebody has looked at it and found it good, in both languages on three screens: PAGE_SHOTS=folder keeps new
// pictures, small ones beside this test and whole ones in the folder.
func TestPagesPictured(t *testing.T) {
	answers, err := os.ReadFile("testdata/pages/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	film := played(t, "general.jpg")
	p := startProgram(t, t.TempDir(), "BAWAB_KIOSK_ENABLED=true", "BAWAB_KIOSK_TIMEOUT=10m", "BAWAB_CAMERA_DEVICE=replay:"+film)
	b := openBrowser(t, p)
	b.fixed(`{"GET /readyz": {ready: true, warnings: []}}`)
	b.pictured(t, "home", `document.querySelector(".notice.good") !== null`)
	b.run(chromedp.Navigate(b.base + "/console/"))
	b.fixed("{}")
	b.pictured(t, "signin", `document.querySelector("form") !== null`)
	b.enter(p.command("keys", "add", "operator", "--scopes", "ocr,face,camera,admin,review", "--data", p.dir))
	b.fixed(string(answers))
	b.pictured(t, "try", `document.querySelector(".drop .hint") !== null`)
	b.choose(onePicture, samplePath(t, "id_front.jpg"))
	b.pictured(t, "try-read", `document.querySelectorAll(".outlines polygon.field").length >= 5`)
	for _, room := range []struct{ name, hash, settled string }{
		{"transactions", "transactions", `document.querySelectorAll("tbody tr").length === 5`},
		{"transaction", "transactions/" + guidOfAnswers, `document.querySelector(".record") !== null`},
		{"keys", "keys", `document.querySelectorAll("tbody tr").length === 4`},
		{"review", "review", `document.querySelector("main .notice") !== null`},
		{"camera", "camera", `document.querySelector("main .facts, main .notice, main .nothing") !== null`},
		{"models", "models", `document.querySelectorAll("tbody tr").length >= 5`},
		{"journal", "journal", `document.querySelector("main .button") !== null`},
		{"health", "health", `document.querySelectorAll(".mend li").length === 2` + inLanguage(".checks small")},
		{"settings", "settings", `document.querySelectorAll("tbody tr").length === 8` + inLanguage(".meaning")},
	} {
		b.run(chromedp.Evaluate[chromedp.Void](`location.hash = "` + room.hash + `"`))
		b.pictured(t, room.name, `location.hash === "#`+room.hash+`" && `+room.settled)
	}
	b.letIn(p)
	b.fixed("{}")
	b.pictured(t, "kiosk-welcome", `document.querySelector(".welcome") !== null`)
	lay(t, film, "passport.jpg")
	b.touch(".kinds .big", "1")
	b.await(`document.querySelector(".checked") !== null`)
	b.pictured(t, "kiosk-check", `document.querySelector(".checked") !== null`)
	b.touch(".answers .big", "1")
	b.pictured(t, "kiosk-last", `(e => e !== null && (e.textContent = "2A4F") !== "")(document.querySelector(".reference"))`)
	b.calm()
}
