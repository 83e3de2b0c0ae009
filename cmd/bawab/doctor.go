package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/daemon"
	"github.com/bawab/bawab/daemon/doctor"
	"github.com/bawab/bawab/daemon/journal"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

func doctorCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "doctor", Short: "examine this machine and the appliance on it",
		Long: `Examines everything that the appliance needs: configuration, processor, networks, data folder, disk, database, keys,
the cluster of the branch, clock and cameras. Each problem comes with a hint. Nothing is changed. Exit code 1 when something is broken.

Where no daemon serves the configured data folder and --data names none, the folder of the daemon that runs on this machine is
examined instead, and named.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		asJSON := fs.Bool("json", false, "print the checks as JSON")
		return func(ctx context.Context, t *command.Terminal, _ []string) error {
			checks := examine(ctx, t, p)
			if !*asJSON {
				doctor.Print(t.Out, checks)
			} else if err := doctor.PrintJSON(t.Out, checks); err != nil {
				return err
			}
			if slices.ContainsFunc(checks, appliance.Check.Broken) {
				return command.ErrQuiet
			}
			return nil
		}
	})
}

// examine makes all checks. Without a valid configuration those that need it are left out.
func examine(ctx context.Context, t *command.Terminal, p command.Place) []appliance.Check {
	checks := []appliance.Check{{Name: "version", OK: true, Detail: strings.TrimSpace(versionLine())}, doctor.Processor()}
	checks = append(checks, doctor.Networks(ctx)...)
	checks = append(checks, doctor.Clock(time.Now()), doctor.TimeSource())
	cfg, err := p.Load(t, nil)
	if err != nil {
		return append(checks, doctor.Cameras(), doctor.Failed("configuration", err))
	}
	checks = append(checks, appliance.Check{Name: "configuration", OK: true, Detail: "valid"})
	running, err := reach.Status(ctx, cfg)
	if running == nil && err == nil {
		folder, found := doctor.Elsewhere(cfg.Data, p.Data != "", func(dir string) bool {
			at := *cfg
			at.Data = dir
			status, err := reach.Status(ctx, &at)
			return status != nil && err == nil
		})
		if checks = append(checks, found...); folder != "" {
			p.Data, cfg.Data = folder, folder
			running, err = reach.Status(ctx, cfg)
		}
	}
	checks = append(checks, checkModelSet(t, p))
	if running != nil {
		cfg.Listen = running.Listen // `serve --listen` may have named another address
	}
	checks = append(checks, doctor.Camera(cfg.Camera, running)...)
	checks = append(append(checks, doctor.Listen(ctx, cfg, running != nil || err != nil)), doctor.Unit(ctx, cfg)...)
	folder := doctor.Folder(cfg.Data)
	checks = append(checks, folder)
	if _, err := os.Stat(cfg.Data); err != nil || !folder.OK {
		return checks
	}
	checks = append(checks, doctor.Disk(cfg.Data, int64(cfg.Store.MinFree)), doctor.Files(cfg.Data), doctor.Copies(cfg.Data))
	checks = append(checks, doctor.Certificate(cfg.Listen, daemon.CertificateConfig(cfg), time.Now())...)
	checks = append(checks, checkBranch(ctx, t, cfg)...)
	return append(checks, checkAppliance(ctx, t, p, cfg)...)
}

func versionLine() string {
	return fmt.Sprintf("bawab %s, %s, %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// checkAppliance asks the running daemon, or opens the database where there is none.
func checkAppliance(ctx context.Context, t *command.Terminal, p command.Place, cfg *configs.Config) []appliance.Check {
	if !reach.HasStore(cfg) {
		return []appliance.Check{{Name: "store", OK: true, Detail: "there is no database yet: the first start makes it"}}
	}
	checks, err := storeChecks(ctx, t, cfg)
	if err != nil {
		return append(checks, doctor.Failed("store", err))
	}
	var keys []appliance.Key
	err = reach.Visit{
		Through: func(c *control.Client) error {
			status, err := c.Status(ctx)
			if err != nil {
				return err
			}
			checks = append(checks, doctor.Daemon(status, version)...)
			keys, err = c.Keys(ctx)
			return err
		},
		Direct: func(s *store.Store) (err error) {
			checks = append(
				checks,
				appliance.Check{Name: "daemon", OK: true, Detail: "does not run on this data folder"},
				journal.Check(ctx, cfg.Data, s),
			)
			keys, err = s.Keys(ctx)
			return err
		},
	}.Do(ctx, t, p)
	if err != nil {
		return append(checks, doctor.Failed("keys", err))
	}
	return append(checks, doctor.Keys(keys, time.Now()))
}
