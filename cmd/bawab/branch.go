package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store/etcd"
	"github.com/bawab/bawab/store/seal"
)

// Under the etcd driver transactions, and nothing else, lie in the cluster of the branch. API keys, the identity and the
// journal stay in the kiosk's own database: a kiosk must know its callers and note what it did also while the branch is
// dark, a key that is revoked must end at once, and what a kiosk signs is its own.

// branchConfig says where the store of a branch is; nil where this kiosk keeps its transactions itself. The branch key of
// systemd's credentials is taken where there is one and the configuration names no other.
func branchConfig(cfg *configs.Config, environ []string, log *slog.Logger) *etcd.Config {
	if cfg.Store.Driver != configs.DriverEtcd {
		return nil
	}
	e := cfg.Store.Etcd
	key := e.KeyFile
	if key == "" {
		key = filepath.Join(cfg.Data, "branch.key")
		if credentials := getenv(environ, "CREDENTIALS_DIRECTORY"); credentials != "" {
			name := filepath.Join(credentials, "bawab-branch.key")
			if _, err := os.Stat(name); err == nil {
				key = name
			}
		}
	}
	return &etcd.Config{
		Endpoints: e.Endpoints, Prefix: e.Prefix, Dir: cfg.Data, KeyFile: key, CA: e.CA, Certificate: e.Certificate,
		CertificateKey: e.Key, TTL: cfg.Store.TTL, MaxAge: cfg.Store.MaxAge, Timeout: e.Timeout, Log: log,
	}
}

// openBranch opens the store of the branch, where the configuration names one.
func (d *daemon) openBranch(ctx context.Context) error {
	cfg := branchConfig(d.cfg, d.environ, d.log)
	if cfg == nil {
		return nil
	}
	d.branch = etcd.New(*cfg)
	if err := d.branch.Open(ctx); err != nil {
		return err
	}
	d.push("branch store", d.branch.Close)
	run, stop := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { d.branch.Run(run, d.cfg.Store.Sweep) })
	d.push("upkeep of the branch store", func() error {
		stop()
		upkeep.Wait()
		return nil
	})
	return nil
}

// transactions is where the daemon keeps transactions.
func (d *daemon) transactions() appliance.TransactionStore {
	if d.branch != nil {
		return d.branch
	}
	return d.store
}

// storesHealthy returns why the daemon cannot keep what it is asked now; nil when it can.
func (d *daemon) storesHealthy() error {
	if d.branch != nil {
		return errors.Join(d.store.Healthy(), d.branch.Healthy())
	}
	return d.store.Healthy()
}

// branchWarnings lists what is wrong with the cluster for the time being.
func (d *daemon) branchWarnings() []appliance.Warning {
	if d.branch == nil {
		return nil
	}
	w := appliance.Warning{Code: appliance.WarnCluster, Hint: "`bawab doctor` shows every member of the cluster"}
	if err := d.branch.Healthy(); err != nil {
		w.Msg = "the cluster of the branch takes no records, and requests that need it are answered 503: " + words.OneLine(err.Error())
		return []appliance.Warning{w}
	}
	if lost := d.branch.Lost(); len(lost) > 0 {
		w.Msg = "members of the branch's cluster do not answer, nothing is lost: " + strings.Join(lost, ", ")
		return []appliance.Warning{w}
	}
	return nil
}

// withBranch runs a task with the store of the branch, nil where there is none, while no daemon runs.
func withBranch(ctx context.Context, t *terminal, cfg *configs.Config, do func(*etcd.Store) error) error {
	c := branchConfig(cfg, t.environ, nil)
	if c == nil {
		return do(nil)
	}
	s := etcd.New(*c)
	if err := s.Open(ctx); err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// checkBranch shows how the cluster of the branch is; nothing where there is none.
func checkBranch(ctx context.Context, t *terminal, cfg *configs.Config) []appliance.Check {
	c := branchConfig(cfg, t.environ, nil)
	if c == nil {
		return nil
	}
	return etcd.Checks(ctx, *c)
}

// branchKeyCommand is the command that makes the key that the kiosks of a branch share.
func branchKeyCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "branch FILE", Short: "make the key that the kiosks of a branch share",
		Long: `Makes a branch key, 32 random bytes, in a new file of mode 0600. Make it once for a branch, carry a copy to every kiosk
(branch.key in the data folder, the file that store.etcd.key_file names, or the systemd credential bawab-branch.key) and
keep one apart. No member of the cluster needs it: with it transactions are sealed before they leave the kiosk.

To change it, make another one, and give it to every kiosk together with another store.etcd.prefix. What was sealed with
the old key ends with the lives of its transactions, and cannot be opened by anybody once the old key is gone.`,
	}, func(*flag.FlagSet) action {
		return func(_ context.Context, t *terminal, args []string) error { return makeBranchKey(t, args[0]) }
	})
}

func makeBranchKey(t *terminal, file string) error {
	if err := newFile("make branch key", file); err != nil {
		return err
	}
	if _, err := seal.MakeKey(file); err != nil {
		return fmt.Errorf("make branch key: %w", err)
	}
	_, err := fmt.Fprintf(t.out, "the branch key lies in %s: give every kiosk of the branch a copy that only bawab can read\n", file)
	return err
}
