package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/go-json-experiment/json"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
)

// consoleBytes bounds the body of a request of the console's own routes.
const consoleBytes = 16 << 10

// Console is what the pages need beyond the API.
type Console struct {
	// Pages serves / and what lies below /console/; it sets its own policy and cache rules.
	Pages http.Handler
	// Status describes the running daemon, Checks examines it and its machine.
	Status func() state.Status
	Checks func(ctx context.Context) []appliance.Check
	// Rooms are those beyond transactions, keys and health; nil: there are none.
	Rooms *Rooms
}

// consoleRoutes names the paths of the pages, and those that only they call: with a session and its token.
func (s *Server) consoleRoutes() {
	if s.deps.Console == nil {
		return
	}
	pages := s.frame.Handle(s.page)
	s.app.Get("/", pages)
	s.app.Get("/console", pages)
	s.app.Get("/console/", pages)
	s.app.Get("/console/assets/:name", pages)
	s.app.Get("/console/session", s.frame.Handle(s.session))
	s.app.Post("/console/session", s.frame.Handle(s.signIn))
	s.app.Delete("/console/session", s.frame.Handle(s.signOut))
	s.app.Get("/console/keys", s.frame.Handle(s.consoleKeys))
	s.app.Post("/console/keys", s.frame.Handle(s.consoleAddKey))
	s.app.Delete("/console/keys/:name", s.frame.Handle(s.consoleRevokeKey))
	s.app.Post("/console/screens", s.frame.Handle(s.consoleLetIn))
	s.app.Get("/console/health", s.frame.Handle(s.consoleHealth))
	s.roomRoutes()
}

// page serves a page or one of its files.
func (s *Server) page(c *fiber.Ctx, x *route.Exchange) error {
	err := adaptor.HTTPHandler(s.deps.Console.Pages)(c)
	return err
}

// admin lets a request in that comes from a page of a session with the scope admin. An API key alone does not open these routes.
func (s *Server) admin(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeAdmin); err != nil {
		return err
	}
	if x.Session == "" {
		return appliance.Errorf(appliance.CodeForbidden, "this route is for the console: sign in there")
	}
	return nil
}

// acceptConsole reads the JSON of a request of the console.
func (s *Server) acceptConsole(c *fiber.Ctx, x *route.Exchange, in any) error {
	body, err := s.frame.Read(c, x, consoleBytes)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, in); err != nil {
		return appliance.Errorf(appliance.CodeBadRequest, "the request is not the JSON that this route takes")
	}
	return nil
}

func (s *Server) consoleKeys(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.admin(c, x); err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("keys").Open()
	for _, k := range s.deps.Keys.List() {
		w.Begin()
		w.Name("name").Text(k.Name)
		w.Name("scopes").Scopes(k.Scopes)
		w.Name("origins").Texts(k.Origins)
		w.Name("screen").Text(k.Screen)
		w.Name("rate_per_minute").Integer(int64(k.RatePerMinute))
		w.Name("created").Moment(k.Created)
		w.Name("expires").Moment(k.Expires)
		w.Name("last_used").Moment(k.LastUsed)
		w.Close()
	}
	w.Shut()
	w.Close()
	return route.Succeed(c, w.Plain())
}

// consoleAddKey makes a key and answers its secret, which is shown only now.
func (s *Server) consoleAddKey(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.admin(c, x); err != nil {
		return err
	}
	var in struct {
		Name    string            `json:"name"`
		Scopes  []appliance.Scope `json:"scopes"`
		Origins []string          `json:"origins"`
		Rate    int               `json:"rate_per_minute"`
		Expires *time.Time        `json:"expires"`
	}
	if err := s.acceptConsole(c, x, &in); err != nil {
		return err
	}
	k := appliance.Key{Name: in.Name, Scopes: in.Scopes, Origins: in.Origins, RatePerMinute: max(in.Rate, 0)}
	if in.Expires != nil {
		k.Expires = *in.Expires
	}
	secret, err := s.deps.Keys.Add(appliance.WithCaller(context.WithoutCancel(s.frame.Work), x.Caller), k)
	if err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("name").Text(k.Name)
	w.Name("secret").Text(secret)
	w.Close()
	return route.Succeed(c, w.Plain())
}

func (s *Server) consoleRevokeKey(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.admin(c, x); err != nil {
		return err
	}
	name, err := url.PathUnescape(c.Params("name"))
	if err != nil {
		return appliance.Errorf(appliance.CodeBadRequest, "the name in the path is not valid")
	}
	if err := s.deps.Keys.Revoke(appliance.WithCaller(context.WithoutCancel(s.frame.Work), x.Caller), name); err != nil {
		return err
	}
	return route.Succeed(c, wire.EmptyEnvelope())
}

// consoleHealth answers what an operator wants to know about the machine: status, warnings and the checks of the doctor.
func (s *Server) consoleHealth(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.admin(c, x); err != nil {
		return err
	}
	status := s.deps.Console.Status()
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("ready").Truth(s.deps.Health.ready() == nil)
	w.Name("version").Text(status.Version)
	w.Name("started").Time(status.Started)
	w.Name("listen").Text(status.Listen)
	w.Name("fingerprint").Text(status.Fingerprint)
	w.Name("authority").Truth(s.deps.Console.Rooms != nil && s.deps.Console.Rooms.Authority() != nil)
	w.Name("queue").Integer(int64(s.deps.Health.queueDepth()))
	w.Name("store_bytes").Integer(s.deps.Health.storeBytes())
	w.Name("models").Integer(int64(len(status.Models)))
	w.Name("warnings").Open()
	for _, v := range status.Warnings {
		w.Begin()
		w.Name("code").Text(string(v.Code))
		msg, hint := v.In(x.Language)
		w.Name("message").Text(msg)
		w.Name("hint").Text(hint)
		w.Close()
	}
	w.Shut()
	w.Name("checks").Open()
	for _, k := range s.deps.Console.Checks(s.frame.Work) {
		w.Check(k, x.Language)
	}
	w.Shut()
	w.Close()
	return route.Succeed(c, w.Plain())
}
