package daemon

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
)

// kiosk brings up the customer's page; nil where it is off. What a power cut left open at a screen is erased first.
func (d *daemon) kiosk(ctx context.Context, captures *usecase.Capturer) (*browser.Kiosk, error) {
	k := d.cfg.Kiosk
	if !k.Enabled {
		return nil, nil
	}
	look, err := kioskLook(k)
	if err != nil {
		return nil, err
	}
	if k.Camera == "browser" {
		captures = nil
	}
	desk, err := kiosk.Open(ctx, kiosk.Flow{
		Kinds: k.Kinds, Steps: k.Steps, Show: k.Show, Must: k.Must, Attempts: k.Attempts, Timeout: k.Timeout,
	}, kiosk.Deps{
		Appliance: d.appliance, Camera: captures, Erase: d.noted().EraseFor, Journal: d.journal,
		Dir: d.cfg.Data, Log: d.log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	d.push("kiosk", desk.Close)
	return &browser.Kiosk{Desk: desk, Look: look}, nil
}

// maxLogo bounds the file of the logo, which every start of the page fetches.
const maxLogo = 256 << 10

// kioskLook reads the looks of the page, with the logo.
func kioskLook(k configs.Kiosk) (browser.KioskLook, error) {
	texts := func(w configs.KioskWords) map[string]string {
		return map[string]string{"title": w.Title, "welcome": w.Welcome, "done": w.Done, "colleague": w.Colleague}
	}
	look := browser.KioskLook{
		Languages: k.Languages, Accent: k.Accent, Scheme: k.Scheme, Sound: k.Sound, LastTimeout: k.LastTimeout,
		Text: map[string]map[string]string{"ar": texts(k.Text.Arabic), "en": texts(k.Text.English)},
	}
	if k.Logo == "" {
		return look, nil
	}
	fault := func(why string) error {
		return &appliance.Error{
			Op:   "open the kiosk's logo",
			Msg:  why,
			Hint: fmt.Sprintf("name an SVG, PNG or WebP file of at most %s in kiosk.logo", words.Size(maxLogo)),
		}
	}
	f, err := os.Open(k.Logo)
	if err != nil {
		return look, fault(err.Error())
	}
	defer f.Close()
	if look.Logo, err = io.ReadAll(io.LimitReader(f, maxLogo+1)); err != nil {
		return look, fault(err.Error())
	}
	look.LogoType = http.DetectContentType(look.Logo)
	if head := look.Logo[:min(len(look.Logo), 512)]; bytes.Contains(head, []byte("<svg")) {
		look.LogoType = "image/svg+xml"
	}
	switch look.LogoType {
	case "image/svg+xml", "image/png", "image/webp":
	default:
		return look, fault("the file is no SVG, PNG or WebP picture")
	}
	if len(look.Logo) > maxLogo {
		return look, fault("the file is too large")
	}
	return look, nil
}
