package database

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

const hintSalvage = "`bawab store check` says what is wrong, `bawab store salvage` saves what can be read and keeps the damaged file"

func errInUse(dir string) error {
	return &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "open store", Msg: "another bawab uses this data folder",
		Hint: "stop it first, or give this one a folder of its own: " + dir,
	}
}

func errForeign() error {
	return &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "open store", Msg: "the database was not made by bawab",
		Hint: "move " + FileName + " out of the data folder, or use another folder",
	}
}

// ErrWrongKey is the answer where the appliance key does not open the database.
func ErrWrongKey() error {
	return &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "open store", Msg: "the appliance key is not the one that sealed the database",
		Hint: "put the right " + KeyName + " back from a backup; or, to start with nothing, move both it and " + FileName + " away",
	}
}

// errDamagedFile is the answer for a file that is not what a database must be.
func errDamagedFile(err error) error {
	return &appliance.Error{Code: appliance.CodeUnavailable, Op: "open store", Msg: "the database is damaged", Hint: hintSalvage, Err: err}
}

// FolderError says in plain words why the data folder or a file in it cannot be used.
func FolderError(path string, err error) error {
	e := &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "open store", Msg: "the data folder cannot be used", Hint: "check " + path, Err: err,
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Msg, e.Hint = "no permission for the data folder", "run as its owner, or give the user of bawab the folder: "+path
	case errors.Is(err, syscall.EROFS):
		e.Msg, e.Hint = "the data folder lies on a read-only disk", "mount it writable, or use another folder than "+path
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		e.Msg, e.Hint = "the data folder is not a folder", "remove or rename what lies at "+path
	case folder.Full(err):
		e.Msg, e.Hint = "the disk of the data folder is full", "free some room at "+path
	}
	return e
}

// fault is a panic or a memory fault in the database, which a damaged file or a failing disk under the memory map
// brings about.
type fault struct{ reason any }

func (f *fault) Error() string { return fmt.Sprintf("fault in the database: %v", f.reason) }

// guard runs f and turns a panic, and a fault of the memory map, into an error.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = &fault{r}
		}
	}()
	return f()
}
