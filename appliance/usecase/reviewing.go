package usecase

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
)

// ReviewRules say of which requests the pictures are kept for people to look at.
type ReviewRules struct {
	// Kinds are those that are kept; none stands for all documents, also of the kinds that a model pack brings.
	Kinds []appliance.Kind
	// Share is how many of them, 0 to 1, drawn by chance.
	Share float64
	// Flagged keeps only what is flagged: a document with a code of doubt or a sign of fraud, faces that did not match, a person who
	// did not pass for living.
	Flagged bool
}

// keep reports whether they name what a review is about.
func (r ReviewRules) keep(kinds ...appliance.Kind) bool {
	return slices.ContainsFunc(kinds, func(k appliance.Kind) bool {
		if len(r.Kinds) == 0 {
			return k != "" && k != appliance.ReviewMatch && k != appliance.ReviewLiveness
		}
		return slices.Contains(r.Kinds, k)
	})
}

// Reviewing keeps the pictures of requests for review. A request is answered also where they could not be kept.
type Reviewing struct {
	Store review.Store
	Rules ReviewRules
	// Keep is how long a review lives.
	Keep time.Duration
	// Versions name the program and its networks at the moment; it may be nil.
	Versions func() map[string]string
	// Told hears how it went to keep the pictures of a review: nil when they are kept. It may be nil.
	Told func(error)
	// Draw returns a random number from 0 up to 1; nil is a random one.
	Draw func() float64
}

// wants reports whether the rules pick an answer.
func (r *Reviewing) wants(e *review.Review) bool {
	if r == nil || !r.Rules.keep(e.Kind, e.Asked) || r.Rules.Flagged && !e.Flagged {
		return false
	}
	draw := r.Draw
	if draw == nil {
		draw = rand.Float64
	}
	return draw() < r.Rules.Share
}

// keep keeps one answer, and says whether it did.
func (r *Reviewing) keep(ctx context.Context, e review.Review, pictures [][]byte) bool {
	if !r.wants(&e) || slices.ContainsFunc(pictures, func(p []byte) bool { return len(p) == 0 }) {
		return false
	}
	e.ID, e.Key, e.Expires, e.Pictures = appliance.NewGUID(), appliance.CallerOf(ctx).Key, e.At.Add(r.Keep), len(pictures)
	if r.Versions != nil {
		e.Versions = r.Versions()
	}
	err := r.Store.KeepReview(ctx, e, pictures)
	r.tell(err)
	return err == nil
}

func (r *Reviewing) tell(err error) {
	if r.Told != nil {
		r.Told(err)
	}
}

// keepReview keeps one answer of a request, and says whether it did. Who erases a transaction takes its reviews after it: one that is kept
// too late for that finds its transaction gone, and goes too.
func (a *Appliance) keepReview(ctx context.Context, e review.Review, pictures [][]byte) bool {
	if !a.review.keep(ctx, e, pictures) {
		return false
	}
	if a.transactions == nil {
		return true
	}
	ctx = context.WithoutCancel(ctx)
	_, err := a.transactions.Transaction(ctx, e.Transaction)
	if code := appliance.CodeOf(err); code != appliance.CodeTransactionExpired && code != appliance.CodeTransactionUnknown {
		return true
	}
	_, err = a.review.Store.EraseReviews(ctx, func(r *review.Review) bool { return r.Transaction == e.Transaction && r.Request == e.Request })
	if err != nil {
		a.review.tell(err)
	}
	return false
}

// doubtful reports whether an answer raised a doubt about the document itself.
func doubtful(d *appliance.Document) bool {
	return d.Fake || slices.ContainsFunc(d.AllCodes(), appliance.Code.Doubts)
}

// reviewDocuments keeps the picture of a reading, once for each of its documents that the rules pick.
func (a *Appliance) reviewDocuments(ctx context.Context, r ReadRequest, answer *ReadAnswer) {
	for i := range answer.Documents {
		d := answer.Documents[i]
		d.Portrait = nil // a biometric datum that nobody can review
		e := review.Review{
			Transaction: answer.TransactionID, Request: r.RequestID, At: a.now(), Kind: d.Kind, Flagged: doubtful(&d), Document: &d,
			Page: r.Page,
		}
		if d.Kind == appliance.Unknown {
			e.Asked = r.Endpoint.PackKind()
		}
		kept := a.keepReview(ctx, e, [][]byte{r.Image})
		answer.Reviewed = answer.Reviewed || kept
	}
}

// reviewMatch keeps the face of a comparison.
func (a *Appliance) reviewMatch(ctx context.Context, c Comparison, m *appliance.FaceMatch, image []byte) {
	m.Reviewed = a.keepReview(ctx, review.Review{
		Transaction: c.TransactionID, Request: c.RequestID, At: a.now(), Kind: appliance.ReviewMatch, Flagged: !m.IsMatched, Match: m,
	}, [][]byte{image})
}

// reviewLiveness keeps the frames of a burst.
func (a *Appliance) reviewLiveness(ctx context.Context, c Comparison, l *appliance.Liveness, frames []appliance.LivenessFrame) {
	pictures := make([][]byte, len(frames))
	for i, f := range frames {
		pictures[i] = f.Image
	}
	l.Reviewed = a.keepReview(ctx, review.Review{
		Transaction: c.TransactionID, Request: c.RequestID, At: a.now(), Kind: appliance.ReviewLiveness,
		Flagged: !l.IsLive || !l.IsMatched, Liveness: l,
	}, pictures)
}

// ReviewPicture decodes one picture of a review, in turn with the requests; n counts from 0. The review comes along.
func (a *Appliance) ReviewPicture(
	ctx context.Context, s review.Store, id string, n int,
) (r review.Review, p *appliance.Picture, err error) {
	r, pictures, err := s.ReviewPictures(ctx, id)
	if err != nil {
		return r, nil, err
	}
	if n < 0 || n >= len(pictures) {
		return r, nil, appliance.Errorf(appliance.CodeNotFound, "the review has no such picture: it has %d, counted from 0", len(pictures))
	}
	err = a.queue.Do(ctx, func(ctx context.Context) error {
		p, err = decodePage(ctx, a.print, pictures[n], r.Page)
		return err
	})
	return r, p, err
}

// ReviewLines reads all text of the picture of a review, in turn with the requests. Nothing of it is kept.
func (a *Appliance) ReviewLines(ctx context.Context, s review.Store, id string) (r review.Review, lines []appliance.Line, err error) {
	a, leave := a.hold()
	defer leave()
	r, pictures, err := s.ReviewPictures(ctx, id)
	if err != nil {
		return r, nil, err
	}
	reader := a.readers[appliance.EndpointGeneral]
	if reader == nil || len(pictures) == 0 {
		return r, nil, appliance.Errorf(appliance.CodeNotBuilt, "this appliance cannot do this yet")
	}
	err = a.queue.Do(ctx, a.inTime(func(ctx context.Context) error {
		p, err := decodePage(ctx, a.print, pictures[0], r.Page)
		if err != nil {
			return err
		}
		reading, err := reader.Read(ctx, p, nil)
		lines = reading.Lines
		return err
	}))
	return r, lines, err
}
