package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/daemon/doctor"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store/etcd"
	"github.com/bawab/bawab/store/offline"
)

func storeCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "store", Short: "check, save and compact the database, erase transactions",
		Long: "The database is the file bawab.db in the data folder. Transactions and API keys lie in it, sealed with the appliance key.",
	},
		command.Leaf(&cobra.Command{
			Use: "check", Short: "examine the database",
			Long: "Examines the structure of the database and opens every sealed value, also of what the branch keeps in its cluster. It\nworks while the daemon runs. Exit code 1 when something is wrong.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return checkStore(ctx, t, p) }
		}),
		command.Leaf(&cobra.Command{
			Use: "salvage", Short: "save what can be read from a damaged database",
			Long: "Copies what can still be read into a new database and keeps the damaged file beside it. The daemon must be stopped.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return salvage(ctx, t, p) }
		}),
		eraseCommand(),
		backupCommand(),
		restoreCommand(),
		compactCommand(),
	)
}

func checkStore(ctx context.Context, t *command.Terminal, p command.Place) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	checks, err := storeChecks(ctx, t, cfg)
	if err != nil {
		return err
	}
	if c := daemon.BranchConfig(cfg, t.Environ, nil); c != nil {
		checks = append(checks, etcd.Examine(ctx, *c)...)
	}
	if !doctor.Print(t.Out, checks) {
		return command.ErrQuiet
	}
	return nil
}

// storeChecks examines the database, through the daemon where one runs. A damaged one is looked at without opening it.
func storeChecks(ctx context.Context, t *command.Terminal, cfg *configs.Config) ([]appliance.Check, error) {
	client, err := reach.Dial(cfg)
	if err != nil {
		return nil, err
	}
	if client != nil {
		defer client.Close()
		return client.CheckStore(ctx)
	}
	report, err := offline.Check(ctx, daemon.StoreConfig(cfg, t.Environ, nil).Folder())
	return daemon.ReportChecks(report), err
}

func salvage(ctx context.Context, t *command.Terminal, p command.Place) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	if err := reach.WithoutDaemon(cfg, "salvage store"); err != nil {
		return err
	}
	r, err := offline.Salvage(ctx, daemon.StoreConfig(cfg, t.Environ, nil).Folder())
	if err != nil {
		return err
	}
	fmt.Fprintf(
		t.Out,
		"saved: %s, %d ended, %s\n",
		words.Transactions(r.Transactions, r.Records),
		r.Expired,
		words.Count(len(r.Keys), "key", "keys"),
	)
	for _, name := range r.Keys {
		fmt.Fprintf(t.Out, "key %s: revoke it if you do not expect it here\n", name)
	}
	fmt.Fprintf(t.Out, "lost: %s in part, %s unreadable, %s that no key opens\n", words.Count(len(r.Lost), "transaction", "transactions"),
		words.Count(r.DamagedPages, "page", "pages"), words.Count(r.Unopened, "value", "values"))
	if r.NewIdentity {
		fmt.Fprintln(
			t.Out,
			"the identity of the appliance was lost: it has a new one, whose public key must be given to those who check its proofs",
		)
	}
	for _, id := range r.Lost {
		fmt.Fprintf(t.Out, "transaction %s was left out because a part of it is missing\n", id)
	}
	fmt.Fprintf(t.Out, "the damaged file is kept as %s; it holds personal data: delete it when it is no longer needed\n", r.Damaged)
	return reach.NoteAfterwards(ctx, t, p, appliance.Entry{
		Kind:   appliance.EntryStoreSalvaged,
		Detail: map[string]string{"transactions": strconv.Itoa(r.Transactions), "lost": strconv.Itoa(len(r.Lost))},
	})
}
