package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/seal"
)

// nextKeyName is the file that holds, from before the database is sealed anew until the new appliance key lies in its
// place, the new key sealed under the old one. Whichever of the two a start finds in place, it can go on with it.
const nextKeyName = "appliance.key.next"

func (c Config) nextKeyPath() string { return filepath.Join(c.Dir, nextKeyName) }

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
	if err := replaceFile(s.cfg.nextKeyPath(), s.sealer.Seal(key, seal.PurposeNextKey)); err != nil {
		return appliance.Rotation{}, err
	}
	s.cfg.reached(PointNextKey)
	r, err := s.rewrap(next)
	if err != nil {
		return r, errors.Join(unavailable("rotate appliance key", err), s.ready()) // opening it again finds out which key holds
	}
	s.cfg.reached(PointRewrapped)
	s.expect(key)
	s.note(s.scrub())
	if err := s.install(); err != nil {
		s.cfg.Log.Warn("the new appliance key is not in its place yet", "file", s.cfg.keyPath(), "error", err)
	}
	r.Installed, r.KeyFile = s.next == nil, s.cfg.keyPath()
	return r, nil
}

// nextKey checks or draws the new key, and whether it can be put in its place.
func (s *Store) nextKey(key []byte) ([]byte, error) {
	if s.next != nil {
		if s.install() != nil {
			return nil, &appliance.Error{
				Code: appliance.CodeBadRequest, Op: "rotate appliance key", Msg: "the last new key is not in its place yet",
				Hint: "put it at " + s.cfg.keyPath() + " and restart the daemon",
			}
		}
	}
	if key == nil {
		if err := s.keyFileWritable(); err != nil {
			return nil, &appliance.Error{
				Code: appliance.CodeBadRequest, Op: "rotate appliance key", Err: err,
				Msg: "the key file is not this process's to write",
				Hint: "`bawab keys rotate-appliance --new-key FILE` makes a new key in FILE and seals the database with it; then put FILE in the place of " +
					s.cfg.keyPath() + ", or encrypt it for LoadCredentialEncrypted=bawab.key with systemd-creds, and restart the daemon",
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
	if _, err := probe.Open(s.sealer.Seal(nil, seal.PurposeCheck), seal.PurposeCheck); err == nil {
		return nil, appliance.Errorf(appliance.CodeBadRequest, "this key is the appliance key already")
	}
	return key, nil
}

// rewrap seals with another key, in one commit, everything that the appliance key sealed, and takes that key into use.
// The caller holds writer.
func (s *Store) rewrap(next seal.Sealer) (r appliance.Rotation, err error) {
	s.access.Lock() // a reader between the commit and the change of keys would find nothing that opens
	defer s.access.Unlock()
	err = s.updateHeld(func(t tables) error {
		r, err = t.rewrap(s.sealer, next)
		return err
	})
	if err == nil {
		s.sealer, s.scrubDue = next, true
	}
	return r, err
}

func (t tables) rewrap(from, to seal.Sealer) (r appliance.Rotation, err error) {
	seed, err := from.Open(t.meta.Get([]byte(metaIdentity)), seal.PurposeIdentity)
	if err != nil {
		return r, fmt.Errorf("seal the identity anew: %w", err)
	}
	if err := errors.Join(putIdentity(to, t.meta, seed), t.meta.Put([]byte(metaCheck), to.Seal(nil, seal.PurposeCheck))); err != nil {
		return r, err
	}
	c := t.keys.Cursor()
	for name, v := c.First(); name != nil; name, v = c.Next() {
		plain, err := from.Open(v, seal.PurposeAPIKey, name)
		if err != nil {
			return r, errKeyDamaged(name, err)
		}
		name = bytes.Clone(name)
		if err := t.keys.Put(name, to.Seal(plain, seal.PurposeAPIKey, name)); err != nil {
			return r, err
		}
		r.Keys++
		c.Seek(name)
	}
	if r.Unopened, err = t.rewrapReviews(from, to); err != nil {
		return r, err
	}
	c = t.transactions.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		id := seal.ID(k)
		h, err := seal.ParseHeader(bytes.Clone(v))
		if err == nil {
			h.Wrapped, err = from.Rewrap(h.Wrapped, seal.PurposeDataKey, id, to)
		}
		if err != nil {
			r.Unopened++
			continue
		}
		if err := t.transactions.Put(id[:], h.Bytes()); err != nil {
			return r, err
		}
		r.Transactions++
		c.Seek(id[:])
	}
	return r, nil
}

// rewrapReviews seals the keys of reviews anew; it counts those that do not open.
func (t tables) rewrapReviews(from, to seal.Sealer) (unopened int, err error) {
	for _, k := range keysOf(t.reviews) {
		id := seal.ID(k)
		h, err := seal.ParseReviewHead(bytes.Clone(t.reviews.Get(k)))
		if err == nil {
			h.Wrapped, err = from.Rewrap(h.Wrapped, seal.PurposeReviewKey, id, to)
		}
		if err != nil {
			unopened++
			continue
		}
		if err := t.reviews.Put(k, h.Bytes()); err != nil {
			return unopened, err
		}
	}
	return unopened, nil
}

// install puts the next key in the place of the old one, overwrites the old one, and drops what was kept of the next.
// Until it succeeds the next key stays where every start finds it. The caller holds writer.
func (s *Store) install() error {
	path := s.cfg.keyPath()
	if s.cfg.KeyElsewhere {
		return errors.New("the key file is put there anew at each start")
	}
	old, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer old.Close()
	if err := replaceFile(path, s.next); err != nil {
		return err
	}
	s.cfg.reached(PointKeyInstalled)
	if err := blank(old); err != nil {
		s.cfg.Log.Warn("the old appliance key was not overwritten", "error", err)
	}
	s.cfg.reached(PointOldKeyWiped)
	if err := wipe(s.cfg.nextKeyPath()); err != nil {
		return err
	}
	s.expect(nil)
	s.placed = s.sealer
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
	path := s.cfg.keyPath()
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
	return s.cfg.keyPath()
}

// nextSealed reads the next key of a rotation that was not completed; nil where there is none that the key in place opens.
func (c Config) nextSealed(placed seal.Sealer) ([]byte, error) {
	sealed, err := os.ReadFile(c.nextKeyPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, folderError(c.nextKeyPath(), err)
	}
	raw, err := placed.Open(sealed, seal.PurposeNextKey)
	if err != nil || len(raw) != seal.KeySize {
		return nil, nil // that rotation was completed, or its file is damaged and the database says which key holds
	}
	return raw, nil
}

// keyFor returns the key that a database was sealed with: the one in place, or the next one of a rotation that was not
// completed, which is returned besides. Where neither opens it, the one in place is returned.
func (c Config) keyFor(f sized, placed seal.Sealer) (key seal.Sealer, next []byte, err error) {
	raw, err := c.nextSealed(placed)
	if raw == nil {
		return placed, nil, err
	}
	candidate, err := seal.New(raw)
	if err != nil {
		return seal.Sealer{}, nil, err
	}
	if _, err := candidate.Open(checkValue(f), seal.PurposeCheck); err != nil {
		return placed, nil, nil
	}
	return candidate, raw, nil
}

// checkValue reads the sealed constant of a database; nil where it is not found.
func checkValue(f sized) []byte {
	im, err := loadImage(f)
	if err != nil {
		return nil
	}
	var check []byte
	_ = im.walk(func(bucket string, key, value []byte) error { // damage is the business of who asks
		if bucket == bucketMeta && string(key) == metaCheck {
			check = bytes.Clone(value)
		}
		return nil
	})
	return check
}

// settleKey finds the key of the file that is about to be opened, and completes or forgets a rotation that was
// interrupted. The caller holds writer and access.
func (s *Store) settleKey(f *os.File) error {
	key, next, err := s.cfg.keyFor(f, s.placed)
	if err != nil {
		return err
	}
	s.sealer = key
	s.expect(next)
	return nil
}

// completeRotation goes on with a rotation once the database is open, and removes keys that were only half written. The
// caller holds writer.
func (s *Store) completeRotation() {
	if err := errors.Join(wipe(s.cfg.nextKeyPath()+folder.Part), wipe(s.cfg.keyPath()+folder.Part)); err != nil {
		s.cfg.Log.Warn("a key that was being written was not removed", "error", err)
	}
	if s.next == nil {
		if err := wipe(s.cfg.nextKeyPath()); err != nil {
			s.cfg.Log.Warn("an unused appliance key was not removed", "error", err)
		}
		return
	}
	if err := s.install(); err != nil {
		s.cfg.Log.Warn("the new appliance key is not in its place yet", "file", s.cfg.keyPath(), "error", err)
	}
}
