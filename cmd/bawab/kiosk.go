package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/bawab/bawab/configs"
)

// kiosk brings up the customer's page; nil where it is off. What a power cut left open at a screen is erased first.
func (d *daemon) kiosk(ctx context.Context, captures *appliance.Capturer) (*httpapi.Kiosk, error) {
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
		Appliance: d.appliance, Camera: captures, Erase: notedStore{d.store, d.journal, d.branch}.eraseFor, Journal: d.journal,
		Dir: d.cfg.Data, Log: d.log, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	d.push("kiosk", desk.Close)
	return &httpapi.Kiosk{Desk: desk, Look: look}, nil
}

// maxLogo bounds the file of the logo, which every start of the page fetches.
const maxLogo = 256 << 10

// kioskLook reads the looks of the page, with the logo.
func kioskLook(k configs.Kiosk) (httpapi.KioskLook, error) {
	words := func(w configs.KioskWords) map[string]string {
		return map[string]string{"title": w.Title, "welcome": w.Welcome, "done": w.Done, "colleague": w.Colleague}
	}
	look := httpapi.KioskLook{
		Languages: k.Languages, Accent: k.Accent, Scheme: k.Scheme, Sound: k.Sound, LastTimeout: k.LastTimeout,
		Text: map[string]map[string]string{"ar": words(k.Text.Arabic), "en": words(k.Text.English)},
	}
	if k.Logo == "" {
		return look, nil
	}
	fault := func(why string) error {
		return &appliance.Error{
			Op:   "open the kiosk's logo",
			Msg:  why,
			Hint: "name an SVG, PNG or WebP file of at most 256 KiB in kiosk.logo",
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

func keysScreenCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "screen NAME CODE", Short: "let a kiosk screen in",
		Long: `Lets the kiosk screen in that shows CODE, and names it. Its key is kept in a cookie of that screen's browser, counts from that
address alone and opens nothing but the kiosk's own steps. Take it back with ` + "`bawab keys revoke NAME`" + `. The daemon must run.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		return func(ctx context.Context, t *terminal, args []string) error {
			return letScreenIn(ctx, t, p, args[0], args[1])
		}
	})
}

func letScreenIn(ctx context.Context, t *terminal, p place, name, code string) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	client, err := dialRunning(cfg, "let a screen in")
	if err != nil {
		return err
	}
	defer client.Close()
	address, err := client.LetIn(ctx, httpapi.Screen{Name: name, Code: code})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%s is the screen at %s\n", name, address)
	return err
}
