package store

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

const childFolder = "BAWAB_STORE_TEST_FOLDER"

// TestKilledChild is no test of its own: it is what TestKill9 starts and kills. It writes as fast as it can and says on
// standard output what was acknowledged.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		t.Skip("started by TestKill9 only")
	}
	s := New(Config{Dir: dir})
	must(t, s.Open(t.Context()))
	say := func(format string, args ...any) { fmt.Fprintf(os.Stdout, "ack "+format+"\n", args...) }
	say("open")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				id := appliance.NewGUID()
				for n := range 3 {
					must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(n)))
					say("append %s %d", id, n+1)
				}
				if i%3 == w%3 {
					say("erasing %s 0", id)
					must(t, s.Erase(t.Context(), id))
					say("erased %s 0", id)
				}
			}
		})
	}
	wg.Wait()
}

// A process killed at any moment loses nothing that it had acknowledged: each record is there, each erased
// transaction is gone, and the file is sound.
func TestKill9(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
	want := map[string]int{} // id to acknowledged records, -1 erased, -2 perhaps erased
	rng := rand.New(rand.NewPCG(3, 4))
	for range rounds {
		killDuringWrites(t, cfg.Dir, 1+rng.IntN(120), want)
		wantSound(t, cfg)
		s := New(cfg)
		must(t, s.Open(t.Context()))
		for id, n := range want {
			got, err := s.Transaction(t.Context(), id)
			switch {
			case n >= 0 && (err != nil || len(got.Records) < n):
				t.Fatalf("transaction %s: %v, want %d records", id, err, n)
			case n == -1 && appliance.CodeOf(err) != appliance.CodeTransactionExpired:
				t.Fatalf("erased transaction %s: %v", id, err)
			}
		}
		must(t, s.Close())
	}
	t.Logf("%d rounds, %d transactions", rounds, len(want))
	if len(want) < 10*rounds {
		t.Error("too few writes to prove anything")
	}
}

// killDuringWrites runs the child, kills it after a number of acknowledgements, and adds to what it acknowledged.
func killDuringWrites(t *testing.T, dir string, acks int, want map[string]int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), childFolder+"="+dir)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if n == acks {
			must(t, child.Process.Kill())
		}
		var what, id string
		var records int
		if k, _ := fmt.Sscanf(lines.Text(), "ack %s %s %d", &what, &id, &records); k != 3 {
			if lines.Text() != "ack open" {
				t.Errorf("the child said %q", lines.Text())
			}
			continue
		}
		switch what {
		case "append":
			want[id] = records
		case "erasing":
			want[id] = -2
		case "erased":
			want[id] = -1
		}
	}
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the child ended by itself: %v", err)
	}
}

// smallDisk mounts a disk of a few megabytes.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	must(t, os.Mkdir(dir, 0o700))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", bytes)); err != nil {
		t.Skipf("cannot mount a small disk here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return dir
}

// On a full disk every write is answered as unavailable, what was acknowledged stays, reading and erasing go on, and
// as soon as there is room the store works again by itself.
func TestFullDisk(t *testing.T) {
	disk := smallDisk(t, 3<<20)
	ballast := filepath.Join(disk, "ballast")
	write(t, ballast, make([]byte, 1<<20))
	cfg := Config{Dir: filepath.Join(disk, "data")}
	s := openedStore(t, cfg)
	var acknowledged []string
	appendUntilFull := func() {
		t.Helper()
		for i := 0; i < 10000; i++ {
			id := appliance.NewGUID()
			err := s.Append(t.Context(), id, appliancetest.SampleRecord(i))
			if err == nil {
				acknowledged = append(acknowledged, id)
				continue
			}
			wantError(t, err, "full", "room")
			if appliance.CodeOf(err) != appliance.CodeUnavailable || s.Healthy() == nil {
				t.Errorf("code %d, healthy: %v", appliance.CodeOf(err), s.Healthy())
			}
			return
		}
		t.Fatal("the disk never filled up")
	}
	wantAll := func() {
		t.Helper()
		for _, id := range acknowledged {
			if got, err := s.Transaction(t.Context(), id); err != nil || len(got.Records) != 1 {
				t.Fatalf("acknowledged transaction %s: %v", id, err)
			}
		}
		if r, err := s.Check(t.Context()); err != nil || !r.OK() || r.Transactions < len(acknowledged) {
			t.Fatalf("check: %+v, %v, want %d transactions", r, err, len(acknowledged))
		}
	}
	appendUntilFull()
	before := len(acknowledged)
	for range 20 {
		appendUntilFull() // again and again at the limit
		wantAll()
	}
	if before < 50 {
		t.Errorf("only %d transactions before the disk was full", before)
	}
	for range 10 {
		must(t, s.Erase(t.Context(), acknowledged[0]))
		acknowledged = acknowledged[1:]
	}
	wantAll()
	must(t, os.Remove(ballast))
	if err := os.WriteFile(ballast, make([]byte, 3<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("others left room on the disk: %v", err)
	}
	for range 20 { // with no byte free
		must(t, s.Erase(t.Context(), acknowledged[0]))
		acknowledged = acknowledged[1:]
	}
	wantError(t, s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)), "full", "room")
	wantAll()
	must(t, os.Remove(ballast))
	if _, err := s.Sweep(t.Context()); err != nil || s.Healthy() != nil {
		t.Errorf("sweep after room was made: %v, healthy: %v", err, s.Healthy())
	}
	id := appliance.NewGUID()
	must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	acknowledged = append(acknowledged, id)
	wantAll()
}

// A disk without room for the first file, and one that is read-only, are refused plainly.
func TestUnwritableDisk(t *testing.T) {
	disk := smallDisk(t, 3<<20)
	write(t, filepath.Join(disk, "ballast"), make([]byte, 3<<20))
	wantError(t, New(Config{Dir: filepath.Join(disk, "data")}).Open(t.Context()), "data folder")
	must(t, os.Remove(filepath.Join(disk, "ballast")))

	cfg := Config{Dir: filepath.Join(disk, "data")}
	must(t, openedAndFilled(t, cfg, 3).Close())
	must(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	wantError(t, New(cfg).Open(t.Context()), "read-only", "writable")
	wantError(t, New(Config{Dir: filepath.Join(disk, "other")}).Open(t.Context()), "read-only", "writable")
	must(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""))
	openedStore(t, cfg)
}

// A file that is cut or spoiled under a running store makes its calls fail, not the process; when the file is whole
// again the store goes on.
func TestSpoiledWhileOpen(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 200)
	defer s.Close()
	whole, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	f, err := os.OpenFile(cfg.Folder().Path(), os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	must(t, f.Truncate(2*specimenPage))
	failed := 0
	for i := range 200 {
		if _, err := s.Transaction(t.Context(), numbered(i)); err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("reads from a cut file succeeded")
	}
	for range 3 {
		if err := s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(1)); appliance.CodeOf(err) != appliance.CodeUnavailable {
			t.Errorf("append: %v", err)
		}
	}
	if err := s.Healthy(); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("healthy: %v", err)
	}
	_, err = f.WriteAt(whole, 0)
	must(t, err)
	must(t, s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(1)))
	if got, err := s.Transaction(t.Context(), numbered(1)); err != nil || len(got.Records) != 2 || s.Healthy() != nil {
		t.Errorf("after the file was put back: %v, healthy: %v", err, s.Healthy())
	}
}
