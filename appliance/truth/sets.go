package truth

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

// truthSets is the file of the data folder that names the truth sets and archives that were written from it, one a line.
const truthSets = "truth.sets"

// Remember names a set or archive to a later erasing.
func Remember(data, name string) error {
	known := Remembered(data)
	if slices.Contains(known, name) {
		return nil
	}
	path := filepath.Join(data, truthSets)
	if err := folder.Replace(path, []byte(strings.Join(append(known, name), "\n")+"\n"), (*os.File).Sync); err != nil {
		return &appliance.Error{
			Op: "remember truth set", Msg: "the data folder cannot be written", Hint: "run as the user of the daemon or as root", Err: err,
		}
	}
	return nil
}

// Remembered are the sets and archives that were named.
func Remembered(data string) []string {
	text, err := os.ReadFile(filepath.Join(data, truthSets))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" })
}

// EraseEverywhere removes the wanted documents from every set that the data folder remembers, and tells of each that held some. absent
// are the archives, and the sets that are not there any more: what they hold is out of reach.
func EraseEverywhere(
	data string, wanted func(*Line) bool, tell func(name string, documents int),
) (removed int, absent []string, err error) {
	for _, name := range Remembered(data) {
		e, err := Erase(name, wanted)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			absent = append(absent, name)
		case err != nil:
			return removed, absent, err
		case e.Lines > 0:
			removed += e.Lines
			tell(name, e.Lines)
		}
	}
	return removed, absent, nil
}
