// Package folder writes the files of the data folder so that they survive a power cut and belong to the right user.
package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Part is what the name of a file ends with while Replace writes it. Nobody else gives a file such a name: an operator may
// well keep a key.new beside the key.
const Part = ".bawab-part"

// Give makes the owner of the folder dir the owner of what lies at path. An operator who runs a command as root would
// otherwise lock the service's own user out.
func Give(path, dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 || owner.Uid == 0 {
		return nil
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}

// Sync makes durable which files a folder holds. sync makes an open file or folder durable: (*os.File).Sync, but for a test
// that lets it fail.
func Sync(dir string, sync func(*os.File) error) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(sync(f), f.Close())
}

// Replace writes a small file of mode 0600, given to the owner of its folder, so that it is either the old or the new one after
// a crash, and durable on return. What a crash leaves is called path + Part, and the next call removes it. sync is as for Sync.
// No two calls for one path may run at once.
func Replace(path string, content []byte, sync func(*os.File) error) error {
	part, dir := path+Part, filepath.Dir(path)
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, sync(f), f.Close(), Give(part, dir)); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return Sync(dir, sync)
}
