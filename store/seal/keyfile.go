package seal

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

// Bits that a key file must not have. systemd shows credentials with the mode of an access list.
const (
	LooseOwn        fs.FileMode = 0o077 // for a file of bawab's own
	LooseConfigured fs.FileMode = 0o027 // for one that the configuration names
)

// ReadKey reads a key file. What names the key, as in "appliance key"; loose are the mode bits that the file must not
// have, owners are who may own it. A missing file is fs.ErrNotExist; what its owner must put right is an appliance.Error.
func ReadKey(what, path string, loose fs.FileMode, owners []uint32) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := Private(what, path, info, loose, owners); err != nil {
		return nil, err
	}
	key, err := io.ReadAll(io.LimitReader(f, KeySize+1))
	if err != nil {
		return nil, err
	}
	if len(key) != KeySize {
		return nil, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read " + what, Msg: fmt.Sprintf("the %s must be %d bytes", what, KeySize),
			Hint: "put " + path + " back from a backup",
		}
	}
	return key, nil
}

// MakeKey draws a key and puts it on disk, mode 0600, before it is used: a key that a power cut could take back would lose
// what it sealed.
func MakeKey(path string) ([]byte, error) {
	key := make([]byte, KeySize)
	rand.Read(key)
	if err := folder.Replace(path, key, (*os.File).Sync); err != nil {
		return nil, err
	}
	return key, nil
}

// NewKeyFile reads a file that is to be the next key, 32 bytes that only their owner may read, or makes it with random ones
// where it is missing.
func NewKeyFile(what, path string) ([]byte, error) {
	key, err := ReadKey(what, path, LooseOwn, []uint32{uint32(os.Geteuid()), 0})
	if errors.Is(err, fs.ErrNotExist) {
		return MakeKey(path)
	}
	return key, err
}
