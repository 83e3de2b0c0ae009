package browser

import (
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/gofiber/fiber/v2"
)

// Kiosk is what the page for the customer needs beyond the pages themselves.
type Kiosk struct {
	Desk *kiosk.Desk
	Look KioskLook
}

// KioskLook is how the operator wants the page to look and speak. Logo is a picture of LogoType, nil for none; Text holds the operator's
// own words by language and name.
type KioskLook struct {
	Languages      []string
	Accent, Scheme string
	Sound          bool
	LastTimeout    time.Duration
	Logo           []byte
	LogoType       string
	Text           map[string]map[string]string
}

const (
	// kioskCookie holds the secret of a screen's key. No script reads it, and it is sent to the kiosk's own paths alone.
	kioskCookie = "bawab_kiosk"
	// pairingCookie tells a screen that waits to be let in from another one that shows the same code.
	pairingCookie = "bawab_pairing"
	// headerKiosk comes with every request of the kiosk's page. Pages of other origins cannot send it: no preflight allows it.
	headerKiosk = "Bawab-Kiosk"
	// kioskCookieLife is the longest that browsers keep a cookie. Each start of the page begins it anew.
	kioskCookieLife = 400 * 24 * time.Hour
	kioskPath       = "/kiosk/"
)

// kioskRoutes names the paths of the customer's page.
func (p *Routes) kioskRoutes(app *fiber.App) {
	pages := p.frame.Handle(p.page)
	app.Get("/kiosk", pages)
	app.Get(kioskPath, pages)
	app.Get("/kiosk/logo", p.frame.Handle(p.kioskLogo))
	app.Post("/kiosk/open", p.frame.Handle(p.kioskOpen))
	app.Post("/kiosk/begin", p.frame.Handle(p.kioskBegin))
	app.Post("/kiosk/stay", p.frame.Handle(p.kioskStay))
	app.Post("/kiosk/stop", p.frame.Handle(p.kioskStop))
	app.Post("/kiosk/confirm", p.frame.Handle(p.kioskConfirm))
	app.Post("/kiosk/glance", p.frame.Handle(p.kioskGlance))
	app.Post("/kiosk/document", p.frame.Handle(p.kioskDocument))
	app.Post("/kiosk/face", p.frame.Handle(p.kioskFace))
	app.Get("/kiosk/preview", p.frame.Handle(p.kioskPreview))
	p.deps.Kiosk.Desk.Tell(p.deps.Ended)
}

// ofKiosk refuses what does not come from the kiosk's page on this appliance.
func ofKiosk(c *fiber.Ctx) error {
	if c.Get(headerKiosk) == "" || !access.SameOrigin(c) {
		return appliance.Errorf(appliance.CodeForbidden, "this route is for the kiosk's own page: open /kiosk/")
	}
	return nil
}

// screen lets a request of a kiosk screen in. Its key opens these routes alone, from the address that it was made for.
func (p *Routes) screen(c *fiber.Ctx, x *route.Exchange) error {
	if err := ofKiosk(c); err != nil {
		return err
	}
	key, ok := p.deps.Keys.Screen(c.Cookies(kioskCookie), transport.Remote(c).String())
	if !ok {
		return appliance.Errorf(appliance.CodeUnauthorized,
			"this screen is not let in: load the page again, and let it in with the code that it shows")
	}
	x.Key, x.Caller = key.Name, appliance.Caller{Key: key.Name}
	return nil
}

// kioskRequest is the body of a request of the kiosk's page.
type kioskRequest struct {
	run, kind, why string
	right          bool
	images         [][]byte
}

// receiveKiosk makes the checks of a kiosk's request.
func (p *Routes) receiveKiosk(c *fiber.Ctx, x *route.Exchange, limit int, images ...string) (*kioskRequest, error) {
	if err := p.screen(c, x); err != nil {
		return nil, err
	}
	body, err := p.frame.Read(c, x, limit)
	if err != nil {
		return nil, err
	}
	var r kioskRequest
	return &r, p.frame.Parse(c, x, body, append([]string{"run", "kind", "why", "right"}, images...), func(m wire.Members) (err error) {
		for name, to := range map[string]*string{"run": &r.run, "kind": &r.kind, "why": &r.why} {
			if m.Absent(name) {
				continue
			}
			text, err := m.Text(name)
			if err != nil {
				return err
			}
			*to = strings.Clone(string(text))
		}
		if r.right, err = m.Truth("right"); err != nil {
			return err
		}
		for _, name := range images {
			image, err := m.Image(name, p.deps.PictureBytes)
			if err != nil {
				return err
			}
			r.images = append(r.images, image)
		}
		return nil
	})
}

// kioskOpen answers how the page looks and works, after it was loaded: what was open at the screen is erased. A screen that is not let in
// yet gets the code to show instead.
func (p *Routes) kioskOpen(c *fiber.Ctx, x *route.Exchange) error {
	if err := ofKiosk(c); err != nil {
		return err
	}
	secret, now := c.Cookies(kioskCookie), p.frame.Now()
	key, ok := p.deps.Keys.Screen(secret, transport.Remote(c).String())
	code := ""
	if !ok {
		waits, fresh := p.pairings.Ask(c.Cookies(pairingCookie), transport.Remote(c), now)
		if fresh != "" {
			p.kioskSetCookie(c, pairingCookie, fresh, access.PairingLife)
		}
		code, secret = waits.Code, waits.Secret
		if key, ok = p.deps.Keys.Screen(secret, transport.Remote(c).String()); ok {
			p.pairings.Done(code)
			code = ""
		}
	}
	if ok {
		x.Key = key.Name
		p.kioskSetCookie(c, kioskCookie, secret, kioskCookieLife)
		p.deps.Kiosk.Desk.Leave(key.Name, kiosk.OutcomeStopped)
	}
	return route.Succeed(c, p.deps.Kiosk.envelope(key.Name, code))
}

func (p *Routes) kioskSetCookie(c *fiber.Ctx, name, value string, life time.Duration) {
	c.Cookie(&fiber.Cookie{
		Name: name, Value: value, Path: kioskPath, MaxAge: int(life.Seconds()), HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
		Secure: transport.Encrypted(c),
	})
}

// envelope writes what the page works by.
func (k *Kiosk) envelope(screen, code string) []byte {
	flow := k.Desk.Flow()
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("screen").Text(screen)
	w.Name("code").Text(code)
	w.Name("kinds").Texts(flow.Kinds)
	w.Name("steps").Texts(flow.Steps)
	w.Name("own_camera").Truth(k.Desk.OwnCamera())
	w.Name("languages").Texts(k.Look.Languages)
	w.Name("accent").Text(k.Look.Accent)
	w.Name("scheme").Text(k.Look.Scheme)
	w.Name("sound").Truth(k.Look.Sound)
	w.Name("logo").Truth(k.Look.Logo != nil)
	w.Name("last_ms").Integer(k.Look.LastTimeout.Milliseconds())
	w.Name("text").Begin()
	for _, language := range appliance.Languages() {
		w.Name(string(language)).Begin()
		for _, name := range []string{"title", "welcome", "done", "colleague"} {
			w.Name(name).Text(k.Look.Text[string(language)][name])
		}
		w.Close()
	}
	w.Close()
	w.Close()
	return w.Plain()
}

// kioskLogo serves the operator's logo.
func (p *Routes) kioskLogo(c *fiber.Ctx, _ *route.Exchange) error {
	if p.deps.Kiosk.Look.Logo == nil {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, p.deps.Kiosk.Look.LogoType)
	c.Context().Response.SetBodyRaw(p.deps.Kiosk.Look.Logo)
	return nil
}

// viewed answers what the screen shows now.
func viewed(c *fiber.Ctx, v kiosk.View, err error) error {
	if err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("run").Text(v.Run)
	w.Name("kind").Text(v.Kind)
	w.Name("step").Text(string(v.Step))
	w.Name("left_ms").Integer(v.Left.Milliseconds())
	w.Name("fields").Open()
	for _, f := range v.Fields {
		w.Begin()
		w.Name("name").Text(f.Name)
		w.Name("value").Text(f.Value)
		w.Close()
	}
	w.Shut()
	w.Name("note").Begin()
	w.Name("code").Integer(int64(v.Note.Code))
	w.Name("word").Text(v.Note.Word)
	w.Close()
	w.Name("reference").Text(v.Reference)
	w.Close()
	return route.Succeed(c, w.Plain())
}
