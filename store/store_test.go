package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// opened opens a store over a folder and, when the test ends, closes it and checks the file, by bbolt's own checker
// and by ours.
func openedStore(t testing.TB, cfg Config) *Store {
	t.Helper()
	s := New(cfg)
	if err := s.Open(t.Context()); err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		wantSound(t, cfg)
	})
	return s
}

func wantSound(t testing.TB, cfg Config) database.Report {
	t.Helper()
	db, err := bbolt.Open(cfg.Folder().Path(), 0o600, &bbolt.Options{Timeout: time.Second, ReadOnly: true})
	if err != nil {
		t.Fatalf("bbolt open: %v", err)
	}
	if err := db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("bbolt check: %v", err)
		}
		return nil
	}); err != nil {
		t.Errorf("bbolt check: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("bbolt close: %v", err)
	}
	r, err := offline.Check(context.Background(), cfg.Folder())
	if err != nil || !r.OK() {
		t.Errorf("check: %+v, %v", r, err)
	}
	return r
}

// The file keeps the promises of the interface.
func TestTransactionStoreConforms(t *testing.T) {
	appliancetest.TestTransactionStore(t, func(t *testing.T, now func() time.Time) appliance.TransactionStore {
		return openedStore(t, Config{Dir: t.TempDir(), TTL: appliancetest.TTL, Now: now})
	})
}

// The file keeps the promises of the interface.
func TestKeyStoreConforms(t *testing.T) {
	appliancetest.TestKeyStore(t, func(t *testing.T) appliance.KeyStore {
		return openedStore(t, Config{Dir: t.TempDir()})
	})
}

// wantError checks the code of an error and that its message and hint, together, hold every given part.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	var e *appliance.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an appliance.Error", err)
	}
	if e.Code != appliance.CodeUnavailable && e.Code != appliance.CodeInternal {
		t.Errorf("code %d", e.Code)
	}
	if e.Msg == "" || e.Hint == "" || strings.Contains(e.Msg, "/") {
		t.Errorf("message %q, hint %q: want both, and no path in the message", e.Msg, e.Hint)
	}
	for _, p := range parts {
		if !strings.Contains(e.Msg+"\n"+e.Hint, p) {
			t.Errorf("message %q, hint %q: want %q in them", e.Msg, e.Hint, p)
		}
	}
}

// What was stored is there after the store was closed and opened again, and both can be done at any time.
func TestReopen(t *testing.T) {
	cfg := Config{Dir: filepath.Join(t.TempDir(), "made", "by open")}
	s := New(cfg)
	if err := s.Close(); err != nil {
		t.Errorf("close before open: %v", err)
	}
	id := appliance.NewGUID()
	if err := s.Append(t.Context(), id, appliancetest.SampleRecord(0)); appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("append before open: %v", err)
	}
	if _, err := s.Transaction(t.Context(), id); appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("read before open: %v", err)
	}
	for n := range 3 {
		if err := s.Open(t.Context()); err != nil {
			t.Fatalf("open: %v", err)
		}
		if s.Open(t.Context()) == nil {
			t.Error("a second open succeeded")
		}
		if err := s.Append(t.Context(), id, appliancetest.SampleRecord(n)); err != nil {
			t.Fatalf("append: %v", err)
		}
		got, err := s.Transaction(t.Context(), strings.ToUpper(id))
		if err != nil || len(got.Records) != n+1 || got.ID != id {
			t.Fatalf("read: %+v, %v", got, err)
		}
		if size, err := s.Size(); err != nil || size < 4096 {
			t.Errorf("size %d, %v", size, err)
		}
		if free, err := s.DiskFree(); err != nil || free <= 0 {
			t.Errorf("disk free %d, %v", free, err)
		}
		r, err := s.Check(t.Context())
		if err != nil || !r.OK() || r.Records != n+1 || r.Transactions != 1 || r.Schema != database.NewestSchema() {
			t.Errorf("check: %+v, %v", r, err)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
	}
	wantSound(t, cfg)
}

// Nobody but the owner can read the folder, the database or the key.
func TestModes(t *testing.T) {
	cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
	openedStore(t, cfg)
	for path, want := range map[string]fs.FileMode{
		cfg.Dir: fs.ModeDir | 0o700, cfg.Folder().Path(): 0o600, cfg.Folder().KeyPath(): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

// A configured key, readable for the group as systemd shows credentials, is used instead of a made one.
func TestConfiguredKey(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), KeyFile: filepath.Join(t.TempDir(), "bawab.key")}
	write(t, cfg.KeyFile, []byte(strings.Repeat("k", seal.KeySize)))
	must(t, os.Chmod(cfg.KeyFile, 0o440))
	s := openedStore(t, cfg)
	must(t, s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(1)))
	if _, err := os.Stat(filepath.Join(cfg.Dir, database.KeyName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key was made besides: %v", err)
	}
	must(t, s.Close())
	write(t, filepath.Join(cfg.Dir, database.KeyName), make([]byte, seal.KeySize))
	wantError(t, New(Config{Dir: cfg.Dir}).Open(t.Context()), "not the one that sealed")
}

// What root makes in the folder of the service's user belongs to that user.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make files for others")
	}
	const nobody = 65534
	cfg := Config{Dir: t.TempDir()}
	must(t, os.Chown(cfg.Dir, nobody, nobody))
	openedStore(t, cfg)
	for _, path := range []string{cfg.Folder().Path(), filepath.Join(cfg.Dir, database.KeyName)} {
		info, err := os.Stat(path)
		must(t, err)
		if st := info.Sys().(*syscall.Stat_t); st.Uid != nobody || st.Gid != nobody {
			t.Errorf("%s belongs to %d:%d", path, st.Uid, st.Gid)
		}
	}
}

// A second process on the same folder is told so, soon, and harms nothing.
func TestSecondProcess(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), LockTimeout: 50 * time.Millisecond}
	openedStore(t, cfg)
	wantError(t, New(cfg).Open(t.Context()), "another bawab uses this data folder", "stop it")
	_, err := offline.Check(t.Context(), cfg.Folder())
	wantError(t, err, "another bawab")
	_, err = offline.Salvage(t.Context(), cfg.Folder())
	wantError(t, err, "another bawab")
}

// A caller that gives up waiting for the folder is not kept.
func TestOpenCancelled(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), LockTimeout: time.Hour}
	openedStore(t, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(cfg).Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	// The folder is free again for the check at the end, so nothing kept the lock.
}

// Whatever keeps the store from opening is said plainly, with a way out, and nothing is changed or made in its place.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, cfg *Config)
		want  []string
	}{
		"folder is a file": {func(t *testing.T, cfg *Config) {
			cfg.Dir = filepath.Join(cfg.Dir, "file")
			write(t, cfg.Dir, nil)
		}, []string{"not a folder"}},
		"others may write": {func(t *testing.T, cfg *Config) {
			cfg.Dir = filepath.Join(cfg.Dir, "shared")
			must(t, os.Mkdir(cfg.Dir, 0o700))
			write(t, filepath.Join(cfg.Dir, "theirs"), nil)
			must(t, os.Chmod(cfg.Dir, 0o777))
		}, []string{"other users", "chmod 700"}},
		"loose key": {func(t *testing.T, cfg *Config) {
			must(t, os.Chmod(filepath.Join(cfg.Dir, database.KeyName), 0o640))
		}, []string{"other users may reach the appliance key", "chmod 600"}},
		"short key": {func(t *testing.T, cfg *Config) {
			write(t, filepath.Join(cfg.Dir, database.KeyName), make([]byte, 31))
		}, []string{"must be 32 bytes"}},
		"long key": {func(t *testing.T, cfg *Config) {
			write(t, filepath.Join(cfg.Dir, database.KeyName), make([]byte, 33))
		}, []string{"must be 32 bytes"}},
		"lost key": {func(t *testing.T, cfg *Config) {
			must(t, os.Remove(filepath.Join(cfg.Dir, database.KeyName)))
		}, []string{"key is missing", "backup"}},
		"wrong key": {func(t *testing.T, cfg *Config) {
			write(t, filepath.Join(cfg.Dir, database.KeyName), make([]byte, 32))
		}, []string{"not the one that sealed", "backup"}},
		"configured key missing": {func(t *testing.T, cfg *Config) {
			cfg.KeyFile = filepath.Join(cfg.Dir, "credential")
		}, []string{"configured appliance key is missing", "credential"}},
		"configured key open to all": {func(t *testing.T, cfg *Config) {
			cfg.KeyFile = filepath.Join(cfg.Dir, "credential")
			write(t, cfg.KeyFile, make([]byte, 32))
			must(t, os.Chmod(cfg.KeyFile, 0o444))
		}, []string{"other users may reach the appliance key"}},
		"empty file": {func(t *testing.T, cfg *Config) {
			write(t, cfg.Folder().Path(), nil)
		}, []string{"damaged", "bawab store check", "bawab store salvage"}},
		"not a database": {func(t *testing.T, cfg *Config) {
			write(t, cfg.Folder().Path(), []byte(strings.Repeat("not a database ", 5000)))
		}, []string{"damaged", "bawab store check", "bawab store salvage"}},
		"a folder in its place": {func(t *testing.T, cfg *Config) {
			must(t, os.Remove(cfg.Folder().Path()))
			must(t, os.Mkdir(cfg.Folder().Path(), 0o700))
		}, []string{"data folder"}},
		"somebody else's database": {func(t *testing.T, cfg *Config) {
			must(t, os.Remove(cfg.Folder().Path()))
			inFile(t, *cfg, func(tx *bbolt.Tx) error {
				b, err := tx.CreateBucket([]byte("theirs"))
				if err != nil {
					return err
				}
				return b.Put([]byte("k"), []byte("v"))
			})
		}, []string{"not made by bawab"}},
		"newer schema": {func(t *testing.T, cfg *Config) {
			inFile(t, *cfg, func(tx *bbolt.Tx) error {
				if _, err := tx.CreateBucket([]byte("from the future")); err != nil {
					return err
				}
				return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte{0, 0, 0, 99})
			})
		}, []string{"newer bawab", "schema 99", "install"}},
		"index lost an entry": {func(t *testing.T, cfg *Config) {
			inFile(t, *cfg, func(tx *bbolt.Tx) error {
				b := tx.Bucket([]byte("expiring"))
				k, _ := b.Cursor().First()
				return b.Delete(k)
			})
		}, []string{"damaged", "bawab store check"}},
		"forged API key": {func(t *testing.T, cfg *Config) {
			inFile(t, *cfg, func(tx *bbolt.Tx) error {
				b := tx.Bucket([]byte("keys"))
				return b.Put([]byte("mallory"), b.Get([]byte("till")))
			})
		}, []string{"damaged"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Dir: t.TempDir()}
			s := openedAndFilled(t, cfg, 3)
			must(t, s.Close())
			c.spoil(t, &cfg)
			before := listing(t, cfg.Dir)
			err := New(cfg).Open(t.Context())
			if err == nil {
				t.Fatal("it opened")
			}
			wantError(t, err, c.want...)
			if after := listing(t, cfg.Dir); after != before {
				t.Errorf("the refusal changed the folder from\n%s\nto\n%s", before, after)
			}
		})
	}
}

// Without permission the folder is refused plainly. Root is never without permission, so root cannot test it.
func TestNoPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := filepath.Join(t.TempDir(), "locked")
	must(t, os.Mkdir(dir, 0o500))
	wantError(t, New(Config{Dir: dir}).Open(t.Context()), "no permission", dir)
}

// openedAndFilled returns an open store with n transactions of one record each and an API key.
func openedAndFilled(t testing.TB, cfg Config, n int) *Store {
	t.Helper()
	s := New(cfg)
	must(t, s.Open(t.Context()))
	for i := range n {
		must(t, s.Append(t.Context(), numbered(i), appliancetest.SampleRecord(i)))
	}
	must(t, s.AddKey(t.Context(), appliancetest.SampleKey("till")))
	return s
}

// numbered returns the i-th of a list of transaction ids.
func numbered(i int) string {
	return fmt.Sprintf("%08x-1234-4abc-8def-0123456789ab", uint32(i)*0x01234567)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	must(t, os.WriteFile(path, b, 0o600))
}

// inFile changes the database of a closed store behind its back.
func inFile(t *testing.T, cfg Config, f func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(cfg.Folder().Path(), 0o600, &bbolt.Options{Timeout: time.Second})
	must(t, err)
	must(t, errors.Join(db.Update(f), db.Close()))
}

// entriesOf reads the entries of one bucket from the content of a file.
func entriesOf(t testing.TB, file []byte, bucket string) map[string][]byte {
	t.Helper()
	all, err := pages.Load(bytes.NewReader(file))
	must(t, err)
	out := map[string][]byte{}
	must(t, all.Walk(func(in string, key, value []byte) error {
		if in == bucket {
			out[string(key)] = value
		}
		return nil
	}))
	return out
}

// entriesIn does the same for the database of a store.
func entriesIn(t testing.TB, cfg Config, bucket string) map[string][]byte {
	t.Helper()
	file, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	return entriesOf(t, file, bucket)
}

// listing describes a folder and the content of its files.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", path, content)
		return err
	}))
	return b.String()
}
