package control

import (
	"context"
	"net/http"

	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/gofiber/fiber/v2"
)

// modelRoutes names the paths of the networks; none where the daemon gave none.
func (c *Socket) modelRoutes() {
	if c.deps.SwitchModels == nil {
		return
	}
	c.app.Post("/models", func(ctx *fiber.Ctx) error {
		m, err := c.deps.SwitchModels()
		if err != nil {
			return err
		}
		return reply(ctx, m)
	})
}

// SwitchModels lets the daemon go over to the model set that is installed, while requests run, and says which one it uses now. The
// error is why it gave that one up: then it goes on with another.
func (c *Client) SwitchModels(ctx context.Context) (m state.ModelsInUse, err error) {
	err = c.call(ctx, http.MethodPost, "/models", nil, &m)
	return m, err
}
