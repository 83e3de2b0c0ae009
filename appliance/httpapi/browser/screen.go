package browser

import (
	"context"
	"net/netip"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

// LetIn makes a key for the kiosk screen that shows a code, and returns its address. The key counts in the cookie of that screen alone.
func (p *Routes) LetIn(ctx context.Context, name, code string) (address string, err error) {
	if p.deps.Kiosk == nil {
		return "", NoKiosk()
	}
	from, err := p.pairings.LetIn(code, p.frame.Now(), func(from netip.Addr) (string, error) {
		return p.deps.Keys.Add(ctx, appliance.Key{
			Name: name, Screen: from.String(), Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeFace, appliance.ScopeCamera},
		})
	})
	return from.String(), err
}

// NoKiosk is the error where no kiosk is set up.
func NoKiosk() error {
	return appliance.Errorf(appliance.CodeNotFound, "the kiosk is off: set kiosk.enabled and start the daemon again")
}

// consoleLetIn lets a kiosk screen in, for an operator at the console.
func (p *Routes) consoleLetIn(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.admin(c, x); err != nil {
		return err
	}
	var in struct {
		Name string `json:"name"`
		Code string `json:"code"`
	}
	if err := p.acceptConsole(c, x, &in); err != nil {
		return err
	}
	address, err := p.LetIn(appliance.WithCaller(context.WithoutCancel(p.frame.Work), x.Caller), in.Name, in.Code)
	if err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("name").Text(in.Name)
	w.Name("address").Text(address)
	w.Close()
	return route.Succeed(c, w.Plain())
}
