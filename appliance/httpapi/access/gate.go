package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/gofiber/fiber/v2"
)

// Visitor is who sends a request, as far as that is known by then.
type Visitor struct {
	// Key is the name of the API key.
	Key    string
	Caller appliance.Caller
	// Session is the cookie of the console's session that the key comes from.
	Session string
	// Wait is how long one who asked too often has to wait.
	Wait time.Duration
}

// Gate judges requests before anything is done for them. It is safe for concurrent use.
type Gate struct {
	keys     *appliance.Keyring
	now      func() time.Time
	guessed  func()
	wrong    wrongKeys
	rates    Rates[[sha256.Size]byte] // of keys, by their hash
	sessions sessions
	tickets  tickets
	// addresses counts the requests of each address, policy is the one of the moment.
	addresses Rates[netip.Addr]
	policy    atomic.Pointer[Policy]
}

// NewGate makes a gate for the keys of a ring under a first policy. Guessed is called for each wrong key.
func NewGate(keys *appliance.Keyring, first Policy, now func() time.Time, guessed func()) *Gate {
	g := &Gate{keys: keys, now: now, guessed: guessed}
	g.SetPolicy(first)
	return g
}

// Authorize checks the key of a request, its rate and its scope, in this order: what a key may not do counts too.
func (g *Gate) Authorize(c *fiber.Ctx, v *Visitor, scope appliance.Scope) error {
	key, err := g.identify(c, v)
	if err != nil {
		return err
	}
	v.Key = key.Name
	v.Caller = appliance.Caller{Key: key.Name, Admin: key.Allows(appliance.ScopeAdmin)}
	if v.Wait = g.rates.Take(key.Hash, key.RatePerMinute, g.now()); v.Wait > 0 {
		return appliance.Errorf(appliance.CodeTooMany,
			"the API key has reached its %d requests a minute: wait and try again", key.RatePerMinute)
	}
	if err := bound(c, &key); err != nil {
		return err
	}
	if !key.Allows(scope) {
		return appliance.Errorf(appliance.CodeForbidden, "the API key lacks the scope %s: use a key that has it", scope)
	}
	return nil
}

// identify finds the key of a request: the one in its header, or that of the session whose cookie and token it carries.
func (g *Gate) identify(c *fiber.Ctx, v *Visitor) (appliance.Key, error) {
	if c.Get("ApiKey") == "" && c.Get(headerToken) != "" {
		key, open, err := g.signedIn(c)
		if err != nil {
			return appliance.Key{}, err
		}
		if subtle.ConstantTimeCompare([]byte(c.Get(headerToken)), []byte(open.token)) != 1 || !SameOrigin(c) {
			return key, appliance.Errorf(
				appliance.CodeForbidden,
				"the request does not come from a page of this session: load the page again",
			)
		}
		v.Session = c.Cookies(sessionCookie)
		return key, nil
	}
	return g.recognize(c, v, c.Get("ApiKey"))
}

// recognize finds the key of a secret, and counts wrong ones.
func (g *Gate) recognize(c *fiber.Ctx, v *Visitor, secret string) (appliance.Key, error) {
	key, err := g.keys.Authenticate(secret)
	if err == nil {
		return key, nil
	}
	if secret == "" { // no key is no guess
		if c.Get(fiber.HeaderAuthorization) != "" {
			return key, appliance.Errorf(appliance.CodeUnauthorized,
				"the API key is in the header Authorization: send it in the header ApiKey, without Bearer")
		}
		return key, err
	}
	g.guessed()
	if v.Wait = g.wrong.add(transport.Remote(c), g.policy.Load().WrongKeysPerMinute, g.now()); v.Wait > 0 {
		return key, appliance.Errorf(appliance.CodeTooMany,
			"too many wrong API keys came from this address: wait a minute and send a valid key")
	}
	return key, err
}

// StillIn reports whether whoever opened a stream may still follow it, or began a request may have its answer.
func (g *Gate) StillIn(key, cookie string, from netip.Addr) bool {
	if cookie != "" {
		if _, ok := g.sessions.find(cookie, from, false, g.now()); !ok {
			return false
		}
	}
	return g.keys.Valid(key)
}
