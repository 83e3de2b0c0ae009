package access

import (
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/gofiber/fiber/v2"
)

// Confine puts the headers on an answer that keep browsers from doing more with it than showing it: no sniffing, no
// storing, no frames, no scripts. A page of our own that needs more has set its own policy and cache rule by now. Over TLS a browser
// is told to come back by TLS alone.
func Confine(c *fiber.Ctx) {
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set(headerResourcePolicy, "same-origin")
	if len(c.Response().Header.Peek(fiber.HeaderContentSecurityPolicy)) == 0 {
		c.Set(fiber.HeaderCacheControl, "no-store")
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	}
	if transport.Encrypted(c) {
		c.Set(fiber.HeaderStrictTransportSecurity, "max-age=31536000")
	}
}
