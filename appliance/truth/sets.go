package truth

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

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
