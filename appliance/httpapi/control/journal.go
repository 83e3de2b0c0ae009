package control

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

// Journal is what the control socket reaches of the journal.
type Journal interface {
	appliance.Journal
	JournalKeys(context.Context) (JournalKeys, error)
	// Pseudonym is what the journal holds in place of the id of a transaction.
	Pseudonym(transaction string) string
}

// journalRoutes names the paths of the journal.
func (c *Socket) journalRoutes() {
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
	c.app.Post("/journal", c.note)
	c.app.Get("/journal/pseudonym/:id", func(ctx *fiber.Ctx) error {
		if c.deps.Journal == nil {
			return errNoJournal()
		}
		return reply(ctx, c.deps.Journal.Pseudonym(ctx.Params("id")))
	})
}

// Act is what an operator did at the command line.
type Act struct {
	Kind    appliance.EntryKind
	Subject string
	Detail  map[string]string
}

// note notes an act of the command line.
func (c *Socket) note(ctx *fiber.Ctx) error {
	if c.deps.Journal == nil {
		return errNoJournal()
	}
	var a Act
	if err := accept(ctx, &a); err != nil {
		return err
	}
	if a.Kind == appliance.EntryStart || a.Kind == appliance.EntryStop || a.Kind == appliance.EntryDecision {
		return appliance.Errorf(appliance.CodeBadRequest, "only the daemon itself notes that")
	}
	if err := c.deps.Journal.Note(ctx.Context(), appliance.Entry{Kind: a.Kind, Subject: a.Subject, Detail: a.Detail}); err != nil {
		return err
	}
	return reply(ctx, true)
}

// Note has the daemon note an act of the command line.
func (c *Client) Note(ctx context.Context, a Act) error {
	var done bool
	return c.call(ctx, http.MethodPost, "/journal", a, &done)
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
