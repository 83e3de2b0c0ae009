package access

import (
	"slices"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
)

// Headers of cross-origin requests that fiber has no name for.
const (
	headerPrivateNetwork      = "Access-Control-Request-Private-Network"
	headerAllowPrivateNetwork = "Access-Control-Allow-Private-Network"
	headerResourcePolicy      = "Cross-Origin-Resource-Policy"
)

// preflightAge is how long a browser may keep the answer to a preflight: a changed list of origins holds after it at the latest.
const preflightAge = 10 * time.Minute

// listedOrigin returns the Origin of a request when it is on the list of origins, else "". Any client can claim an origin: the header
// decides what browsers may do with an answer, and never replaces a key.
func (g *Gate) listedOrigin(c *fiber.Ctx) string {
	origin := c.Get(fiber.HeaderOrigin)
	if origin != "" && slices.Contains(g.policy.Load().Origins, origin) {
		return origin
	}
	return ""
}

// Share lets the pages of a listed origin read the answer, and every page of a listed origin where the request names none but was shared
// by a ticket. Caches are told that the answer depends on the origin.
func (g *Gate) Share(c *fiber.Ctx, shared bool) {
	if len(g.policy.Load().Origins) == 0 {
		return
	}
	c.Vary(fiber.HeaderOrigin)
	if origin := g.listedOrigin(c); origin != "" {
		c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
		c.Set(fiber.HeaderAccessControlExposeHeaders, "Retry-After, X-Request-Id")
		shared = true
	}
	if shared {
		c.Set(headerResourcePolicy, "cross-origin")
	}
}

// Preflight answers the question of a browser whether a page of another origin may send a request; it
// reports whether that was asked. No key comes with a preflight.
func (g *Gate) Preflight(c *fiber.Ctx) (asked bool, err error) {
	if c.Method() != fiber.MethodOptions || c.Get(fiber.HeaderAccessControlRequestMethod) == "" || c.Get(fiber.HeaderOrigin) == "" {
		return false, nil
	}
	if g.listedOrigin(c) == "" {
		return true, appliance.Errorf(
			appliance.CodeForbidden,
			"pages of this origin may not call the appliance: ask its operator to add the origin to http.origins",
		)
	}
	c.Set(fiber.HeaderAccessControlAllowMethods, "GET, POST, DELETE")
	c.Set(fiber.HeaderAccessControlAllowHeaders, "Accept-Language, ApiKey, Content-Type")
	c.Set(fiber.HeaderAccessControlMaxAge, strconv.Itoa(int(preflightAge.Seconds())))
	if c.Get(headerPrivateNetwork) == "true" {
		c.Set(headerAllowPrivateNetwork, "true")
	}
	return true, nil
}

// bound refuses a key outside the pages that it was made for.
func bound(c *fiber.Ctx, k *appliance.Key) error {
	if len(k.Origins) == 0 || slices.Contains(k.Origins, c.Get(fiber.HeaderOrigin)) {
		return nil
	}
	return appliance.Errorf(
		appliance.CodeForbidden,
		"the API key is for the pages of other origins: use it there, or make one without --origin",
	)
}

// SameOrigin reports whether a request comes from a page of this appliance, as far as its browser says.
func SameOrigin(c *fiber.Ctx) bool {
	site, origin, host := c.Get("Sec-Fetch-Site"), c.Get(fiber.HeaderOrigin), c.Get(fiber.HeaderHost)
	return (site == "" || site == "same-origin") && (origin == "" || origin == "http://"+host || origin == "https://"+host)
}
