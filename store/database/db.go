package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/pages"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

const (
	// mapSize is the address room for the file. A file that outgrows it must be mapped again, for which bbolt waits
	// until no reader is left; with this much room that is rare. It costs no memory.
	mapSize = 256 << 20
	// GrowStep is by how much the file grows: little enough for a small disk.
	GrowStep = 1 << 20
)

// DB is an open database. Reads go on beside each other and beside one write. Whoever closes it, overwrites its free pages or changes
// its key keeps all others out.
type DB struct {
	bolt  *bbolt.DB
	file  *os.File // bbolt's own handle
	key   seal.Sealer
	stuck bool // bbolt faulted while it held its own locks: it must not be asked to close
}

// Open opens the database of the folder, and makes it when it is missing. Placed is the appliance key that lies in its place. Next is
// the one that the database is sealed with where that is not in its place yet; else nil.
func (d Folder) Open(placed seal.Sealer) (db *DB, next []byte, err error) {
	f, err := os.OpenFile(d.Path(), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if err := Create(d.Path(), placed, nil); err != nil {
			return nil, nil, FolderError(d.Path(), err)
		}
		f, err = os.OpenFile(d.Path(), os.O_RDWR, 0)
	}
	if err != nil {
		return nil, nil, FolderError(d.Path(), err)
	}
	key, next, err := d.KeyFor(f, placed)
	if err := errors.Join(d.checkDatabaseFile(f), err); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	db, err = OpenFile(f, key, d.LockTimeout)
	return db, next, err
}

// OpenFile hands a file to bbolt after its structure was found sound, and closes it where that fails. Both read the file through one
// handle, so nothing can come in between.
func OpenFile(f *os.File, key seal.Sealer, timeout time.Duration) (*DB, error) {
	db, err := openVerified(f, key, timeout)
	if err != nil {
		abandon(f)
		return nil, err
	}
	return &DB{bolt: db, file: f, key: key}, nil
}

func openVerified(f *os.File, key seal.Sealer, timeout time.Duration) (*bbolt.DB, error) {
	all, err := pages.Load(f)
	if err != nil {
		return nil, errDamagedFile(err)
	}
	current, err := inspect(all, key)
	if err != nil {
		return nil, err
	}
	var db *bbolt.DB
	err = guard(func() (err error) {
		db, err = bbolt.Open(f.Name(), 0o600, &bbolt.Options{
			Timeout: timeout, FreelistType: bbolt.FreelistMapType, InitialMmapSize: mapSize,
			OpenFile: func(string, int, os.FileMode) (*os.File, error) { return f, nil },
		})
		if err != nil {
			return err
		}
		db.AllocSize = GrowStep
		if current {
			return nil
		}
		return migrate(db, key, migrations())
	})
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, berrors.ErrTimeout):
		return nil, errInUse(filepath.Dir(f.Name()))
	}
	if e := (*fault)(nil); errors.As(err, &e) {
		return nil, errDamagedFile(err)
	}
	if db != nil {
		err = errors.Join(err, db.Close())
	}
	return nil, fmt.Errorf("open store: %w", err)
}

// Key is the appliance key that the database is sealed with.
func (db *DB) Key() seal.Sealer { return db.key }

// Close closes the database.
func (db *DB) Close() error {
	if db.stuck {
		abandon(db.file)
		return nil
	}
	return guard(db.bolt.Close)
}

// abandon closes a file that bbolt may still have mapped. The map would keep bbolt's lock alive, so that goes first;
// the map itself stays until the process ends. Errors mean that bbolt closed the file already.
func abandon(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	_ = f.Close()
}

// View runs a read. What f borrows from the tables ends with it.
func (db *DB) View(f func(Tables) error) error {
	return guard(func() error { return db.bolt.View(db.within(f)) })
}

// Update commits what f writes. After a failure the database is to be closed and opened again: bbolt's memory may be ahead of a disk
// that refused a sync, and after a fault nothing about it is certain.
func (db *DB) Update(f func(Tables) error) error {
	err := guard(func() error { return db.bolt.Update(db.within(f)) })
	if e := (*fault)(nil); errors.As(err, &e) {
		db.stuck = true
	}
	return err
}

// within runs f on the tables of a transaction of bbolt.
func (db *DB) within(f func(Tables) error) func(*bbolt.Tx) error {
	return func(tx *bbolt.Tx) error {
		t, err := openTables(tx, db.key)
		if err != nil {
			return err
		}
		return f(t)
	}
}

// Rewrap seals with another key, in one commit, everything that the appliance key sealed, and takes that key into use.
func (db *DB) Rewrap(to seal.Sealer) (r appliance.Rotation, err error) {
	err = db.Update(func(t Tables) (err error) {
		r, err = t.rewrap(to)
		return err
	})
	if err == nil {
		db.key = to
	}
	return r, err
}

// ZeroFree overwrites with zeros every page that holds nothing: those on bbolt's free list and those behind the last one in use. It
// does not sync.
//
// The free list of a new bbolt transaction names exactly what the last durable commit does not use. bbolt would itself overwrite any of
// these pages in its next commit, so this is as safe as that, where no reader still looks at an older commit.
func (db *DB) ZeroFree() error {
	return guard(func() error {
		tx, err := db.bolt.Begin(true)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // nothing is written by it
		info, err := db.file.Stat()
		if err != nil {
			return err
		}
		page := int64(db.bolt.Info().PageSize)
		return eachUnused(tx, page, info.Size(), func(from, to int64) error { return zero(db.file, from, to, page) })
	})
}

// eachUnused visits each stretch of a file of the given size that holds nothing.
func eachUnused(tx *bbolt.Tx, page, size int64, visit func(from, to int64) error) error {
	from := int64(-1)
	for id := int64(2); id*page < tx.Size(); id++ {
		p, err := tx.Page(int(id))
		if err != nil {
			return err
		}
		free := p.Type == "free"
		if free && from < 0 {
			from = id * page
		}
		if !free && from >= 0 {
			if err := visit(from, id*page); err != nil {
				return err
			}
			from = -1
		}
	}
	if from < 0 {
		from = tx.Size()
	}
	return visit(from, size)
}

// Sync makes durable what ZeroFree wrote.
func (db *DB) Sync() error { return db.file.Sync() }

// Free returns the size of the file and how much of it holds nothing.
func (db *DB) Free() (size, free int64, err error) {
	info, err := db.file.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("measure store: %w", err)
	}
	var used int64
	err = guard(func() error {
		return db.bolt.View(func(tx *bbolt.Tx) error {
			used = tx.Size()
			return nil
		})
	})
	stats := db.bolt.Stats()
	used -= int64(stats.FreePageN+stats.PendingPageN) * int64(db.bolt.Info().PageSize)
	return info.Size(), info.Size() - used, err
}

// copyChunk bounds a commit of a copy, and with it the memory that the copy takes.
const copyChunk = 1 << 20

// Copy writes what the database holds now, without its free pages, to a new file, and syncs it. The caller keeps the
// database open and its pages from being overwritten meanwhile.
func (db *DB) Copy(path string) error {
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
		return db.bolt.View(func(tx *bbolt.Tx) error {
			return tx.ForEach(func(name []byte, b *bbolt.Bucket) error { return copyBucket(dst, name, b) })
		})
	})
	if err == nil {
		err = dst.Sync()
	}
	if err := errors.Join(err, dst.Close()); err != nil {
		return errors.Join(fmt.Errorf("copy database: %w", err), Wipe(path))
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
