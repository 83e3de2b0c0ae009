package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/camera"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/audit"
)

func doctorCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "doctor", Short: "examine this machine and the appliance on it",
		Long: `Examines everything that the appliance needs: configuration, processor, networks, data folder, disk, database, keys,
the cluster of the branch, clock and cameras. Each problem comes with a hint. Nothing is changed. Exit code 1 when something is broken.

Where no daemon serves the configured data folder and --data names none, the folder of the daemon that runs on this machine is
examined instead, and named.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		asJSON := fs.Bool("json", false, "print the checks as JSON")
		return func(ctx context.Context, t *terminal, _ []string) error {
			checks := examine(ctx, t, p)
			if err := printDoctor(t, checks, *asJSON); err != nil {
				return err
			}
			for _, c := range checks {
				if c.Broken() {
					return errQuiet
				}
			}
			return nil
		}
	})
}

func printDoctor(t *terminal, checks []appliance.Check, asJSON bool) error {
	if !asJSON {
		printChecks(t.out, checks)
		return nil
	}
	type line struct {
		Name   string `json:"name"`
		OK     bool   `json:"ok"`
		Detail string `json:"detail"`
		Hint   string `json:"hint,omitempty"`
		Minor  bool   `json:"minor,omitempty"`
	}
	report := struct {
		Form   string `json:"form"`
		Checks []line `json:"checks"`
	}{Form: "bawab-doctor/1"}
	for _, c := range checks {
		if c.OK {
			c.Hint = "" // it says what to do about a failure
		}
		report.Checks = append(report.Checks, line(c))
	}
	text, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("print checks: %w", err)
	}
	return words.PrintJSON(t.out, text, false)
}

// examine makes all checks. Without a valid configuration those that need it are left out.
func examine(ctx context.Context, t *terminal, p place) []appliance.Check {
	checks := []appliance.Check{{Name: "version", OK: true, Detail: strings.TrimSpace(versionLine())}, checkProcessor()}
	checks = append(checks, checkModels(ctx)...)
	checks = append(checks, checkClock(time.Now()), checkSync())
	cfg, err := p.load(t, nil)
	if err != nil {
		return append(checks, listCameras(), failedCheck("configuration", err))
	}
	checks = append(checks, appliance.Check{Name: "configuration", OK: true, Detail: "valid"})
	running, err := daemonStatus(ctx, cfg)
	if running == nil && err == nil {
		var found []appliance.Check
		running, found = elsewhere(ctx, &p, cfg)
		checks = append(checks, found...)
	}
	checks = append(checks, checkModelSet(t, p))
	if running != nil {
		cfg.Listen = running.Listen // `serve --listen` may have named another address
	}
	checks = append(checks, checkCamera(cfg.Camera, running)...)
	checks = append(append(checks, checkListen(ctx, cfg, running != nil || err != nil)), checkUnit(ctx, cfg)...)
	folder := checkFolder(cfg.Data)
	checks = append(checks, folder)
	if _, err := os.Stat(cfg.Data); err != nil || !folder.OK {
		return checks
	}
	checks = append(checks, checkDisk(cfg.Data, int64(cfg.Store.MinFree)), checkFiles(cfg.Data), checkCopies(cfg.Data))
	checks = append(checks, checkCertificate(cfg, time.Now())...)
	checks = append(checks, checkBranch(ctx, t, cfg)...)
	return append(checks, checkAppliance(ctx, t, p, cfg)...)
}

func versionLine() string {
	return fmt.Sprintf("bawab %s, %s, %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func checkProcessor() appliance.Check {
	cores := words.Count(runtime.NumCPU(), "core", "cores")
	c := appliance.Check{Name: "processor", OK: true, Detail: cores + ", " + strings.Join(inference.Features(), ", ")}
	if len(inference.Features()) == 0 {
		c.Detail = cores + ", none of the instructions that make networks fast; reading takes several times as long"
	}
	return c
}

func checkModels(ctx context.Context) []appliance.Check {
	set, err := models.Open()
	if err != nil {
		return []appliance.Check{{Name: "models", Detail: err.Error(), Hint: "install bawab again"}}
	}
	var checks []appliance.Check
	for _, m := range set.List() {
		c := appliance.Check{Name: "model " + m.Name}
		fast, err := tryModel(ctx, m)
		switch {
		case err != nil:
			c.Detail, c.Hint = err.Error(), "install bawab again"
		default:
			c.OK, c.Detail = fast, "SHA-256 "+m.SHA256[:12]+"..., "+kernels(fast)
			c.Hint = "the XNNPACK kernels did not take this network: is the TFLite library beside bawab the one it came with?"
		}
		checks = append(checks, c)
	}
	return checks
}

// checkClock finds a clock that was never set: documents would count as valid or expired by it.
func checkClock(now time.Time) appliance.Check {
	c := appliance.Check{Name: "clock", OK: true}
	zone, err := egypt.Cairo()
	if err != nil {
		return appliance.Check{Name: "clock", Detail: err.Error(), Hint: "install bawab again"}
	}
	c.Detail = now.In(zone).Format("2006-01-02 15:04 MST") + " in Cairo"
	if now.Before(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) {
		c.OK, c.Hint = false, "the clock runs behind this program: set it, or check the battery of the board"
	}
	return c
}

func listCameras() appliance.Check {
	devices, err := camera.List()
	if err != nil {
		return appliance.Check{Name: "camera", Detail: err.Error(), Hint: "check /sys/class/video4linux"}
	}
	if len(devices) == 0 {
		return appliance.Check{Name: "camera", OK: true, Detail: "none, and only the camera routes need one"}
	}
	c := appliance.Check{Name: "camera", OK: true}
	var names []string
	for _, d := range devices {
		names = append(names, strings.TrimSpace(d.Name+" at "+d.Path))
		if !d.Readable {
			c.OK, c.Hint = false, "put the user of bawab into the group video"
		}
	}
	c.Detail = strings.Join(names, ", ")
	return c
}

func checkFolder(dir string) appliance.Check {
	c := appliance.Check{Name: "data folder", Detail: dir}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.OK, c.Detail = true, dir+" is not there yet: the first start makes it"
	case err != nil:
		c.Detail, c.Hint = err.Error(), "run as a user who may see it"
	case !info.IsDir():
		c.Detail, c.Hint = dir+" is not a folder", "name a folder with --data"
	case info.Mode().Perm()&0o077 != 0:
		c.Detail, c.Hint = fmt.Sprintf("%s has mode %04o: others may look into it", dir, info.Mode().Perm()), "chmod 700 "+dir
	default:
		c.OK = true
	}
	return c
}

func checkDisk(dir string, least int64) appliance.Check {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return appliance.Check{Name: "disk", Detail: err.Error(), Hint: "check the disk of the data folder"}
	}
	free := int64(st.Bavail) * st.Bsize
	return appliance.Check{
		Name: "disk", OK: free >= least, Detail: words.Size(free) + " free for the data folder",
		Hint: "free some room: less than " + words.Size(least) + " is little (store.min_free)",
	}
}

// checkAppliance asks the running daemon, or opens the database where there is none.
func checkAppliance(ctx context.Context, t *terminal, p place, cfg *configs.Config) []appliance.Check {
	if !hasStore(cfg) {
		return []appliance.Check{{Name: "store", OK: true, Detail: "there is no database yet: the first start makes it"}}
	}
	checks, err := storeChecks(ctx, t, cfg)
	if err != nil {
		return append(checks, failedCheck("store", err))
	}
	var keys []appliance.Key
	err = visit{
		through: func(c *httpapi.Client) error {
			status, err := c.Status(ctx)
			if err != nil {
				return err
			}
			checks = append(checks, checkDaemon(status)...)
			keys, err = c.Keys(ctx)
			return err
		},
		direct: func(s *store.Store) (err error) {
			checks = append(
				checks,
				appliance.Check{Name: "daemon", OK: true, Detail: "does not run on this data folder"},
				checkJournal(ctx, cfg.Data, s),
			)
			keys, err = s.Keys(ctx)
			return err
		},
	}.do(ctx, t, p)
	if err != nil {
		return append(checks, failedCheck("keys", err))
	}
	return append(checks, checkKeys(keys, time.Now()))
}

func failedCheck(name string, err error) appliance.Check {
	msg, hints := explain(err)
	return appliance.Check{Name: name, Detail: msg, Hint: strings.Join(hints, "; ")}
}

func checkDaemon(s httpapi.Status) []appliance.Check {
	detail := fmt.Sprintf("runs as process %d on %s since %s, version %s", s.PID, s.Listen, when(s.Started), s.Version)
	c := appliance.Check{
		Name:   "daemon",
		OK:     s.Version == version,
		Detail: detail,
		Hint:   "the daemon is of another version than this program: restart it",
	}
	return append([]appliance.Check{c}, warned(s, func(code appliance.WarningCode) bool { return !ofCamera(code) })...)
}

// warned lists the warnings of a daemon whose codes are asked for.
func warned(s httpapi.Status, asked func(appliance.WarningCode) bool) (checks []appliance.Check) {
	for _, w := range s.Warnings {
		if asked(w.Code) {
			checks = append(checks, warning(w, w.Msg))
		}
	}
	return checks
}

// warning is the failed check that a warning stands for.
func warning(w appliance.Warning, detail string) appliance.Check {
	return appliance.Check{Name: string(w.Code), Detail: detail, Hint: w.Hint}
}

// checkJournal verifies the journal in a folder beside its store; a running daemon warns of it by itself.
func checkJournal(ctx context.Context, folder string, s *store.Store) appliance.Check {
	keys, err := storedJournalKeys(ctx, s)
	if err != nil {
		return failedCheck("journal", err)
	}
	r, err := audit.Verify(ctx, audit.Check{Dir: folder, Public: []ed25519.PublicKey{keys.Public}, Kept: keys.Head})
	if err != nil {
		return failedCheck("journal", err)
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

func checkKeys(keys []appliance.Key, now time.Time) appliance.Check {
	valid := 0
	for _, k := range keys {
		if k.Expires.IsZero() || now.Before(k.Expires) {
			valid++
		}
	}
	return appliance.Check{
		Name: "keys", OK: valid > 0, Detail: fmt.Sprintf("%s, %d valid", words.Count(len(keys), "key", "keys"), valid),
		Hint: "make one with `bawab keys add NAME --scopes ocr,face`",
	}
}
