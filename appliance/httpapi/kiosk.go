package httpapi

import (
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
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

// kioskRoutes names the paths of the customer's page; none where the kiosk is off.
func (s *Server) kioskRoutes() {
	if s.deps.Kiosk == nil || s.deps.Console == nil {
		return
	}
	pages := s.handle(s.page)
	s.app.Get("/kiosk", pages)
	s.app.Get(kioskPath, pages)
	s.app.Get("/kiosk/logo", s.handle(s.kioskLogo))
	s.app.Post("/kiosk/open", s.handle(s.kioskOpen))
	s.app.Post("/kiosk/begin", s.handle(s.kioskBegin))
	s.app.Post("/kiosk/stay", s.handle(s.kioskStay))
	s.app.Post("/kiosk/stop", s.handle(s.kioskStop))
	s.app.Post("/kiosk/confirm", s.handle(s.kioskConfirm))
	s.app.Post("/kiosk/glance", s.handle(s.kioskGlance))
	s.app.Post("/kiosk/document", s.handle(s.kioskDocument))
	s.app.Post("/kiosk/face", s.handle(s.kioskFace))
	s.app.Get("/kiosk/preview", s.handle(s.kioskPreview))
	s.deps.Kiosk.Desk.Tell(func(e kiosk.End) { s.events.publish("kiosk", func() []byte { return endOf(e) }) })
}

// endOf writes how a check at a screen ended, for the readers of the event stream.
func endOf(e kiosk.End) []byte {
	w := newWriter()
	w.begin()
	w.name("at").time(e.At)
	w.name("transaction_id").text(e.Transaction)
	w.name("key").text(e.Screen)
	w.name("outcome").text(string(e.Outcome))
	w.close()
	return w.bytes()
}

// ofKiosk refuses what does not come from the kiosk's page on this appliance.
func ofKiosk(c *fiber.Ctx) error {
	if c.Get(headerKiosk) == "" || !sameOrigin(c) {
		return appliance.Errorf(appliance.CodeForbidden, "this route is for the kiosk's own page: open /kiosk/")
	}
	return nil
}

// screen lets a request of a kiosk screen in. Its key opens these routes alone, from the address that it was made for.
func (s *Server) screen(c *fiber.Ctx, x *exchange) error {
	if err := ofKiosk(c); err != nil {
		return err
	}
	key, ok := s.deps.Keys.Screen(c.Cookies(kioskCookie), remote(c).String())
	if !ok {
		return appliance.Errorf(appliance.CodeUnauthorized,
			"this screen is not let in: load the page again, and let it in with the code that it shows")
	}
	x.key, x.caller = key.Name, appliance.Caller{Key: key.Name}
	return nil
}

// kioskRequest is the body of a request of the kiosk's page.
type kioskRequest struct {
	run, kind, why string
	right          bool
	images         [][]byte
}

// receiveKiosk makes the checks of a kiosk's request.
func (s *Server) receiveKiosk(c *fiber.Ctx, x *exchange, limit int, images ...string) (*kioskRequest, error) {
	if err := s.screen(c, x); err != nil {
		return nil, err
	}
	body, err := s.readBody(c, x, limit)
	if err != nil {
		return nil, err
	}
	var r kioskRequest
	return &r, s.parse(c, x, body, append([]string{"run", "kind", "why", "right"}, images...), func(m members) (err error) {
		for name, to := range map[string]*string{"run": &r.run, "kind": &r.kind, "why": &r.why} {
			if m.absent(name) {
				continue
			}
			text, err := m.text(name)
			if err != nil {
				return err
			}
			*to = strings.Clone(string(text))
		}
		if r.right, err = m.truth("right"); err != nil {
			return err
		}
		for _, name := range images {
			image, err := m.image(name, s.cfg.PictureBytes)
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
func (s *Server) kioskOpen(c *fiber.Ctx, x *exchange) error {
	if err := ofKiosk(c); err != nil {
		return err
	}
	secret, now := c.Cookies(kioskCookie), s.deps.Now()
	key, ok := s.deps.Keys.Screen(secret, remote(c).String())
	code := ""
	if !ok {
		waits, fresh := s.pairings.ask(c.Cookies(pairingCookie), remote(c), now)
		if fresh != "" {
			s.kioskSetCookie(c, pairingCookie, fresh, pairingLife)
		}
		code, secret = waits.code, waits.secret
		if key, ok = s.deps.Keys.Screen(secret, remote(c).String()); ok {
			s.pairings.done(code)
			code = ""
		}
	}
	if ok {
		x.key = key.Name
		s.kioskSetCookie(c, kioskCookie, secret, kioskCookieLife)
		s.deps.Kiosk.Desk.Leave(key.Name, kiosk.OutcomeStopped)
	}
	return Succeed(c, s.deps.Kiosk.envelope(key.Name, code))
}

func (s *Server) kioskSetCookie(c *fiber.Ctx, name, value string, life time.Duration) {
	nc, ok := c.Context().Conn().(*conn)
	c.Cookie(&fiber.Cookie{
		Name: name, Value: value, Path: kioskPath, MaxAge: int(life.Seconds()), HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
		Secure: ok && nc.encrypted(),
	})
}

// envelope writes what the page works by.
func (k *Kiosk) envelope(screen, code string) []byte {
	flow := k.Desk.Flow()
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.name("screen").text(screen)
	w.name("code").text(code)
	w.name("kinds").texts(flow.Kinds)
	w.name("steps").texts(flow.Steps)
	w.name("own_camera").truth(k.Desk.OwnCamera())
	w.name("languages").texts(k.Look.Languages)
	w.name("accent").text(k.Look.Accent)
	w.name("scheme").text(k.Look.Scheme)
	w.name("sound").truth(k.Look.Sound)
	w.name("logo").truth(k.Look.Logo != nil)
	w.name("last_ms").integer(k.Look.LastTimeout.Milliseconds())
	w.name("text").begin()
	for _, language := range appliance.Languages() {
		w.name(string(language)).begin()
		for _, name := range []string{"title", "welcome", "done", "colleague"} {
			w.name(name).text(k.Look.Text[string(language)][name])
		}
		w.close()
	}
	w.close()
	w.close()
	return w.plain()
}

// kioskLogo serves the operator's logo.
func (s *Server) kioskLogo(c *fiber.Ctx, _ *exchange) error {
	if s.deps.Kiosk.Look.Logo == nil {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, s.deps.Kiosk.Look.LogoType)
	c.Context().Response.SetBodyRaw(s.deps.Kiosk.Look.Logo)
	return nil
}

// viewed answers what the screen shows now.
func viewed(c *fiber.Ctx, v kiosk.View, err error) error {
	if err != nil {
		return err
	}
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.name("run").text(v.Run)
	w.name("kind").text(v.Kind)
	w.name("step").text(string(v.Step))
	w.name("left_ms").integer(v.Left.Milliseconds())
	w.name("fields").open()
	for _, f := range v.Fields {
		w.begin()
		w.name("name").text(f.Name)
		w.name("value").text(f.Value)
		w.close()
	}
	w.shut()
	w.name("note").begin()
	w.name("code").integer(int64(v.Note.Code))
	w.name("word").text(v.Note.Word)
	w.close()
	w.name("reference").text(v.Reference)
	w.close()
	return Succeed(c, w.plain())
}
