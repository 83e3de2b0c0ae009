package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/seal"
)

// DatabaseName is the file of the database in its folder.
const DatabaseName = "bawab.db"

const keyName = "appliance.key"

// lockPoll is how often a taken lock is tried again.
const lockPoll = 20 * time.Millisecond

// prepareFolder makes the data folder, or checks the one that is there. It narrows the mode of an empty folder, which
// was evidently made for this. Any other folder is left as it is, and refused when it is open to others: they could have
// read what lies in it, or put a key of theirs in place.
func prepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return folderError(dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return folderError(dir, err)
	}
	if !info.IsDir() {
		return folderError(dir, syscall.ENOTDIR)
	}
	if info.Mode().Perm()&0o077 != 0 {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return folderError(dir, err)
		}
		if len(entries) == 0 && os.Chmod(dir, 0o700) == nil {
			if info, err = os.Stat(dir); err != nil {
				return folderError(dir, err)
			}
		}
	}
	return seal.Private("data folder", dir, info, 0o077, seal.OwnersOf(info))
}

// lockFolder takes the lock that keeps a second process off the folder, key and database alike, and waits up to the
// timeout for it. Closing the file gives it back, and so does the death of the process.
func lockFolder(ctx context.Context, dir string, timeout time.Duration) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, folderError(dir, err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(folderError(dir, fmt.Errorf("lock: %w", err)), f.Close())
		}
		select {
		case <-ctx.Done():
			f.Close()
			if errors.Is(ctx.Err(), context.Canceled) {
				return nil, ctx.Err()
			}
			return nil, errInUse(dir)
		case <-poll.C:
		}
	}
}

// applianceKey reads the key that wraps all data keys. Without a configured file it is DIR/appliance.key, made at the
// first start; a new one is never made beside a database, whose content it could not open.
func applianceKey(cfg Config) ([]byte, error) {
	dir, configured, path := cfg.Dir, cfg.KeyFile, cfg.keyPath()
	loose := seal.LooseOwn
	if configured != "" {
		loose = seal.LooseConfigured
	}
	key, err := readKey(path, loose, cfg.owners())
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if configured != "" {
		return nil, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read appliance key", Msg: "the configured appliance key is missing",
			Hint: "put 32 random bytes there (mode 0600), or remove the setting: " + path,
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, DatabaseName)); !errors.Is(err, fs.ErrNotExist) {
		return nil, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read appliance key",
			Msg: "the appliance key is missing, and without it the database cannot be opened", Err: err,
			Hint: "put " + path + " back from a backup; or, to start with nothing, move " + DatabaseName + " away",
		}
	}
	return makeKey(path)
}

// readKey reads the appliance key; see seal.ReadKey.
func readKey(path string, loose fs.FileMode, owners []uint32) ([]byte, error) {
	key, err := seal.ReadKey("appliance key", path, loose, owners)
	if e := (*appliance.Error)(nil); err == nil || errors.Is(err, fs.ErrNotExist) || errors.As(err, &e) {
		return key, err
	}
	return nil, folderError(path, err)
}

// makeKey makes the appliance key; see seal.MakeKey.
func makeKey(path string) ([]byte, error) {
	key, err := seal.MakeKey(path)
	if err != nil {
		return nil, folderError(path, err)
	}
	return key, nil
}

// syncFolder makes a rename durable.
func syncFolder(dir string) error {
	if err := folder.Sync(dir, (*os.File).Sync); err != nil {
		return folderError(dir, err)
	}
	return nil
}

// owners is seal.OwnersOf for the data folder.
func (c Config) owners() []uint32 {
	info, err := os.Stat(c.Dir)
	if err != nil {
		return []uint32{uint32(os.Geteuid()), 0} // the next step says what is wrong with the folder
	}
	return seal.OwnersOf(info)
}

// checkDatabaseFile refuses a database that others could have read or changed.
func (c Config) checkDatabaseFile(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return folderError(c.path(), err)
	}
	if info.IsDir() {
		return folderError(c.path(), syscall.EISDIR)
	}
	return seal.Private("database", c.path(), info, 0o077, c.owners())
}
