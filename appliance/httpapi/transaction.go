package httpapi

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/review"
	"github.com/gofiber/fiber/v2"
)

// transactionOf checks the key of a request and returns the id of the transaction in its path.
func (s *Server) transactionOf(c *fiber.Ctx, x *route.Exchange, scope appliance.Scope) (string, error) {
	if err := s.gate.Authorize(c, &x.Visitor, scope); err != nil {
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
func (s *Server) transaction(c *fiber.Ctx, x *route.Exchange) error {
	id, err := s.transactionOf(c, x, appliance.ScopeAdmin)
	if err != nil {
		return err
	}
	t, err := s.deps.Appliance.Look(appliance.WithCaller(s.frame.Work, x.Caller), id)
	if err != nil {
		return err
	}
	x.Noted = true
	seen := appliance.Entry{Kind: appliance.EntryTransactionSeen, Transaction: id, Detail: map[string]string{"key": x.Key, "request": x.ID}}
	if err := s.frame.Note(seen); err != nil {
		return err
	}
	return route.Succeed(c, wire.TransactionEnvelope(t))
}

// eraseTransaction destroys a transaction for the key that began it, or for one with the scope admin. What is still being read for it
// is not recorded any more.
func (s *Server) eraseTransaction(c *fiber.Ctx, x *route.Exchange) error {
	id, err := s.transactionOf(c, x, appliance.ScopeAny)
	if err != nil {
		return err
	}
	if s.deps.Erase == nil {
		return appliance.Errorf(appliance.CodeNotBuilt, "transactions cannot be erased here")
	}
	ctx := appliance.WithCaller(s.frame.Work, x.Caller)
	if err := s.deps.Appliance.Owned(ctx, id); err != nil && !s.ownsReviews(x, id) {
		return err
	}
	if err := s.deps.Erase(context.WithoutCancel(ctx), id, x.Key); err != nil {
		return err
	}
	x.Noted = true
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("transaction_id").Text(id)
	w.Name("erased").Truth(true)
	w.Close()
	return route.Succeed(c, w.Plain())
}

// ownsReviews reports whether reviews have outlived their transaction, and whoever asks may erase them as he might have erased that.
func (s *Server) ownsReviews(x *route.Exchange, id string) bool {
	if _, err := s.deps.Appliance.Look(s.frame.Work, id); err == nil || s.deps.Review == nil {
		return false // a living one is its owner's to erase
	}
	all, err := s.deps.Review.Store.Reviews(s.frame.Work)
	return err == nil && slices.ContainsFunc(all, func(r review.Review) bool {
		return r.Transaction == id && (x.Caller.Admin || r.Key == x.Key)
	})
}
