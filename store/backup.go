package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/database"
)

// Backup writes the database as it is at one moment to a new file of mode 0600, without the pages that hold nothing, and
// opens every value of it. Requests go on meanwhile; only an erasure waits, and who comes after it. The file is complete,
// durable and sound when it has its name. It is sealed like the database and worthless without the appliance key.
func (s *Store) Backup(ctx context.Context, path string) (appliance.BackupReport, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return appliance.BackupReport{}, backupError(path, errors.Join(fs.ErrExist, err))
	}
	part := path + database.SuffixNew
	if err := database.Wipe(part); err != nil {
		return appliance.BackupReport{}, backupError(path, err)
	}
	r, err := s.copyChecked(ctx, part)
	if err != nil {
		return appliance.BackupReport{}, backupError(path, errors.Join(err, database.Wipe(part)))
	}
	s.folder().Reach(database.PointBackedUp)
	if err := os.Rename(part, path); err != nil {
		return appliance.BackupReport{}, backupError(path, errors.Join(err, database.Wipe(part)))
	}
	if err := database.SyncFolder(filepath.Dir(path)); err != nil {
		return appliance.BackupReport{}, backupError(path, err)
	}
	return appliance.BackupReport{Transactions: r.Transactions, Records: r.Records, Keys: r.Keys, Bytes: r.Bytes}, nil
}

// BackupPath is the place in the data folder where a backup lies on its way to the operator.
func (s *Store) BackupPath() string { return s.folder().Path() + database.SuffixBackup }

// DropBackup overwrites and removes what lies at BackupPath.
func (s *Store) DropBackup() error { return database.Wipe(s.BackupPath()) }

// backupError says why there is no backup at a path.
func backupError(path string, err error) error {
	e := &appliance.Error{Code: appliance.CodeUnavailable, Op: "back up store", Msg: "the backup could not be made", Hint: "check " + path, Err: err}
	switch {
	case errors.Is(err, errClosed):
		return unavailable("back up store", err)
	case errors.Is(err, fs.ErrExist):
		e.Code, e.Msg, e.Hint = appliance.CodeBadRequest, "there is such a file already", "name a file that is not there yet, instead of "+path
	case folder.Full(err):
		e.Msg, e.Hint = "there is no room for the backup", fmt.Sprintf("free some room at %s, or name a file on another disk", filepath.Dir(path))
	}
	return e
}
