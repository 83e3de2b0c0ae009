package httpapi

import (
	"context"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
	"github.com/gofiber/fiber/v2"
)

// transactionOf checks the key of a request and returns the id of the transaction in its path.
func (s *Server) transactionOf(c *fiber.Ctx, x *exchange, scope appliance.Scope) (string, error) {
	if err := s.authorize(c, x, scope); err != nil {
		return "", err
	}
	id, ok := appliance.ParseGUID(c.Params("id"))
	if !ok || id == appliance.NilGUID {
		return "", appliance.Errorf(
			appliance.CodeBadRequest,
			"the transaction's id in the path is not a GUID: send 8-4-4-4-12 hexadecimal digits with hyphens",
		)
	}
	return id, nil
}

// transaction answers all that a living transaction holds. Each look is an entry of the journal, and none goes out that is not.
func (s *Server) transaction(c *fiber.Ctx, x *exchange) error {
	id, err := s.transactionOf(c, x, appliance.ScopeAdmin)
	if err != nil {
		return err
	}
	t, err := s.deps.Appliance.Look(appliance.WithCaller(s.work, x.caller), id)
	if err != nil {
		return err
	}
	x.noted = true
	if s.deps.Journal != nil {
		seen := appliance.Entry{Kind: appliance.EntryTransactionSeen, Transaction: id, Detail: map[string]string{"key": x.key, "request": x.id}}
		if err := s.deps.Journal.Note(context.WithoutCancel(s.work), seen); err != nil {
			return err
		}
	}
	return Succeed(c, transactionEnvelope(t))
}

// eraseTransaction destroys a transaction for the key that began it, or for one with the scope admin. What is still being read for it
// is not recorded any more.
func (s *Server) eraseTransaction(c *fiber.Ctx, x *exchange) error {
	id, err := s.transactionOf(c, x, appliance.ScopeAny)
	if err != nil {
		return err
	}
	if s.deps.Erase == nil {
		return appliance.Errorf(appliance.CodeNotBuilt, "transactions cannot be erased here")
	}
	ctx := appliance.WithCaller(s.work, x.caller)
	if err := s.deps.Appliance.Owned(ctx, id); err != nil && !s.ownsReviews(x, id) {
		return err
	}
	if err := s.deps.Erase(context.WithoutCancel(ctx), id, x.key); err != nil {
		return err
	}
	x.noted = true
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.name("transaction_id").text(id)
	w.name("erased").truth(true)
	w.close()
	return Succeed(c, w.plain())
}

// ownsReviews reports whether reviews have outlived their transaction, and whoever asks may erase them as he might have erased that.
func (s *Server) ownsReviews(x *exchange, id string) bool {
	if _, err := s.deps.Appliance.Look(s.work, id); err == nil || s.deps.Review == nil {
		return false // a living one is its owner's to erase
	}
	all, err := s.deps.Review.Store.Reviews(s.work)
	return err == nil && slices.ContainsFunc(all, func(r review.Review) bool {
		return r.Transaction == id && (x.caller.Admin || r.Key == x.key)
	})
}

// transactionEnvelope writes a transaction: its records in the order of the requests, each with what it was answered.
func transactionEnvelope(t *appliance.Transaction) []byte {
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.name("transaction_id").text(t.ID)
	w.name("created").time(t.Created)
	w.name("expires").time(t.Expires)
	w.name("face_attempts").integer(int64(t.Attempts))
	w.name("records").open()
	for i := range t.Records {
		w.record(t.ID, &t.Records[i])
	}
	w.shut()
	w.close()
	return w.plain()
}

// record writes what one request left: documents as /ocr/multi gives them, and the outcome of a comparison, each null or empty where
// there was none.
func (w *writer) record(id string, r *appliance.Record) {
	w.begin()
	w.name("endpoint").text(string(r.Endpoint))
	w.name("at").time(r.At)
	w.name("key").text(r.Key)
	w.ids(Answer{RequestID: r.RequestID, TransactionID: id, ClientTransactionID: r.ClientTransactionID})
	w.name("documents").open()
	for i := range r.Documents {
		w.begin()
		w.document(
			Answer{RequestID: r.RequestID, TransactionID: id, ClientTransactionID: r.ClientTransactionID},
			&r.Documents[i],
			r.Documents[i].Kind,
			nil,
		)
		w.close()
	}
	w.shut()
	w.name("match")
	if m := r.Match; m != nil {
		w.begin()
		w.match(*m)
		w.name("reasons").reasons(m.Reasons)
		w.close()
	} else {
		w.null()
	}
	w.name("liveness")
	if l := r.Liveness; l != nil {
		w.begin()
		w.liveness(*l)
		w.close()
	} else {
		w.null()
	}
	w.close()
}

// time writes a moment in UTC as RFC 3339 has it.
func (w *writer) time(t time.Time) { w.text(t.UTC().Format(time.RFC3339Nano)) }
