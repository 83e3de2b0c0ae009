package daemon

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
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
	checks := ReportChecks(store.Report{Problems: []string{"bad"}})
	if len(checks) != 2 || checks[0].OK || checks[1].OK || checks[1].Hint == "" {
		t.Errorf("got %+v", checks)
	}
}
