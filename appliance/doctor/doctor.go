// Package doctor examines the machine that an appliance runs on: each check says what it found and, where something is wrong,
// what to do. It changes nothing.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/store"
)

// Copies names the databases that lie beside the present one: erasing does not reach them.
func Copies(dir string) appliance.Check {
	c := appliance.Check{Name: "copies", OK: true, Detail: "no other database lies in the data folder"}
	found, err := filepath.Glob(filepath.Join(dir, store.DatabaseName+".damaged-*"))
	if err != nil || len(found) > 0 {
		c.OK, c.Detail = false, fmt.Sprintf("%d damaged databases are kept, and hold personal data that is never erased", len(found))
		c.Hint = "delete them when they are no longer needed: " + strings.Join(found, ", ")
	}
	return c
}

// Processor names the cores and what makes networks fast on them.
func Processor() appliance.Check {
	cores := words.Count(runtime.NumCPU(), "core", "cores")
	c := appliance.Check{Name: "processor", OK: true, Detail: cores + ", " + strings.Join(inference.Features(), ", ")}
	if len(inference.Features()) == 0 {
		c.Detail = cores + ", none of the instructions that make networks fast; reading takes several times as long"
	}
	return c
}

// Networks runs each network of the program once.
func Networks(ctx context.Context) []appliance.Check {
	set, err := models.Open()
	if err != nil {
		return []appliance.Check{{Name: "models", Detail: err.Error(), Hint: "install bawab again"}}
	}
	var checks []appliance.Check
	for _, m := range set.List() {
		c := appliance.Check{Name: "model " + m.Name}
		fast, err := Try(ctx, m)
		switch {
		case err != nil:
			c.Detail, c.Hint = err.Error(), "install bawab again"
		default:
			c.OK, c.Detail = fast, "SHA-256 "+m.SHA256[:12]+"..., "+Kernels(fast)
			c.Hint = "the XNNPACK kernels did not take this network: is the TFLite library beside bawab the one it came with?"
		}
		checks = append(checks, c)
	}
	return checks
}

// Clock finds a clock that was never set: documents would count as valid or expired by it.
func Clock(now time.Time) appliance.Check {
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

// Folder finds a data folder that others can read or that cannot be used.
func Folder(dir string) appliance.Check {
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

// Disk finds a disk of the data folder with less room than least, in bytes.
func Disk(dir string, least int64) appliance.Check {
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

// Failed is the check that an error stands for, with what to do about it.
func Failed(name string, err error) appliance.Check {
	msg, hints := Explain(err)
	return appliance.Check{Name: name, Detail: msg, Hint: strings.Join(hints, "; ")}
}

// Daemon says how the running daemon is, one check for itself and one for each of its warnings; version is that of this program.
func Daemon(s httpapi.Status, version string) []appliance.Check {
	detail := fmt.Sprintf("runs as process %d on %s since %s, version %s", s.PID, s.Listen, words.When(s.Started), s.Version)
	c := appliance.Check{
		Name:   "daemon",
		OK:     s.Version == version,
		Detail: detail,
		Hint:   "the daemon is of another version than this program: restart it",
	}
	return append([]appliance.Check{c}, warnings(s, func(code appliance.WarningCode) bool { return !ofCamera(code) })...)
}

// warnings lists the warnings of a daemon whose codes are asked for.
func warnings(s httpapi.Status, asked func(appliance.WarningCode) bool) (checks []appliance.Check) {
	for _, w := range s.Warnings {
		if asked(w.Code) {
			checks = append(checks, Warned(w, w.Msg))
		}
	}
	return checks
}

// Warned is the failed check that a warning stands for.
func Warned(w appliance.Warning, detail string) appliance.Check {
	return appliance.Check{Name: string(w.Code), Detail: detail, Hint: w.Hint}
}

// Keys finds an appliance that nobody can call.
func Keys(keys []appliance.Key, now time.Time) appliance.Check {
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

// Kernels names the kernels that run a network.
func Kernels(fast bool) string {
	if fast {
		return "fast kernels"
	}
	return "slow kernels"
}

// Try loads a network and runs it once on an empty input.
func Try(ctx context.Context, m models.Model) (fast bool, err error) {
	r, err := inference.Open(ctx, []models.Model{m}, 1)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	n := r.Network(m.Name)
	return n.Accelerated(), n.Run(ctx, make([]int8, m.Input.Len()), make([]int8, m.Output.Len()))
}
