package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/configs"
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
		if got := storeConfig(cfg, []string{"CREDENTIALS_DIRECTORY=/var/credentials/"}, nil); got.KeyElsewhere != want || got.KeyFile != file {
			t.Errorf("%q: %+v", file, got)
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "bawab.key")
	if err := os.WriteFile(name, []byte("k"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := storeConfig(&configs.Config{}, []string{"CREDENTIALS_DIRECTORY=" + dir}, nil); !got.KeyElsewhere || got.KeyFile != name {
		t.Errorf("the credential: %+v", got)
	}
}
