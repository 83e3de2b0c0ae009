package control

import (
	"context"
	"net/http"

	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/gofiber/fiber/v2"
)

// Screen names a kiosk screen that is to be let in, and the code that it shows.
type Screen struct{ Name, Code string }

// letIn lets a kiosk screen in, for an operator at the command line.
func (c *Socket) letIn(ctx *fiber.Ctx) error {
	if c.deps.LetIn == nil {
		return browser.NoKiosk()
	}
	var in Screen
	if err := accept(ctx, &in); err != nil {
		return err
	}
	address, err := c.deps.LetIn(ctx.Context(), in.Name, in.Code)
	if err != nil {
		return err
	}
	return reply(ctx, address)
}

// LetIn lets a kiosk screen in, and returns its address.
func (c *Client) LetIn(ctx context.Context, s Screen) (address string, err error) {
	err = c.call(ctx, http.MethodPost, "/screens", s, &address)
	return address, err
}
