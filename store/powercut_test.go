package store

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/faultdisk"
)

// faultDisk mounts a disk that loses what was not synced.
func faultDisk(t *testing.T) *faultdisk.Disk {
	t.Helper()
	dir, backing := filepath.Join(t.TempDir(), "disk"), memoryFolder(t)
	must(t, os.Mkdir(dir, 0o700))
	d, err := faultdisk.Mount(dir, backing)
	if err != nil {
		t.Skipf("no FUSE for this test here: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return d
}

// TestDiskChild is no test of its own: it works on a disk until it is killed, and says what was acknowledged.
func TestDiskChild(t *testing.T) {
	dir := os.Getenv("BAWAB_STORE_TEST_DISK")
	if dir == "" {
		t.Skip("started by TestPowerLost and TestDiskFails only")
	}
	s := New(Config{Dir: dir})
	must(t, s.Open(t.Context()))
	say := func(format string, args ...any) { fmt.Fprintf(os.Stdout, "ack "+format+"\n", args...) }
	for i := 0; ; i++ {
		id := appliance.NewGUID()
		for n := range 2 {
			err := s.Append(t.Context(), id, appliancetest.SampleRecord(n))
			if appliance.CodeOf(err) == appliance.CodeUnavailable {
				say("refused %s 0", id)
				break
			}
			must(t, err)
			say("append %s %d", id, n+1)
		}
		count := []byte(strconv.Itoa(i))
		if err := s.KeepDrift(t.Context(), map[string][]byte{"state": count, "day 2026-11-02": count}, nil); appliance.CodeOf(
			err,
		) != appliance.CodeUnavailable {
			must(t, err)
		}
		if i%2 == 0 {
			say("erasing %s 0", id)
			if s.Erase(t.Context(), id) == nil {
				say("erased %s 0", id)
			}
		}
		if i%10 == 5 {
			_, err := s.RotateKey(t.Context(), nil)
			say("rotated %v 0", err == nil)
		}
		if i%10 == 9 {
			_, err := s.Compact(t.Context())
			say("compacted %v 0", err == nil)
		}
	}
}

// worker is a child at work and what it has acknowledged so far: records by id, -1 for erased, -2 for perhaps erased.
type worker struct {
	cmd  *exec.Cmd
	done chan struct{}

	mu    sync.Mutex
	acked map[string]int
	count map[string]int
}

func startWorker(t *testing.T, dir string) *worker {
	t.Helper()
	w := &worker{
		cmd:   exec.Command(os.Args[0], "-test.run=^TestDiskChild$"),
		done:  make(chan struct{}),
		acked: map[string]int{},
		count: map[string]int{},
	}
	w.cmd.Env = append(os.Environ(), "BAWAB_STORE_TEST_DISK="+dir)
	out, err := w.cmd.StdoutPipe()
	must(t, err)
	must(t, w.cmd.Start())
	go func() {
		defer close(w.done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var what, id string
			var n int
			if k, _ := fmt.Sscanf(lines.Text(), "ack %s %s %d", &what, &id, &n); k != 3 {
				t.Errorf("the child said %q", lines.Text())
				continue
			}
			w.mu.Lock()
			w.count[what]++
			switch what {
			case "append":
				w.acked[id] = n
			case "erasing":
				w.acked[id] = -2
			case "erased":
				w.acked[id] = -1
			}
			w.mu.Unlock()
		}
	}()
	return w
}

// stop kills the child.
func (w *worker) stop(t *testing.T) {
	t.Helper()
	must(t, w.cmd.Process.Kill())
	<-w.done
	var exit *exec.ExitError
	if err := w.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Errorf("the child ended by itself: %v", err)
	}
}

func (w *worker) soFar() (acked, count map[string]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.acked), maps.Clone(w.count)
}

// Whenever the power fails, and whatever part of what was not synced has reached the disk, the store opens, holds every
// record that was acknowledged and no transaction that was erased, is sound, and has its key: in the middle of commits,
// erasures, changes of the appliance key and compactions alike.
func TestPowerLost(t *testing.T) {
	cuts := 60
	if testing.Short() {
		cuts = 15
	}
	disk := faultDisk(t)
	w := startWorker(t, disk.Dir)
	defer w.stop(t)
	rng, scratch := rand.New(rand.NewPCG(8, 9)), memoryFolder(t)
	last := 0
	worked := func() bool {
		acked, n := w.soFar()
		return len(acked) >= cuts && n["rotated"] > 0 && n["compacted"] > 0
	}
	for cut := 0; cut < cuts || cut < 10*cuts && !worked(); cut++ {
		until(t, "the child goes on", func() bool { return disk.Syncs() > last+rng.IntN(40) })
		cfg := Config{Dir: filepath.Join(scratch, fmt.Sprint(cut))}
		must(t, os.Mkdir(cfg.Dir, 0o700))
		var acked map[string]int
		must(t, disk.Survivors(rng, cfg.Dir, func() { acked, _ = w.soFar() }))
		last = disk.Syncs()
		if len(acked) == 0 {
			continue
		}
		s := New(cfg)
		if err := s.Open(t.Context()); err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		for id, n := range acked {
			got, err := s.Transaction(t.Context(), id)
			switch {
			case n >= 0 && appliance.CodeOf(err) == appliance.CodeTransactionExpired:
				until(t, "the child says that it was about to erase it", func() bool { now, _ := w.soFar(); return now[id] < 0 })
			case n >= 0 && (err != nil || len(got.Records) < n):
				t.Fatalf("cut %d: transaction %s: %v, want %d records", cut, id, err, n)
			case n == -1 && appliance.CodeOf(err) != appliance.CodeTransactionExpired:
				t.Fatalf("cut %d: erased transaction %s: %v", cut, id, err)
			}
		}
		if kept, err := s.Drift(t.Context()); err != nil || string(kept["state"]) != string(kept["day 2026-11-02"]) {
			t.Fatalf("cut %d: of the counts one half is kept: %q, %v", cut, kept, err)
		}
		must(t, s.Close())
		wantSound(t, cfg)
		wantOneFile(t, cfg)
		must(t, os.RemoveAll(cfg.Dir))
	}
	acked, count := w.soFar()
	t.Logf("%d transactions, %v", len(acked), count)
	if !worked() {
		t.Error("too little work to prove anything")
	}
}

// A disk that fails to write, to sync or to read, or is full, for a while loses nothing that was acknowledged, and the
// store goes on when it works again.
func TestDiskFails(t *testing.T) {
	disk := faultDisk(t)
	w := startWorker(t, disk.Dir)
	defer w.stop(t)
	rounds := 0
	for _, f := range []struct {
		operation faultdisk.Operation
		errno     syscall.Errno
	}{
		{faultdisk.Write, syscall.EIO},
		{faultdisk.Sync, syscall.EIO},
		{faultdisk.Write, syscall.ENOSPC},
		{faultdisk.Read, syscall.EIO},
		{faultdisk.Write, syscall.EROFS},
	} {
		appends := func() int { _, n := w.soFar(); return n["append"] }
		refused := func() int { _, n := w.soFar(); return n["refused"] }
		before := appends()
		until(t, "the child works", func() bool { return appends() > before+3 })
		was := refused()
		disk.Fail(f.operation, f.errno)
		if f.operation != faultdisk.Read { // what is read lies in memory mostly
			until(t, "a write is refused", func() bool { return refused() > was })
		}
		disk.Fail(f.operation, 0)
		before = appends()
		until(t, "the child works again", func() bool { return appends() > before+3 })
		rounds++
	}
	cfg := Config{Dir: filepath.Join(memoryFolder(t), "data")}
	must(t, os.Mkdir(cfg.Dir, 0o700))
	var acked map[string]int
	must(t, disk.Survivors(rand.New(rand.NewPCG(1, 1)), cfg.Dir, func() { acked, _ = w.soFar() }))
	s := openedStore(t, cfg)
	for id, n := range acked {
		got, err := s.Transaction(t.Context(), id)
		if n >= 0 && appliance.CodeOf(err) == appliance.CodeTransactionExpired {
			until(t, "the child says that it was about to erase it", func() bool { now, _ := w.soFar(); return now[id] < 0 })
			continue
		}
		if n >= 0 && (err != nil || len(got.Records) < n) || n == -1 && appliance.CodeOf(err) != appliance.CodeTransactionExpired {
			t.Errorf("transaction %s: %v, want %d", id, err, n)
		}
	}
	t.Logf("%d kinds of failure, %d transactions", rounds, len(acked))
}
