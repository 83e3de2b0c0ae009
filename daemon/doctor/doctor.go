// Package doctor examines the machine that an appliance runs on: each check says what it found and, where something is wrong,
// what to do. It changes nothing.
package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/store/database"
)

// Copies names the databases that lie beside the present one: erasing does not reach them.
func Copies(dir string) appliance.Check {
	c := appliance.Check{Name: "copies", OK: true, Detail: "no other database lies in the data folder"}
	found, err := filepath.Glob(filepath.Join(dir, database.FileName+".damaged-*"))
	if err != nil || len(found) > 0 {
		c.OK = false
		c = c.Detailed(appliance.Phrasef("%d damaged databases are kept, and hold personal data that is never erased", len(found)))
		c = c.Hinted(appliance.Phrasef("delete them when they are no longer needed: %s", strings.Join(found, ", ")))
	}
	return c
}

// Processor names the cores and what makes networks fast on them.
func Processor() appliance.Check {
	cores := appliance.Phrasef("%d cores", runtime.NumCPU())
	if runtime.NumCPU() == 1 {
		cores = appliance.Phrasef("1 core")
	}
	c := appliance.Check{Name: "processor", OK: true}
	if len(inference.Features()) == 0 {
		return c.Detailed(appliance.Phrasef("%s, none of the instructions that make networks fast; reading takes several times as long", cores))
	}
	return c.Detailed(appliance.Joined(", ", cores, strings.Join(inference.Features(), ", ")))
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
			c.Hint = "install bawab again"
			c = c.Detailed(appliance.Joined("", err))
		default:
			c.OK = fast
			c = c.Detailed(appliance.Joined(", ", "SHA-256 "+m.SHA256[:12]+"...", appliance.Phrasef(Kernels(fast))))
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
	c = c.Detailed(appliance.Phrasef("%s in Cairo", now.In(zone).Format("2006-01-02 15:04 MST")))
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
		c.OK = true
		c = c.Detailed(appliance.Phrasef("%s is not there yet: the first start makes it", dir))
	case err != nil:
		c.Hint = "run as a user who may see it"
		c = c.Detailed(appliance.Joined("", err))
	case !info.IsDir():
		c.Hint = "name a folder with --data"
		c = c.Detailed(appliance.Phrasef("%s is not a folder", dir))
	case info.Mode().Perm()&0o077 != 0:
		c = c.Detailed(appliance.Phrasef("%s has mode %04o: others may look into it", dir, info.Mode().Perm()))
		c = c.Hinted(appliance.Phrasef("chmod 700 %s", dir))
	default:
		c.OK = true
	}
	return c
}

// Disk finds a disk of the data folder with less room than least, in bytes.
func Disk(dir string, least int64) appliance.Check {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return appliance.Check{Name: "disk", Hint: "check the disk of the data folder"}.Detailed(appliance.Joined("", err))
	}
	free := int64(st.Bavail) * st.Bsize
	return appliance.Check{Name: "disk", OK: free >= least}.
		Detailed(appliance.Phrasef("%s free for the data folder", words.Size(free))).
		Hinted(appliance.Phrasef("free some room: less than %s is little (store.min_free)", words.Size(least)))
}

// Failed is the check that an error stands for, with what to do about it.
func Failed(name string, err error) appliance.Check {
	msg, hints := Explain(err)
	c := appliance.Check{Name: name, Detail: msg}
	if msg == err.Error() {
		c = c.Detailed(appliance.Joined("", err))
	}
	var e *appliance.Error
	if errors.As(err, &e) && e.Hint != "" {
		return c.Hinted(e.Way())
	}
	ways := make([]any, len(hints))
	for i, h := range hints {
		ways[i] = appliance.Phrasef(h)
	}
	return c.Hinted(appliance.Joined("; ", ways...))
}

// Daemon says how the running daemon is, one check for itself and one for each of its warnings; version is that of this program.
func Daemon(s state.Status, version string) []appliance.Check {
	c := appliance.Check{
		Name: "daemon",
		OK:   s.Version == version,
		Hint: "the daemon is of another version than this program: restart it",
	}.Detailed(appliance.Phrasef("runs as process %d on %s since %s, version %s", s.PID, s.Listen, words.When(s.Started), s.Version))
	return append([]appliance.Check{c}, warnings(s, func(code appliance.WarningCode) bool { return !ofCamera(code) })...)
}

// warnings lists the warnings of a daemon whose codes are asked for.
func warnings(s state.Status, asked func(appliance.WarningCode) bool) (checks []appliance.Check) {
	for _, w := range s.Warnings {
		if asked(w.Code) {
			checks = append(checks, Warned(w))
		}
	}
	return checks
}

// Warned is the failed check that a warning stands for.
func Warned(w appliance.Warning) appliance.Check {
	return appliance.Check{Name: string(w.Code), Detail: w.Msg, Hint: w.Hint, Said: w.Said, Way: w.Way}
}

// Keys finds an appliance that nobody can call.
func Keys(keys []appliance.Key, now time.Time) appliance.Check {
	valid := 0
	for _, k := range keys {
		if k.Expires.IsZero() || now.Before(k.Expires) {
			valid++
		}
	}
	said := appliance.Phrasef("%d keys, %d valid", len(keys), valid)
	if len(keys) == 1 {
		said = appliance.Phrasef("1 key, %d valid", valid)
	}
	return appliance.Check{Name: "keys", OK: valid > 0, Hint: "make one with `bawab keys add NAME --scopes ocr,face`"}.Detailed(said)
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
