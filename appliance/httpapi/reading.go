package httpapi

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/gofiber/fiber/v2"
)

// document answers the endpoints that read one picture.
func (s *Server) document(e appliance.Endpoint) route.Handler {
	return func(c *fiber.Ctx, x *route.Exchange) error { return s.readPicture(c, x, e, nil) }
}

// readPicture answers a request to read one picture. known says whether there is such an endpoint, nil where there always is.
func (s *Server) readPicture(c *fiber.Ctx, x *route.Exchange, e appliance.Endpoint, known func() error) error {
	f := s.form(false, "image")
	f.Paged, f.Exists = true, known
	r, err := s.receive(c, x, appliance.ScopeOCR, s.cfg.BodyBytes, f)
	if err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	answer, err := s.deps.Appliance.Read(ctx, usecase.ReadRequest{
		Endpoint: e, RequestID: x.ID, TransactionID: r.TransactionID,
		ClientTransactionID: r.ClientTransactionID, Image: r.Images[0], Page: r.Page,
	})
	return tell(c, x, e, r, answer, err)
}

// tell answers a request that had documents read, and completes what the journal keeps of it.
func tell(c *fiber.Ctx, x *route.Exchange, e appliance.Endpoint, r *wire.Request, answer usecase.ReadAnswer, err error) error {
	x.Stages = answer.Stages
	if err != nil {
		return err
	}
	x.Decision.TransactionID, x.Decision.Documents, x.Decision.Reference = answer.TransactionID, answer.Documents, answer.Reference
	x.Decision.Reviewed = answer.Reviewed
	return route.Succeed(c, wire.Envelope(wire.Answer{
		Endpoint: e, RequestID: x.ID, TransactionID: answer.TransactionID, ClientTransactionID: r.ClientTransactionID,
		Reading: answer.Reading, Reviewed: answer.Reviewed, Evidence: r.Evidence, Language: x.Language,
	}))
}

// receive makes the checks of a request in the order of the contract: key, rate, scope, what the
// path names, media type, size, JSON, members.
func (s *Server) receive(c *fiber.Ctx, x *route.Exchange, scope appliance.Scope, limit int, f wire.Form) (*wire.Request, error) {
	if err := s.gate.Authorize(c, &x.Visitor, scope); err != nil {
		return nil, err
	}
	if f.Exists != nil {
		if err := f.Exists(); err != nil {
			return nil, err
		}
	}
	body, err := s.frame.Read(c, x, limit)
	if err != nil {
		return nil, err
	}
	var r *wire.Request
	err = s.frame.Parse(c, x, body, f.Known(), func(m wire.Members) (err error) {
		r, err = f.Read(m)
		return err
	})
	if r != nil {
		x.Decision.TransactionID = r.TransactionID
	}
	if err != nil && r != nil {
		s.deps.Appliance.Renew(appliance.WithCaller(s.frame.Work, x.Caller), r.TransactionID)
	}
	return r, err
}

func (s *Server) form(existing bool, images ...string) wire.Form {
	return wire.Form{Images: images, Limit: s.cfg.PictureBytes, Existing: existing}
}
