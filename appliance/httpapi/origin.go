package httpapi

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
func (s *Server) listedOrigin(c *fiber.Ctx) string {
	origin := c.Get(fiber.HeaderOrigin)
	if origin != "" && slices.Contains(s.policy.Load().Origins, origin) {
		return origin
	}
	return ""
}

// share lets the pages of a listed origin read the answer. Caches are told that the answer depends on the origin.
func (s *Server) share(c *fiber.Ctx, x *exchange) {
	if len(s.policy.Load().Origins) == 0 {
		return
	}
	c.Vary(fiber.HeaderOrigin)
	if origin := s.listedOrigin(c); origin != "" {
		c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
		c.Set(fiber.HeaderAccessControlExposeHeaders, "Retry-After, X-Request-Id")
		x.shared = true
	}
	if x.shared {
		c.Set(headerResourcePolicy, "cross-origin")
	}
}

// preflight answers the question of a browser whether a page of another origin may send a request; it reports false for any other
// request. No key comes with a preflight.
func (s *Server) preflight(c *fiber.Ctx, x *exchange) (answered bool, err error) {
	if c.Method() != fiber.MethodOptions || c.Get(fiber.HeaderAccessControlRequestMethod) == "" || c.Get(fiber.HeaderOrigin) == "" {
		return false, nil
	}
	x.route = "preflight"
	if s.listedOrigin(c) == "" {
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
	x.status = fiber.StatusNoContent
	c.Status(x.status)
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
