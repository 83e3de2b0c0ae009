package daemon

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/doctor"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/audit"
)

// journal is the journal of a running daemon. Every decision that goes through it names the model set that made it.
type journal struct {
	*audit.Journal
	store *store.Store
	id    *appliance.Identity
	// models names the model set in use, "" until the networks are open.
	models func() string
}

// Note implements appliance.Journal.
func (j *journal) Note(ctx context.Context, e appliance.Entry) error {
	if set := j.models(); set != "" && e.Kind == appliance.EntryDecision {
		e.Detail["models"] = set
	}
	return j.Journal.Note(ctx, e)
}

// JournalKeys implements httpapi.JournalControl.
func (j *journal) JournalKeys(ctx context.Context) (httpapi.JournalKeys, error) {
	head, err := j.store.JournalHead(ctx)
	return httpapi.JournalKeys{Public: j.id.Public(), Head: head}, err
}

// Pseudonym implements httpapi.JournalControl.
func (j *journal) Pseudonym(transaction string) string { return audit.Pseudonym(j.id, transaction) }

// openJournal opens the journal of a store that is open; log may be nil.
func openJournal(ctx context.Context, cfg *configs.Config, s *store.Store, log *slog.Logger) (*journal, error) {
	id, err := s.Identity(ctx)
	if err != nil {
		return nil, err
	}
	j := &journal{
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
		models: func() string { return "" },
	}
	return j, j.Open(ctx)
}

// openJournal opens the journal of the daemon, and notes the start.
func (d *daemon) openJournal(ctx context.Context) (err error) {
	if d.journal, err = openJournal(ctx, d.cfg, d.store, d.log); err != nil {
		return err
	}
	d.journal.models = d.modelSet
	run, stop := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { d.journal.Run(run) })
	upkeep.Go(func() { d.eachInterval(run, "refused requests were not noted", d.noteRefusals) })
	d.push("journal", func() error {
		stop()
		upkeep.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		var err error
		if d.server != nil {
			err = d.server.NoteRefusals(ctx)
		}
		return errors.Join(err, d.journal.Journal.Note(ctx, appliance.Entry{Kind: appliance.EntryStop, Subject: d.version}),
			d.journal.Keep(ctx), d.journal.Close())
	})
	if err := d.journal.Journal.Note(ctx, appliance.Entry{Kind: appliance.EntryStart, Subject: d.version}); err != nil {
		// The journal notes it when it can; until then no request is answered either.
		d.log.Error("the start was not noted", "error", err)
	}
	return nil
}

// noteRefusals notes how many requests were refused since the last time.
func (d *daemon) noteRefusals(ctx context.Context) error {
	if !d.ready.Load() {
		return nil
	}
	return d.server.NoteRefusals(ctx)
}

// modelSet names the model set in use, "" until the networks are open.
func (d *daemon) modelSet() string {
	if !d.ready.Load() {
		return ""
	}
	return modelSetName(d.engine.Load().Set)
}

// WithJournal runs do with the journal of a store that no daemon uses.
func WithJournal(ctx context.Context, cfg *configs.Config, s *store.Store, do func(appliance.Journal) error) error {
	j, err := openJournal(ctx, cfg, s, nil)
	if err != nil {
		return err
	}
	return errors.Join(do(j), j.Keep(ctx), j.Close())
}

// StoredJournalKeys returns what a store knows of its journal.
func StoredJournalKeys(ctx context.Context, s *store.Store) (keys httpapi.JournalKeys, err error) {
	id, err := s.Identity(ctx)
	if err != nil {
		return keys, err
	}
	keys.Public = id.Public()
	keys.Head, err = s.JournalHead(ctx)
	return keys, err
}

// PublicKey is a key of the right length; another length is an error.
func PublicKey(b []byte) (ed25519.PublicKey, error) {
	if len(b) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("a public key has %d bytes, not %d", ed25519.PublicKeySize, len(b))
	}
	return ed25519.PublicKey(b), nil
}

// warnings lists what is wrong with the journal for the time being.
func (j *journal) warnings() []appliance.Warning {
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

// CheckJournal verifies the journal in a folder beside its store; a running daemon warns of it by itself.
func CheckJournal(ctx context.Context, folder string, s *store.Store) appliance.Check {
	keys, err := StoredJournalKeys(ctx, s)
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
