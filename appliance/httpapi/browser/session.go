package browser

import (
	"cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

// signIn opens a session for an API key with the scope admin or review. It is an entry of the journal, and a session that cannot be
// noted does not open.
func (p *Routes) signIn(c *fiber.Ctx, x *route.Exchange) error {
	if !access.SameOrigin(c) {
		return appliance.Errorf(appliance.CodeForbidden, "sign in on the appliance's own page")
	}
	var in struct {
		Key string `json:"key"`
	}
	if err := p.acceptConsole(c, x, &in); err != nil {
		return err
	}
	key, err := p.frame.Gate.Examine(c, &x.Visitor, in.Key)
	if err != nil {
		return err
	}
	if err := p.noteConsole(appliance.EntrySignedIn, x); err != nil {
		return err
	}
	return route.Succeed(c, sessionEnvelope(&key, p.frame.Gate.SignIn(c, &key), p.deps.Version))
}

// session answers who is signed in, null where nobody is. The answer is for the appliance's own pages: it holds the token.
func (p *Routes) session(c *fiber.Ctx, x *route.Exchange) error {
	if !access.SameOrigin(c) {
		return appliance.Errorf(appliance.CodeForbidden, "only pages of the appliance ask for the session")
	}
	key, token, err := p.frame.Gate.Session(c)
	if err != nil {
		return route.Succeed(c, wire.EmptyEnvelope())
	}
	x.Key = key.Name
	return route.Succeed(c, sessionEnvelope(&key, token, p.deps.Version))
}

// signOut ends the session of a request.
func (p *Routes) signOut(c *fiber.Ctx, x *route.Exchange) error {
	if err := p.frame.Gate.Authorize(c, &x.Visitor, appliance.ScopeAny); err != nil {
		return err
	}
	p.frame.Gate.SignOut(c, &x.Visitor)
	if err := p.noteConsole(appliance.EntrySignedOut, x); err != nil {
		return err
	}
	return route.Succeed(c, wire.EmptyEnvelope())
}

func (p *Routes) noteConsole(kind appliance.EntryKind, x *route.Exchange) error {
	e := appliance.Entry{Kind: kind, Subject: x.Key, Detail: map[string]string{"request": x.ID}}
	return p.frame.Note(e)
}

// sessionEnvelope writes what a page needs to know about its session.
func sessionEnvelope(k *appliance.Key, token, version string) []byte {
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("key").Text(k.Name)
	w.Name("scopes").Scopes(k.Scopes)
	w.Name("token").Text(token)
	w.Name("idle_seconds").Number(access.SessionIdle.Seconds())
	w.Name("version").Text(cmp.Or(version, "unknown"))
	w.Close()
	return w.Plain()
}
