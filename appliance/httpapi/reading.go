package httpapi

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/gofiber/fiber/v2"
)

// document answers the endpoints that read one picture.
func (s *Server) document(e appliance.Endpoint) handler {
	return func(c *fiber.Ctx, x *exchange) error { return s.readPicture(c, x, e, nil) }
}

// readPicture answers a request to read one picture. known says whether there is such an endpoint, nil where there always is.
func (s *Server) readPicture(c *fiber.Ctx, x *exchange, e appliance.Endpoint, known func() error) error {
	f := s.form(false, "image")
	f.Paged, f.Exists = true, known
	r, err := s.receive(c, x, appliance.ScopeOCR, s.cfg.BodyBytes, f)
	if err != nil {
		return err
	}
	ctx, stop := s.watch(c, x)
	defer stop()
	answer, err := s.deps.Appliance.Read(ctx, usecase.ReadRequest{
		Endpoint: e, RequestID: x.id, TransactionID: r.TransactionID,
		ClientTransactionID: r.ClientTransactionID, Image: r.Images[0], Page: r.Page,
	})
	return x.tell(c, e, r, answer, err)
}

// tell answers a request that had documents read, and completes what the journal keeps of it.
func (x *exchange) tell(c *fiber.Ctx, e appliance.Endpoint, r *wire.Request, answer usecase.ReadAnswer, err error) error {
	x.stages = answer.Stages
	if err != nil {
		return err
	}
	x.decision.TransactionID, x.decision.Documents, x.decision.Reference = answer.TransactionID, answer.Documents, answer.Reference
	x.decision.Reviewed = answer.Reviewed
	return Succeed(c, wire.Envelope(wire.Answer{
		Endpoint: e, RequestID: x.id, TransactionID: answer.TransactionID, ClientTransactionID: r.ClientTransactionID,
		Reading: answer.Reading, Reviewed: answer.Reviewed, Evidence: r.Evidence, Language: x.language,
	}))
}

// receive makes the checks of a request in the order of the contract: key, rate, scope, what the
// path names, media type, size, JSON, members.
func (s *Server) receive(c *fiber.Ctx, x *exchange, scope appliance.Scope, limit int, f wire.Form) (*wire.Request, error) {
	if err := s.gate.Authorize(c, &x.Visitor, scope); err != nil {
		return nil, err
	}
	if f.Exists != nil {
		if err := f.Exists(); err != nil {
			return nil, err
		}
	}
	body, err := s.readBody(c, x, limit)
	if err != nil {
		return nil, err
	}
	var r *wire.Request
	err = s.parse(c, x, body, f.Known(), func(m wire.Members) (err error) {
		r, err = f.Read(m)
		return err
	})
	if r != nil {
		x.decision.TransactionID = r.TransactionID
	}
	if err != nil && r != nil {
		s.deps.Appliance.Renew(appliance.WithCaller(s.work, x.Caller), r.TransactionID)
	}
	return r, err
}

// parse makes sense of a body: of the members whose names are known, which read takes. Only so many bodies are parsed at a time,
// and no longer than their clients wait for it.
func (s *Server) parse(c *fiber.Ctx, x *exchange, body []byte, known []string, read func(wire.Members) error) error {
	ctx, stop := s.watch(c, x)
	defer stop()
	return s.parsing.Do(ctx, func(ctx context.Context) error {
		m, err := wire.ParseObject(ctx, body, known)
		if err != nil {
			return err
		}
		m.Reserve = func(n int) error { return s.bodies.Reserve(x.Key, &x.body, int64(n)) }
		return read(m)
	})
}

// readBody reads the body of a request. It may take a minute to come, in which its key may be revoked: it is asked about again.
func (s *Server) readBody(c *fiber.Ctx, x *exchange, limit int) ([]byte, error) {
	body, err := s.bodies.Read(c, x.Key, &x.body, limit)
	if x.body.Whole && x.Key != "" && !s.gate.StillIn(x.Key, x.Session, transport.Remote(c)) {
		return nil, appliance.Errorf(appliance.CodeUnauthorized,
			"the API key or the session ended while the request arrived: send it again with a valid key")
	}
	return body, err
}

// watch returns a context for the caller of a request that ends when the client goes away or the server runs out of time to stop. The
// function ends the watch; it returns when nothing touches the connection any more.
func (s *Server) watch(c *fiber.Ctx, x *exchange) (context.Context, func()) {
	return transport.Watch(appliance.WithCaller(s.work, x.Caller), c)
}

func (s *Server) form(existing bool, images ...string) wire.Form {
	return wire.Form{Images: images, Limit: s.cfg.PictureBytes, Existing: existing}
}
