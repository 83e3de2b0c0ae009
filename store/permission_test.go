package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// Nothing that somebody else could have read or put there is used: folder, database and key are each refused by name,
// with the command that mends it, and are used again once it is mended.
func TestLoosePermissions(t *testing.T) {
	for name, c := range map[string]struct {
		what  string
		file  func(database.Folder) string
		loose os.FileMode
		tight os.FileMode
	}{
		"folder others may list":   {"data folder", func(d database.Folder) string { return d.Dir }, 0o755, 0o700},
		"folder the group reaches": {"data folder", func(d database.Folder) string { return d.Dir }, 0o710, 0o700},
		"database others may read": {"database", database.Folder.Path, 0o644, 0o600},
		"database of the group":    {"database", database.Folder.Path, 0o660, 0o600},
		"key others may read":      {"appliance key", database.Folder.KeyPath, 0o604, 0o600},
		"key of the group":         {"appliance key", database.Folder.KeyPath, 0o640, 0o600},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
			must(t, openedAndFilled(t, cfg, 1).Close())
			must(t, os.Chmod(c.file(cfg.Folder()), c.loose))
			wantError(t, New(cfg).Open(t.Context()), "other users may reach the "+c.what, "chmod", c.file(cfg.Folder()))
			must(t, os.Chmod(c.file(cfg.Folder()), c.tight))
			openedStore(t, cfg)
		})
	}
}

// What belongs to a third user is refused by name; what belongs to the owner of the folder is not, when root looks at it.
func TestForeignOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	const service, third = 65534, 65533
	for what, file := range map[string]func(database.Folder) string{
		"database": database.Folder.Path, "appliance key": database.Folder.KeyPath,
	} {
		for _, owner := range []int{0, service} {
			cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
			must(t, os.Mkdir(cfg.Dir, 0o700))
			must(t, os.Chown(cfg.Dir, owner, owner))
			must(t, openedAndFilled(t, cfg, 1).Close())
			must(t, os.Chown(file(cfg.Folder()), third, third))
			wantError(t, New(cfg).Open(t.Context()), "the "+what+" belongs to another user (uid 65533)", "chown", file(cfg.Folder()))
			must(t, os.Chown(file(cfg.Folder()), owner, owner))
			openedStore(t, cfg)
		}
	}
}

// A key that systemd shows with the mode of an access list is used, one that the group could change is not.
func TestCredentialModes(t *testing.T) {
	for mode, ok := range map[os.FileMode]bool{0o400: true, 0o440: true, 0o640: true, 0o460: false, 0o444: false} {
		cfg := Config{Dir: t.TempDir(), KeyFile: filepath.Join(t.TempDir(), "bawab.key")}
		write(t, cfg.KeyFile, make([]byte, seal.KeySize))
		must(t, os.Chmod(cfg.KeyFile, mode))
		s := New(cfg)
		err := s.Open(t.Context())
		if ok != (err == nil) {
			t.Errorf("mode %o: %v", mode, err)
		}
		must(t, s.Close())
	}
}
