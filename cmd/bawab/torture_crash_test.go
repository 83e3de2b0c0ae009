package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/faultdisk"
	"github.com/bawab/bawab/store/offline"
)

// What the tormented daemon is told by its environment: the point of the store's work at which it is to die, how often it may
// reach it before, and the file with the seconds by which the store's clock is wrong.
const (
	deathPoint  = "TORTURE_POINT"
	deathAfter  = "TORTURE_AFTER"
	clockOffset = "TORTURE_CLOCK"
)

// tormented is the program with a hand in its store: it dies at a point of the store's work, or gets a clock that jumps.
func tormented() {
	var after atomic.Int64
	n, _ := strconv.ParseInt(os.Getenv(deathAfter), 10, 64)
	after.Store(n)
	adjust := func(c *store.Config) {
		c.Reached = func(p database.Point) {
			if string(p) == os.Getenv(deathPoint) && after.Add(-1) < 0 {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
		if file := os.Getenv(clockOffset); file != "" {
			c.Now = func() time.Time {
				text, _ := os.ReadFile(file)
				s, _ := strconv.ParseInt(string(text), 10, 64)
				return time.Now().Add(time.Duration(s) * time.Second)
			}
		}
	}
	if err := torment(os.Args[1:], adjust); err != nil {
		fmt.Fprintln(os.Stderr, "bawab: error:", err)
		os.Exit(command.ExitFailed)
	}
}

// torment is serve, or a restore, with another store.
func torment(args []string, adjust func(*store.Config)) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if args[0] == "restore" {
		c := store.Config{Dir: args[1]}
		adjust(&c)
		_, err := offline.Restore(ctx, c.Folder(), args[2], "")
		return err
	}
	load := func() (*configs.Config, error) {
		return configs.Load(configs.Sources{Environ: os.Environ(), Flags: map[string]string{"listen": args[2], "data": args[4]}})
	}
	return daemon.Serve(ctx, daemon.Process{
		Version: version, Environ: append(os.Environ(), "container=test"), // so that it makes no key of its own
		Out: io.Discard, Errs: os.Stderr, Load: load, AdjustStore: adjust,
	})
}

// killedAtRandom kills the daemon at any moment of its work.
func killedAtRandom(c *tortureCase) {
	v := c.victim(c.TempDir())
	v.start()
	for c.more(2) {
		stop := v.load(4)
		before := len(v.acked.all())
		appliancetest.Until(c.T, patience, "it works", func() bool { return len(v.acked.all()) > before })
		c.pause(time.Duration(c.rng.IntN(200)) * time.Millisecond)
		v.kill()
		stop()
		c.recovered(v.start())
		v.check(v.acked.all())
		c.row.runs++
	}
	v.stop()
	c.row.note = fmt.Sprintf("%d transactions", len(v.acked.all()))
}

// pause lets time pass, for a moment that must be any.
func (c *tortureCase) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-c.Context().Done():
	}
}

// killedAtPoints kills the daemon at each point of its store's write path, and a restore at its own.
func killedAtPoints(c *tortureCase) {
	v := c.victim(c.TempDir())
	v.start()
	honest, met := v.program, map[database.Point]bool{}
	points := database.Points()
	if !c.long {
		points = []database.Point{database.PointCommitted, database.PointErased, database.PointSwitched}
	}
	for i := 0; c.more(len(points)); i++ {
		p := points[i%len(points)]
		for range 5 {
			if r, err := v.record(); err != nil || r.Status != 200 {
				c.Fatalf("got %+v, %v", r, err)
			}
		}
		acked := v.acked.all()
		v.kill()
		v.program = []string{"bawab-tormented"}
		environ := v.environ
		v.environ = append(slices.Clone(environ), deathPoint+"="+string(p), deathAfter+"="+strconv.Itoa(c.passes(p)))
		v.driveTo(p)
		if !met[p] && v.died() && v.cmd.ProcessState.ExitCode() == -1 {
			met[p] = true
		}
		v.kill()
		v.program, v.environ = honest, environ
		c.recovered(v.start())
		v.check(acked)
		c.row.runs++
	}
	for _, p := range points {
		if !met[p] {
			c.Errorf("the daemon was not killed at %q", p)
		}
	}
	v.stop()
	c.row.note = fmt.Sprintf("%d points", len(met))
}

// passes is how often the daemon may pass a point: a start commits, too, and is to succeed.
func (c *tortureCase) passes(p database.Point) int {
	if p != database.PointCommitted {
		return 0
	}
	return 20 + c.rng.IntN(20)
}

// driveTo starts the tormented daemon and makes it do what reaches a point; it has died then.
func (v *victim) driveTo(p database.Point) {
	v.c.Helper()
	kind, _, _ := strings.Cut(string(p), ":")
	backup := filepath.Join(v.c.TempDir(), "backup")
	if kind == "restore" {
		v.driveRestore(backup)
		return
	}
	if v.try() == 0 {
		return // it is a point of every start
	}
	client, err := control.Dial(v.dir)
	for deadline := time.Now().Add(patience); err != nil && time.Now().Before(deadline); {
		client, err = control.Dial(v.dir)
	}
	if err != nil {
		v.c.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(v.c.Context(), patience)
	defer cancel()
	switch kind {
	case "commit":
		stop := v.load(3)
		defer stop()
	case "erase":
		r, err := v.post(appliance.EndpointGeneral, map[string]any{"image": string(v.c.blank)}) // no promise is made about this one
		if id, ok := r.Data["transaction_id"].(string); ok && err == nil {
			_, _ = client.EraseTransaction(ctx, id) // it dies under it
		}
	case "rotate":
		_, _ = client.RotateKey(ctx, nil)
	case "compact":
		_, _ = client.CompactStore(ctx)
	case "backup":
		if f, err := os.Create(backup); err == nil {
			_, _ = client.BackupStore(ctx, f)
			f.Close()
		}
	}
	select {
	case <-v.ended:
	case <-ctx.Done():
		v.c.Errorf("%s was not reached", p)
	}
}

// driveRestore makes a backup and restores it, to die on the way.
func (v *victim) driveRestore(backup string) {
	v.c.Helper()
	if out, err := exec.Command("bawab", "store", "backup", backup, "--data", v.dir).CombinedOutput(); err != nil {
		v.c.Fatalf("back up: %v\n%s", err, out)
	}
	v.execute("restore", v.dir, backup)
	<-v.ended
}

// powerCut cuts the power under the daemon: another one starts on what the disk may then hold.
func powerCut(c *tortureCase) {
	disk := c.faultDisk()
	v := c.victim(disk.Dir)
	v.start()
	stop := v.load(3)
	scratch := c.TempDir()
	last := disk.Syncs()
	for c.more(2) {
		appliancetest.Until(c.T, patience, "the daemon goes on", func() bool { return disk.Syncs() > last+c.rng.IntN(40) })
		dir := filepath.Join(scratch, fmt.Sprint(c.row.runs))
		if err := os.Mkdir(dir, 0o700); err != nil {
			c.Fatal(err)
		}
		var acked []string
		if err := disk.Survivors(c.rng, dir, func() { acked = v.acked.all() }); err != nil {
			c.Fatal(err)
		}
		last = disk.Syncs()
		pause(v, syscall.SIGSTOP) // with the power on, another daemon would not have to share the machine
		after := *v
		after.dir, after.listen = dir, c.freePort()
		after.acked = new(ledger)
		c.recovered(after.start())
		after.check(acked)
		after.kill()
		pause(v, syscall.SIGCONT)
		if err := os.RemoveAll(dir); err != nil {
			c.Fatal(err)
		}
		c.row.runs++
	}
	stop()
	v.stop()
	c.row.note = fmt.Sprintf("%d transactions", len(v.acked.all()))
}

// pause stops the daemon for a while, or lets it go on.
func pause(v *victim, sig syscall.Signal) {
	v.c.Helper()
	if err := v.cmd.Process.Signal(sig); err != nil {
		v.c.Fatal(err)
	}
}

// faultDisk mounts a disk that loses what was not synced and fails on demand.
func (c *tortureCase) faultDisk() *faultdisk.Disk {
	c.Helper()
	dir, backing := filepath.Join(c.TempDir(), "disk"), c.TempDir()
	if err := os.Mkdir(dir, 0o700); err != nil {
		c.Fatal(err)
	}
	d, err := faultdisk.Mount(dir, backing)
	if err != nil {
		c.skip("no FUSE here (%v)", err)
	}
	c.Cleanup(func() {
		if err := d.Close(); err != nil {
			c.Errorf("unmount: %v", err)
		}
	})
	return d
}
