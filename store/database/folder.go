package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/seal"
)

const (
	// FileName is the file of the database in its folder.
	FileName = "bawab.db"
	// KeyName is the file of the appliance key there, where no other is configured.
	KeyName = "appliance.key"
	// nextKeyName is the file that holds, from before the database is sealed anew until the new appliance key lies in its
	// place, the new key sealed under the old one. Whichever of the two a start finds in place, it can go on with it.
	nextKeyName = "appliance.key.next"
)

// Folder is a data folder: where the database and its appliance key lie, and what is left for a while beside them.
type Folder struct {
	// Dir is the folder. It is made, mode 0700, when it is missing.
	Dir string
	// KeyFile is the file of the appliance key; "" stands for Dir/appliance.key, which is made at the first start.
	KeyFile string
	// LockTimeout is how long is waited for another process to leave the folder, and the file.
	LockTimeout time.Duration
	// Now is the clock by which what lies there ends.
	Now func() time.Time
	// Reached is told which point the work has reached; tests end the process there. nil is nobody.
	Reached func(Point)
}

// Path is where the database lies.
func (d Folder) Path() string { return filepath.Join(d.Dir, FileName) }

// KeyPath is where the appliance key lies.
func (d Folder) KeyPath() string {
	if d.KeyFile != "" {
		return d.KeyFile
	}
	return filepath.Join(d.Dir, KeyName)
}

// NextKeyPath is where a new appliance key lies, sealed under the old one, until it takes its place.
func (d Folder) NextKeyPath() string { return filepath.Join(d.Dir, nextKeyName) }

// Claim takes possession of the folder and reads the key that lies in its place. Who closes the file gives the folder back.
func (d Folder) Claim(ctx context.Context) (lock *os.File, placed seal.Sealer, err error) {
	if err := prepareFolder(d.Dir); err != nil {
		return nil, seal.Sealer{}, err
	}
	lock, err = lockFolder(ctx, d.Dir, d.LockTimeout)
	if err != nil {
		return nil, seal.Sealer{}, err
	}
	raw, err := d.applianceKey()
	if err != nil {
		return nil, seal.Sealer{}, errors.Join(err, lock.Close())
	}
	placed, err = seal.New(raw)
	if err != nil {
		return nil, seal.Sealer{}, errors.Join(err, lock.Close())
	}
	return lock, placed, nil
}

// lockPoll is how often a taken lock is tried again.
const lockPoll = 20 * time.Millisecond

// prepareFolder makes the data folder, or checks the one that is there. It narrows the mode of an empty folder, which
// was evidently made for this. Any other folder is left as it is, and refused when it is open to others: they could have
// read what lies in it, or put a key of theirs in place.
func prepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return FolderError(dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return FolderError(dir, err)
	}
	if !info.IsDir() {
		return FolderError(dir, syscall.ENOTDIR)
	}
	if info.Mode().Perm()&0o077 != 0 {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return FolderError(dir, err)
		}
		if len(entries) == 0 && os.Chmod(dir, 0o700) == nil {
			if info, err = os.Stat(dir); err != nil {
				return FolderError(dir, err)
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
		return nil, FolderError(dir, err)
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
			return nil, errors.Join(FolderError(dir, fmt.Errorf("lock: %w", err)), f.Close())
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

// SyncFolder makes a rename durable.
func SyncFolder(dir string) error {
	if err := folder.Sync(dir, (*os.File).Sync); err != nil {
		return FolderError(dir, err)
	}
	return nil
}

// owners is seal.OwnersOf for the data folder.
func (d Folder) owners() []uint32 {
	info, err := os.Stat(d.Dir)
	if err != nil {
		return []uint32{uint32(os.Geteuid()), 0} // the next step says what is wrong with the folder
	}
	return seal.OwnersOf(info)
}

// checkDatabaseFile refuses a database that others could have read or changed.
func (d Folder) checkDatabaseFile(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return FolderError(d.Path(), err)
	}
	if info.IsDir() {
		return FolderError(d.Path(), syscall.EISDIR)
	}
	return seal.Private("database", d.Path(), info, 0o077, d.owners())
}
