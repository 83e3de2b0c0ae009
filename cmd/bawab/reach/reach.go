// Package reach carries out what a command wants of the appliance of a data folder: through the daemon that runs there, or else on its
// store, with an entry of the journal where one is due.
package reach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/daemon/journal"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/etcd"
	"github.com/bawab/bawab/store/noted"
)

// Dial reaches the daemon of the data folder; nil when there is none, or no such folder.
func Dial(cfg *configs.Config) (*control.Client, error) {
	client, err := control.Dial(cfg.Data)
	if errors.Is(err, control.ErrNoDaemon) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return client, err
}

// Running reaches the daemon of the data folder for a task that needs one.
func Running(cfg *configs.Config, task string) (*control.Client, error) {
	client, err := Dial(cfg)
	if client == nil && err == nil {
		err = &appliance.Error{
			Op: task, Msg: "no daemon runs on the data folder " + cfg.Data, Hint: "name its folder with --data, or start it",
		}
	}
	return client, err
}

// Status asks the daemon of the data folder how it is; nil when there is none.
func Status(ctx context.Context, cfg *configs.Config) (*state.Status, error) {
	client, err := Dial(cfg)
	if client == nil || err != nil {
		return nil, err
	}
	defer client.Close()
	status, err := client.Status(ctx)
	if err != nil {
		return nil, err
	}
	return &status, nil
}

// HasStore reports whether there is a database in the data folder, or something that keeps it from being seen.
func HasStore(cfg *configs.Config) bool {
	_, err := os.Stat(filepath.Join(cfg.Data, database.FileName))
	return !errors.Is(err, fs.ErrNotExist)
}

// Visit is a task that can be done through the running daemon or, without one, on the opened store.
type Visit struct {
	Through func(*control.Client) error
	Direct  func(*store.Store) error
	// Creates tells that the task makes sense on a folder without a database, which it then makes.
	Creates bool
}

// Do carries the task out.
func (v Visit) Do(ctx context.Context, t *command.Terminal, p command.Place) (err error) {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	client, err := Dial(cfg)
	if err != nil {
		return err
	}
	if client != nil {
		defer client.Close()
		return v.Through(client)
	}
	if !v.Creates && !HasStore(cfg) {
		return &appliance.Error{
			Op: "open store", Msg: "there is no database in the data folder " + cfg.Data,
			Hint: "name the folder of the daemon with --data or BAWAB_DATA",
		}
	}
	return WithStore(ctx, t, cfg, v.Direct)
}

// WithStore runs do with the store of a data folder that no daemon uses. That it made a new one is told: perhaps another
// folder was meant.
func WithStore(ctx context.Context, t *command.Terminal, cfg *configs.Config, do func(*store.Store) error) error {
	fresh := !HasStore(cfg)
	s := store.New(daemon.StoreConfig(cfg, t.Environ, nil))
	if err := s.Open(ctx); err != nil {
		return err
	}
	if fresh {
		fmt.Fprintf(
			t.Errs,
			"there was no database in the data folder %s: a new one was made; a daemon of another folder knows nothing of it: see --data\n",
			cfg.Data,
		)
	}
	return errors.Join(do(s), s.Close())
}

// WithoutDaemon returns an error where a daemon uses the data folder.
func WithoutDaemon(cfg *configs.Config, op string) error {
	client, err := Dial(cfg)
	if client == nil {
		return err
	}
	return errors.Join(&appliance.Error{Op: op, Msg: "the daemon uses this data folder", Hint: "stop it first"}, client.Close())
}

// Administer runs a task on the store through the daemon or, where none runs, on the store itself with its journal.
func Administer(
	ctx context.Context,
	t *command.Terminal,
	p command.Place,
	through func(*control.Client) error,
	direct func(noted.Store) error,
) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	return Visit{
		Through: through,
		Direct: func(s *store.Store) error {
			return journal.With(ctx, cfg, s, func(j appliance.Journal) error {
				return withBranch(ctx, t, cfg, func(b *etcd.Store) error { return direct(noted.Store{Store: s, Journal: j, Branch: b}) })
			})
		},
	}.Do(ctx, t, p)
}

// NoteAfterwards notes what was done to a store that no daemon uses.
func NoteAfterwards(ctx context.Context, t *command.Terminal, p command.Place, e appliance.Entry) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	return WithStore(ctx, t, cfg, func(s *store.Store) error {
		return journal.With(ctx, cfg, s, func(j appliance.Journal) error { return j.Note(ctx, e) })
	})
}

// withBranch runs a task with the store of the branch, nil where there is none, while no daemon runs.
func withBranch(ctx context.Context, t *command.Terminal, cfg *configs.Config, do func(*etcd.Store) error) error {
	c := daemon.BranchConfig(cfg, t.Environ, nil)
	if c == nil {
		return do(nil)
	}
	s := etcd.New(*c)
	if err := s.Open(ctx); err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// Note notes what the operator did, through the daemon or in the journal of a store that none uses.
func Note(ctx context.Context, t *command.Terminal, cfg *configs.Config, e appliance.Entry) error {
	client, err := Dial(cfg)
	if err != nil {
		return err
	}
	if client != nil {
		defer client.Close()
		return client.Note(ctx, control.Act{Kind: e.Kind, Subject: e.Subject, Detail: e.Detail})
	}
	return WithStore(ctx, t, cfg, func(s *store.Store) error {
		return journal.With(ctx, cfg, s, func(j appliance.Journal) error { return j.Note(ctx, e) })
	})
}

// JournaledKeys runs do with the keys of a store that no daemon uses, so that what changes is noted.
func JournaledKeys(ctx context.Context, t *command.Terminal, p command.Place, s *store.Store, do func(appliance.KeyStore) error) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	return journal.With(ctx, cfg, s, func(j appliance.Journal) error { return do(appliance.JournaledKeys(s, j)) })
}

// JournalKeys finds what the journal of a data folder is verified with: through the daemon, or in its store.
func JournalKeys(ctx context.Context, t *command.Terminal, cfg *configs.Config) (keys control.JournalKeys, live bool, err error) {
	client, err := Dial(cfg)
	if err != nil {
		return keys, false, err
	}
	if client != nil {
		defer client.Close()
		keys, err = client.JournalKeys(ctx)
		return keys, true, err
	}
	err = WithStore(ctx, t, cfg, func(s *store.Store) (err error) {
		keys, err = journal.Stored(ctx, s)
		return err
	})
	return keys, false, err
}
