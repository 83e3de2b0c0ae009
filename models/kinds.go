package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
)

// KindsFolder holds the kinds of documents that a set brings beside its networks, a folder each.
const KindsFolder = "kinds"

// The files of a kind. Package documents reads the first two; the truth names the pictures of the kind's golden set, which lie beside it.
const (
	DescriptionFile = "description.txt"
	LabelsFile      = "labels.txt"
	ReadmeFile      = "README.md"
	TruthFile       = "truth.jsonl"
)

// Bounds of what a set brings.
const (
	MostKinds     = 16
	mostPictures  = 16      // of the golden set of a kind
	mostKindBytes = 8 << 20 // of a file
)

// kindFile matches the files that a kind may have in a set, by their paths. There are no other folders in a set.
var kindFile = regexp.MustCompile(`^kinds/([A-Za-z][A-Za-z0-9_]{0,39})/` +
	`(description\.txt|labels\.txt|README\.md|truth\.jsonl|[A-Za-z0-9][A-Za-z0-9_-]{0,39}\.(jpg|jpeg|png))$`)

// IsKindFile reports whether a path is that of a file which a kind may have in a set.
func IsKindFile(name string) bool { return kindFile.MatchString(name) }

// IsPicture reports whether a path is that of a picture of a kind in a set.
func IsPicture(name string) bool {
	return IsKindFile(name) && slices.Contains([]string{".jpg", ".jpeg", ".png"}, path.Ext(name))
}

// Kinds returns the files of the kinds that the set brings, by their paths; empty where it brings none. They are to be read only.
func (s *Set) Kinds() map[string][]byte { return s.kinds }

// WithKinds is the set with other kinds.
func (s *Set) WithKinds(files map[string][]byte) *Set {
	with := *s
	with.kinds = files
	return &with
}

// loadKinds reads the kinds of a set.
func loadKinds(files fs.FS) (map[string][]byte, error) {
	kinds, count := map[string][]byte{}, map[string]int{} // of each kind, the pictures
	err := fs.WalkDir(files, KindsFolder, func(name string, entry fs.DirEntry, err error) error {
		if name == KindsFolder && errors.Is(err, fs.ErrNotExist) {
			return fs.SkipAll
		}
		if err != nil || entry.IsDir() {
			return err
		}
		match := kindFile.FindStringSubmatch(name)
		if match == nil || !entry.Type().IsRegular() {
			return fmt.Errorf(
				"%s: a kind has %s, %s, %s, %s and pictures (.jpg, .png) alone",
				name,
				DescriptionFile,
				LabelsFile,
				ReadmeFile,
				TruthFile,
			)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		pictures := count[match[1]]
		if IsPicture(name) {
			pictures++
		}
		count[match[1]] = pictures
		switch {
		case info.Size() > mostKindBytes:
			return fmt.Errorf("%s: larger than %d MiB", name, mostKindBytes>>20)
		case len(count) > MostKinds:
			return fmt.Errorf("%s: more than %d kinds", name, MostKinds)
		case pictures > mostPictures:
			return fmt.Errorf("%s: a golden set of more than %d pictures", name, mostPictures)
		}
		kinds[name], err = fs.ReadFile(files, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the kinds of the set: %w", err)
	}
	for name := range count {
		if kinds[path.Join(KindsFolder, name, DescriptionFile)] == nil {
			return nil, fmt.Errorf("read the kinds of the set: %s: the file is missing", path.Join(KindsFolder, name, DescriptionFile))
		}
	}
	return kinds, nil
}

// statedKinds are the kinds without their golden sets.
func statedKinds(kinds map[string][]byte) map[string][]byte {
	stated := map[string][]byte{}
	for name, content := range kinds {
		if match := kindFile.FindStringSubmatch(name); match[2] == DescriptionFile || match[2] == LabelsFile {
			stated[name] = content
		}
	}
	return stated
}
