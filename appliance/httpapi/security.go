package httpapi

import "github.com/gofiber/fiber/v2"

// secure puts the headers on an answer that keep browsers from doing more with it than showing it: no sniffing, no
// storing, no frames, no scripts. A page of our own that needs more has set its own policy and cache rule by now. Over TLS a browser
// is told to come back by TLS alone.
func secure(c *fiber.Ctx) {
	for name, value := range map[string]string{
		fiber.HeaderXContentTypeOptions: "nosniff",
		fiber.HeaderXFrameOptions:       "DENY",
		fiber.HeaderReferrerPolicy:      "no-referrer",
		headerResourcePolicy:            "same-origin",
	} {
		c.Set(name, value)
	}
	if len(c.Response().Header.Peek(fiber.HeaderContentSecurityPolicy)) == 0 {
		c.Set(fiber.HeaderCacheControl, "no-store")
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	}
	if nc, ok := c.Context().Conn().(*conn); ok && nc.encrypted() {
		c.Set(fiber.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}
