package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance/folder"
	"go.etcd.io/bbolt"
)

// What a file of the folder is called while it is not what bawab.db is.
const (
	suffixNew       = ".new"       // a database that is being made
	suffixSalvaged  = ".salvaged"  // one that a salvage made, before it takes its place
	suffixCompact   = ".compact"   // the smaller form of the database, before it takes its place
	suffixBackup    = ".backup"    // a backup on its way to the operator
	suffixRestoring = ".restoring" // a backup that was taken over to be restored
	suffixRestored  = ".restored"  // the database made of it, before it takes its place
	suffixOld       = ".old"       // the database that one of these took the place of, until that is certain
)

// removeLeftovers deletes what a power cut during the making of a database left beside it: sealed copies that no sweep
// would ever reach.
func removeLeftovers(path string) error {
	for _, suffix := range []string{
		suffixNew, suffixSalvaged, suffixSalvaged + suffixNew, suffixCompact, suffixCompact + suffixNew,
		suffixBackup, suffixBackup + suffixNew, suffixRestoring, suffixRestored, suffixRestored + suffixNew,
	} {
		if err := wipe(path + suffix); err != nil {
			return folderError(path+suffix, err)
		}
	}
	return nil
}

// wipe overwrites a file with zeros and removes it; a missing one is no error. A file with a second name only loses this
// one: its content is somebody else's.
func wipe(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = errors.Join(blank(f), f.Close(), os.Remove(path))
	if err != nil {
		return fmt.Errorf("remove %s: %w", filepath.Base(path), err)
	}
	return syncFolder(filepath.Dir(path))
}

// blank overwrites a file with zeros, durably, unless it has a second name.
func blank(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
		return nil
	}
	return errors.Join(zero(f, 0, info.Size(), int64(os.Getpagesize())), f.Sync())
}

// replaceFile puts a small file in place, of mode 0600, whole or not at all, and durably.
func replaceFile(path string, content []byte) error {
	if err := folder.Replace(path, content, (*os.File).Sync); err != nil {
		return folderError(path, err)
	}
	return nil
}

// copyChunk bounds a commit of a copy, and with it the memory that the copy takes.
const copyChunk = 1 << 20

// copyLive writes what a database holds now, without its free pages, to a new file, and syncs it. The caller keeps the
// database open and its pages from being overwritten meanwhile.
func copyLive(db *bbolt.DB, path string) error {
	dst, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: time.Second, NoSync: true, FreelistType: bbolt.FreelistMapType,
		OpenFile: func(name string, _ int, mode os.FileMode) (*os.File, error) {
			return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		},
	})
	if err != nil {
		return fmt.Errorf("create copy: %w", err)
	}
	err = guard(func() error {
		return db.View(func(tx *bbolt.Tx) error {
			return tx.ForEach(func(name []byte, b *bbolt.Bucket) error { return copyBucket(dst, name, b) })
		})
	})
	if err == nil {
		err = dst.Sync()
	}
	if err := errors.Join(err, dst.Close()); err != nil {
		return errors.Join(fmt.Errorf("copy database: %w", err), wipe(path))
	}
	return nil
}

// copyBucket copies one bucket, a chunk a commit. Everything is committed before it returns: bbolt keeps pointing to the
// values until then, and they are borrowed from the source's transaction. (Therefore not bbolt.Compact, which commits its
// last chunk after that has ended.)
func copyBucket(dst *bbolt.DB, name []byte, from *bbolt.Bucket) error {
	c := from.Cursor()
	k, v := c.First()
	for done := false; !done; {
		err := dst.Update(func(tx *bbolt.Tx) error {
			to, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			to.FillPercent = 1 // keys come in order
			for size := 0; k != nil && size < copyChunk; k, v = c.Next() {
				if err := to.Put(k, v); err != nil {
					return err
				}
				size += len(k) + len(v)
			}
			done = k == nil
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// takeOver copies a file from elsewhere into the folder, durably, of mode 0600.
func takeOver(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close(), folder.Give(to, filepath.Dir(to)))
}

// swap puts a finished database in the place of the present one, which keeps a second name until drop. At any time there
// is a whole database under the usual name.
func (c Config) swap(fresh string, linked, switched Point) error {
	old := c.path() + suffixOld
	if err := wipe(old); err != nil {
		return folderError(old, err)
	}
	if err := os.Link(c.path(), old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderError(old, err)
	}
	c.reached(linked)
	if err := os.Rename(fresh, c.path()); err != nil {
		return errors.Join(folderError(c.path(), err), os.Remove(old))
	}
	if err := syncFolder(c.Dir); err != nil {
		return err
	}
	c.reached(switched)
	return nil
}
