package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/bawab/bawab/appliance/folder"
)

// What a file of the folder is called behind the name of the database while it is not what bawab.db is.
const (
	SuffixNew       = ".new"       // a database that is being made
	SuffixSalvaged  = ".salvaged"  // one that a salvage made, before it takes its place
	SuffixCompact   = ".compact"   // the smaller form of the database, before it takes its place
	SuffixBackup    = ".backup"    // a backup on its way to the operator
	SuffixRestoring = ".restoring" // a backup that was taken over to be restored
	SuffixRestored  = ".restored"  // the database made of it, before it takes its place
	SuffixOld       = ".old"       // the database that one of these took the place of, until that is certain
)

// RemoveLeftovers deletes what a power cut during the making of a database left beside it: sealed copies that no sweep
// would ever reach.
func (d Folder) RemoveLeftovers() error {
	for _, suffix := range []string{
		SuffixNew, SuffixSalvaged, SuffixSalvaged + SuffixNew, SuffixCompact, SuffixCompact + SuffixNew,
		SuffixBackup, SuffixBackup + SuffixNew, SuffixRestoring, SuffixRestored, SuffixRestored + SuffixNew,
	} {
		if err := Wipe(d.Path() + suffix); err != nil {
			return FolderError(d.Path()+suffix, err)
		}
	}
	return nil
}

// Wipe overwrites a file with zeros and removes it; a missing one is no error. A file with a second name only loses this
// one: its content is somebody else's.
func Wipe(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = errors.Join(Blank(f), f.Close(), os.Remove(path))
	if err != nil {
		return fmt.Errorf("remove %s: %w", filepath.Base(path), err)
	}
	return SyncFolder(filepath.Dir(path))
}

// Blank overwrites a file with zeros, durably, unless it has a second name.
func Blank(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
		return nil
	}
	return errors.Join(zero(f, 0, info.Size(), int64(os.Getpagesize())), f.Sync())
}

// zero overwrites the pages of a range that are not zero already: most have been overwritten before, and a flash disk
// should not be worn for nothing.
func zero(f *os.File, from, to, page int64) error {
	const chunk = 256 // pages read at a time
	buf := make([]byte, min(chunk*page, max(to-from, 0)))
	blank := make([]byte, page)
	for ; from < to; from += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), to-from)]
		if _, err := f.ReadAt(buf, from); err != nil {
			return err
		}
		for at := int64(0); at < int64(len(buf)); at += page {
			p := buf[at:min(at+page, int64(len(buf)))]
			if string(p) == string(blank[:len(p)]) {
				continue
			}
			if _, err := f.WriteAt(blank[:len(p)], from+at); err != nil {
				return err
			}
		}
	}
	return nil
}

// Replace puts a small file in place, of mode 0600, whole or not at all, and durably.
func Replace(path string, content []byte) error {
	if err := folder.Replace(path, content, (*os.File).Sync); err != nil {
		return FolderError(path, err)
	}
	return nil
}

// Swap puts a finished database in the place of the present one, which keeps a second name, SuffixOld, until it is wiped. At any time there
// is a whole database under the usual name.
func (d Folder) Swap(fresh string, linked, switched Point) error {
	old := d.Path() + SuffixOld
	if err := Wipe(old); err != nil {
		return FolderError(old, err)
	}
	if err := os.Link(d.Path(), old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return FolderError(old, err)
	}
	d.Reach(linked)
	if err := os.Rename(fresh, d.Path()); err != nil {
		return errors.Join(FolderError(d.Path(), err), os.Remove(old))
	}
	if err := SyncFolder(d.Dir); err != nil {
		return err
	}
	d.Reach(switched)
	return nil
}
