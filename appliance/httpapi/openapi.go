package httpapi

import (
	_ "embed" // the description of the API lies beside this file

	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/gofiber/fiber/v2"
)

//go:embed openapi.yaml
var openAPIDocument []byte

// openAPI answers the OpenAPI 3.1 description of the API.
func openAPI(c *fiber.Ctx, _ *route.Exchange) error {
	c.Set(fiber.HeaderContentType, "application/yaml; charset=utf-8")
	c.Context().Response.SetBodyRaw(openAPIDocument)
	return nil
}
