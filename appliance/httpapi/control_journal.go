package httpapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
)

// JournalKeys is what the daemon tells about its journal, so that it can be verified.
type JournalKeys struct {
	// Public checks what the appliance signed.
	Public []byte
	// Head is the signed copy of the journal's head that the database keeps; nil where there is none.
	Head []byte
}

// JournalControl is what the control socket reaches of the journal.
type JournalControl interface {
	JournalKeys(context.Context) (JournalKeys, error)
	// Pseudonym is what the journal holds in place of the id of a transaction.
	Pseudonym(transaction string) string
}

// journalRoutes names the paths of the journal.
func (c *Control) journalRoutes() {
	c.app.Get("/journal", func(ctx *fiber.Ctx) error {
		if c.deps.Journal == nil {
			return errNoJournal()
		}
		keys, err := c.deps.Journal.JournalKeys(ctx.Context())
		if err != nil {
			return err
		}
		return reply(ctx, keys)
	})
	c.app.Get("/journal/pseudonym/:id", func(ctx *fiber.Ctx) error {
		if c.deps.Journal == nil {
			return errNoJournal()
		}
		return reply(ctx, c.deps.Journal.Pseudonym(ctx.Params("id")))
	})
}

func errNoJournal() error {
	return appliance.Errorf(appliance.CodeNotFound, "this daemon keeps no journal")
}

// JournalKeys asks the daemon for what its journal is verified with.
func (c *Client) JournalKeys(ctx context.Context) (keys JournalKeys, err error) {
	err = c.call(ctx, http.MethodGet, "/journal", nil, &keys)
	return keys, err
}

// Pseudonym asks the daemon what its journal holds in place of the id of a transaction.
func (c *Client) Pseudonym(ctx context.Context, transaction string) (pseudonym string, err error) {
	err = c.call(ctx, http.MethodGet, "/journal/pseudonym/"+url.PathEscape(transaction), nil, &pseudonym)
	return pseudonym, err
}
