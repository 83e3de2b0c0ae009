package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/daemon/doctor"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/etcd"
)

// dial reaches the daemon of the data folder; nil when there is none, or no such folder.
func dial(cfg *configs.Config) (*httpapi.Client, error) {
	client, err := httpapi.Dial(cfg.Data)
	if errors.Is(err, httpapi.ErrNoDaemon) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return client, err
}

// dialRunning reaches the daemon of the data folder for a task that needs one.
func dialRunning(cfg *configs.Config, task string) (*httpapi.Client, error) {
	client, err := dial(cfg)
	if client == nil && err == nil {
		err = &appliance.Error{
			Op: task, Msg: "no daemon runs on the data folder " + cfg.Data, Hint: "name its folder with --data, or start it",
		}
	}
	return client, err
}

// daemonStatus asks the daemon of the data folder how it is; nil when there is none.
func daemonStatus(ctx context.Context, cfg *configs.Config) (*httpapi.Status, error) {
	client, err := dial(cfg)
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

// hasStore reports whether there is a database in the data folder, or something that keeps it from being seen.
func hasStore(cfg *configs.Config) bool {
	_, err := os.Stat(filepath.Join(cfg.Data, store.DatabaseName))
	return !errors.Is(err, fs.ErrNotExist)
}

// visit is a task that can be done through the running daemon or, without one, on the opened store.
type visit struct {
	through func(*httpapi.Client) error
	direct  func(*store.Store) error
	// creates tells that the task makes sense on a folder without a database, which it then makes.
	creates bool
}

// do carries the task out.
func (v visit) do(ctx context.Context, t *terminal, p place) (err error) {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	client, err := dial(cfg)
	if err != nil {
		return err
	}
	if client != nil {
		defer client.Close()
		return v.through(client)
	}
	if !v.creates && !hasStore(cfg) {
		return &appliance.Error{
			Op: "open store", Msg: "there is no database in the data folder " + cfg.Data,
			Hint: "name the folder of the daemon with --data or BAWAB_DATA",
		}
	}
	return withStore(ctx, t, cfg, v.direct)
}

// withStore runs do with the store of a data folder that no daemon uses. That it made a new one is told: perhaps another
// folder was meant.
func withStore(ctx context.Context, t *terminal, cfg *configs.Config, do func(*store.Store) error) error {
	fresh := !hasStore(cfg)
	s := store.New(daemon.StoreConfig(cfg, t.environ, nil))
	if err := s.Open(ctx); err != nil {
		return err
	}
	if fresh {
		fmt.Fprintf(
			t.errs,
			"there was no database in the data folder %s: a new one was made; name the daemon's folder with --data if it is another\n",
			cfg.Data,
		)
	}
	return errors.Join(do(s), s.Close())
}

func storeCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "store", Short: "check, save and compact the database, erase transactions",
		Long: "The database is the file bawab.db in the data folder. Transactions and API keys lie in it, sealed with the appliance key.",
	},
		leaf(&cobra.Command{
			Use: "check", Short: "examine the database",
			Long: "Examines the structure of the database and opens every sealed value, also of what the branch keeps in its cluster. It\nworks while the daemon runs. Exit code 1 when something is wrong.",
		}, func(fs *flag.FlagSet) action {
			var p place
			p.flags(fs)
			return func(ctx context.Context, t *terminal, _ []string) error { return checkStore(ctx, t, p) }
		}),
		leaf(&cobra.Command{
			Use: "salvage", Short: "save what can be read from a damaged database",
			Long: "Copies what can still be read into a new database and keeps the damaged file beside it. The daemon must be stopped.",
		}, func(fs *flag.FlagSet) action {
			var p place
			p.flags(fs)
			return func(ctx context.Context, t *terminal, _ []string) error { return salvage(ctx, t, p) }
		}),
		eraseCommand(),
		backupCommand(),
		restoreCommand(),
		compactCommand(),
	)
}

func checkStore(ctx context.Context, t *terminal, p place) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	checks, err := storeChecks(ctx, t, cfg)
	if err != nil {
		return err
	}
	if c := daemon.BranchConfig(cfg, t.environ, nil); c != nil {
		checks = append(checks, etcd.Examine(ctx, *c)...)
	}
	if !doctor.Print(t.out, checks) {
		return errQuiet
	}
	return nil
}

// storeChecks examines the database, through the daemon where one runs. A damaged one is looked at without opening it.
func storeChecks(ctx context.Context, t *terminal, cfg *configs.Config) ([]appliance.Check, error) {
	client, err := dial(cfg)
	if err != nil {
		return nil, err
	}
	if client != nil {
		defer client.Close()
		return client.CheckStore(ctx)
	}
	report, err := store.Check(ctx, daemon.StoreConfig(cfg, t.environ, nil))
	return daemon.ReportChecks(report), err
}

// withoutDaemon returns an error where a daemon uses the data folder.
func withoutDaemon(cfg *configs.Config, op string) error {
	client, err := dial(cfg)
	if client == nil {
		return err
	}
	return errors.Join(&appliance.Error{Op: op, Msg: "the daemon uses this data folder", Hint: "stop it first"}, client.Close())
}

func salvage(ctx context.Context, t *terminal, p place) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	if err := withoutDaemon(cfg, "salvage store"); err != nil {
		return err
	}
	r, err := store.Salvage(ctx, daemon.StoreConfig(cfg, t.environ, nil))
	if err != nil {
		return err
	}
	fmt.Fprintf(
		t.out,
		"saved: %s, %d ended, %s\n",
		words.Transactions(r.Transactions, r.Records),
		r.Expired,
		words.Count(len(r.Keys), "key", "keys"),
	)
	for _, name := range r.Keys {
		fmt.Fprintf(t.out, "key %s: revoke it if you do not expect it here\n", name)
	}
	fmt.Fprintf(t.out, "lost: %s in part, %s unreadable, %s that no key opens\n", words.Count(len(r.Lost), "transaction", "transactions"),
		words.Count(r.DamagedPages, "page", "pages"), words.Count(r.Unopened, "value", "values"))
	if r.NewIdentity {
		fmt.Fprintln(
			t.out,
			"the identity of the appliance was lost: it has a new one, whose public key must be given to those who check its proofs",
		)
	}
	for _, id := range r.Lost {
		fmt.Fprintf(t.out, "transaction %s was left out because a part of it is missing\n", id)
	}
	fmt.Fprintf(t.out, "the damaged file is kept as %s; it holds personal data: delete it when it is no longer needed\n", r.Damaged)
	return noteAfterwards(ctx, t, p, appliance.Entry{
		Kind:   appliance.EntryStoreSalvaged,
		Detail: map[string]string{"transactions": strconv.Itoa(r.Transactions), "lost": strconv.Itoa(len(r.Lost))},
	})
}
