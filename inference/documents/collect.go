package documents

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/bawab/bawab/inference/describe"
	"github.com/bawab/bawab/models"
)

// Collect takes the kinds of a tree of folders together as a set brings them: description, labels, README, truth, and the pictures that
// the truth names, each under the name of its kind. Whatever else lies in the folders stays there.
func Collect(tree fs.FS) (map[string][]byte, error) {
	from, err := sources(tree)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for name, source := range from {
		if out[name], err = readRegular(tree, source); err != nil {
			return nil, fmt.Errorf("read kinds: %w", err)
		}
	}
	return out, nil
}

// Left lists the files of a tree that Collect leaves where they are.
func Left(tree fs.FS) (left []string, err error) {
	from, err := sources(tree)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, source := range from {
		taken[source] = true
	}
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !taken[name] {
			left = append(left, name)
		}
		return err
	})
	return left, err
}

// sources tells for each file that a set brings where in the tree it lies.
func sources(tree fs.FS) (map[string]string, error) {
	files, err := read(tree)
	if err != nil {
		return nil, fmt.Errorf("read kinds: %w", err)
	}
	kinds, err := LoadKinds(files)
	if err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		return nil, fmt.Errorf("read kinds: %w", describe.Fault{File: models.DescriptionFile, Reason: "no folder has one"})
	}
	out := map[string]string{}
	for i, folder := range foldersOf(files) { // in the order of the kinds
		if err := sourcesOf(tree, folder, path.Join(models.KindsFolder, string(kinds[i].Kind)), out); err != nil {
			return nil, fmt.Errorf("read kinds: %w", err)
		}
	}
	return out, nil
}

// sourcesOf finds the files of one kind.
func sourcesOf(tree fs.FS, folder, into string, out map[string]string) error {
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
			return describe.Fault{
				File: path.Join(folder, models.TruthFile), Line: n,
				Reason: fmt.Sprintf("picture %q: name it with letters, digits, _ and -, and .jpg or .png behind", named.File),
			}
		}
		names = append(names, named.File)
	}
	for _, name := range names {
		source := path.Join(folder, name)
		_, err := fs.Lstat(tree, source)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			out[path.Join(into, name)] = source
		}
	}
	return nil
}
