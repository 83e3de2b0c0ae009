package database

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
)

// applianceKey reads the key that wraps all data keys. Without a configured file it is DIR/appliance.key, made at the
// first start; a new one is never made beside a database, whose content it could not open.
func (d Folder) applianceKey() ([]byte, error) {
	dir, configured, path := d.Dir, d.KeyFile, d.KeyPath()
	loose := seal.LooseOwn
	if configured != "" {
		loose = seal.LooseConfigured
	}
	key, err := ReadKey(path, loose, d.owners())
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if configured != "" {
		return nil, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read appliance key", Msg: "the configured appliance key is missing",
			Hint: "put 32 random bytes there (mode 0600), or remove the setting: " + path,
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, FileName)); !errors.Is(err, fs.ErrNotExist) {
		return nil, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read appliance key",
			Msg: "the appliance key is missing, and without it the database cannot be opened", Err: err,
			Hint: "put " + path + " back from a backup; or, to start with nothing, move " + FileName + " away",
		}
	}
	return makeKey(path)
}

// ReadKey reads an appliance key; see seal.ReadKey.
func ReadKey(path string, loose fs.FileMode, owners []uint32) ([]byte, error) {
	key, err := seal.ReadKey("appliance key", path, loose, owners)
	if e := (*appliance.Error)(nil); err == nil || errors.Is(err, fs.ErrNotExist) || errors.As(err, &e) {
		return key, err
	}
	return nil, FolderError(path, err)
}

// makeKey makes the appliance key; see seal.MakeKey.
func makeKey(path string) ([]byte, error) {
	key, err := seal.MakeKey(path)
	if err != nil {
		return nil, FolderError(path, err)
	}
	return key, nil
}

// NextKey reads the next key of a rotation that was not completed; nil where there is none that the key in place opens.
func (d Folder) NextKey(placed seal.Sealer) ([]byte, error) {
	sealed, err := os.ReadFile(d.NextKeyPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, FolderError(d.NextKeyPath(), err)
	}
	raw, err := placed.Open(sealed, seal.PurposeNextKey)
	if err != nil || len(raw) != seal.KeySize {
		return nil, nil // that rotation was completed, or its file is damaged and the database says which key holds
	}
	return raw, nil
}

// KeyFor returns the key that a database was sealed with: the one in place, or the next one of a rotation that was not
// completed, which is returned besides. Where neither opens it, the one in place is returned.
func (d Folder) KeyFor(f pages.Source, placed seal.Sealer) (key seal.Sealer, next []byte, err error) {
	raw, err := d.NextKey(placed)
	if raw == nil {
		return placed, nil, err
	}
	candidate, err := seal.New(raw)
	if err != nil {
		return seal.Sealer{}, nil, err
	}
	if _, err := candidate.Open(checkValue(f), seal.PurposeCheck); err != nil {
		return placed, nil, nil
	}
	return candidate, raw, nil
}

// checkValue reads the sealed constant of a database; nil where it is not found.
func checkValue(f pages.Source) []byte {
	all, err := pages.Load(f)
	if err != nil {
		return nil
	}
	var check []byte
	_ = all.Walk(func(bucket string, key, value []byte) error { // damage is the business of who asks
		if bucket == bucketMeta && string(key) == MetaCheck {
			check = bytes.Clone(value)
		}
		return nil
	})
	return check
}
