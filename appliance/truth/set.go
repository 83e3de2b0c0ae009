package truth

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

// Form names the layout of a set; another layout gets another name.
const Form = "bawab-truth/1"

const (
	manifestName = "truth.json"
	linesName    = "truth.jsonl"
	picturesName = "pictures"
)

// Halves are the two parts of a set, by the names of their folders.
func Halves() []string { return []string{"fit", "test"} }

// Manifest is what a set says of itself.
type Manifest struct {
	Form string `json:"form"`
	// Releases are those that read the pictures.
	Releases []string `json:"releases"`
}

// Line is one document of a set. Its first members are what `bawab eval documents` reads.
type Line struct {
	File      string     `json:"file"`
	Documents []Document `json:"documents"`
	// Review is the id under which it was reviewed, Person who the holder is, Day when it was read.
	Review      string `json:"review"`
	Transaction string `json:"transaction"`
	Person      string `json:"person"`
	Day         string `json:"day"`
	Release     string `json:"release"`
	// People is how many decided, Flagged whether the answer itself raised a doubt.
	People  []string `json:"people"`
	Flagged bool     `json:"flagged"`
	// Read is what was answered, by field.
	Read map[string]Reading `json:"read"`
}

// Document is what a document in a picture holds.
type Document struct {
	Kind   appliance.Kind    `json:"kind"`
	Quad   [4][2]float64     `json:"quad"`
	Fields map[string]string `json:"fields"`
	// Covered are the fields that nobody can read.
	Covered []string `json:"covered,omitempty"`
}

// Reading is what was answered for a field.
type Reading struct {
	Value      string           `json:"value"`
	Confidence float64          `json:"confidence"`
	Codes      []appliance.Code `json:"codes,omitempty"`
}

// Set is a truth set in memory, without its pictures.
type Set struct {
	dir      string
	Manifest Manifest
	// Lines are by half.
	Lines map[string][]Line
	// sync makes a file durable: (*os.File).Sync, but for a test that cuts the power there.
	sync func(*os.File) error
}

// refused says what is wrong with a set.
func refused(msg, hint string, err error) error {
	return &appliance.Error{Code: appliance.CodeBadRequest, Op: "read truth set", Msg: msg, Hint: hint, Err: err}
}

// Open reads the set of a folder. One that is not there, or holds nothing, is a new one.
func Open(dir string) (*Set, error) {
	s := &Set{dir: dir, Manifest: Manifest{Form: Form}, Lines: map[string][]Line{}, sync: (*os.File).Sync}
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, refused("the folder cannot be read", "check "+dir, err)
		}
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != manifestName+folder.Part }) {
			return nil, refused("the folder holds something else", "name a new folder instead of "+dir, nil)
		}
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s.Manifest)
	}
	if err != nil || s.Manifest.Form != Form {
		return nil, refused("the folder holds no truth set of this form", "its truth.json must say "+Form, err)
	}
	for _, half := range Halves() {
		if s.Lines[half], err = readLines(filepath.Join(dir, half, linesName)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// picture is how the file of a picture is named: nothing else of a set is ever read or removed.
var picture = regexp.MustCompile(`^pictures/[0-9a-f-]{36}\.(jpg|png|webp|tiff|bmp|pdf|bin)$`)

func readLines(name string) (all []Line, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, refused("the set cannot be read", "check "+name, err)
	}
	return parseLines(name, text)
}

func parseLines(name string, text []byte) (all []Line, err error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var l Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || !picture.MatchString(l.File) || len(l.Documents) != 1 {
			return nil, refused(fmt.Sprintf("line %d of the set is not one of its form", n), "check "+name, err)
		}
		if _, err := time.Parse(time.DateOnly, l.Day); err != nil {
			return nil, refused(fmt.Sprintf("line %d of the set has no day", n), "check "+name, err)
		}
		all = append(all, l)
	}
	if err := lines.Err(); err != nil {
		return nil, refused("the set cannot be read", "check "+name, err)
	}
	return all, nil
}

// halfOf is the half to which a day belongs. It needs no memory, so that sets of several kiosks agree.
func halfOf(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return Halves()[0]
	}
	return Halves()[at.Unix()/(24*60*60)%2]
}

// homes returns the half of each person: that of his first day.
func (s *Set) homes() map[string]string {
	first := map[string]string{}
	for _, half := range Halves() {
		for _, l := range s.Lines[half] {
			if day, ok := first[l.Person]; !ok || l.Day < day {
				first[l.Person] = l.Day
			}
		}
	}
	for person, day := range first {
		first[person] = halfOf(day)
	}
	return first
}

// add puts lines into the set, in the place of older ones of the same review, and moves nobody: who has a half already keeps it. A line
// whose day belongs to the other half than its person is left out; left counts them.
func (s *Set) add(lines []Line) (added []Line, left int) {
	homes := s.homes()
	slices.SortFunc(lines, func(a, b Line) int { return strings.Compare(a.Day+a.Review, b.Day+b.Review) })
	for _, l := range lines {
		half := halfOf(l.Day)
		if home, ok := homes[l.Person]; ok && home != half {
			left++
			continue
		}
		homes[l.Person] = half
		s.Lines[half] = append(slices.DeleteFunc(s.Lines[half], func(o Line) bool { return o.Review == l.Review }), l)
		if !slices.Contains(s.Manifest.Releases, l.Release) {
			s.Manifest.Releases = append(s.Manifest.Releases, l.Release)
		}
		added = append(added, l)
	}
	slices.Sort(s.Manifest.Releases)
	return added, left
}

// noRoom says what to do where a set cannot be written.
func (s *Set) noRoom(msg string, err error) error {
	return refused(msg, "see that "+s.dir+" may be written and that its disk has room, and call it again: it goes on where it was", err)
}

// begin makes the folder of a set, and says in it that it is one before anything else lies there: what a power cut leaves is gone on with.
func (s *Set) begin() error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return refused("the folder cannot be made", "check "+s.dir, err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, manifestName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.saveManifest()
}

// put writes a picture of the set.
func (s *Set) put(l *Line, content []byte) error {
	half := halfOf(l.Day)
	if err := os.MkdirAll(filepath.Join(s.dir, half, picturesName), 0o700); err != nil {
		return s.noRoom("the folder cannot be written", err)
	}
	if err := folder.Replace(filepath.Join(s.dir, half, filepath.FromSlash(l.File)), content, s.sync); err != nil {
		return s.noRoom("a picture cannot be written", err)
	}
	return nil
}

func (s *Set) saveManifest() error {
	text, err := json.MarshalIndent(s.Manifest, "", "  ")
	if err != nil {
		return fmt.Errorf("write truth set: %w", err)
	}
	if err := folder.Replace(filepath.Join(s.dir, manifestName), append(text, '\n'), s.sync); err != nil {
		return s.noRoom("the set cannot be written", err)
	}
	return nil
}

// save writes the lines of the set, each half whole or as it was before, and then destroys the pictures that no line names.
func (s *Set) save() error {
	if err := s.saveManifest(); err != nil {
		return err
	}
	for _, half := range Halves() {
		if len(s.Lines[half]) == 0 {
			if _, err := os.Stat(filepath.Join(s.dir, half)); errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		var text bytes.Buffer
		for _, l := range s.Lines[half] {
			line, err := json.Marshal(l)
			if err != nil {
				return fmt.Errorf("write truth set: %w", err)
			}
			text.Write(append(line, '\n'))
		}
		if err := s.destroy(s.part(half)); err != nil {
			return err
		}
		if err := folder.Replace(filepath.Join(s.dir, half, linesName), text.Bytes(), s.sync); err != nil {
			return s.noRoom("the set cannot be written", err)
		}
	}
	return s.tidy()
}

// cacheName begins the names of files of readings that were made of the set.
const cacheName = "readings-"

// Cache names the file in which readings of a half by something, as a release, may be kept. An erasing destroys it.
func (s *Set) Cache(half, by string) string { return filepath.Join(s.dir, half, cacheName+by+".jsonl") }

// forget destroys the files of readings.
func (s *Set) forget() (err error) {
	for _, half := range Halves() {
		names, globbed := filepath.Glob(s.Cache(half, "*"))
		err = errors.Join(err, globbed)
		for _, name := range names {
			err = errors.Join(err, s.destroy(name))
		}
	}
	return err
}

// part is where the lines of a half lie while they are written: what a power cut leaves there holds persons.
func (s *Set) part(half string) string { return filepath.Join(s.dir, half, linesName+folder.Part) }

// tidy destroys the pictures that no line names: those of lines that were removed, and what a power cut left.
func (s *Set) tidy() error {
	for _, half := range Halves() {
		if err := s.destroy(s.part(half)); err != nil {
			return err
		}
		dir := filepath.Join(s.dir, half, picturesName)
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return refused("the pictures cannot be read", "check "+dir, err)
		}
		for _, e := range entries {
			name := picturesName + "/" + e.Name()
			if slices.ContainsFunc(s.Lines[half], func(l Line) bool { return l.File == name }) {
				continue
			}
			if err := s.destroy(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// destroy overwrites a file with zeros, durably, and removes it; one that is not there is no error.
func (s *Set) destroy(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return refused("a file of the set cannot be destroyed", "check "+name, err)
	}
	info, err := f.Stat()
	if err == nil {
		blank := make([]byte, 1<<16)
		for at := int64(0); at < info.Size() && err == nil; at += int64(len(blank)) {
			_, err = f.WriteAt(blank[:min(int64(len(blank)), info.Size()-at)], at)
		}
	}
	if err := errors.Join(err, s.sync(f), f.Close(), os.Remove(name)); err != nil {
		return refused("a file of the set cannot be destroyed", "check "+name, err)
	}
	return nil
}
