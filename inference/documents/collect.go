package documents

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/models"
)

// Collect takes the kinds of a tree of folders together as a set brings them: description, labels, README, truth, and the pictures that
// the truth names, each under the name of its kind. Whatever else lies in the folders stays there.
func Collect(tree fs.FS) (map[string][]byte, error) {
	files, err := read(tree)
	if err != nil {
		return nil, fmt.Errorf("read kinds: %w", err)
	}
	kinds, err := LoadKinds(files)
	if err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		return nil, fmt.Errorf("read kinds: %w", form.Fault{File: models.DescriptionFile, Reason: "no folder has one"})
	}
	out := map[string][]byte{}
	for i, folder := range foldersOf(files) { // in the order of the kinds
		if err := collect(tree, folder, path.Join(models.KindsFolder, string(kinds[i].Kind)), out); err != nil {
			return nil, fmt.Errorf("read kinds: %w", err)
		}
	}
	return out, nil
}

// collect takes one kind together.
func collect(tree fs.FS, folder, into string, out map[string][]byte) error {
	names := []string{models.DescriptionFile, models.LabelsFile, models.ReadmeFile, models.TruthFile}
	truth, err := readRegular(tree, path.Join(folder, models.TruthFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	n := 0
	for line := range strings.Lines(string(truth)) {
		n++
		var named struct{ File string }
		if err := json.Unmarshal([]byte(line), &named); err != nil || named.File == "" {
			continue // whoever reads the truth says so
		}
		if !models.IsKindFile(path.Join(into, named.File)) {
			return form.Fault{
				File: path.Join(folder, models.TruthFile), Line: n,
				Reason: fmt.Sprintf("picture %q: name it with letters, digits, _ and -, and .jpg or .png behind", named.File),
			}
		}
		names = append(names, named.File)
	}
	for _, name := range names {
		content, err := readRegular(tree, path.Join(folder, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			out[path.Join(into, name)] = content
		}
	}
	return nil
}
