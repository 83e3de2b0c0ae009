package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/database"
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
	fresh := s.folder().Path() + database.SuffixCompact
	if c.Before, err = s.Size(); err != nil {
		return c, err
	}
	if err := database.Wipe(fresh); err != nil {
		return c, err
	}
	r, err := s.copyChecked(ctx, fresh)
	if err != nil {
		return c, errors.Join(err, database.Wipe(fresh))
	}
	c.After = r.Bytes
	if err := folder.Give(fresh, s.cfg.Dir); err != nil {
		return c, errors.Join(err, database.Wipe(fresh))
	}
	s.folder().Reach(database.PointCopied)
	f, err := os.OpenFile(fresh, os.O_RDWR, 0)
	if err != nil {
		return c, err
	}
	db, err := database.OpenFile(f, s.db.Key(), s.cfg.LockTimeout)
	if err != nil {
		return c, errors.Join(err, database.Wipe(fresh))
	}
	if err := s.folder().Swap(fresh, database.PointLinked, database.PointSwitched); err != nil {
		s.suspect = true // which of the two has the name is to be found out
		return c, errors.Join(err, db.Close())
	}
	s.access.Lock()
	old := s.db
	s.db = db
	s.access.Unlock()
	if err := old.Close(); err != nil {
		s.cfg.Log.Warn("the old form of the database was not closed", "error", err)
	}
	return c, database.Wipe(s.folder().Path() + database.SuffixOld)
}

// copyChecked copies the database and opens every value of the copy. The caller holds writer, or does not mind that the
// copy is older than the store when it returns.
func (s *Store) copyChecked(ctx context.Context, path string) (database.Report, error) {
	s.access.RLock()
	if s.db == nil {
		s.access.RUnlock()
		return database.Report{}, errClosed
	}
	key := s.db.Key()
	err := s.db.Copy(path)
	s.access.RUnlock()
	if err != nil {
		return database.Report{}, err
	}
	r, err := database.CheckSound(ctx, path, key)
	if err != nil {
		return r, fmt.Errorf("check the copy: %w", err)
	}
	return r, nil
}

// compactIfWorth compacts a database that is large and half empty. Without room for the copy it stays as it is: its free
// pages are used again before the file grows.
func (s *Store) compactIfWorth(ctx context.Context) (appliance.Compaction, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := s.ready(); err != nil {
		return appliance.Compaction{}, err
	}
	size, free, err := s.db.Free()
	if err != nil || size < s.cfg.CompactFrom || free < size/2 {
		return appliance.Compaction{}, err
	}
	if room, err := s.DiskFree(); err != nil || room < size-free+reserve+database.GrowStep {
		return appliance.Compaction{}, err
	}
	return s.compact(ctx)
}
