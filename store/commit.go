package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/database"
)

// maxBatch bounds how many writes share a commit, so that one commit stays short.
const maxBatch = 256

// op is a write that waits for a commit.
type op struct {
	// run decides first and writes then: a refusal leaves the tables untouched and concerns its caller alone, a
	// failure undoes the whole commit.
	run  func(database.Tables) (refusal, failure error)
	step string
	// vital writes must work on a full disk too: they spend the reserve where they have to.
	vital bool
	err   error
	done  bool
}

// write runs a write and returns when it is on disk. Writers that come while a commit is under way gather, and the
// first of them to get the lock commits for all: one alone waits for nobody, and many share the cost of the sync.
func (s *Store) write(ctx context.Context, step string, run func(database.Tables) (refusal, failure error)) error {
	return s.submit(ctx, &op{run: run, step: step})
}

// writeVital is write for what must work on a full disk too.
func (s *Store) writeVital(ctx context.Context, step string, run func(database.Tables) (refusal, failure error)) error {
	return s.submit(ctx, &op{run: run, step: step, vital: true})
}

func (s *Store) submit(ctx context.Context, o *op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.queueMu.Lock()
	s.queue = append(s.queue, o)
	s.queueMu.Unlock()

	s.writer.Lock()
	defer s.writer.Unlock()
	for !o.done {
		s.commit(s.take())
	}
	return o.err
}

// take removes the next batch from the queue.
func (s *Store) take() []*op {
	s.queueMu.Lock()
	defer s.queueMu.Unlock()
	n := min(len(s.queue), maxBatch)
	batch := s.queue[:n:n]
	s.queue = s.queue[n:]
	if len(s.queue) == 0 {
		s.queue = nil
	}
	return batch
}

// commit runs a batch in one bbolt transaction. Where the disk is full, the vital writes of it are done with the room that was
// set aside, and the store stays as unhealthy as the disk is. The caller holds writer.
func (s *Store) commit(batch []*op) {
	err := s.try(batch)
	s.note(err)
	var vital, rest []*op
	for _, o := range batch {
		if o.vital && folder.Full(err) {
			vital = append(vital, o)
		} else {
			rest = append(rest, o)
		}
	}
	conclude(rest, err)
	if len(vital) > 0 {
		conclude(vital, s.room.Spend(func() error { return s.try(vital) }))
	}
	s.folder().Reach(database.PointCommitted)
}

// conclude tells the writers of a batch how it went.
func conclude(batch []*op, err error) {
	for _, o := range batch {
		o.done = true
		if err != nil {
			o.err = unavailable(o.step, err)
		}
	}
}

// try runs a batch in one bbolt transaction. The caller holds writer.
func (s *Store) try(batch []*op) error {
	if err := s.ready(); err != nil {
		return err
	}
	return s.update(func(t database.Tables) error {
		for _, o := range batch {
			var failure error
			if o.err, failure = o.run(t); failure != nil {
				return fmt.Errorf("%s: %w", o.step, failure)
			}
		}
		return nil
	})
}

// update commits what f writes. After a failure the file is opened again before its next use. The caller holds writer.
func (s *Store) update(f func(database.Tables) error) error {
	s.access.RLock()
	defer s.access.RUnlock()
	err := s.db.Update(f)
	if err != nil {
		s.suspect = true
	}
	return err
}

// ready makes sure that there is a database to write to. The caller holds writer.
func (s *Store) ready() error {
	if s.lock == nil {
		return errClosed
	}
	if !s.suspect {
		return nil
	}
	s.access.Lock()
	defer s.access.Unlock()
	err := errors.Join(s.closeDatabase(), s.openDatabase())
	if s.db == nil {
		s.note(err)
		return err
	}
	// An error of the old handle is no news: it is why the file was opened again.
	s.suspect, s.scrubDue = false, true
	s.completeRotation()
	s.cfg.Log.Info("store opened again after a failure")
	return nil
}

// scrubNow overwrites the pages of what was erased, if that is due.
func (s *Store) scrubNow() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := s.ready(); err != nil {
		return unavailable("overwrite erased pages", err)
	}
	if !s.scrubDue {
		return nil
	}
	err := s.scrub()
	if folder.Full(err) { // a file system that writes no page in its place needs room for that
		err = s.room.Spend(func() error { return errors.Join(s.ready(), s.scrub()) })
	}
	if err != nil {
		s.note(err)
		return unavailable("overwrite erased pages", err)
	}
	return nil
}

// scrub overwrites with zeros every page that holds nothing, with readers held out. The caller holds writer.
func (s *Store) scrub() error {
	s.access.Lock()
	err := s.db.ZeroFree()
	s.access.Unlock()
	if err == nil {
		s.folder().Reach(database.PointZeroed)
		err = s.db.Sync() // readers need not wait for this; writer keeps the file open
	}
	if err != nil {
		s.suspect = true
		return fmt.Errorf("overwrite erased pages: %w", err)
	}
	s.scrubDue = false
	return nil
}
