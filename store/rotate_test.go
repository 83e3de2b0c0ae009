package store

import (
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
)

// wantFilled checks that a store holds what openedAndFilled put into it.
func wantFilled(t *testing.T, s *Store, n int) {
	t.Helper()
	for i := range n {
		if got, err := s.Transaction(t.Context(), numbered(i)); err != nil || len(got.Records) == 0 {
			t.Errorf("transaction %d: %v", i, err)
		}
	}
	if keys, err := s.Keys(t.Context()); err != nil || len(keys) != 1 || keys[0].Hash != appliancetest.SampleKey("till").Hash {
		t.Errorf("keys %v, %v", keys, err)
	}
}

// A new appliance key takes the place of the old one: everything opens with it alone, before and after a restart; the
// old key is nowhere and opens nothing, and no value that it had sealed is left in the file.
func TestRotateKey(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 20)
	identity := publicKey(t, s)
	wrapped := wrappedKeysOf(t, s)
	old, err := os.ReadFile(cfg.Folder().KeyPath())
	must(t, err)
	for range 2 {
		r, err := s.RotateKey(t.Context(), nil)
		if err != nil || !r.Installed || r.Transactions != 20 || r.Keys != 1 || r.Unopened != 0 ||
			r.KeyFile != filepath.Join(cfg.Dir, database.KeyName) ||
			s.KeyPending() != "" {
			t.Fatalf("%+v, %v", r, err)
		}
		wantFilled(t, s, 20)
		must(t, s.Append(t.Context(), numbered(3), appliancetest.SampleRecord(1)))
	}
	must(t, s.Close())
	for _, v := range wrapped {
		if fileHolds(t, cfg, v) {
			t.Fatal("a key that the old appliance key had wrapped is still in the file")
		}
	}
	if l := listing(t, cfg.Dir); strings.Contains(l, hexOf(old)) || strings.Contains(l, cfg.Folder().NextKeyPath()) {
		t.Error("the old key or the next one is left in the folder")
	}
	must(t, s.Open(t.Context()))
	wantFilled(t, s, 20)
	if !bytes.Equal(identity, publicKey(t, s)) {
		t.Error("the identity changed")
	}
	must(t, s.Close())
	wantSound(t, cfg)
	write(t, cfg.Folder().KeyPath(), old)
	wantError(t, New(cfg).Open(t.Context()), "not the one that sealed")
}

// Whoever reads and writes while the appliance key changes notices nothing but the wait.
func TestRotateKeyUnderLoad(t *testing.T) {
	s := openedAndFilled(t, Config{Dir: t.TempDir()}, 8)
	defer s.Close()
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
				if err := s.Append(t.Context(), numbered(w), appliancetest.SampleRecord(1)); err != nil {
					t.Errorf("append: %v", err)
					return
				}
				counts[w]++
				if got, err := s.Transaction(t.Context(), numbered(w)); err != nil || len(got.Records) != 1+counts[w] {
					t.Errorf("read: %v", err)
					return
				}
			}
		})
	}
	for range 8 {
		if r, err := s.RotateKey(t.Context(), nil); err != nil || !r.Installed {
			t.Errorf("%+v, %v", r, err)
		}
	}
	close(stop)
	wg.Wait()
	wantFilled(t, s, 8)
	if counts[0] == 0 {
		t.Error("no work was done meanwhile")
	}
}

// A key file that this process cannot write, or that is put there anew at each start, is not rotated without a key that
// somebody can put in place. With one the database changes keys, every start with the old key still opens it, and the
// first one with the new key ends that.
func TestRotateKeyElsewhere(t *testing.T) {
	for name, lock := range map[string]func(t *testing.T, cfg *Config){
		"credentials": func(_ *testing.T, cfg *Config) { cfg.KeyElsewhere = true },
		"read-only disk": func(t *testing.T, cfg *Config) {
			disk := smallDisk(t, 1<<20)
			key, err := os.ReadFile(cfg.KeyFile)
			must(t, err)
			cfg.KeyFile = filepath.Join(disk, "bawab.key")
			write(t, cfg.KeyFile, key)
			must(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Dir: t.TempDir(), KeyFile: filepath.Join(t.TempDir(), "bawab.key")}
			write(t, cfg.KeyFile, bytes.Repeat([]byte("k"), seal.KeySize))
			lock(t, &cfg)
			s := openedAndFilled(t, cfg, 5)
			_, err := s.RotateKey(t.Context(), nil)
			if appliance.CodeOf(err) != appliance.CodeBadRequest || !strings.Contains(err.(*appliance.Error).Hint, "--new-key FILE") ||
				!strings.Contains(err.(*appliance.Error).Hint, cfg.KeyFile) {
				t.Fatalf("without a key: %v", err)
			}
			for _, bad := range [][]byte{{}, make([]byte, 31), bytes.Repeat([]byte("k"), seal.KeySize)} {
				if _, err := s.RotateKey(t.Context(), bad); appliance.CodeOf(err) != appliance.CodeBadRequest {
					t.Errorf("with %d bytes: %v", len(bad), err)
				}
			}
			fresh := make([]byte, seal.KeySize)
			rand.Read(fresh)
			r, err := s.RotateKey(t.Context(), fresh)
			if err != nil || r.Installed || r.KeyFile != cfg.KeyFile || s.KeyPending() != cfg.KeyFile {
				t.Fatalf("%+v, %v", r, err)
			}
			if _, err := s.RotateKey(t.Context(), make([]byte, seal.KeySize)); err == nil ||
				!strings.Contains(err.Error(), "not in its place") {
				t.Errorf("again: %v", err)
			}
			for range 2 { // with the old key
				wantFilled(t, s, 5)
				must(t, s.Close())
				wantCheck(t, cfg)
				must(t, s.Open(t.Context()))
			}
			must(t, s.Close())
			cfg.KeyFile = filepath.Join(t.TempDir(), "bawab.key")
			write(t, cfg.KeyFile, fresh)
			s = openedStore(t, cfg)
			wantFilled(t, s, 5)
			if _, err := os.Stat(cfg.Folder().NextKeyPath()); err == nil || s.KeyPending() != "" {
				t.Error("the kept key is still there")
			}
		})
	}
}

func wantCheck(t *testing.T, cfg Config) {
	t.Helper()
	if r, err := offline.Check(t.Context(), cfg.Folder()); err != nil || !r.OK() {
		t.Errorf("check: %+v, %v", r, err)
	}
}

// A damaged database is salvaged with the key that it is sealed with, also while that is not the one in place.
func TestSalvageWhileKeyPending(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), KeyFile: filepath.Join(t.TempDir(), "bawab.key"), KeyElsewhere: true}
	write(t, cfg.KeyFile, bytes.Repeat([]byte("k"), seal.KeySize))
	s := openedAndFilled(t, cfg, 5)
	_, err := s.RotateKey(t.Context(), bytes.Repeat([]byte("n"), seal.KeySize))
	must(t, err)
	must(t, s.Close())
	b, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	b[0] ^= 1
	write(t, cfg.Folder().Path(), b)
	r, err := offline.Salvage(t.Context(), cfg.Folder())
	if err != nil || r.Transactions != 5 || r.NewIdentity {
		t.Fatalf("%+v, %v", r, err)
	}
	must(t, s.Open(t.Context()))
	wantFilled(t, s, 5)
	must(t, s.Close())
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return string(out)
}

// childPoint names the point at which the child of a test kills itself.
const childPoint = "BAWAB_STORE_TEST_POINT"

// TestChild is no test of its own: it does one piece of work on a folder and kills itself at a point of it.
func TestChild(t *testing.T) {
	at, dir := database.Point(os.Getenv(childPoint)), os.Getenv(childFolder)
	if at == "" {
		t.Skip("started by TestKilledAtEveryPoint only")
	}
	cfg := Config{Dir: dir, Reached: func(p database.Point) {
		if p == at {
			must(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
		}
	}}
	work(t, cfg, at)
	t.Errorf("point %q was never reached", at)
}

// work does what reaches a point. The folder holds a database that was filled, and a backup of it.
func work(t *testing.T, cfg Config, at database.Point) {
	kind, _, _ := strings.Cut(string(at), ":")
	if kind == "restore" {
		_, err := offline.Restore(t.Context(), cfg.Folder(), cfg.Dir+".saved", "")
		must(t, err)
		return
	}
	s := New(cfg)
	reached := s.cfg.Reached
	s.cfg.Reached = nil // the overwriting at the opening is not meant
	must(t, s.Open(t.Context()))
	s.cfg.Reached = reached
	defer func() { must(t, s.Close()) }()
	switch kind {
	case "review":
		workReview(t, s, at)
	case "commit":
		must(t, s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(9)))
	case "erase":
		if err := s.Erase(t.Context(), numbered(0)); err != nil && appliance.CodeOf(err) != appliance.CodeTransactionExpired {
			t.Error(err)
		}
	case "rotate":
		_, err := s.RotateKey(t.Context(), nil)
		must(t, err)
	case "compact":
		_, err := s.Compact(t.Context())
		must(t, err)
	case "backup":
		_, err := s.Backup(t.Context(), s.BackupPath())
		must(t, err)
		must(t, s.DropBackup())
	}
}

// A process that is killed at any named point of a commit, an erasure, a change of keys, a compaction, a backup, a
// restore or the keeping of a review leaves a folder that opens at once, holds everything that was acknowledged, nothing that was
// erased, one key and one file, and in which the same work then succeeds.
func TestKilledAtEveryPoint(t *testing.T) {
	for _, at := range database.Points() {
		t.Run(string(at), func(t *testing.T) {
			cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
			s := openedAndFilled(t, cfg, 10)
			wrapped := wrappedKeysOf(t, s)
			identity := publicKey(t, s)
			if strings.HasPrefix(string(at), "restore") {
				_, err := s.Backup(t.Context(), cfg.Dir+".saved")
				must(t, err)
			}
			must(t, s.Close())
			before, err := os.ReadFile(cfg.Folder().KeyPath())
			must(t, err)
			child := exec.Command(os.Args[0], "-test.run=^TestChild$")
			child.Env = append(os.Environ(), childPoint+"="+string(at), childFolder+"="+cfg.Dir)
			if out, err := child.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
				t.Fatalf("the child was not killed: %v\n%s", err, out)
			}
			wantCheck(t, cfg)
			for range 2 {
				s = openedStore(t, cfg)
				wantAfterKill(t, s, at, wrapped)
				if !bytes.Equal(identity, publicKey(t, s)) {
					t.Error("the identity changed")
				}
				must(t, s.Close())
				wantOneFile(t, cfg)
			}
			after, err := os.ReadFile(cfg.Folder().KeyPath())
			must(t, err)
			if strings.HasPrefix(string(at), "rotate") && at != database.PointNextKey && bytes.Equal(before, after) {
				t.Error("the rotation was not completed")
			}
			cfg.Reached = func(database.Point) {}
			work(t, cfg, at)
		})
	}
}

// wantAfterKill checks what a store holds after its process was killed at a point.
func wantAfterKill(t *testing.T, s *Store, at database.Point, wrapped map[seal.ID][]byte) {
	t.Helper()
	first := 0
	if strings.HasPrefix(string(at), "erase") {
		first = 1
		id, err := seal.ParseID(numbered(0))
		must(t, err)
		if _, err := s.Transaction(t.Context(), numbered(0)); appliance.CodeOf(err) != appliance.CodeTransactionExpired ||
			fileHolds(t, s.cfg, wrapped[id]) {
			t.Errorf("the erased transaction: %v, or its key is still there", err)
		}
	}
	wantNoReview(t, s)
	for i := first; i < 10; i++ {
		want := 1
		if at == database.PointCommitted && i == 1 {
			want = 2
		}
		if got, err := s.Transaction(t.Context(), numbered(i)); err != nil || len(got.Records) != want {
			t.Errorf("transaction %d: %v", i, err)
		}
	}
	if keys, err := s.Keys(t.Context()); err != nil || len(keys) != 1 {
		t.Errorf("keys %v, %v", keys, err)
	}
}

// wantOneFile checks that nothing but the database, the key and the reserve is left in a folder.
func wantOneFile(t *testing.T, cfg Config) {
	t.Helper()
	entries, err := os.ReadDir(cfg.Dir)
	must(t, err)
	for _, e := range entries {
		if e.Name() != reviewFolder && e.Name() != database.FileName && e.Name() != database.KeyName && e.Name() != reserveName {
			t.Errorf("%s was left", e.Name())
		}
	}
}
