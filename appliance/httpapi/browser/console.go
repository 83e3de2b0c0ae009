package browser

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
func (p *Routes) consoleRoutes(app *fiber.App) {
	pages := p.frame.Handle(p.page)
	app.Get("/", pages)
	app.Get("/console", pages)
	app.Get("/console/", pages)
	app.Get("/console/assets/:name", pages)
	app.Get("/console/session", p.frame.Handle(p.session))
	app.Post("/console/session", p.frame.Handle(p.signIn))
	app.Delete("/console/session", p.frame.Handle(p.signOut))
	app.Get("/console/keys", p.frame.Handle(p.consoleKeys))
	app.Post("/console/keys", p.frame.Handle(p.consoleAddKey))
	app.Delete("/console/keys/:name", p.frame.Handle(p.consoleRevokeKey))
	app.Post("/console/screens", p.frame.Handle(p.consoleLetIn))
	app.Get("/console/health", p.frame.Handle(p.consoleHealth))
	p.roomRoutes(app)
}

// admin lets a request in that comes from a page of a session with the scope admin. An API key alone does not open these routes.
func (p *Routes) admin(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.frame.Gate.Authorize(c, &x.Visitor, appliance.ScopeAdmin); err != nil {
		return err
	}
	if x.Session == "" {
		return appliance.Errorf(appliance.CodeForbidden, "this route is for the console: sign in there")
	}
	return nil
}

// acceptConsole reads the JSON of a request of the console.
func (p *Routes) acceptConsole(c *fiber.Ctx, x *route.Exchange, in any) error {
	body, err := p.frame.Read(c, x, consoleBytes)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, in); err != nil {
		return appliance.Errorf(appliance.CodeBadRequest, "the request is not the JSON that this route takes")
	}
	return nil
}

func (p *Routes) consoleKeys(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("keys").Open()
	for _, k := range p.deps.Keys.List() {
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
func (p *Routes) consoleAddKey(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	var in struct {
		Name    string            `json:"name"`
		Scopes  []appliance.Scope `json:"scopes"`
		Origins []string          `json:"origins"`
		Rate    int               `json:"rate_per_minute"`
		Expires *time.Time        `json:"expires"`
	}
	if err := p.acceptConsole(c, x, &in); err != nil {
		return err
	}
	k := appliance.Key{Name: in.Name, Scopes: in.Scopes, Origins: in.Origins, RatePerMinute: max(in.Rate, 0)}
	if in.Expires != nil {
		k.Expires = *in.Expires
	}
	secret, err := p.deps.Keys.Add(appliance.WithCaller(context.WithoutCancel(p.frame.Work), x.Caller), k)
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

func (p *Routes) consoleRevokeKey(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	name, err := url.PathUnescape(c.Params("name"))
	if err != nil {
		return appliance.Errorf(appliance.CodeBadRequest, "the name in the path is not valid")
	}
	if err := p.deps.Keys.Revoke(appliance.WithCaller(context.WithoutCancel(p.frame.Work), x.Caller), name); err != nil {
		return err
	}
	return route.Succeed(c, wire.EmptyEnvelope())
}

// consoleHealth answers what an operator wants to know about the machine: status, warnings and the checks of the doctor.
func (p *Routes) consoleHealth(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	status, machine := p.deps.Console.Status(), p.deps.Machine()
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("ready").Truth(machine.Ready)
	w.Name("version").Text(status.Version)
	w.Name("started").Time(status.Started)
	w.Name("listen").Text(status.Listen)
	w.Name("fingerprint").Text(status.Fingerprint)
	w.Name("authority").Truth(p.deps.Console.Rooms != nil && p.deps.Console.Rooms.Authority() != nil)
	w.Name("queue").Integer(int64(machine.Queue))
	w.Name("store_bytes").Integer(machine.StoreBytes)
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
	for _, k := range p.deps.Console.Checks(p.frame.Work) {
		w.Check(k, x.Language)
	}
	w.Shut()
	w.Close()
	return route.Succeed(c, w.Plain())
}
