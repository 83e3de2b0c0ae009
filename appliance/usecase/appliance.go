package usecase

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/holder"
	"github.com/bawab/bawab/appliance/queue"
)

// Appliance carries out the use cases of the API.
type Appliance struct {
	decoder      appliance.PictureDecoder
	print        appliance.PictureDecoder
	frame        appliance.PictureDecoder
	transactions appliance.TransactionStore
	queue        *queue.Queue
	now          func() time.Time
	holders      holder.Rules
	attempts     int
	patience     time.Duration
	bound        bool
	review       *Reviewing
	exchange     *exchange
	held         *inUse // by the request that this value stands for; nil in the appliance itself
	// Of what is held; zero in the appliance itself.
	readers map[appliance.Endpoint]appliance.Reader
	kinds   []appliance.KindModel
	faces   Faces
	// sides orders the requests of one transaction while they are compared with it and recorded in it, so that of front
	// and back sent at once one is the later. Transactions share the locks by a hash of their id.
	sides *[64]sync.Mutex
	seed  maphash.Seed
}

// Deps are the parts that an Appliance works with. Transactions may be nil: then nothing is kept and every id
// counts as unknown. Now is the clock.
type Deps struct {
	Decoder appliance.PictureDecoder
	// PrintDecoder decodes the pictures of EndpointGeneral and EndpointLicensePlate, which may be lower: one line of text, a plate that
	// was cut out. Nil stands for Decoder.
	PrintDecoder appliance.PictureDecoder
	// FrameDecoder decodes the frames of a burst, three of which are in memory at once. Nil stands for Decoder.
	FrameDecoder appliance.PictureDecoder
	// Networks are the first ones; Exchange brings others.
	Networks     Networks
	Transactions appliance.TransactionStore
	Queue        *queue.Queue
	Now          func() time.Time
	Holders      holder.Rules
	// Attempts is how many face checks a transaction may have; 0 stands for FaceAttempts.
	Attempts int
	// Patience is how long a picture may take to be decoded and read; 0 stands for ReadingTime.
	Patience time.Duration
	// Bound says that a transaction belongs to the API key that began it: for others, but those with the scope admin, it is unknown.
	Bound bool
	// Review keeps pictures for people to look at; nil keeps none.
	Review *Reviewing
}

// New makes an Appliance; it does no work yet.
func New(d Deps) *Appliance {
	if d.PrintDecoder == nil {
		d.PrintDecoder = d.Decoder
	}
	if d.FrameDecoder == nil {
		d.FrameDecoder = d.Decoder
	}
	return &Appliance{
		decoder: d.Decoder, print: d.PrintDecoder, frame: d.FrameDecoder, transactions: d.Transactions,
		queue: d.Queue, now: d.Now, holders: d.Holders, bound: d.Bound,
		attempts: cmp.Or(d.Attempts, appliance.FaceAttempts), patience: cmp.Or(d.Patience, ReadingTime),
		review: d.Review, exchange: &exchange{now: &inUse{networks: d.Networks}}, sides: new([64]sync.Mutex), seed: maphash.MakeSeed(),
	}
}

// ReadRequest asks for one picture to be read. TransactionID is "" or a GUID in lower case.
type ReadRequest struct {
	Endpoint            appliance.Endpoint
	RequestID           string
	TransactionID       string
	ClientTransactionID *string
	Image               []byte
	// Page is the page of a file of several, from 1; 0 is the first.
	Page int
}

// ReadAnswer is the outcome of a ReadRequest. TransactionID is the one to use in later requests.
type ReadAnswer struct {
	TransactionID string
	// Reference is what the documents mean for face match and liveness; "" where none has a usable portrait.
	Reference appliance.ReferenceChange
	// Reviewed says that the picture is kept for a person to look at.
	Reviewed bool
	appliance.Reading
}

// Read decodes the picture, reads it and records the outcome in its transaction. When it returns without an error
// the record is durable. A request that fails starts no transaction, but renews a living one; its answer holds the
// stages alone.
func (a *Appliance) Read(ctx context.Context, r ReadRequest) (ReadAnswer, error) {
	if len(r.Image) == 0 {
		return ReadAnswer{}, appliance.Errorf(appliance.CodeBadRequest, "the image is empty: send a picture")
	}
	a, leave := a.hold()
	defer leave()
	answer, err := a.look(ctx, r, nil)
	if err != nil {
		a.renew(ctx, r.TransactionID)
		return answer, err
	}
	return a.settle(ctx, r, answer)
}

// ReadingTime is how long a picture may take to be decoded and read where nobody says otherwise, many times what one takes on a slow board: a picture that is
// made to show hundreds of lines must not keep a worker from the pictures of others.
const ReadingTime = 20 * time.Second

// inTime returns a task that does what task does within the appliance's patience, and answers CodeNoDocument where that does not suffice.
func (a *Appliance) inTime(task func(context.Context) error) func(context.Context) error {
	return func(caller context.Context) error {
		ctx, cancel := context.WithTimeout(caller, a.patience)
		defer cancel()
		err := task(ctx)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil && caller.Err() == nil {
			return appliance.Errorf(
				appliance.CodeNoDocument,
				"the picture could not be read within %v, it shows too much or the appliance is busy: send it again, or one of a document alone",
				a.patience,
			)
		}
		return err
	}
}

// look reads a picture, and decodes the one of the request first where p is nil. Nothing is recorded yet. The answer of
// one that failed holds the stages alone.
func (a *Appliance) look(ctx context.Context, r ReadRequest, p *appliance.Picture) (ReadAnswer, error) {
	answer := ReadAnswer{TransactionID: r.TransactionID}
	err := a.queue.Do(ctx, a.inTime(func(ctx context.Context) (err error) {
		began := a.now()
		if p == nil {
			if p, err = decodePage(ctx, a.decoderOf(r.Endpoint), r.Image, r.Page); err != nil {
				return err
			}
		}
		decoded := appliance.Stage{Name: "decode", Elapsed: a.now().Sub(began)}
		earlier, err := a.earlier(ctx, r.TransactionID, 1)
		if err != nil {
			return err
		}
		reader := a.readers[r.Endpoint]
		if reader == nil && r.Endpoint.PackKind() != "" { // the set that brought it is gone
			return appliance.NoKind()
		}
		if reader == nil {
			return appliance.Errorf(appliance.CodeNotBuilt, "this appliance cannot do this yet")
		}
		answer.Reading, err = reader.Read(ctx, p, earlier)
		if err == nil && r.Endpoint != appliance.EndpointGeneral && len(answer.Documents) == 0 {
			err = appliance.Errorf(appliance.CodeNoDocument, "no document was found in the picture: take one that shows it whole")
		}
		answer.Stages = append([]appliance.Stage{decoded}, answer.Stages...)
		return err
	}))
	if err != nil {
		return ReadAnswer{Reading: appliance.Reading{Stages: answer.Stages}}, err
	}
	return answer, nil
}

// decoderOf is what decodes the pictures of an endpoint.
func (a *Appliance) decoderOf(e appliance.Endpoint) appliance.PictureDecoder {
	if e == appliance.EndpointGeneral || e == appliance.EndpointLicensePlate {
		return a.print
	}
	return a.decoder
}

// settle compares what was read with its transaction, records it there and keeps its picture for review.
func (a *Appliance) settle(ctx context.Context, r ReadRequest, answer ReadAnswer) (ReadAnswer, error) {
	if answer.TransactionID == "" {
		answer.TransactionID = appliance.NewGUID()
	}
	answer, err := a.enter(ctx, r, answer)
	if err == nil {
		a.reviewDocuments(ctx, r, &answer)
	}
	return answer, err
}

// enter compares what was read with its transaction and records it there, under the lock of the transaction: pictures for review are
// written after it, since requests of other transactions share it.
func (a *Appliance) enter(ctx context.Context, r ReadRequest, answer ReadAnswer) (ReadAnswer, error) {
	lock := &a.sides[maphash.String(a.seed, answer.TransactionID)%uint64(len(a.sides))]
	lock.Lock()
	defer lock.Unlock()
	change, err := a.judge(ctx, r, answer.Documents)
	if err != nil {
		return ReadAnswer{Reading: appliance.Reading{Stages: answer.Stages}}, err
	}
	answer.Reference = change
	return answer, a.record(ctx, r, &answer)
}

// earlier returns the documents that a transaction holds, newest first. An expired transaction, and one that cannot take so many
// documents more, is refused before any work is done; an unknown id is no error, because the request starts it.
func (a *Appliance) earlier(ctx context.Context, id string, more int) ([]appliance.Document, error) {
	t, err := a.soFar(ctx, id)
	if err != nil {
		return nil, err
	}
	return t.Documents(), t.Room(more, 0)
}

// soFar returns a transaction as it stands; one that is not known yet has no records.
func (a *Appliance) soFar(ctx context.Context, id string) (*appliance.Transaction, error) {
	if a.transactions == nil || id == "" {
		return &appliance.Transaction{}, nil
	}
	t, err := a.transaction(ctx, id)
	if err != nil && appliance.CodeOf(err) == appliance.CodeTransactionUnknown && !errors.Is(err, errOthers) {
		return &appliance.Transaction{}, nil
	}
	return t, err
}

// renew keeps a living transaction alive after a request that failed; one that recorded something renewed it with
// the record. Nothing hangs on the outcome: the failure of the request is what the caller must hear.
func (a *Appliance) renew(ctx context.Context, id string) {
	if a.transactions == nil || id == "" {
		return
	}
	if a.bound {
		if _, err := a.transaction(ctx, id); err != nil {
			return
		}
	}
	_ = a.transactions.Renew(ctx, id)
}

// Renew keeps a living transaction alive after a request with its id that was refused before any work began.
func (a *Appliance) Renew(ctx context.Context, id string) { a.renew(ctx, id) }

func (a *Appliance) record(ctx context.Context, r ReadRequest, answer *ReadAnswer) error {
	if a.transactions == nil {
		return nil
	}
	began := a.now()
	err := a.transactions.Append(ctx, answer.TransactionID, appliance.Record{
		RequestID:           r.RequestID,
		Key:                 appliance.CallerOf(ctx).Key,
		ClientTransactionID: r.ClientTransactionID,
		At:                  began,
		Endpoint:            r.Endpoint,
		Documents:           answer.Documents,
	})
	answer.Stages = append(answer.Stages, appliance.Stage{Name: "store", Elapsed: a.now().Sub(began)})
	return err
}

// Kinds lists the kinds of documents that the model set in use brings, by their names.
func (a *Appliance) Kinds() []appliance.KindModel {
	held, leave := a.hold()
	defer leave()
	return held.kinds
}

// decodePage decodes a page by a decoder that may know the first alone. Page 0 is the first.
func decodePage(ctx context.Context, d appliance.PictureDecoder, image []byte, page int) (*appliance.Picture, error) {
	page = max(page, 1)
	if paged, ok := d.(appliance.PageDecoder); ok {
		return paged.DecodePage(ctx, image, page)
	}
	if page > 1 {
		return nil, appliance.Errorf(appliance.CodeBadRequest, "page is too large: the last page of the file is page %d", 1)
	}
	return d.Decode(ctx, image)
}

// judge adds to the documents of a reading what their reader cannot know: the endpoint that they were read for and
// what their transaction holds by now. It returns what they mean for the transaction's reference. The caller holds the
// transaction's lock.
func (a *Appliance) judge(ctx context.Context, r ReadRequest, documents []appliance.Document) (appliance.ReferenceChange, error) {
	t := &appliance.Transaction{}
	if holder.Comparable(documents) {
		var err error
		// Read anew: a request at the same time may have recorded the other side since this one began.
		if t, err = a.soFar(ctx, r.TransactionID); err != nil {
			return "", err
		}
		if err = t.Room(len(documents), 0); err != nil {
			return "", err
		}
	}
	return a.holders.Judge(r.Endpoint, t, documents), nil
}
