package store

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/seal"
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
		Hint: "move " + DatabaseName + " out of the data folder, or use another folder",
	}
}

func errWrongKey() error {
	return &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "open store", Msg: "the appliance key is not the one that sealed the database",
		Hint: "put the right " + keyName + " back from a backup; or, to start with nothing, move both it and " + DatabaseName + " away",
	}
}

func errNothingOpens() error {
	return &appliance.Error{
		Code: appliance.CodeUnavailable, Op: "salvage store", Msg: "nothing in the database opens with this appliance key",
		Hint: "put the right " + keyName + " back from a backup; if it is the right one, nothing can be saved: move " + DatabaseName + " away",
	}
}

func errDamagedFile(err error) error {
	return &appliance.Error{Code: appliance.CodeUnavailable, Op: "open store", Msg: "the database is damaged", Hint: hintSalvage, Err: err}
}

// folderError says in plain words why the data folder or a file in it cannot be used.
func folderError(path string, err error) error {
	e := &appliance.Error{Code: appliance.CodeUnavailable, Op: "open store", Msg: "the data folder cannot be used", Hint: "check " + path, Err: err}
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

// unavailable is the answer to a caller whose write or read could not be done now.
func unavailable(op string, err error) error {
	e := &appliance.Error{Code: appliance.CodeUnavailable, Op: op, Msg: "the store is not available now: try again later", Hint: seal.HintCheck, Err: err}
	if folder.Full(err) {
		e.Msg, e.Hint = "the disk of the store is full: try again later", "free some room on the disk of the data folder"
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
