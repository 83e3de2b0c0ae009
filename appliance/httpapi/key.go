package httpapi

import (
	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
)

// authorize checks the key of a request, its rate and its scope, in this order: what a key may not do counts too. The address that counts wrong keys is
// the connection's own; headers in which a proxy names another one are not believed.
func (s *Server) authorize(c *fiber.Ctx, x *exchange, scope appliance.Scope) error {
	key, err := s.identify(c, x)
	if err != nil {
		return err
	}
	x.key = key.Name
	x.caller = appliance.Caller{Key: key.Name, Admin: key.Allows(appliance.ScopeAdmin)}
	if after := s.rates.take(key.Hash, key.RatePerMinute, s.deps.Now()); after > 0 {
		x.after = after
		return appliance.Errorf(appliance.CodeTooMany, "the API key has reached its %d requests a minute: wait and try again", key.RatePerMinute)
	}
	if err := bound(c, &key); err != nil {
		return err
	}
	if !key.Allows(scope) {
		return appliance.Errorf(appliance.CodeForbidden, "the API key lacks the scope %s: use a key that has it", scope)
	}
	return nil
}
