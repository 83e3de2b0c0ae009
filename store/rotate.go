package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// RotateKey seals everything that the appliance key seals with a new one, puts the new key in the place of the old one,
// and overwrites the old one and every copy of what it had sealed. Backups from before are worthless from then on, unless
// somebody kept the old key. Readers and writers wait for one commit.
//
// A nil key stands for a fresh random one. Where this process cannot write the key file, a key must be given, of which
// the caller keeps a copy to put in place. Whatever step the power fails at, the next Open completes or undoes it.
func (s *Store) RotateKey(ctx context.Context, key []byte) (appliance.Rotation, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := errors.Join(ctx.Err(), s.ready()); err != nil {
		return appliance.Rotation{}, unavailable("rotate appliance key", err)
	}
	key, err := s.nextKey(key)
	if err != nil {
		return appliance.Rotation{}, err
	}
	next, err := seal.New(key)
	if err != nil {
		return appliance.Rotation{}, fmt.Errorf("rotate appliance key: %w", err)
	}
	if err := database.Replace(s.folder().NextKeyPath(), s.db.Key().Seal(key, seal.PurposeNextKey)); err != nil {
		return appliance.Rotation{}, err
	}
	s.folder().Reach(database.PointNextKey)
	r, err := s.rewrap(next)
	if err != nil {
		return r, errors.Join(unavailable("rotate appliance key", err), s.ready()) // opening it again finds out which key holds
	}
	s.folder().Reach(database.PointRewrapped)
	s.expect(key)
	s.note(s.scrub())
	if err := s.install(); err != nil {
		s.cfg.Log.Warn("the new appliance key is not in its place yet", "file", s.folder().KeyPath(), "error", err)
	}
	r.Installed, r.KeyFile = s.next == nil, s.folder().KeyPath()
	return r, nil
}

// nextKey checks or draws the new key, and whether it can be put in its place.
func (s *Store) nextKey(key []byte) ([]byte, error) {
	if s.next != nil {
		if s.install() != nil {
			return nil, &appliance.Error{
				Code: appliance.CodeBadRequest, Op: "rotate appliance key", Msg: "the last new key is not in its place yet",
				Hint: "put it at " + s.folder().KeyPath() + " and restart the daemon",
			}
		}
	}
	if key == nil {
		if err := s.keyFileWritable(); err != nil {
			return nil, &appliance.Error{
				Code: appliance.CodeBadRequest, Op: "rotate appliance key", Err: err,
				Msg: "the key file is not this process's to write",
				Hint: "`bawab keys rotate-appliance --new-key FILE` makes a new key in FILE and seals the database with it; then put FILE in the place of " +
					s.folder().KeyPath() + ", or encrypt it for LoadCredentialEncrypted=bawab.key with systemd-creds, and restart the daemon",
			}
		}
		key = make([]byte, seal.KeySize)
		rand.Read(key)
		return key, nil
	}
	probe, err := seal.New(key)
	if err != nil || len(key) != seal.KeySize {
		return nil, appliance.Errorf(appliance.CodeBadRequest, "the appliance key must be %d bytes", seal.KeySize)
	}
	if _, err := probe.Open(s.db.Key().Seal(nil, seal.PurposeCheck), seal.PurposeCheck); err == nil {
		return nil, appliance.Errorf(appliance.CodeBadRequest, "this key is the appliance key already")
	}
	return key, nil
}

// rewrap seals with another key, in one commit, everything that the appliance key sealed, and takes that key into use.
// The caller holds writer.
func (s *Store) rewrap(next seal.Sealer) (r appliance.Rotation, err error) {
	s.access.Lock() // a reader between the commit and the change of keys would find nothing that opens
	defer s.access.Unlock()
	if r, err = s.db.Rewrap(next); err != nil {
		s.suspect = true
		return r, err
	}
	s.scrubDue = true
	return r, nil
}

// install puts the next key in the place of the old one, overwrites the old one, and drops what was kept of the next.
// Until it succeeds the next key stays where every start finds it. The caller holds writer.
func (s *Store) install() error {
	path := s.folder().KeyPath()
	if s.cfg.KeyElsewhere {
		return errors.New("the key file is put there anew at each start")
	}
	old, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer old.Close()
	if err := database.Replace(path, s.next); err != nil {
		return err
	}
	s.folder().Reach(database.PointKeyInstalled)
	if err := database.Blank(old); err != nil {
		s.cfg.Log.Warn("the old appliance key was not overwritten", "error", err)
	}
	s.folder().Reach(database.PointOldKeyWiped)
	if err := database.Wipe(s.folder().NextKeyPath()); err != nil {
		return err
	}
	s.expect(nil)
	s.placed = s.db.Key()
	return nil
}

// expect keeps the key that is to be put in its place; nil when it is there. The caller holds writer.
func (s *Store) expect(key []byte) {
	s.next = key
	s.healthMu.Lock()
	defer s.healthMu.Unlock()
	s.pending = key != nil
}

// keyFileWritable tries whether a new key could be put in place.
func (s *Store) keyFileWritable() error {
	path := s.folder().KeyPath()
	if s.cfg.KeyElsewhere {
		return fmt.Errorf("%s is put there anew at each start", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	probe := path + folder.Part
	if err := errors.Join(f.Close(), os.WriteFile(probe, nil, 0o600)); err != nil {
		return err
	}
	return os.Remove(probe)
}

// KeyPending returns the key file in which the new appliance key must still be put, and "" when it is in its place.
func (s *Store) KeyPending() string {
	s.healthMu.Lock()
	defer s.healthMu.Unlock()
	if !s.pending {
		return ""
	}
	return s.folder().KeyPath()
}

// completeRotation goes on with a rotation once the database is open, and removes keys that were only half written. The
// caller holds writer.
func (s *Store) completeRotation() {
	in := s.folder()
	if err := errors.Join(database.Wipe(in.NextKeyPath()+folder.Part), database.Wipe(in.KeyPath()+folder.Part)); err != nil {
		s.cfg.Log.Warn("a key that was being written was not removed", "error", err)
	}
	if s.next == nil {
		if err := database.Wipe(s.folder().NextKeyPath()); err != nil {
			s.cfg.Log.Warn("an unused appliance key was not removed", "error", err)
		}
		return
	}
	if err := s.install(); err != nil {
		s.cfg.Log.Warn("the new appliance key is not in its place yet", "file", s.folder().KeyPath(), "error", err)
	}
}
