package store

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
	"github.com/google/go-cmp/cmp"
)

// A backup that is taken while many write is a sound database of one moment: every transaction in it has all the records
// that it had then, it is private, and nothing in it is in clear.
func TestBackupUnderLoad(t *testing.T) {
	s := openedAndFilled(t, Config{Dir: t.TempDir()}, 40)
	defer s.Close()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	end := sync.OnceFunc(func() {
		close(stop)
		wg.Wait()
	})
	defer end()
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				id := appliance.NewGUID()
				for n := range 2 {
					if err := s.Append(t.Context(), id, appliancetest.SampleRecord(n)); err != nil {
						t.Errorf("append: %v", err)
					}
				}
				if err := s.Renew(t.Context(), numbered(i%40)); err != nil {
					t.Errorf("renew: %v", err)
				}
				if i%2 == w%2 {
					if err := s.Erase(t.Context(), id); err != nil {
						t.Errorf("erase: %v", err)
					}
				}
			}
		})
	}
	for n := range 3 {
		path := filepath.Join(t.TempDir(), "saved")
		r, err := s.Backup(t.Context(), path)
		if err != nil || r.Transactions < 40 || r.Records < r.Transactions || r.Keys != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 || info.Size() != r.Bytes {
			t.Errorf("%v, %v", info, err)
		}
		b, err := os.ReadFile(path)
		must(t, err)
		if bytes.Contains(b, []byte("EL-MASRY")) || bytes.Contains(b, []byte("passport")) {
			t.Error("the backup holds something in clear")
		}
		again, err := database.CheckFile(t.Context(), path, s.db.Key())
		if err != nil || !again.OK() || again.Transactions != r.Transactions {
			t.Errorf("backup %d: %+v, %v", n, again, err)
		}
		if _, err := s.Backup(t.Context(), path); appliance.CodeOf(err) != appliance.CodeBadRequest {
			t.Errorf("over a file that is there: %v", err)
		}
	}
	end()
	_, err := s.Backup(t.Context(), filepath.Join(t.TempDir(), "no folder", "saved"))
	wantError(t, err, "could not be made")
}

// What is dropped of a backup on its way is overwritten first.
func TestDropBackup(t *testing.T) {
	s := openedAndFilled(t, Config{Dir: t.TempDir()}, 5)
	defer s.Close()
	r, err := s.Backup(t.Context(), s.BackupPath())
	must(t, err)
	f, err := os.Open(s.BackupPath())
	must(t, err)
	defer f.Close()
	must(t, s.DropBackup())
	b := make([]byte, r.Bytes)
	if _, err := f.ReadAt(b, 0); err != nil || len(bytes.Trim(b, "\x00")) != 0 {
		t.Errorf("it was not overwritten: %v", err)
	}
	wantOneFile(t, s.cfg)
	must(t, s.DropBackup())
}

// A disk without room for the backup is told so, and nothing is left on it.
func TestBackupFullDisk(t *testing.T) {
	s := openedAndFilled(t, Config{Dir: t.TempDir()}, 20)
	disk := smallDisk(t, 16<<10)
	_, err := s.Backup(t.Context(), filepath.Join(disk, "saved"))
	wantError(t, err, "no room for the backup")
	if entries, err := os.ReadDir(disk); err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	wantFilled(t, s, 20)
}

// backedUp returns a folder that was filled, backed up and then changed: 0 erased, 1 renewed, one key revoked, one
// transaction and one key added.
func backedUp(t *testing.T, clock *appliancetest.Clock) (cfg Config, backup string, wrapped map[seal.ID][]byte) {
	t.Helper()
	cfg = Config{Dir: filepath.Join(t.TempDir(), "data"), Now: clock.Now, TTL: appliancetest.TTL}
	backup = filepath.Join(t.TempDir(), "saved")
	s := openedAndFilled(t, cfg, 10)
	must(t, s.AddKey(t.Context(), appliancetest.SampleKey("revoked")))
	_, err := s.Backup(t.Context(), backup)
	must(t, err)
	wrapped = wrappedKeysOf(t, s)
	must(t, s.Erase(t.Context(), numbered(0)))
	must(t, s.RevokeKey(t.Context(), "revoked"))
	must(t, s.Append(t.Context(), numbered(100), appliancetest.SampleRecord(1)))
	must(t, s.AddKey(t.Context(), appliancetest.SampleKey("added")))
	must(t, s.Close())
	return cfg, backup, wrapped
}

// A restore brings back what the backup holds, but neither what was erased since nor what has ended since; it names the
// keys that may have been revoked, and leaves no copy of anything behind.
func TestRestore(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": 0, "when all has ended": appliancetest.TTL} {
		t.Run(name, func(t *testing.T) {
			clock := appliancetest.NewClock()
			cfg, backup, wrapped := backedUp(t, clock)
			clock.Advance(after)
			r, err := offline.Restore(t.Context(), cfg.Folder(), backup, "")
			must(t, err)
			want := offline.RestoreReport{
				Transactions: 9, Records: 9, Ended: 1, Keys: []string{"revoked", "till"}, Returned: []string{"revoked"},
			}
			if after > 0 {
				want.Transactions, want.Records, want.Ended = 0, 0, 10
			}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Error(diff)
			}
			wantOneFile(t, cfg)
			s := openedStore(t, cfg)
			for i := range 10 {
				got, err := s.Transaction(t.Context(), numbered(i))
				ended := i == 0 || after > 0
				if ended && appliance.CodeOf(err) != appliance.CodeTransactionExpired || !ended && (err != nil || len(got.Records) != 1) {
					t.Errorf("transaction %d: %v", i, err)
				}
				if id, _ := seal.ParseID(numbered(i)); ended && fileHolds(t, cfg, wrapped[id]) {
					t.Errorf("the key of transaction %d, which has ended, came back", i)
				}
			}
			if _, err := s.Transaction(t.Context(), numbered(100)); appliance.CodeOf(err) != appliance.CodeTransactionUnknown {
				t.Errorf("what came after the backup: %v", err)
			}
		})
	}
}

// A backup opens on another machine and after a change of the appliance key, where its own key is named, and is sealed
// with the key of that machine from then on.
func TestRestoreWithOtherKey(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg, backup, _ := backedUp(t, clock)
	key := filepath.Join(t.TempDir(), "old.key")
	raw, err := os.ReadFile(cfg.Folder().KeyPath())
	must(t, err)
	write(t, key, raw)
	for _, name := range []string{"rotated", "another machine"} {
		if name == "rotated" {
			s := openedStore(t, cfg)
			_, err := s.RotateKey(t.Context(), nil)
			must(t, err)
			must(t, s.Close())
		} else {
			cfg.Dir = filepath.Join(t.TempDir(), "data")
		}
		before := ""
		if name == "rotated" {
			before = listing(t, cfg.Dir)
		}
		_, err := offline.Restore(t.Context(), cfg.Folder(), backup, "")
		wantError(t, err, "key", "--key")
		if name == "rotated" && listing(t, cfg.Dir) != before {
			t.Error("a refused restore changed the folder")
		}
		must(t, os.Chmod(key, 0o644))
		_, err = offline.Restore(t.Context(), cfg.Folder(), backup, key)
		wantError(t, err, "key of the backup cannot be used")
		must(t, os.Chmod(key, 0o600))
		r, err := offline.Restore(t.Context(), cfg.Folder(), backup, key)
		want := 10
		if name == "rotated" {
			want = 9 // one is known to be erased
		}
		if err != nil || r.Transactions != want || r.NewIdentity || r.Unread {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		s := openedStore(t, cfg)
		if got, err := s.Transaction(t.Context(), numbered(5)); err != nil || len(got.Records) != 1 {
			t.Errorf("%s: %v", name, err)
		}
		must(t, s.Close())
	}
}

// A backup that is damaged, cut, no backup or missing is refused before anything is changed, whatever is wrong with it.
func TestRestoreRefuses(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg, backup, _ := backedUp(t, clock)
	whole, err := os.ReadFile(backup)
	must(t, err)
	before := listing(t, cfg.Dir)
	bad := map[string][]byte{"empty": {}, "no database": bytes.Repeat([]byte("text"), 9000), "cut": whole[:len(whole)/2]}
	for i := range 12 {
		spoiled := slices.Clone(whole)
		at := (i + 1) * len(whole) / 13
		for at < len(spoiled) && spoiled[at] == 0 {
			at++
		}
		spoiled[min(at, len(spoiled)-1)] ^= 0x20
		bad["bit at "+string(rune('a'+i))] = spoiled
	}
	refused := 0
	for name, content := range bad {
		path := filepath.Join(t.TempDir(), "spoiled")
		write(t, path, content)
		_, err := offline.Restore(t.Context(), cfg.Folder(), path, "")
		if err == nil { // the bit lay in a page that holds nothing
			before = listing(t, cfg.Dir)
			continue
		}
		refused++
		wantError(t, err, "backup")
		if listing(t, cfg.Dir) != before {
			t.Errorf("%s: the folder was changed", name)
		}
	}
	if refused < 8 {
		t.Errorf("%d of %d refused", refused, len(bad))
	}
	_, err = offline.Restore(t.Context(), cfg.Folder(), filepath.Join(t.TempDir(), "missing"), "")
	wantError(t, err, "cannot be read")
	s := openedStore(t, cfg)
	_, err = offline.Restore(t.Context(), cfg.Folder(), backup, "")
	wantError(t, err, "another bawab uses this data folder")
	must(t, s.Close())
}

// Where the present database cannot be read, a backup takes its place all the same, and says what it could not know.
func TestRestoreOverDamage(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg, backup, _ := backedUp(t, clock)
	must(t, os.Truncate(cfg.Folder().Path(), 5000))
	r, err := offline.Restore(t.Context(), cfg.Folder(), backup, "")
	if err != nil || !r.Unread || r.Transactions != 10 || len(r.Returned) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	wantOneFile(t, cfg)
	wantSound(t, cfg)
}

// A compaction gives the room of what was erased back to the disk and keeps the rest, while readers and writers go on;
// the old file, with its copies of what is erased later, is overwritten before it is dropped.
func TestCompact(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedStore(t, cfg)
	for i := range 120 {
		long := appliancetest.SampleRecord(i)
		long.RequestID = string(bytes.Repeat([]byte("x"), 9000))
		must(t, s.Append(t.Context(), numbered(i), long))
	}
	for i := 20; i < 120; i++ {
		must(t, s.Erase(t.Context(), numbered(i)))
	}
	old, err := os.Open(cfg.Folder().Path())
	must(t, err)
	defer old.Close()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	counts := make([]int, 4)
	for w := range counts {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if got, err := s.Transaction(t.Context(), numbered(w)); err != nil || len(got.Records) != 1+counts[w] {
					t.Errorf("read during the compaction: %v", err)
					return
				}
				if err := s.Append(t.Context(), numbered(w), appliancetest.SampleRecord(1)); err != nil {
					t.Errorf("append during the compaction: %v", err)
					return
				}
				counts[w]++
			}
		})
	}
	c, err := s.Compact(t.Context())
	close(stop)
	wg.Wait()
	size, _ := s.Size()
	if err != nil || c.After >= c.Before/2 || size > c.Before {
		t.Errorf("%+v, %v, now %d", c, err, size)
	}
	for i := range 20 {
		got, err := s.Transaction(t.Context(), numbered(i))
		want := 1
		if i < len(counts) {
			want += counts[i]
		}
		if err != nil || len(got.Records) != want {
			t.Errorf("transaction %d: %v", i, err)
		}
	}
	b := make([]byte, c.Before)
	if _, err := old.ReadAt(b, 0); err != nil || len(bytes.Trim(b, "\x00")) != 0 {
		t.Errorf("the old file was not overwritten: %v", err)
	}
	wantOneFile(t, cfg)
	must(t, s.Erase(t.Context(), numbered(0)))
	info, err := os.Stat(cfg.Folder().Path())
	if err != nil || info.Mode() != fs.FileMode(0o600) {
		t.Errorf("%v, %v", info, err)
	}
}

// The sweeper compacts by itself a file that is large and half empty, and no other.
func TestCompactByItself(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg := Config{Dir: t.TempDir(), Now: clock.Now, TTL: appliancetest.TTL, CompactFrom: 1 << 20}
	s := openedStore(t, cfg)
	big := appliancetest.SampleRecord(1)
	big.RequestID = string(bytes.Repeat([]byte("x"), 100<<10))
	for i := range 20 {
		must(t, s.Append(t.Context(), numbered(i), big))
	}
	if c, err := s.compactIfWorth(t.Context()); err != nil || c.After != 0 {
		t.Errorf("while full: %+v, %v", c, err)
	}
	clock.Advance(appliancetest.TTL)
	must(t, s.Append(t.Context(), numbered(50), appliancetest.SampleRecord(1)))
	_, err := s.Sweep(t.Context())
	must(t, err)
	s.cfg.CompactFrom = 1 << 30
	if c, err := s.compactIfWorth(t.Context()); err != nil || c.After != 0 {
		t.Errorf("below the size: %+v, %v", c, err)
	}
	s.cfg.CompactFrom = 1 << 20
	if size, err := s.Size(); err != nil || size < 2<<20 {
		t.Errorf("%d bytes, %v: too few to prove anything", size, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var sweeper sync.WaitGroup
	sweeper.Go(func() { s.Run(ctx, time.Hour) })
	until(t, "the sweeper compacts", func() bool {
		size, err := s.Size()
		return err == nil && size < 1<<20
	})
	cancel()
	sweeper.Wait()
	if got, err := s.Transaction(t.Context(), numbered(50)); err != nil || len(got.Records) != 1 {
		t.Error(err)
	}
}

// Without room for the copy a compaction fails, and the store goes on as it was.
func TestCompactFullDisk(t *testing.T) {
	disk := smallDisk(t, 4<<20)
	cfg := Config{Dir: filepath.Join(disk, "data")}
	s := openedAndFilled(t, cfg, 20)
	big := appliancetest.SampleRecord(1)
	big.RequestID = string(bytes.Repeat([]byte("x"), 200<<10))
	for i := range 8 {
		must(t, s.Append(t.Context(), numbered(100+i), big))
	}
	defer s.Close()
	_, err := s.Compact(t.Context())
	wantError(t, err, "full")
	wantFilled(t, s, 20)
	must(t, s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(1)))
	wantOneFile(t, cfg)
}
