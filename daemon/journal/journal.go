// Package journal opens the journal of a store, for the daemon that runs on it and for a command where none does, and tells what is wrong
// with it. Package audit keeps its form.
package journal

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/doctor"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/audit"
	"github.com/bawab/bawab/store/database"
)

// Journal is the journal of a running daemon. Every decision that goes through it names the model set that made it.
type Journal struct {
	*audit.Journal
	store *store.Store
	id    *proof.Identity
	// Models names the model set in use, "" until the networks are open.
	Models func() string
}

// Note implements appliance.Journal.
func (j *Journal) Note(ctx context.Context, e appliance.Entry) error {
	if set := j.Models(); set != "" && e.Kind == appliance.EntryDecision {
		detail := map[string]string{}
		maps.Copy(detail, e.Detail) // the map is the caller's
		detail["models"], e.Detail = set, detail
	}
	return j.Journal.Note(ctx, e)
}

// JournalKeys implements control.Journal.
func (j *Journal) JournalKeys(ctx context.Context) (control.JournalKeys, error) {
	head, err := j.store.JournalHead(ctx)
	return control.JournalKeys{Public: j.id.Public(), Head: head}, err
}

// Pseudonym implements control.Journal.
func (j *Journal) Pseudonym(transaction string) string { return audit.Pseudonym(j.id, transaction) }

// Open opens the journal of a store that is open; log may be nil.
func Open(ctx context.Context, cfg *configs.Config, s *store.Store, log *slog.Logger) (*Journal, error) {
	id, err := s.Identity(ctx)
	if err != nil {
		return nil, err
	}
	j := &Journal{
		Journal: audit.New(
			audit.Config{
				Dir:      cfg.Data,
				Identity: id,
				Anchor:   s,
				Keep:     cfg.Audit.Keep,
				MaxBytes: int64(cfg.Audit.MaxSize),
				Reserve:  s.Reserve(),
				Log:      log,
			},
		), store: s, id: id,
		Models: func() string { return "" },
	}
	return j, j.Open(ctx)
}

// With runs do with the journal of a store that no daemon uses.
func With(ctx context.Context, cfg *configs.Config, s *store.Store, do func(appliance.Journal) error) error {
	j, err := Open(ctx, cfg, s, nil)
	if err != nil {
		return err
	}
	return errors.Join(do(j), j.Keep(ctx), j.Close())
}

// Stored returns what a store knows of its journal.
func Stored(ctx context.Context, s *store.Store) (keys control.JournalKeys, err error) {
	id, err := s.Identity(ctx)
	if err != nil {
		return keys, err
	}
	keys.Public = id.Public()
	keys.Head, err = s.JournalHead(ctx)
	return keys, err
}

// Orphaned reports whether a data folder has been in use and holds no database: its journal is there. At the first start nothing is.
func Orphaned(dir string) bool {
	_, db := os.Stat(filepath.Join(dir, database.FileName))
	_, kept := os.Stat(audit.Folder(dir))
	return errors.Is(db, fs.ErrNotExist) && kept == nil
}

// PublicKey is a key of the right length; another length is an error.
func PublicKey(b []byte) (ed25519.PublicKey, error) {
	if len(b) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("a public key has %d bytes, not %d", ed25519.PublicKeySize, len(b))
	}
	return ed25519.PublicKey(b), nil
}

// Warnings lists what is wrong with the journal for the time being.
func (j *Journal) Warnings() []appliance.Warning {
	var w []appliance.Warning
	if j.Healthy() != nil {
		w = append(w, appliance.Warn(appliance.WarnJournalFailing,
			appliance.Phrasef("the last write to the journal failed, and no request is answered without it"),
			appliance.Phrasef("look at the disk of the data folder")))
	}
	if bytes, large := j.Large(); large {
		w = append(w, appliance.Warn(appliance.WarnJournalLarge,
			appliance.Phrasef("the journal takes %s of the room that it may, and will lose its oldest entries before their time", words.Size(bytes)),
			appliance.Phrasef("export it with `bawab audit export`, then raise audit.max_size or shorten audit.keep")))
	}
	if what := j.Damage(); what != "" {
		w = append(w, appliance.Warn(appliance.WarnJournalDamaged,
			appliance.Phrasef("the journal was not as the appliance had left it: %s", what),
			appliance.Phrasef("`bawab audit verify` names the place; keep a copy of the folder audit")))
	}
	return w
}

// Check verifies the journal in a folder beside its store; a running daemon warns of it by itself.
func Check(ctx context.Context, folder string, s *store.Store) appliance.Check {
	keys, err := Stored(ctx, s)
	if err != nil {
		return doctor.Failed("journal", err)
	}
	r, err := audit.Verify(ctx, audit.Check{Dir: folder, Public: []ed25519.PublicKey{keys.Public}, Kept: keys.Head})
	if err != nil {
		return doctor.Failed("journal", err)
	}
	c := appliance.Check{
		Name:   "journal",
		OK:     r.OK(),
		Detail: words.Count(r.Entries, "entry", "entries") + ", nothing was changed and nothing is missing",
	}
	if !c.OK {
		c.Detail, c.Hint = fmt.Sprintf(
			"is not as the appliance wrote it (%s)",
			words.Count(len(r.Problems), "problem", "problems"),
		), "`bawab audit verify` names them; keep a copy of the folder audit"
	}
	return c
}
