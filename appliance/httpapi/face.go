package httpapi

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/gofiber/fiber/v2"
)

// faceMatch answers a comparison of one picture with the document of a transaction.
func (s *Server) faceMatch(c *fiber.Ctx, x *route.Exchange) error {
	r, err := s.receive(c, x, appliance.ScopeFace, s.cfg.BodyBytes, s.form(true, "image"))
	if err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	ids := comparison(r, x)
	m, err := s.deps.Appliance.MatchFace(ctx, ids, r.Images[0])
	x.Stages = m.Stages
	if err != nil {
		return err
	}
	x.Decision.Matched, x.Decision.Reasons, x.Decision.Compared = &m.IsMatched, m.Reasons, m.Reference.Kind
	x.Decision.Reviewed = m.Reviewed
	return route.Succeed(c, matchEnvelope(ids, m, r.Evidence))
}

// liveness answers a comparison of three pictures with each other and with the document of a transaction.
func (s *Server) liveness(c *fiber.Ctx, x *route.Exchange) error {
	r, err := s.receive(c, x, appliance.ScopeFace, s.cfg.LivenessBytes, s.form(true, "face_1", "face_2", "face_3"))
	if err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	frames := make([]appliance.LivenessFrame, len(r.Images))
	for i, image := range r.Images {
		frames[i].Image = image
	}
	ids := comparison(r, x)
	l, err := s.deps.Appliance.JudgeLiveness(ctx, ids, frames)
	x.Stages = l.Stages
	if err != nil {
		return err
	}
	live(x, l)
	return route.Succeed(c, livenessEnvelope(ids, l, r.Evidence, x.Caller.Admin))
}

// live notes what a liveness check decided.
func live(x *route.Exchange, l appliance.Liveness) {
	x.Gaps = l.Gaps
	x.Decision.Matched, x.Decision.Live = &l.IsMatched, &l.IsLive
	x.Decision.Reasons, x.Decision.Compared, x.Decision.Reviewed = l.Reasons, l.Reference.Kind, l.Reviewed
}

// comparison names the request of an exchange.
func comparison(r *wire.Request, x *route.Exchange) usecase.Comparison {
	return usecase.Comparison{RequestID: x.ID, TransactionID: r.TransactionID, ClientTransactionID: r.ClientTransactionID}
}

// compared writes the members that every answer of a comparison ends with.
func compared(w *wire.Writer, c usecase.Comparison, reviewed bool) {
	w.IDs(wire.Answer{Reviewed: reviewed, RequestID: c.RequestID, TransactionID: c.TransactionID, ClientTransactionID: c.ClientTransactionID})
}

// matchEnvelope writes the answer to a face match. Services is null unless the evidence is asked for.
func matchEnvelope(c usecase.Comparison, m appliance.FaceMatch, evidence bool) []byte {
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Match(m)
	compared(w, c, m.Reviewed)
	w.Close()
	w.Name("Services")
	if evidence {
		w.Begin()
		w.Name("evidence").Begin()
		w.Name("face").Quality(m.Quality)
		w.Name("reasons").Reasons(m.Reasons)
		w.Close()
		w.Close()
	} else {
		w.Null()
	}
	w.End(0, "")
	return w.Bytes()
}

// livenessEnvelope writes the answer to a liveness check. Services is null unless the evidence is asked for.
func livenessEnvelope(c usecase.Comparison, l appliance.Liveness, evidence, admin bool) []byte {
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Liveness(l)
	compared(w, c, l.Reviewed)
	w.Close()
	w.Name("Services")
	w.LivenessEvidence(l, evidence, admin)
	w.End(0, "")
	return w.Bytes()
}
