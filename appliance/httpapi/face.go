package httpapi

import (
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/gofiber/fiber/v2"
)

// faceMatch answers a comparison of one picture with the document of a transaction.
func (s *Server) faceMatch(c *fiber.Ctx, x *exchange) error {
	r, err := s.receive(c, x, appliance.ScopeFace, s.cfg.BodyBytes, s.form(true, "image"))
	if err != nil {
		return err
	}
	ctx, stop := s.watch(c, x)
	defer stop()
	compared := r.comparison(x)
	m, err := s.deps.Appliance.MatchFace(ctx, compared, r.images[0])
	x.stages = m.Stages
	if err != nil {
		return err
	}
	x.decision.Matched, x.decision.Reasons, x.decision.Compared = &m.IsMatched, m.Reasons, m.Reference.Kind
	x.decision.Reviewed = m.Reviewed
	return Succeed(c, matchEnvelope(compared, m, r.evidence))
}

// liveness answers a comparison of three pictures with each other and with the document of a transaction.
func (s *Server) liveness(c *fiber.Ctx, x *exchange) error {
	r, err := s.receive(c, x, appliance.ScopeFace, s.cfg.LivenessBytes, s.form(true, "face_1", "face_2", "face_3"))
	if err != nil {
		return err
	}
	ctx, stop := s.watch(c, x)
	defer stop()
	frames := make([]appliance.LivenessFrame, len(r.images))
	for i, image := range r.images {
		frames[i].Image = image
	}
	compared := r.comparison(x)
	l, err := s.deps.Appliance.JudgeLiveness(ctx, compared, frames)
	x.stages = l.Stages
	if err != nil {
		return err
	}
	x.live(l)
	return Succeed(c, livenessEnvelope(compared, l, r.evidence, x.caller.Admin))
}

// live notes what a liveness check decided.
func (x *exchange) live(l appliance.Liveness) {
	x.gaps = l.Gaps
	x.decision.Matched, x.decision.Live = &l.IsMatched, &l.IsLive
	x.decision.Reasons, x.decision.Compared, x.decision.Reviewed = l.Reasons, l.Reference.Kind, l.Reviewed
}

// comparison names the request of an exchange.
func (r *request) comparison(x *exchange) usecase.Comparison {
	return usecase.Comparison{RequestID: x.id, TransactionID: r.transactionID, ClientTransactionID: r.clientTransactionID}
}

// compared writes the members that every answer of a comparison ends with.
func (w *writer) compared(c usecase.Comparison, reviewed bool) {
	w.ids(Answer{Reviewed: reviewed, RequestID: c.RequestID, TransactionID: c.TransactionID, ClientTransactionID: c.ClientTransactionID})
}

// matchEnvelope writes the answer to a face match. Services is null unless the evidence is asked for.
func matchEnvelope(c usecase.Comparison, m appliance.FaceMatch, evidence bool) []byte {
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.match(m)
	w.compared(c, m.Reviewed)
	w.close()
	w.name("Services")
	if evidence {
		w.begin()
		w.name("evidence").begin()
		w.name("face").quality(m.Quality)
		w.name("reasons").reasons(m.Reasons)
		w.close()
		w.close()
	} else {
		w.null()
	}
	w.end(0, "")
	return w.bytes()
}

// match writes the members of a face match up to the ids.
func (w *writer) match(m appliance.FaceMatch) {
	w.name("isMatched").truth(m.IsMatched)
	w.name("similarity").number(m.Similarity)
	w.name("threshold").number(m.Threshold)
	w.name("reference").reference(m.Reference)
}

// livenessEnvelope writes the answer to a liveness check. Services is null unless the evidence is asked for.
func livenessEnvelope(c usecase.Comparison, l appliance.Liveness, evidence, admin bool) []byte {
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.liveness(l)
	w.compared(c, l.Reviewed)
	w.close()
	w.name("Services")
	w.livenessEvidence(l, evidence, admin)
	w.end(0, "")
	return w.bytes()
}

// livenessEvidence writes what stands behind a liveness result, or null when it is not asked for. Scores are for admin keys alone:
// with them an attack could be tuned.
func (w *writer) livenessEvidence(l appliance.Liveness, asked, admin bool) {
	if !asked {
		w.null()
		return
	}
	w.begin()
	w.name("evidence").begin()
	w.name("threshold").number(l.Threshold)
	if admin {
		w.name("score").number(l.Score)
		w.name("cues").cues(l.Cues)
	} else {
		w.name("score").null()
		w.name("cues").null()
	}
	w.close()
	w.close()
}

func (w *writer) reasons(list []appliance.Reason) {
	w.open()
	for _, r := range list {
		w.text(string(r))
	}
	w.shut()
}

// reference writes which document the faces were compared with.
func (w *writer) reference(r appliance.Reference) {
	w.begin()
	w.name("kind").text(string(r.Kind))
	w.name("request_id").text(r.RequestID)
	w.close()
}

// gaps writes times between frames in milliseconds, or null where they are not known.
func (w *writer) gaps(list []time.Duration) {
	if list == nil {
		w.null()
		return
	}
	w.open()
	for _, gap := range list {
		w.number(float64(gap) / float64(time.Millisecond))
	}
	w.shut()
}

// liveness writes the members of a liveness result up to the ids.
func (w *writer) liveness(l appliance.Liveness) {
	w.name("isLive").truth(l.IsLive)
	w.name("isMatched").truth(l.IsMatched)
	w.name("reasons").reasons(l.Reasons)
	w.name("similarity").number(l.Similarity)
	w.name("liveness_score").number(l.PublicScore())
	w.name("gaps_ms").gaps(l.Gaps)
	w.name("source").text(l.Source)
	w.name("reference").reference(l.Reference)
}

// quality writes how well a picture shows a face.
func (w *writer) quality(q appliance.FaceQuality) {
	w.begin()
	w.name("score").number(q.Score)
	w.name("eye_distance").number(q.EyeDistance)
	w.name("yaw").number(q.Yaw)
	w.name("pitch").number(q.Pitch)
	w.name("roll").number(q.Roll)
	w.name("sharpness").number(q.Sharpness)
	w.name("light").number(q.Light)
	w.name("contrast").number(q.Contrast)
	w.name("covered").number(q.Covered)
	w.close()
}
