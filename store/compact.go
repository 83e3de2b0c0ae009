package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"go.etcd.io/bbolt"
)

// compactFrom is the size in bytes from which a database is worth compacting by itself: no disk is short of less. It is
// done when half of the file is free, so the bytes that compactions write are never more than those that were freed.
const compactFrom = 16 << 20

// Compact rewrites the database without its free pages, overwrites the old file, and gives its room back to the disk.
// Writers wait meanwhile, readers only for the moment of the change. A power cut leaves the old database or the new one,
// each whole, and what is left of the other is removed when the store is opened. It needs room for the copy.
func (s *Store) Compact(ctx context.Context) (appliance.Compaction, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := errors.Join(ctx.Err(), s.ready()); err != nil {
		return appliance.Compaction{}, unavailable("compact store", err)
	}
	c, err := s.compact(ctx)
	if err != nil {
		return c, unavailable("compact store", err)
	}
	return c, nil
}

// compact does it; the caller holds writer.
func (s *Store) compact(ctx context.Context) (c appliance.Compaction, err error) {
	fresh := s.cfg.path() + suffixCompact
	if c.Before, err = s.Size(); err != nil {
		return c, err
	}
	if err := wipe(fresh); err != nil {
		return c, err
	}
	r, err := s.copyChecked(ctx, fresh)
	if err != nil {
		return c, errors.Join(err, wipe(fresh))
	}
	c.After = r.Bytes
	if err := folder.Give(fresh, s.cfg.Dir); err != nil {
		return c, errors.Join(err, wipe(fresh))
	}
	s.cfg.reached(PointCopied)
	f, err := os.OpenFile(fresh, os.O_RDWR, 0)
	if err != nil {
		return c, err
	}
	db, err := openVerified(f, s.sealer, s.cfg.LockTimeout)
	if err != nil {
		abandon(f)
		return c, errors.Join(err, wipe(fresh))
	}
	if err := s.cfg.swap(fresh, PointLinked, PointSwitched); err != nil {
		s.suspect = true // which of the two has the name is to be found out
		return c, errors.Join(err, guard(db.Close))
	}
	s.access.Lock()
	old := s.db
	s.db, s.file = db, f
	s.access.Unlock()
	if err := guard(old.Close); err != nil {
		s.cfg.Log.Warn("the old form of the database was not closed", "error", err)
	}
	return c, wipe(s.cfg.path() + suffixOld)
}

// copyChecked copies the database and opens every value of the copy. The caller holds writer, or does not mind that the
// copy is older than the store when it returns.
func (s *Store) copyChecked(ctx context.Context, path string) (Report, error) {
	s.access.RLock()
	if s.db == nil {
		s.access.RUnlock()
		return Report{}, errClosed
	}
	key := s.sealer
	err := copyLive(s.db, path)
	s.access.RUnlock()
	if err != nil {
		return Report{}, err
	}
	r, err := checkFile(ctx, path, key)
	if err == nil && !r.OK() {
		err = errDamagedFile(errors.New(r.Problems[0]))
	}
	if err != nil {
		return r, fmt.Errorf("check the copy: %w", err)
	}
	return r, nil
}

// free returns the size of the file and how much of it holds nothing. The caller holds writer.
func (s *Store) free() (size, free int64, err error) {
	info, err := s.file.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("measure store: %w", err)
	}
	var used int64
	err = guard(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			used = tx.Size()
			return nil
		})
	})
	stats := s.db.Stats()
	used -= int64(stats.FreePageN+stats.PendingPageN) * int64(s.db.Info().PageSize)
	return info.Size(), info.Size() - used, err
}

// compactIfWorth compacts a database that is large and half empty. Without room for the copy it stays as it is: its free
// pages are used again before the file grows.
func (s *Store) compactIfWorth(ctx context.Context) (appliance.Compaction, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := s.ready(); err != nil {
		return appliance.Compaction{}, err
	}
	size, free, err := s.free()
	if err != nil || size < s.cfg.CompactFrom || free < size/2 {
		return appliance.Compaction{}, err
	}
	if room, err := s.DiskFree(); err != nil || room < size-free+reserve+growStep {
		return appliance.Compaction{}, err
	}
	return s.compact(ctx)
}
