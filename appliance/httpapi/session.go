package httpapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/netip"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

const (
	// sessionIdle ends a session of the console that nobody used, sessionLife any.
	sessionIdle = 15 * time.Minute
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
	return now.Sub(s.seen) >= sessionIdle || now.Sub(s.began) >= sessionLife
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
func (s *Server) signedIn(c *fiber.Ctx) (appliance.Key, session, error) {
	open, ok := s.sessions.find(c.Cookies(sessionCookie), transport.Remote(c), c.Get(headerBackground) == "", s.deps.Now())
	if !ok {
		return appliance.Key{}, open, appliance.Errorf(appliance.CodeUnauthorized, "the session has ended: sign in again")
	}
	key, ok := s.deps.Keys.Find(open.key)
	if !ok {
		s.sessions.end(c.Cookies(sessionCookie))
		return key, open, appliance.Errorf(appliance.CodeUnauthorized, "the API key of this session has ended: sign in with another one")
	}
	return key, open, nil
}

// identify finds the key of a request: the one in its header, or that of the session whose cookie and token it carries.
func (s *Server) identify(c *fiber.Ctx, x *exchange) (appliance.Key, error) {
	if c.Get("ApiKey") == "" && c.Get(headerToken) != "" {
		key, open, err := s.signedIn(c)
		if err != nil {
			return appliance.Key{}, err
		}
		if subtle.ConstantTimeCompare([]byte(c.Get(headerToken)), []byte(open.token)) != 1 || !sameOrigin(c) {
			return key, appliance.Errorf(
				appliance.CodeForbidden,
				"the request does not come from a page of this session: load the page again",
			)
		}
		x.session = c.Cookies(sessionCookie)
		return key, nil
	}
	return s.recognize(c, x, c.Get("ApiKey"))
}

// recognize finds the key of a secret, and counts wrong ones.
func (s *Server) recognize(c *fiber.Ctx, x *exchange, secret string) (appliance.Key, error) {
	key, err := s.deps.Keys.Authenticate(secret)
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
	s.figures.wrongKeys.Inc()
	if after := s.wrong.add(transport.Remote(c), s.policy.Load().WrongKeysPerMinute, s.deps.Now()); after > 0 {
		x.after = after
		return key, appliance.Errorf(appliance.CodeTooMany,
			"too many wrong API keys came from this address: wait a minute and send a valid key")
	}
	return key, err
}

// sameOrigin reports whether a request comes from a page of this appliance, as far as its browser says.
func sameOrigin(c *fiber.Ctx) bool {
	site, origin, host := c.Get("Sec-Fetch-Site"), c.Get(fiber.HeaderOrigin), c.Get(fiber.HeaderHost)
	return (site == "" || site == "same-origin") && (origin == "" || origin == "http://"+host || origin == "https://"+host)
}

// stillIn reports whether whoever opened a stream may still follow it, or began a request may have its answer.
func (s *Server) stillIn(key, cookie string, from netip.Addr) bool {
	if cookie != "" {
		if _, ok := s.sessions.find(cookie, from, false, s.deps.Now()); !ok {
			return false
		}
	}
	return s.deps.Keys.Valid(key)
}

// signIn opens a session for an API key with the scope admin or review. It is an entry of the journal, and a session that cannot be
// noted does not open.
func (s *Server) signIn(c *fiber.Ctx, x *exchange) error {
	if !sameOrigin(c) {
		return appliance.Errorf(appliance.CodeForbidden, "sign in on the appliance's own page")
	}
	var in struct {
		Key string `json:"key"`
	}
	if err := s.acceptConsole(c, x, &in); err != nil {
		return err
	}
	key, err := s.recognize(c, x, in.Key)
	if err != nil {
		return err
	}
	x.key = key.Name
	if err := bound(c, &key); err != nil {
		return err
	}
	if !key.Allows(appliance.ScopeAdmin) && !key.Allows(appliance.ScopeReview) {
		return appliance.Errorf(
			appliance.CodeForbidden,
			"the API key lacks the scopes admin and review: the console needs a key that has one of them",
		)
	}
	if err := s.noteConsole(appliance.EntrySignedIn, x); err != nil {
		return err
	}
	secret, open := s.sessions.begin(key.Hash, transport.Remote(c), s.deps.Now())
	s.setCookie(c, secret, int(sessionLife.Seconds()))
	return Succeed(c, sessionEnvelope(&key, open.token, s.deps.Version))
}

// setCookie writes the cookie of a session; a negative age takes it away.
func (s *Server) setCookie(c *fiber.Ctx, secret string, age int) {
	c.Cookie(&fiber.Cookie{
		Name: sessionCookie, Value: secret, Path: "/", MaxAge: age, HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode,
		Secure: transport.Encrypted(c),
	})
}

// session answers who is signed in, null where nobody is. The answer is for the appliance's own pages: it holds the token.
func (s *Server) session(c *fiber.Ctx, x *exchange) error {
	if !sameOrigin(c) {
		return appliance.Errorf(appliance.CodeForbidden, "only pages of the appliance ask for the session")
	}
	key, open, err := s.signedIn(c)
	if err != nil {
		return Succeed(c, wire.EmptyEnvelope())
	}
	x.key = key.Name
	return Succeed(c, sessionEnvelope(&key, open.token, s.deps.Version))
}

// signOut ends the session of a request.
func (s *Server) signOut(c *fiber.Ctx, x *exchange) error {
	if err := s.authorize(c, x, appliance.ScopeAny); err != nil {
		return err
	}
	s.sessions.end(x.session)
	s.setCookie(c, "", -1)
	if err := s.noteConsole(appliance.EntrySignedOut, x); err != nil {
		return err
	}
	return Succeed(c, wire.EmptyEnvelope())
}

func (s *Server) noteConsole(kind appliance.EntryKind, x *exchange) error {
	if s.deps.Journal == nil {
		return nil
	}
	e := appliance.Entry{Kind: kind, Subject: x.key, Detail: map[string]string{"request": x.id}}
	return s.deps.Journal.Note(context.WithoutCancel(s.work), e)
}

// sessionEnvelope writes what a page needs to know about its session.
func sessionEnvelope(k *appliance.Key, token, version string) []byte {
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("key").Text(k.Name)
	w.Name("scopes").Scopes(k.Scopes)
	w.Name("token").Text(token)
	w.Name("idle_seconds").Number(sessionIdle.Seconds())
	w.Name("version").Text(cmp.Or(version, "unknown"))
	w.Close()
	return w.Plain()
}
