package httpapi

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/review"
	"github.com/go-json-experiment/json"
	"github.com/gofiber/fiber/v2"
)

const (
	// reviewBytes bounds the body of a decision: 64 fields of 512 bytes and their names, as a description may have.
	reviewBytes = 40 << 10
	// reviewsListed is how many reviews one list names unless it is asked for another number, and at most.
	reviewsListed, reviewsListedMost = 100, 500
)

// Review is what the routes of the review queue work with.
type Review struct {
	Store review.Store
	// LooksPerMinute is how many readings, pictures and crops one API key may look at a minute.
	LooksPerMinute int
}

// reviewRoutes names the paths of the review queue. All want the scope review.
func (s *Server) reviewRoutes() {
	s.app.Get("/v1/review", s.frame.Handle(s.reviews))
	s.app.Get("/v1/review/cards", s.frame.Handle(s.reviewCards))
	s.app.Get("/v1/review/cards/:id/draft", s.frame.Handle(s.draftCard))
	s.app.Get("/v1/review/:id<guid>", s.frame.Handle(s.review))
	s.app.Delete("/v1/review/:id<guid>", s.frame.Handle(s.eraseReview))
	s.app.Get("/v1/review/:id/pictures/:n", s.frame.Handle(s.reviewPicture))
	s.app.Get("/v1/review/:id/crops/:field", s.frame.Handle(s.reviewCrop))
	s.app.Post("/v1/review/:id/decision", s.frame.Handle(s.decideReview))
}

// reviewer checks the key of a request of the queue.
func (s *Server) reviewer(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeReview); err != nil {
		return err
	}
	if s.deps.Review == nil {
		return appliance.Errorf(appliance.CodeNotBuilt, "this appliance keeps no pictures for review")
	}
	return nil
}

// reviews lists the queue: what there is and how far it has come, and nothing of what was read.
func (s *Server) reviews(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	limit, err := askedNumber(c, "limit", reviewsListed, reviewsListedMost)
	if err != nil {
		return err
	}
	wantedState, err := asked(c, "state", "")
	if err != nil {
		return err
	}
	wantedKind, err := asked(c, "kind", "")
	if err != nil {
		return err
	}
	state, kind := review.State(wantedState), appliance.Kind(wantedKind)
	states := []review.State{"", review.Open, review.Decided, review.Disputed}
	if !slices.Contains(states, state) {
		return appliance.Errorf(appliance.CodeBadRequest, "state must be open, decided or disputed")
	}
	all, err := s.deps.Review.Store.Reviews(s.frame.Work)
	if err != nil {
		return err
	}
	if kind != "" && !slices.Contains(appliance.ReviewKinds(), kind) && !s.reviewsKind(kind, all) {
		return appliance.Errorf(appliance.CodeBadRequest, "kind must be a kind of document, face_match or liveness")
	}
	x.Noted = true
	return route.Succeed(c, reviewsEnvelope(all, state, kind, limit, x.Key))
}

// reviewsKind reports whether a kind is one that the model set in use brings, or one that is in the queue from before.
func (s *Server) reviewsKind(kind appliance.Kind, all []review.Review) bool {
	return slices.ContainsFunc(s.deps.Appliance.Kinds(), func(k appliance.KindModel) bool { return k.Kind == kind }) ||
		slices.ContainsFunc(all, func(r review.Review) bool { return r.Subject() == kind })
}

func reviewsEnvelope(all []review.Review, state review.State, kind appliance.Kind, limit int, by string) []byte {
	counts := map[review.State]int{}
	var shown []*review.Review
	for i := range all {
		is := all[i].State()
		counts[is]++
		if (state == "" || is == state) && (kind == "" || all[i].Kind == kind || all[i].Asked == kind) {
			shown = append(shown, &all[i])
		}
	}
	slices.SortStableFunc(shown, func(a, b *review.Review) int { // flagged ones first, each in the order in which they came
		switch {
		case a.Flagged == b.Flagged:
			return 0
		case a.Flagged:
			return -1
		}
		return 1
	})
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("open").Integer(int64(counts[review.Open]))
	w.Name("decided").Integer(int64(counts[review.Decided]))
	w.Name("disputed").Integer(int64(counts[review.Disputed]))
	w.Name("reviews").Open()
	for _, r := range shown[:min(len(shown), limit)] {
		w.Begin()
		w.ReviewHead(r, by)
		w.Close()
	}
	w.Shut()
	w.Close()
	return w.Plain()
}

// look counts one look at what a review holds of a person, and notes it before anything is shown.
func (s *Server) look(x *route.Exchange, r *review.Review, part string) error {
	most := s.deps.Review.LooksPerMinute
	if after := s.looks.Take(x.Key, most, s.deps.Now()); after > 0 {
		x.Wait = after
		return appliance.Errorf(appliance.CodeTooMany, "this API key has had its %d looks a minute at reviews: wait and try again", most)
	}
	return s.noteReview(x, appliance.EntryReviewSeen, r, map[string]string{"part": part})
}

// noteReview notes what was done with a review, by whom.
func (s *Server) noteReview(x *route.Exchange, kind appliance.EntryKind, r *review.Review, detail map[string]string) error {
	x.Noted = true
	detail["key"], detail["request"], detail["review"] = x.Key, x.ID, r.ID
	e := appliance.Entry{Kind: kind, Subject: string(r.Kind), Transaction: r.Transaction, Detail: detail}
	return s.frame.Note(e)
}

// review shows what was read, and, to those who have decided and to admins, what others decided: a second person looks with his own eyes.
func (s *Server) review(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	r, err := s.findReview(c)
	if err != nil {
		return err
	}
	if err := s.look(x, &r, "values"); err != nil {
		return err
	}
	return route.Succeed(c, reviewEnvelope(&r, x))
}

// findReview returns the review that a path names.
func (s *Server) findReview(c *fiber.Ctx) (review.Review, error) {
	return s.deps.Review.Store.Review(s.frame.Work, c.Params("id"))
}

func reviewEnvelope(r *review.Review, x *route.Exchange) []byte {
	w := wire.NewWriter()
	w.Language = x.Language
	w.Begin()
	w.Name("data").Begin()
	w.ReviewHead(r, x.Key)
	w.ReviewFields(r)
	w.Name("codes").Codes(wire.DocumentCodes(r.Document))
	w.Name("match")
	if r.Match != nil {
		w.Begin()
		w.Match(*r.Match)
		w.Close()
	} else {
		w.Null()
	}
	w.Name("liveness")
	if r.Liveness != nil {
		w.Begin()
		w.Liveness(*r.Liveness)
		w.Close()
	} else {
		w.Null()
	}
	w.Name("decisions").Open()
	for i := range r.Decisions {
		if d := &r.Decisions[i]; d.By == x.Key || x.Caller.Admin || r.DecisionBy(x.Key) != nil {
			w.ReviewDecision(d)
		}
	}
	w.Shut()
	w.Name("disputed").Open()
	if r.DecisionBy(x.Key) != nil || x.Caller.Admin {
		for _, name := range r.Outcome().Disputed {
			w.Text(name)
		}
	}
	w.Shut()
	w.Close()
	return w.Plain()
}

// reviewPicture shows one whole picture, written anew: nothing of the file that somebody sent reaches the person who looks.
func (s *Server) reviewPicture(c *fiber.Ctx, x *route.Exchange) error {
	n, err := strconv.Atoi(c.Params("n"))
	if err != nil {
		n = -1
	}
	return s.showReview(c, x, n, func(_ *review.Review, p *appliance.Picture) (*appliance.Picture, error) { return p, nil }, "picture")
}

// reviewCrop shows the place of one field.
func (s *Server) reviewCrop(c *fiber.Ctx, x *route.Exchange) error {
	name := c.Params("field")
	return s.showReview(c, x, 0, func(r *review.Review, p *appliance.Picture) (*appliance.Picture, error) {
		if r.Document != nil {
			if crop := p.Crop(r.Document.Field(name).Quad); crop != nil {
				return crop, nil
			}
		}
		return nil, appliance.Errorf(appliance.CodeNotFound, "the review has no such field with a place in the picture")
	}, "crop")
}

// showReview sends a picture of a review, or what pick makes of it.
func (s *Server) showReview(
	c *fiber.Ctx, x *route.Exchange, n int, pick func(*review.Review, *appliance.Picture) (*appliance.Picture, error), part string,
) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	r, err := s.findReview(c)
	if err != nil {
		return err
	}
	if err := s.look(x, &r, part); err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	_, p, err := s.deps.Appliance.ReviewPicture(ctx, s.deps.Review.Store, r.ID, n)
	if err != nil {
		return err
	}
	if p, err = pick(&r, p); err != nil {
		return err
	}
	text, err := p.JPEG()
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "image/jpeg")
	c.Context().Response.SetBodyRaw(text)
	return nil
}

// decideReview takes what a person decided. It is on disk before the answer leaves, and in the journal where the answer says nothing else.
func (s *Server) decideReview(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	body, err := s.frame.Read(c, x, reviewBytes)
	if err != nil {
		return err
	}
	d := review.Decision{By: x.Key, At: s.deps.Now().UTC().Truncate(time.Millisecond)}
	if err := s.frame.Parse(c, x, body, []string{"verdict", "values", "unreadable", "same_person", "living"}, decisionBody(&d)); err != nil {
		return err
	}
	r, err := s.deps.Review.Store.DecideReview(context.WithoutCancel(s.frame.Work), c.Params("id"), d)
	if err != nil {
		return err
	}
	changed := strconv.Itoa(len(d.Values) + len(d.Unreadable))
	detail := map[string]string{"verdict": string(d.Verdict), "changed": changed, "state": string(r.State())}
	if err := s.noteReview(x, appliance.EntryReviewDecided, &r, detail); err != nil {
		return appliance.Unnoted(appliance.Phrasef("the decision is kept"), err)
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.ReviewHead(&r, x.Key)
	w.Close()
	return route.Succeed(c, w.Plain())
}

// eraseReview destroys a review at once.
func (s *Server) eraseReview(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	r, err := s.findReview(c)
	if err != nil {
		return err
	}
	erased, err := s.deps.Review.Store.EraseReviews(context.WithoutCancel(s.frame.Work), func(o *review.Review) bool { return o.ID == r.ID })
	if err == nil && erased.Reviews == 0 {
		err = review.NotFound()
	}
	if err != nil {
		return err
	}
	if err := s.noteReview(x, appliance.EntryReviewErased, &r, map[string]string{}); err != nil {
		return appliance.Unnoted(appliance.Phrasef("the review is erased"), err)
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("id").Text(r.ID)
	w.Name("erased").Truth(true)
	w.Close()
	return route.Succeed(c, w.Plain())
}

// decisionBody reads the members of a decision into d.
func decisionBody(d *review.Decision) func(wire.Members) error {
	return func(m wire.Members) error {
		if m.Absent("verdict") {
			return wire.MemberError("verdict", "is missing: send confirmed, corrected, unreadable or other_document")
		}
		for name, into := range map[string]any{
			"verdict": &d.Verdict, "values": &d.Values, "unreadable": &d.Unreadable, "same_person": &d.SamePerson, "living": &d.Living,
		} {
			if m.Absent(name) {
				continue
			}
			if err := json.Unmarshal(m.Values[name], into); err != nil {
				return wire.MemberError(name, "is not of the type that a decision has")
			}
		}
		return nil
	}
}
