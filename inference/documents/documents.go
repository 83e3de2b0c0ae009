// Package documents lists the kinds of documents that the engine reads. A kind is a folder with description.txt and labels.txt:
// nothing else need be changed to add one.
package documents

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/describe"
	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/models"
)

//go:generate go test -count=1 -run ^TestContract$ . -write

//go:embed egypt/*/*.txt
var folders embed.FS

// All loads every description in the program, in the order of their folders' names. A description that is wrong is the error.
func All() ([]*form.Description, error) { return Load(folders) }

// Of is the description of a kind in the program; nil where none is. It is shared: nothing in it may be changed.
func Of(kind appliance.Kind) *form.Description { return ours()[kind] }

var ours = sync.OnceValue(func() map[appliance.Kind]*form.Description {
	all, err := All()
	if err != nil {
		panic(err) // a test loads them
	}
	out := map[appliance.Kind]*form.Description{}
	for _, d := range all {
		out[d.Kind] = d
	}
	return out
})

// With is the description of a kind in the program for a site whose documents hold further words, labels and values.
func With(kind appliance.Kind, more egypt.Words, own form.Own) (*form.Description, error) {
	files, err := read(folders)
	if err != nil {
		return nil, fmt.Errorf("load kinds: %w", err)
	}
	all, err := load(files, egypt.KnowledgeWith(more))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(d *form.Description) bool { return d.Kind == kind })
	if i < 0 {
		return nil, fmt.Errorf("load kinds: no kind %s is described", kind)
	}
	return all[i].With(own), nil
}

// Load loads the descriptions of a tree of folders.
func Load(tree fs.FS) ([]*form.Description, error) {
	files, err := read(tree)
	if err != nil {
		return nil, fmt.Errorf("load kinds: %w", err)
	}
	return load(files, egypt.Knowledge())
}

// LoadKinds loads the descriptions among some files, by their paths: those of kinds that come after the program. None of them may have
// the name of one that every appliance knows. What is wrong is a describe.Fault with its path.
func LoadKinds(files map[string][]byte) ([]*form.Description, error) {
	if len(files) == 0 { // knowledge takes megabytes
		return nil, nil
	}
	known := egypt.Knowledge()
	known.Taken = appliance.Kind.Taken
	return load(files, known)
}

// read reads the files of kinds in a tree.
func read(tree fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != models.DescriptionFile && entry.Name() != models.LabelsFile {
			return err
		}
		files[name], err = readRegular(tree, name)
		return err
	})
	return files, err
}

// readRegular reads a file that is one itself: a pipe would be waited for without end, and a link leads to a file of something else.
func readRegular(tree fs.FS, name string) ([]byte, error) {
	info, err := fs.Lstat(tree, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, describe.Fault{File: name, Reason: "it is no regular file, and only such files are read"}
	}
	return fs.ReadFile(tree, name)
}

func load(files map[string][]byte, known field.Knowledge) (out []*form.Description, err error) {
	described := map[appliance.Kind]string{}
	for _, folder := range foldersOf(files) {
		name := path.Join(folder, models.DescriptionFile)
		d, err := loadFolder(files, folder, known)
		if err != nil {
			return nil, fmt.Errorf("load kind: %w", err)
		}
		if other, ok := described[d.Kind]; ok {
			fault := describe.Fault{File: name, Reason: fmt.Sprintf("kind %s is described in %s already", d.Kind, other)}
			return nil, fmt.Errorf("load kind: %w", fault)
		}
		described[d.Kind], out = name, append(out, d)
	}
	return out, nil
}

// foldersOf are the folders among some files that hold a description, in their order.
func foldersOf(files map[string][]byte) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Base(name) == models.DescriptionFile {
			out = append(out, path.Dir(name))
		}
	}
	return out
}

// loadFolder loads one description. A fault names its file by the whole path.
func loadFolder(files map[string][]byte, folder string, known field.Knowledge) (*form.Description, error) {
	labels, ok := files[path.Join(folder, models.LabelsFile)]
	if !ok {
		return nil, describe.Fault{File: path.Join(folder, models.LabelsFile), Reason: "the file is missing"}
	}
	d, err := describe.Load(bytes.NewReader(files[path.Join(folder, models.DescriptionFile)]), bytes.NewReader(labels), known)
	var fault describe.Fault
	if errors.As(err, &fault) {
		fault.File = path.Join(folder, fault.File+".txt")
		return nil, fault
	}
	return d, err
}
