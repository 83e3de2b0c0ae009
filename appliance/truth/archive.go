package truth

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"filippo.io/age"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

const (
	// archiveFile and archiveFiles bound what is taken out of an archive: the largest picture that is kept, and more pictures than a
	// queue ever holds.
	archiveFile  = 64 << 20
	archiveFiles = 100_000
)

// member is a file that an archive may hold; everything else is refused.
var member = regexp.MustCompile(`^(truth\.json|(fit|test)/(truth\.jsonl|pictures/[0-9a-f-]{36}\.(jpg|png|webp|tiff|bmp|pdf|bin)))$`)

// Pack writes the set of a folder as an archive that only the recipients can open.
func Pack(w io.Writer, dir string, to ...age.Recipient) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	sealed, err := age.Encrypt(w, to...)
	if err != nil {
		return fmt.Errorf("pack truth set: %w", err)
	}
	t := tar.NewWriter(sealed)
	names := []string{manifestName}
	for _, half := range Halves() {
		if len(s.Lines[half]) > 0 {
			names = append(names, path.Join(half, linesName))
		}
		for _, l := range s.Lines[half] {
			names = append(names, path.Join(half, l.File))
		}
	}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil {
			err = t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)), Typeflag: tar.TypeReg})
		}
		if err == nil {
			_, err = t.Write(content)
		}
		if err != nil {
			return fmt.Errorf("pack truth set: %w", err)
		}
	}
	return errors.Join(t.Close(), sealed.Close())
}

// PackFile writes the set of a folder as an archive that its owner alone may read, whole or not at all. What a power cut leaves has
// another name, and the next call removes it. The data folder remembers the archive, for a later erasing.
func PackFile(data, archive, dir string, to ...age.Recipient) error {
	const hint = "name a new file in a folder that you may write to, on a disk with room"
	unwritten := func(msg string) error { return &appliance.Error{Op: "write archive", Msg: msg, Hint: hint} }
	if _, err := os.Lstat(archive); !errors.Is(err, fs.ErrNotExist) {
		return unwritten(archive + " is there already")
	}
	if err := Remember(data, archive); err != nil { // before anything of a person is in it
		return err
	}
	part := archive + folder.Part
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return unwritten(err.Error())
	}
	if err := errors.Join(Pack(f, dir, to...), f.Sync(), f.Close()); err != nil {
		return errors.Join(unwritten(err.Error()), os.Remove(part))
	}
	if err := os.Rename(part, archive); err != nil {
		return errors.Join(unwritten(err.Error()), os.Remove(part))
	}
	return folder.Sync(filepath.Dir(archive), (*os.File).Sync)
}

// Import adds an archive to the set of a folder. Nothing is added unless the archive was read to its end and every part of it is as it was
// sealed. What a call that was cut off left beside the set is destroyed by the next one, and by an erasing.
func Import(r io.Reader, dir string, with ...age.Identity) (Report, error) {
	set, err := Open(dir)
	if err != nil {
		return Report{}, err
	}
	return set.take(r, with...)
}

// aside is where an archive is taken apart.
func (s *Set) aside() string { return filepath.Clean(s.dir) + ".import" }

func (s *Set) take(r io.Reader, with ...age.Identity) (rep Report, err error) {
	aside := s.aside()
	if err := errors.Join(s.clear(aside), os.MkdirAll(aside, 0o700)); err != nil {
		return rep, refused("there is no room beside the folder", "check "+filepath.Dir(aside), err)
	}
	defer func() { err = errors.Join(err, s.clear(aside)) }()
	if err := unpack(r, aside, with...); err != nil {
		return rep, err
	}
	lines, err := linesOf(aside)
	if err != nil {
		return rep, err
	}
	added, left := s.add(lines)
	if err := s.begin(); err != nil {
		return rep, err
	}
	for i := range added {
		content, err := os.ReadFile(filepath.Join(aside, halfOf(added[i].Day), filepath.FromSlash(added[i].File)))
		if err != nil {
			return rep, refused("a picture is missing in the archive", "take another copy of it", err)
		}
		if err := s.put(&added[i], content); err != nil {
			return rep, err
		}
	}
	if err := s.save(); err != nil {
		return rep, err
	}
	rep.Written, rep.OtherHalf = len(added), left
	return rep, nil
}

// linesOf are the lines of an archive that was taken apart.
func linesOf(aside string) (lines []Line, err error) {
	theirs, err := Open(aside)
	if err != nil {
		return nil, err
	}
	if theirs.Manifest.Form == "" || len(theirs.Lines) == 0 {
		return nil, refused("the archive holds no truth set", "take another copy of it", nil)
	}
	for _, half := range Halves() {
		for _, l := range theirs.Lines[half] {
			if halfOf(l.Day) != half {
				return nil, refused("the archive mixes its halves", "it was not made by this program", nil)
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// unpack opens an archive into an empty folder.
func unpack(r io.Reader, dir string, with ...age.Identity) error {
	plain, err := age.Decrypt(r, with...)
	if err != nil {
		return refused("the archive does not open with this key, or is no archive", "name the identity of one of its recipients", err)
	}
	bad := func(err error) error {
		return refused("the archive is damaged or was changed", "take another copy of it", err)
	}
	t := tar.NewReader(plain)
	for n := 0; ; n++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return bad(err)
		}
		if h.Typeflag != tar.TypeReg || !member.MatchString(h.Name) || h.Size > archiveFile || n > archiveFiles {
			return bad(fmt.Errorf("member %q", h.Name))
		}
		if err := takeOut(t, filepath.Join(dir, filepath.FromSlash(h.Name))); err != nil {
			return bad(err)
		}
	}
	if _, err := io.Copy(io.Discard, plain); err != nil { // what follows is sealed too: a cut archive shows here
		return bad(err)
	}
	return nil
}

func takeOut(r io.Reader, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(r, archiveFile))
	return errors.Join(err, f.Close())
}

// clear destroys a folder of personal data; one that is not there is no error.
func (s *Set) clear(dir string) error {
	var errs []error
	_ = filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			errs = append(errs, s.destroy(name))
		}
		return nil
	})
	return errors.Join(append(errs, os.RemoveAll(dir))...)
}
