package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/configs"
	"golang.org/x/sys/unix"
)

// TimeSource reports whether anything keeps the clock right.
func TimeSource() appliance.Check {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	return judgeSync(state == unix.TIME_ERROR || t.Status&unix.STA_UNSYNC != 0, err)
}

// judgeSync finds a clock that runs free. An appliance without a network has nobody to ask, so that does not break it; but
// documents expire by that clock.
func judgeSync(free bool, err error) appliance.Check {
	c := appliance.Check{Name: "time source", Minor: true}
	switch {
	case err != nil:
		c.Hint = "compare the clock with a watch now and then"
		c = c.Detailed(appliance.Phrasef("the kernel does not say: %v", err))
	case free:
		c.Detail, c.Hint = "none: no time server keeps the clock right", "let chrony or systemd-timesyncd reach a time server, or compare the clock with a watch now and then"
	default:
		c.OK, c.Detail = true, "the clock is kept right by a time server"
	}
	return c
}

// Listen finds what keeps the API from listening. A daemon that runs on the folder has the port by right.
func Listen(ctx context.Context, cfg *configs.Config, runs bool) appliance.Check {
	said := appliance.Phrasef("%s, this machine alone", cfg.Listen)
	switch {
	case transport.Loopback(cfg.Listen):
	case len(cfg.HTTP.Allow) == 0:
		said = appliance.Phrasef("%s with TLS, for this machine and nobody else: http.allow is empty", cfg.Listen)
	default:
		said = appliance.Phrasef("%s with TLS, for this machine and %s", cfg.Listen, strings.Join(cfg.HTTP.Allow, ", "))
	}
	c := appliance.Check{Name: "address", OK: true}.Detailed(said)
	if runs {
		return c
	}
	l, err := transport.Listen(ctx, cfg.Listen)
	if err != nil {
		return Failed("address", err)
	}
	l.Close()
	return c
}

// Files finds files of the data folder that others can read, or that belong to somebody else than the folder: a command
// that was run as root may have left them, and the daemon could not open them.
func Files(dir string) appliance.Check {
	c := appliance.Check{Name: "permissions", OK: true, Detail: "the files belong to the folder's owner, nobody else can read them"}
	folder, err := os.Stat(dir)
	if err != nil {
		return Failed("permissions", err)
	}
	owner := folder.Sys().(*syscall.Stat_t).Uid
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone since the folder was listed
		}
		if err != nil {
			return err
		}
		switch mode := info.Mode().Perm(); {
		case name == dir:
		case mode&0o077 != 0 && !entry.IsDir():
			c.OK = false
			c = c.Detailed(appliance.Phrasef("%s has mode %04o: others may read it", name, mode)).Hinted(appliance.Phrasef("chmod 600 %s", name))
		case info.Sys().(*syscall.Stat_t).Uid != owner:
			c.OK = false
			c = c.Detailed(appliance.Phrasef("%s belongs to another user than its folder", name))
			c = c.Hinted(appliance.Phrasef("chown -R --reference=%s %s", dir, dir))
		}
		return nil
	})
	if err != nil {
		return Failed("permissions", err)
	}
	return c
}

// Certificate shows the certificate that the API needs on a network.
func Certificate(listen string, at certificate.Config, now time.Time) []appliance.Check {
	if transport.Loopback(listen) && at.File == "" {
		return []appliance.Check{{Name: "certificate", OK: true, Detail: "none is needed: only this machine itself can call"}}
	}
	info, err := certificate.Read(at, now)
	if at.File == "" && errors.Is(err, fs.ErrNotExist) {
		return []appliance.Check{{Name: "certificate", OK: true, Detail: "none yet: the first start makes one"}}
	}
	if err != nil {
		return []appliance.Check{Failed("certificate", err)}
	}
	c := appliance.Check{Name: "certificate", OK: true}.
		Detailed(appliance.Phrasef("valid to %s for %s", info.NotAfter.UTC().Format(time.DateOnly), strings.Join(info.Names, ", ")))
	for _, w := range certificate.Warnings(info, now) {
		c = Warned(w)
	}
	return []appliance.Check{c, {Name: "fingerprint", OK: true, Detail: info.Fingerprint}}
}
