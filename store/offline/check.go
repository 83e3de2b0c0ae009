package offline

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// Check examines the database of a folder; see database.Folder. It changes nothing.
func Check(ctx context.Context, folder database.Folder) (database.Report, error) {
	lock, placed, err := claim(ctx, folder)
	if err != nil {
		return database.Report{}, err
	}
	defer lock.Close()
	return folder.Check(ctx, placed)
}

// claim takes possession of a folder in which there is a database.
func claim(ctx context.Context, folder database.Folder) (lock *os.File, placed seal.Sealer, err error) {
	_, err = os.Stat(folder.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, seal.Sealer{}, &appliance.Error{
			Code: appliance.CodeNotFound, Op: "open store", Msg: "there is no database in the data folder",
			Hint: "check the folder: " + folder.Dir, Err: err,
		}
	case err != nil:
		return nil, seal.Sealer{}, database.FolderError(folder.Path(), err)
	}
	return folder.Claim(ctx)
}
