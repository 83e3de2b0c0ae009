package daemon

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store/database"
)

// A key file that is put there anew at each start is known as such, so that a new key is never written where the next start
// would not find it.
func TestPassingKeyFile(t *testing.T) {
	for file, want := range map[string]bool{
		"":                     false,
		"/etc/bawab/bawab.key": false,
		"/run/credentials/bawab.service/bawab.key": true,
		"/run/secrets/key":                         true,
		"/var/credentials/bawab.key":               true,
		"/var/credentials-of-another/bawab.key":    false,
	} {
		cfg := &configs.Config{Data: t.TempDir(), Store: configs.Store{KeyFile: file}}
		if got := StoreConfig(cfg, []string{"CREDENTIALS_DIRECTORY=/var/credentials/"}, nil); got.KeyElsewhere != want || got.KeyFile != file {
			t.Errorf("%q: %+v", file, got)
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "bawab.key")
	if err := os.WriteFile(name, []byte("k"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := StoreConfig(&configs.Config{}, []string{"CREDENTIALS_DIRECTORY=" + dir}, nil); !got.KeyElsewhere || got.KeyFile != name {
		t.Errorf("the credential: %+v", got)
	}
}

// A damaged store is told as such, with what to do.
func TestReportChecks(t *testing.T) {
	checks := ReportChecks(database.Report{Problems: []string{"bad"}})
	if len(checks) != 2 || checks[0].OK || checks[1].OK || checks[1].Hint == "" {
		t.Errorf("got %+v", checks)
	}
}

// A start in a folder whose database is gone says so, once, and neither the first start nor a usual one does.
func TestLostDatabase(t *testing.T) {
	cfg, err := configs.Load(configs.Sources{Flags: map[string]string{"data": filepath.Join(t.TempDir(), "data")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []struct {
		name   string
		before func() error
		told   int
	}{
		{"first", func() error { return nil }, 0},
		{"next", func() error { return nil }, 0},
		{"without its database", func() error { return os.Remove(filepath.Join(cfg.Data, database.FileName)) }, 1},
	} {
		if err := start.before(); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		d := newDaemon(cfg, "0.1", nil, slog.New(slog.NewTextHandler(&said, nil)))
		if err := d.openStore(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if n := strings.Count(said.String(), "no database"); n != start.told {
			t.Errorf("the %s start tells it %d times: %s", start.name, n, said.String())
		}
	}
}
