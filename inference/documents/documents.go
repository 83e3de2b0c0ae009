// Package documents lists the kinds of documents that the engine reads. A kind is a folder with description.txt and labels.txt:
// nothing else need be changed to add one.
package documents

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/inference/form"
)

//go:embed egypt/*/*.txt
var folders embed.FS

// The files of a kind.
const (
	descriptionFile = "description.txt"
	labelsFile      = "labels.txt"
)

// All loads every description, in the order of their folders' names. A description that is wrong is the error.
func All() ([]*form.Description, error) { return Load(folders) }

// Load loads the descriptions of a tree of folders, such as those of a model pack.
func Load(tree fs.FS) (out []*form.Description, err error) {
	known := egypt.Knowledge()
	folder := map[appliance.Kind]string{}
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != descriptionFile {
			return err
		}
		d, err := load(tree, path.Dir(name), known)
		if err != nil {
			return fmt.Errorf("load %s: %w", path.Dir(name), err)
		}
		if other, ok := folder[d.Kind]; ok {
			return fmt.Errorf("load %s: kind %s is described in %s already", path.Dir(name), d.Kind, other)
		}
		folder[d.Kind], out = path.Dir(name), append(out, d)
		return nil
	})
	return out, err
}

func load(tree fs.FS, folder string, known form.Knowledge) (_ *form.Description, err error) {
	description, err := tree.Open(path.Join(folder, descriptionFile))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, description.Close()) }()
	labels, err := tree.Open(path.Join(folder, labelsFile))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, labels.Close()) }()
	return form.Load(description, labels, known)
}
