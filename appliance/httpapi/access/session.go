package access

import (
	"crypto/sha256"
	"net/netip"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/gofiber/fiber/v2"
)

const (
	// SessionIdle ends a session of the console that nobody used, sessionLife any.
	SessionIdle = 15 * time.Minute
	sessionLife = 12 * time.Hour
	// maxSessions bounds the sessions that are open at once; the one that was used the longest ago makes room.
	maxSessions = 256
	// sessionCookie names the cookie of a session. It is sent to this host alone and read by no script.
	sessionCookie = "bawab_session"
	// headerToken carries the token of a session: a page of another origin can neither read it nor send the header.
	headerToken = "Bawab-Token"
	// headerBackground marks what a page asks by itself, so that an open page does not keep a session alive.
	headerBackground = "Bawab-Background"
)

// session is one sign-in of a person at the console. It stands for the key that was shown and ends with it at the latest.
type session struct {
	token string
	key   [sha256.Size]byte
	from  netip.Addr
	began time.Time
	seen  time.Time
}

// sessions are the open ones, by the hash of what the cookie holds: the lookup tells nothing about any cookie. They are kept in memory
// alone, so a restart ends them, and are safe for concurrent use.
type sessions struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]*session
}

// begin opens a session and returns what the cookie holds.
func (s *sessions) begin(key [sha256.Size]byte, from netip.Addr, now time.Time) (secret string, opened session) {
	secret, opened = appliance.NewSecret(), session{token: appliance.NewSecret(), key: key, from: from, began: now, seen: now}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[[sha256.Size]byte]*session{}
	}
	var oldest [sha256.Size]byte
	for id, o := range s.all {
		if o.ended(now) {
			delete(s.all, id)
		} else if first := s.all[oldest]; first == nil || o.seen.Before(first.seen) {
			oldest = id
		}
	}
	if len(s.all) >= maxSessions {
		delete(s.all, oldest)
	}
	kept := opened
	s.all[sha256.Sum256([]byte(secret))] = &kept
	return secret, opened
}

func (s *session) ended(now time.Time) bool {
	return now.Sub(s.seen) >= SessionIdle || now.Sub(s.began) >= sessionLife
}

// find returns the open session of a cookie. A use by the person at the page renews it. From another address it is nobody's.
func (s *sessions) find(secret string, from netip.Addr, renew bool, now time.Time) (session, bool) {
	id := sha256.Sum256([]byte(secret))
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.all[id]
	if o == nil || o.from != from {
		return session{}, false
	}
	if o.ended(now) {
		delete(s.all, id)
		return session{}, false
	}
	if renew {
		o.seen = now
	}
	return *o, true
}

// end closes the session of a cookie.
func (s *sessions) end(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, sha256.Sum256([]byte(secret)))
}

// signedIn returns the session and the key that a request belongs to. The cookie alone proves nothing: browsers send it whoever asks.
func (g *Gate) signedIn(c *fiber.Ctx) (appliance.Key, session, error) {
	open, ok := g.sessions.find(c.Cookies(sessionCookie), transport.Remote(c), c.Get(headerBackground) == "", g.now())
	if !ok {
		return appliance.Key{}, open, appliance.Errorf(appliance.CodeUnauthorized, "the session has ended: sign in again")
	}
	key, ok := g.keys.Find(open.key)
	if !ok {
		g.sessions.end(c.Cookies(sessionCookie))
		return key, open, appliance.Errorf(appliance.CodeUnauthorized, "the API key of this session has ended: sign in with another one")
	}
	return key, open, nil
}

// Session returns the key and the token of the session that a page belongs to. The token is for pages of the appliance alone.
func (g *Gate) Session(c *fiber.Ctx) (appliance.Key, string, error) {
	key, open, err := g.signedIn(c)
	return key, open.token, err
}

// Examine returns the key of a secret that somebody signs in with, one with the scope admin or review.
func (g *Gate) Examine(c *fiber.Ctx, v *Visitor, secret string) (appliance.Key, error) {
	key, err := g.recognize(c, v, secret)
	if err != nil {
		return key, err
	}
	v.Key = key.Name
	if err := bound(c, &key); err != nil {
		return key, err
	}
	if !key.Allows(appliance.ScopeAdmin) && !key.Allows(appliance.ScopeReview) {
		return key, appliance.Errorf(
			appliance.CodeForbidden,
			"the API key lacks the scopes admin and review: the console needs a key that has one of them",
		)
	}
	return key, nil
}

// SignIn opens a session for a key that was examined, and returns its token.
func (g *Gate) SignIn(c *fiber.Ctx, key *appliance.Key) (token string) {
	secret, open := g.sessions.begin(key.Hash, transport.Remote(c), g.now())
	setCookie(c, secret, int(sessionLife.Seconds()))
	return open.token
}

// SignOut ends the session of a request.
func (g *Gate) SignOut(c *fiber.Ctx, v *Visitor) {
	g.sessions.end(v.Session)
	setCookie(c, "", -1)
}

// setCookie writes the cookie of a session; a negative age takes it away.
func setCookie(c *fiber.Ctx, secret string, age int) {
	c.Cookie(&fiber.Cookie{
		Name: sessionCookie, Value: secret, Path: "/", MaxAge: age, HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
		Secure: transport.Encrypted(c),
	})
}
