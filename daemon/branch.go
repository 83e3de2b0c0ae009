package daemon

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store/etcd"
)

// BranchConfig says where the store of a branch is; nil where this kiosk keeps its transactions itself. The branch key of
// systemd's credentials is taken where there is one and the configuration names no other.
func BranchConfig(cfg *configs.Config, environ []string, log *slog.Logger) *etcd.Config {
	if cfg.Store.Driver != configs.DriverEtcd {
		return nil
	}
	e := cfg.Store.Etcd
	key := cmp.Or(e.KeyFile, credential(environ, "bawab-branch.key"), filepath.Join(cfg.Data, "branch.key"))
	return &etcd.Config{
		Endpoints: e.Endpoints, Prefix: e.Prefix, Dir: cfg.Data, KeyFile: key, CA: e.CA, Certificate: e.Certificate,
		CertificateKey: e.Key, TTL: cfg.Store.TTL, MaxAge: cfg.Store.MaxAge, Timeout: e.Timeout, Log: log,
	}
}

// openBranch opens the store of the branch, where the configuration names one.
func (d *daemon) openBranch(ctx context.Context) error {
	cfg := BranchConfig(d.cfg, d.environ, d.log)
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
