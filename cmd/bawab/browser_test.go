package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// screenSize is a screen in pixels.
type screenSize struct{ w, h int64 }

// screens are those that the pages are made for.
func screens() []screenSize { return []screenSize{{1024, 600}, {1920, 1080}, {1080, 1920}} }

func (s screenSize) String() string { return fmt.Sprintf("%dx%d", s.w, s.h) }

// resize gives the page another screen.
func (b *browser) resize(s screenSize) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(s.w, s.h))
}

// shot is what the page looks like now. Where PAGE_SHOTS names a folder the picture is kept there, to be looked at.
func (b *browser) shot(name string) image.Image {
	b.t.Helper()
	b.await(`document.fonts.status === "loaded"`)
	taken, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(taken.Data))
	if err != nil {
		b.t.Fatal(err)
	}
	if dir := os.Getenv("PAGE_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), taken.Data, 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	return picture
}
