package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// powerCut is what a disk may hold when the power fails between two moments whose content is known, where nothing was
// synced in between: of every sector that differs, the old content or the new.
func powerCut(rng *rand.Rand, before, after []byte, keep func(page int) bool) []byte {
	const sector = 512
	size := len(before)
	if rng.IntN(2) == 0 {
		size = len(after)
	}
	out := make([]byte, size)
	copy(out, before)
	whole := rng.IntN(3) // none but torn ones, about half, nearly all
	for at := 0; at < min(size, len(after)); at += sector {
		end := min(at+sector, size, len(after))
		if !keep(at/specimenPage) || rng.IntN(4) > whole+1 {
			continue
		}
		copy(out[at:end], after[at:end])
	}
	return out
}

// moments runs work on a filled store and returns what the file held before it, at each point that it reached, and after.
func moments(t *testing.T, cfg Config, work func(*Store)) [][]byte {
	t.Helper()
	var all [][]byte
	look := func() {
		b, err := os.ReadFile(cfg.Folder().Path())
		must(t, err)
		all = append(all, b)
	}
	s := New(cfg)
	must(t, s.Open(t.Context()))
	look()
	s.cfg.Reached = func(database.Point) { look() }
	work(s)
	s.cfg.Reached = nil
	look()
	must(t, s.Close())
	return all
}

// A power cut in the middle of a commit or of an overwriting, whatever part of the unsynced sectors reached the disk, loses
// nothing that was acknowledged before, shows the interrupted write whole or not at all, and leaves nothing of what was
// erased.
func TestPowerCut(t *testing.T) {
	heads := func(page int) bool { return page > 1 }
	for name, work := range map[string]func(*Store){
		"append":  func(s *Store) { must(t, s.Append(t.Context(), numbered(3), appliancetest.SampleRecord(8))) },
		"renew":   func(s *Store) { must(t, s.Renew(t.Context(), numbered(3))) },
		"attempt": func(s *Store) { must(t, s.Attempt(t.Context(), numbered(3), 1)) },
		"erase":   func(s *Store) { must(t, s.Erase(t.Context(), numbered(0))) },
		"grow": func(s *Store) {
			big := appliancetest.SampleRecord(1)
			big.RequestID = string(bytes.Repeat([]byte("x"), 3<<19))
			must(t, s.Append(t.Context(), numbered(3), big))
		},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6))
			clock := appliancetest.NewClock()
			cfg := Config{Dir: memoryFolder(t), Now: clock.Now}
			must(t, openedAndFilled(t, cfg, 12).Close())
			must(t, New(cfg).openAndClose(t)) // free pages are zero from here on
			all := moments(t, cfg, work)
			id, err := seal.ParseID(numbered(0))
			must(t, err)
			secret := wrappedIn(t, all[0], id)
			before, after := 0, 0
			for i := range 40 {
				step := rng.IntN(len(all) - 1)
				a, b := all[step], all[step+1]
				var disk []byte
				switch {
				case step == 0 && i%3 == 0: // between the sync of the pages and that of the head
					disk = slices.Clone(b)
					copy(disk[:2*specimenPage], a)
				case step == 0:
					disk = powerCut(rng, a, b, heads)
				default:
					disk = powerCut(rng, a, b, func(int) bool { return true })
				}
				write(t, cfg.Folder().Path(), disk)
				s := New(cfg)
				must(t, s.Open(t.Context()))
				for n := range 12 {
					got, err := s.Transaction(t.Context(), numbered(n))
					switch {
					case n == 0 && appliance.CodeOf(err) == appliance.CodeTransactionExpired:
						after++
					case err != nil:
						t.Fatalf("cut %d after moment %d: transaction %d: %v", i, step, n, err)
					case n == 3 && len(got.Records) == 2:
						after++
					case len(got.Records) != 1:
						t.Fatalf("transaction %d has %d records", n, len(got.Records))
					case n == 3:
						before++
					}
				}
				if _, err := s.Transaction(t.Context(), numbered(0)); err != nil && fileHolds(t, cfg, secret) {
					t.Fatal("the erased key is still in the file")
				}
				must(t, s.Close())
				wantCheck(t, cfg)
			}
			t.Logf("%d moments; the write was absent %d times and there %d times", len(all), before, after)
			if before == 0 || name == "erase" && after == 0 {
				t.Error("the cuts did not do their work")
			}
		})
	}
}

func (s *Store) openAndClose(t *testing.T) error { return errors.Join(s.Open(t.Context()), s.Close()) }

// wrappedIn reads a transaction's wrapped key from a copy of a file.
func wrappedIn(t *testing.T, file []byte, id seal.ID) []byte {
	t.Helper()
	h, err := seal.ParseHeader(entriesOf(t, file, "transactions")[string(id[:])])
	must(t, err)
	return h.Wrapped
}

// failDisk makes every write and sync through bbolt's handle fail from now on, with EIO, until the file is opened again.
func failDisk(t *testing.T, s *Store) {
	t.Helper()
	bad, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("cannot make a disk fail here: %v", err)
	}
	defer bad.Close()
	must(t, syscall.Dup3(int(bad.Fd()), handleOf(t, s.folder().Path()), syscall.O_CLOEXEC))
}

// handleOf returns the descriptor by which this process has a file open.
func handleOf(t *testing.T, path string) int {
	t.Helper()
	const own = "/proc/self/fd"
	entries, err := os.ReadDir(own)
	must(t, err)
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join(own, e.Name())); err == nil && target == path {
			fd, err := strconv.Atoi(e.Name())
			must(t, err)
			return fd
		}
	}
	t.Fatalf("%s is not open", path)
	return -1
}

// A disk that fails to write is answered as unavailable and shows in the health, whatever was to be written; nothing that
// was acknowledged is lost, and when the disk works again so does the store.
func TestWriteFails(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 30)
	for i := 10; i < 30; i++ { // free pages, so that no write has to ask the failing disk for its size
		must(t, s.Erase(t.Context(), numbered(i)))
	}
	id := numbered(0)
	for name, do := range map[string]func() error{
		"append":  func() error { return s.Append(t.Context(), id, appliancetest.SampleRecord(1)) },
		"renew":   func() error { return s.Renew(t.Context(), id) },
		"attempt": func() error { return s.Attempt(t.Context(), id, 99) },
		"erase":   func() error { return s.Erase(t.Context(), id) },
		"key":     func() error { return s.AddKey(t.Context(), appliancetest.SampleKey("new")) },
		"sweep":   func() error { _, err := s.Sweep(t.Context()); return err },
		"rotate":  func() error { _, err := s.RotateKey(t.Context(), nil); return err },
	} {
		failDisk(t, s)
		err := do()
		if appliance.CodeOf(err) != appliance.CodeUnavailable || !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", name, err)
		}
		if s.Healthy() == nil && name != "rotate" {
			t.Errorf("%s: healthy", name)
		}
		must(t, s.Append(t.Context(), numbered(5), appliancetest.SampleRecord(1))) // the disk works again
		if s.Healthy() != nil {
			t.Errorf("after %s: %v", name, s.Healthy())
		}
		wantFilled(t, s, 10)
	}
	must(t, s.Close())
	wantSound(t, cfg)
}
