package httpapi

import (
	_ "embed" // the description of the API lies beside this file

	"github.com/gofiber/fiber/v2"
)

//go:embed openapi.yaml
var openAPIDocument []byte

// openAPI answers the OpenAPI 3.1 description of the API.
func openAPI(c *fiber.Ctx, _ *exchange) error {
	c.Set(fiber.HeaderContentType, "application/yaml; charset=utf-8")
	c.Context().Response.SetBodyRaw(openAPIDocument)
	return nil
}
