package appliance

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// What a review is about beside a kind of document.
const (
	ReviewMatch    Kind = "face_match"
	ReviewLiveness Kind = "liveness"
)

// ReviewKinds lists what may be kept for review: the kinds of documents, and the two face checks, which are kept only where they are
// named.
func ReviewKinds() []Kind { return append(ReviewDocuments(), ReviewMatch, ReviewLiveness) }

// ReviewDocuments lists the kinds of documents that every appliance may keep, beside those that a model pack brings. Unknown are those that
// are answered as no kind: from them it shows when a card comes that the appliance does not know.
func ReviewDocuments() []Kind {
	var all []Kind
	for _, f := range contract() {
		all = append(all, f.Kind)
	}
	return append(all, Unknown)
}

// ReviewRules say of which requests the pictures are kept for people to look at.
type ReviewRules struct {
	// Kinds are those that are kept; none stands for all documents, also of the kinds that a model pack brings.
	Kinds []Kind
	// Share is how many of them, 0 to 1, drawn by chance.
	Share float64
	// Flagged keeps only what is flagged: a document with a code of doubt or a sign of fraud, faces that did not match, a person who
	// did not pass for living.
	Flagged bool
}

// keep reports whether they name what a review is about.
func (r ReviewRules) keep(kinds ...Kind) bool {
	return slices.ContainsFunc(kinds, func(k Kind) bool {
		if len(r.Kinds) == 0 {
			return k != "" && k != ReviewMatch && k != ReviewLiveness
		}
		return slices.Contains(r.Kinds, k)
	})
}

// Review is one answer that waits for a person to look at it, with the pictures that it came from. It is sealed like a transaction, under a
// key of its own, and outlives its transaction; erasing the transaction by hand erases it too.
type Review struct {
	ID string
	// Transaction and Request are the ids of the request; Key is the name of the API key that sent it.
	Transaction, Request, Key string
	At                        time.Time
	// Expires is when key and pictures are destroyed.
	Expires time.Time
	// Kind is that of the document that was read, or the face check that was made.
	Kind Kind
	// Asked is the kind of a model pack as which an Unknown document was to be read, "" where there was none: its fields are those of the
	// document, and who confirms them says that it is of this kind.
	Asked Kind `json:",omitempty"`
	// Flagged says that the answer itself raised a doubt.
	Flagged bool
	// Document is what was answered, nil for faces.
	Document *Document `json:",omitempty"`
	// Match and Liveness are what was decided, nil for documents.
	Match    *FaceMatch `json:",omitempty"`
	Liveness *Liveness  `json:",omitempty"`
	// Page is the page of the file that was read, from 1; 0 is the first.
	Page int `json:",omitempty"`
	// Pictures is how many there are: one, or the frames of a burst.
	Pictures int
	// Versions name the program and networks that answered.
	Versions map[string]string `json:",omitempty"`
	// Decisions are those of the people who looked, one of each, in the order of their last words.
	Decisions []ReviewDecision `json:",omitempty"`
}

// Subject is the kind as which a person looks at it.
func (r *Review) Subject() Kind { return cmp.Or(r.Asked, r.Kind) }

// Fields are those of the document, in the order of its data model; faces have none.
func (r *Review) Fields() []FieldSpec {
	if r.Document == nil {
		return nil
	}
	return r.Document.Specs(r.Kind)
}

// ReviewStore keeps reviews, each sealed under a key of its own, until their end. An id that is not known is CodeNotFound.
type ReviewStore interface {
	// KeepReview puts a review and its pictures on disk; both are durable on return, or neither is there. A store that has no room
	// for pictures answers CodeUnavailable.
	KeepReview(ctx context.Context, r Review, pictures [][]byte) error
	// Reviews returns all that have not ended, oldest first.
	Reviews(ctx context.Context) ([]Review, error)
	// Review returns one.
	Review(ctx context.Context, id string) (Review, error)
	// ReviewPictures returns a review and its pictures as they were sent.
	ReviewPictures(ctx context.Context, id string) (Review, [][]byte, error)
	// DecideReview adds what a person decided, in the place of what he decided before, and returns the review as it is then.
	DecideReview(ctx context.Context, id string, d ReviewDecision) (Review, error)
	// EraseReviews destroys the reviews that doomed picks, and overwrites their pictures.
	EraseReviews(ctx context.Context, doomed func(*Review) bool) (ReviewErasure, error)
}

// ReviewMostKept is how long a review is kept at most.
const ReviewMostKept = 90 * 24 * time.Hour

// NoReview is the answer where a review is not known.
func NoReview() error {
	return Errorf(CodeNotFound, "there is no such review: it was erased, or its days are over")
}

// ReviewErasure is the proof that reviews were destroyed, as Erasure is that of a transaction: how many, how many bytes of the database
// were searched for what had been their sealed values, and which other files of the data folder still hold some.
type ReviewErasure struct {
	Reviews   int
	Searched  int64
	Elsewhere []string
}

// Reviewing keeps the pictures of requests for review. Failed is told when one could not be kept: the request is answered all the same.
type Reviewing struct {
	Store ReviewStore
	Rules ReviewRules
	// Keep is how long a review lives.
	Keep time.Duration
	// Versions name the program and its networks at the moment; it may be nil.
	Versions func() map[string]string
	Failed   func(error)
	// Draw returns a random number from 0 up to 1; nil is a random one.
	Draw func() float64
}

// wants reports whether the rules pick an answer.
func (r *Reviewing) wants(e *Review) bool {
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
func (r *Reviewing) keep(ctx context.Context, e Review, pictures [][]byte) bool {
	if !r.wants(&e) || slices.ContainsFunc(pictures, func(p []byte) bool { return len(p) == 0 }) {
		return false
	}
	e.ID, e.Key, e.Expires, e.Pictures = NewGUID(), CallerOf(ctx).Key, e.At.Add(r.Keep), len(pictures)
	if r.Versions != nil {
		e.Versions = r.Versions()
	}
	if err := r.Store.KeepReview(ctx, e, pictures); err != nil {
		if r.Failed != nil {
			r.Failed(err)
		}
		return false
	}
	return true
}

// keepReview keeps one answer of a request, and says whether it did. Who erases a transaction takes its reviews after it: one that is kept
// too late for that finds its transaction gone, and goes too.
func (a *Appliance) keepReview(ctx context.Context, e Review, pictures [][]byte) bool {
	if !a.review.keep(ctx, e, pictures) {
		return false
	}
	if a.transactions == nil {
		return true
	}
	ctx = context.WithoutCancel(ctx)
	_, err := a.transactions.Transaction(ctx, e.Transaction)
	if code := CodeOf(err); code != CodeTransactionExpired && code != CodeTransactionUnknown {
		return true
	}
	_, err = a.review.Store.EraseReviews(ctx, func(r *Review) bool { return r.Transaction == e.Transaction && r.Request == e.Request })
	if err != nil && a.review.Failed != nil {
		a.review.Failed(err)
	}
	return false
}

// doubtful reports whether an answer raised a doubt about the document itself.
func (d *Document) doubtful() bool {
	return d.Fake || slices.ContainsFunc(d.AllCodes(), Code.Doubts)
}

// reviewDocuments keeps the picture of a reading, once for each of its documents that the rules pick.
func (a *Appliance) reviewDocuments(ctx context.Context, r ReadRequest, answer *ReadAnswer) {
	for i := range answer.Documents {
		d := answer.Documents[i]
		d.Portrait = nil // a biometric datum that nobody can review
		e := Review{
			Transaction: answer.TransactionID, Request: r.RequestID, At: a.now(), Kind: d.Kind, Flagged: d.doubtful(), Document: &d,
			Page: r.Page,
		}
		if d.Kind == Unknown {
			e.Asked = r.Endpoint.kind()
		}
		kept := a.keepReview(ctx, e, [][]byte{r.Image})
		answer.Reviewed = answer.Reviewed || kept
	}
}

// reviewMatch keeps the face of a comparison.
func (a *Appliance) reviewMatch(ctx context.Context, c Comparison, m *FaceMatch, image []byte) {
	m.Reviewed = a.keepReview(ctx, Review{
		Transaction: c.TransactionID, Request: c.RequestID, At: a.now(), Kind: ReviewMatch, Flagged: !m.IsMatched, Match: m,
	}, [][]byte{image})
}

// reviewLiveness keeps the frames of a burst.
func (a *Appliance) reviewLiveness(ctx context.Context, c Comparison, l *Liveness, frames []LivenessFrame) {
	pictures := make([][]byte, len(frames))
	for i, f := range frames {
		pictures[i] = f.Image
	}
	l.Reviewed = a.keepReview(ctx, Review{
		Transaction: c.TransactionID, Request: c.RequestID, At: a.now(), Kind: ReviewLiveness, Flagged: !l.IsLive || !l.IsMatched, Liveness: l,
	}, pictures)
}

// ReviewPicture decodes one picture of a review, in turn with the requests; n counts from 0. The review comes along.
func (a *Appliance) ReviewPicture(ctx context.Context, s ReviewStore, id string, n int) (r Review, p *Picture, err error) {
	r, pictures, err := s.ReviewPictures(ctx, id)
	if err != nil {
		return r, nil, err
	}
	if n < 0 || n >= len(pictures) {
		return r, nil, Errorf(CodeNotFound, "the review has no such picture: it has %d, counted from 0", len(pictures))
	}
	err = a.queue.Do(ctx, func(ctx context.Context) error {
		p, err = decodePage(ctx, a.print, pictures[n], r.Page)
		return err
	})
	return r, p, err
}

// ReviewLines reads all text of the picture of a review, in turn with the requests. Nothing of it is kept.
func (a *Appliance) ReviewLines(ctx context.Context, s ReviewStore, id string) (r Review, lines []Line, err error) {
	a, leave := a.hold()
	defer leave()
	r, pictures, err := s.ReviewPictures(ctx, id)
	if err != nil {
		return r, nil, err
	}
	reader := a.readers[EndpointGeneral]
	if reader == nil || len(pictures) == 0 {
		return r, nil, Errorf(CodeNotBuilt, "this appliance cannot do this yet")
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

// PersonErasure says what was destroyed of a person, and which files of the data folder still hold some of it.
type PersonErasure struct {
	Transactions, Reviews int
	Elsewhere             []string
}

// Mentions reports whether a transaction is about the person of a national or passport number.
func (t *Transaction) Mentions(number string) bool {
	return slices.ContainsFunc(t.Documents(), func(d Document) bool { return d.mentions(number) })
}

// CheckPersonNumber says what no national or passport number is.
func CheckPersonNumber(number string) error {
	if n := plainNumber(number); len(n) < 5 || len(n) > 32 || strings.Trim(n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return Errorf(CodeBadRequest, "a national or passport number has 5 to 32 letters and digits")
	}
	return nil
}
