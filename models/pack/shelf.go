package pack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/models"
)

const (
	folderName = "models"
	stateName  = "state.json"
	staging    = "new-"
)

// State says which sets are in use. Version 0 is the set in the program.
type State struct {
	Current  uint64 `json:"current"`
	Previous uint64 `json:"previous"`
	// Trial tells that Current has not had its first healthy minute yet, Begun that a daemon has opened it since.
	Trial bool `json:"trial,omitempty"`
	Begun bool `json:"begun,omitempty"`
	// Failed is the version that was given up last, and Why; 0 where none was.
	Failed uint64 `json:"failed,omitempty"`
	Why    string `json:"why,omitempty"`
}

// Shelf is the folder of the installed sets. Its methods are safe for use by several processes at once.
type Shelf struct {
	data     string
	from     Signers
	embedded uint64
}

// NewShelf makes the shelf of a data folder; it does no I/O. Without any signer nothing is installed or opened.
// embedded is the version of the set in the program.
func NewShelf(data string, from Signers, embedded uint64) *Shelf {
	return &Shelf{data: data, from: from, embedded: embedded}
}

func (s *Shelf) dir() string { return filepath.Join(s.data, folderName) }

// Dir returns the folder of an installed version.
func (s *Shelf) Dir(version uint64) string {
	return filepath.Join(s.dir(), strconv.FormatUint(version, 10))
}

// State reads which sets are in use; the zero State where nothing was ever installed.
func (s *Shelf) State() (st State, err error) {
	b, err := os.ReadFile(filepath.Join(s.dir(), stateName))
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err != nil {
		return st, fmt.Errorf("read the state of the models: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&st); err != nil {
		return State{}, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "read the state of the models", Msg: "it is damaged, so the models of the program are used",
			Hint: "remove " + filepath.Join(s.dir(), stateName) + " and install the pack again", Err: err,
		}
	}
	return st, nil
}

// change replaces the state by what f makes of it, with other processes held out.
func (s *Shelf) change(f func(st *State) error) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	st, err := s.State()
	if e := (*appliance.Error)(nil); err != nil && !errors.As(err, &e) {
		return err
	}
	before := st
	if err := f(&st); err != nil || st == before {
		return err
	}
	text, err := json.Marshal(st)
	if err != nil {
		return fmt.Errorf("switch models: %w", err)
	}
	if err := folder.Replace(filepath.Join(s.dir(), stateName), text, (*os.File).Sync); err != nil {
		return fmt.Errorf("switch models: %w", err)
	}
	return nil
}

// lock makes the folder, where it is missing, and holds other processes out of it.
func (s *Shelf) lock() (unlock func(), err error) {
	if err := os.MkdirAll(s.dir(), 0o700); err != nil {
		return nil, fmt.Errorf("open the models: %w", err)
	}
	if err := folder.Give(s.dir(), s.data); err != nil {
		return nil, fmt.Errorf("open the models: %w", err)
	}
	f, err := os.Open(s.dir())
	if err != nil {
		return nil, fmt.Errorf("open the models: %w", err)
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the models: %w", err), f.Close())
	}
	return func() { f.Close() }, nil
}

func errNoSigner(op string) error {
	return &appliance.Error{
		Code: appliance.CodeBadRequest, Op: op, Msg: "this appliance knows nobody who signs model packs",
		Hint: "set models.vendor_key to the vendor's public key, or models.site_key to the site's own; --config names a daemon's configuration",
	}
}

// Stage unpacks a pack beside the installed ones and verifies it. One that is not newer than the set in use and the one
// in the program is refused. The folder that it returns is to be given to Adopt or removed.
func (s *Shelf) Stage(r io.Reader) (dir string, info Info, err error) {
	if s.from.None() {
		return "", info, errNoSigner("install models")
	}
	unlock, err := s.lock()
	if err != nil {
		return "", info, err
	}
	defer unlock()
	st, err := s.State()
	if e := (*appliance.Error)(nil); err != nil && !errors.As(err, &e) {
		return "", info, err
	}
	s.sweep(st)
	if dir, err = os.MkdirTemp(s.dir(), staging); err != nil {
		return "", info, fmt.Errorf("install models: %w", err)
	}
	info, err = Unpack(r, s.from, dir, func(i Info) error {
		if newest := max(st.Current, s.embedded); i.Version <= newest {
			return refused(ErrOld, "it has version %d, in use is version %d", i.Version, newest)
		}
		return nil
	})
	if err == nil {
		err = s.handOver(dir)
	}
	if err != nil {
		return "", info, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, info, nil
}

// handOver gives a folder and its files to the daemon's user.
func (s *Shelf) handOver(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return folder.Give(path, s.data)
	})
}

// staleAfter is how old an unpacked folder must be before it counts as left behind by an installation that died.
const staleAfter = time.Hour

// sweep removes what dead installations left, and versions that are neither in use nor the way back. Failures cost only
// room, and the next installation tries again.
func (s *Shelf) sweep(st State) {
	entries, err := os.ReadDir(s.dir())
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(s.dir(), e.Name())
		if strings.HasPrefix(e.Name(), staging) {
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
				_ = os.RemoveAll(path)
			}
			continue
		}
		if n, err := strconv.ParseUint(e.Name(), 10, 64); err == nil && e.IsDir() && n != st.Current && n != st.Previous {
			_ = os.RemoveAll(path)
		}
	}
}

// Adopt switches to a staged set, on trial.
func (s *Shelf) Adopt(dir string, info Info) error {
	return s.change(func(st *State) error {
		if newest := max(st.Current, s.embedded); info.Version <= newest {
			return refused(ErrOld, "it has version %d, in use is version %d", info.Version, newest)
		}
		final := s.Dir(info.Version)
		if err := os.RemoveAll(final); err != nil { // of a version that was given up
			return fmt.Errorf("install models: %w", err)
		}
		if err := os.Rename(dir, final); err != nil {
			return fmt.Errorf("install models: %w", err)
		}
		if err := folder.Sync(s.dir(), (*os.File).Sync); err != nil {
			return fmt.Errorf("install models: %w", err)
		}
		back := st.Current
		if st.Trial { // it never proved itself: the way back leads to the one before it
			back = st.Previous
		}
		*st = State{Current: info.Version, Previous: s.sound(back), Trial: true, Failed: st.Failed, Why: st.Why}
		if st.Failed == info.Version {
			st.Failed, st.Why = 0, ""
		}
		return nil
	})
}

// sound returns a version that can be gone back to: the given one, or the set in the program where that is damaged.
func (s *Shelf) sound(version uint64) uint64 {
	if _, err := s.Open(version); version == 0 || err != nil {
		return 0
	}
	return version
}

// Rollback goes back to the set before, or to the one in the program, and says from where to where. why is kept in the state.
func (s *Shelf) Rollback(why string) (from, to uint64, err error) {
	err = s.change(func(st *State) error {
		if st.Current == 0 {
			return &appliance.Error{Code: appliance.CodeBadRequest, Op: "roll back models", Msg: "the models of the program are in use: there is nothing before them"}
		}
		from, to = st.Current, s.sound(st.Previous)
		*st = State{Current: to, Failed: from, Why: why}
		return nil
	})
	return from, to, err
}

// Opened is the set with which a daemon starts.
type Opened struct {
	Version uint64      // 0: of the program
	Set     *models.Set // nil for version 0
	// GaveUp is the version that was in use and is given up, and Why; 0 where none was.
	GaveUp uint64
	Why    string
	Trial  bool
}

// Begin returns the set with which a daemon starts: the current one, unless it killed the daemon before or is not sound any
// more; then the one before. A program whose own set is newer than the installed one goes back to its own.
func (s *Shelf) Begin(ctx context.Context) (o Opened, err error) {
	if _, err := os.Stat(s.dir()); errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	giveUp := func(st *State, why string) {
		o.GaveUp, o.Why = st.Current, why
		*st = State{Current: st.Previous, Failed: st.Current, Why: why}
	}
	err = s.change(func(st *State) error {
		if st.Current != 0 && st.Current <= s.embedded {
			*st = State{Failed: st.Failed, Why: st.Why}
		}
		if st.Trial && st.Begun {
			giveUp(st, "a daemon did not last with it")
		}
		for st.Current != 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			set, err := s.Open(st.Current)
			if err == nil {
				st.Begun = st.Trial
				o.Version, o.Set, o.Trial = st.Current, set, st.Trial
				return nil
			}
			giveUp(st, Brief(err))
		}
		return nil
	})
	return o, err
}

// Open verifies an installed set and loads it.
func (s *Shelf) Open(version uint64) (*models.Set, error) {
	if s.from.None() {
		return nil, errNoSigner("open the installed models")
	}
	set, _, err := Open(s.Dir(version), s.from)
	return set, err
}

// By says who signed an installed version; "" where it is nobody known, or no version.
func (s *Shelf) By(version uint64) string {
	text, signature, err := description(s.Dir(version))
	if err != nil {
		return ""
	}
	return s.from.by(text, signature)
}

// Brief is an error as a short ASCII text, as the state and the journal take it.
func Brief(err error) string {
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return '.'
		}
		return r
	}, err.Error())
	return text[:min(len(text), 120)]
}

// Confirm ends the trial of a version: it had its first healthy minute.
func (s *Shelf) Confirm(version uint64) error { return s.settle(version, false) }

// Pause notes that a daemon stopped in order with a version on trial: the next one tries it again.
func (s *Shelf) Pause(version uint64) error { return s.settle(version, true) }

func (s *Shelf) settle(version uint64, trial bool) error {
	return s.change(func(st *State) error {
		if st.Current == version && st.Trial {
			st.Trial, st.Begun = trial, false
		}
		return nil
	})
}
