package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

const (
	// jump is by how much the clock may differ from the time that really passed before that is an entry.
	jump = time.Minute
	// calm is how long the clock must have run evenly before old segments are deleted by it: a clock that was set wrong, and
	// is set right soon after, must not cost the journal.
	calm = time.Hour
	// anchorEvery is how often the head is copied into the database.
	anchorEvery = time.Minute
)

// clock watches the wall clock against the time that really passes.
type clock struct {
	wall    time.Time
	elapsed time.Duration
	since   time.Duration // the last jump, or the start
}

func newClock(now time.Time, elapsed time.Duration) clock {
	return clock{wall: now.Round(0), elapsed: elapsed, since: elapsed}
}

// look returns by how much the clock jumped since the last look; 0 for less than a jump.
func (c *clock) look(now time.Time, elapsed time.Duration) time.Duration {
	now = now.Round(0) // the wall clock alone
	by := now.Sub(c.wall) - (elapsed - c.elapsed)
	c.wall, c.elapsed = now, elapsed
	if by.Abs() < jump {
		return 0
	}
	c.since = elapsed
	return by
}

func clockEntry(at time.Time, by time.Duration) appliance.Entry {
	return appliance.Entry{At: at, Kind: appliance.EntryClock, Detail: map[string]string{"seconds": strconv.FormatInt(int64(by.Seconds()), 10)}}
}

// Run keeps the journal in order until ctx ends: it syncs the head, copies it to the anchor, watches the clock, seals
// a segment whose day is over and deletes what is older than it is kept. Failures are logged.
func (j *Journal) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	next := j.cfg.elapsed()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		thorough := j.cfg.elapsed() >= next
		if thorough {
			next = j.cfg.elapsed() + anchorEvery
		}
		if err := j.tend(ctx, thorough); err != nil && ctx.Err() == nil {
			j.cfg.Log.Error("the journal was not tended", "error", err)
		}
	}
}

// tend does one round of Run.
func (j *Journal) tend(ctx context.Context, thorough bool) error {
	j.writer.Lock()
	by := j.clock.look(j.cfg.Now(), j.cfg.elapsed())
	calmly := j.cfg.elapsed()-j.clock.since >= calm
	err := j.syncHead()
	j.retry()
	j.writer.Unlock()
	if by != 0 {
		j.cfg.Log.Warn("the clock jumped", "seconds", by.Seconds())
		err = errors.Join(err, j.Note(ctx, clockEntry(j.cfg.Now(), by)))
	}
	if !thorough {
		return err
	}
	return errors.Join(err, j.rest(), j.prune(ctx, calmly), j.Keep(ctx))
}

// retry writes what waits since a write failed, so that a journal whose disk works again notices that without a request. The
// caller holds writer.
func (j *Journal) retry() {
	if j.open && j.Healthy() != nil {
		j.noteHealth(j.write(nil))
	}
}

// rest seals a segment whose day is over, so that an idle appliance leaves none open for long.
func (j *Journal) rest() error {
	j.writer.Lock()
	defer j.writer.Unlock()
	if !j.open || j.ended || j.file == nil || j.day == j.cfg.Now().UTC().Format(time.DateOnly) {
		return nil
	}
	return j.write(nil)
}

// Keep copies the head to the anchor, if it is newer than the copy there.
func (j *Journal) Keep(ctx context.Context) error {
	j.writer.Lock()
	text, seq, kept := j.headText, j.at.Seq, j.anchored
	j.writer.Unlock()
	if j.cfg.Anchor == nil || text == nil || seq == kept {
		return nil
	}
	if err := j.cfg.Anchor.KeepJournalHead(ctx, text); err != nil {
		return fmt.Errorf("keep the head of the journal: %w", err)
	}
	j.writer.Lock()
	j.anchored = max(j.anchored, seq)
	j.writer.Unlock()
	return nil
}

// prune deletes the segments that are older than the journal is kept, where the clock can be believed, and the oldest ones of a journal
// that is too large. It notes that first, then it signs where the journal begins now, and only then it deletes.
func (j *Journal) prune(ctx context.Context, byClock bool) error {
	dir := j.cfg.folder()
	list, err := segments(dir)
	if err != nil {
		return fmt.Errorf("prune journal: %w", err)
	}
	sizes, err := j.measure(dir, list)
	if err != nil {
		return fmt.Errorf("prune journal: %w", err)
	}
	j.writer.Lock()
	current := j.segment
	j.writer.Unlock()
	limit, excess, crowded := j.cfg.Now().Add(-j.cfg.Keep), -j.cfg.MaxBytes, false
	for _, size := range sizes {
		excess += size
	}
	last, err := oldest(dir, list, current, func(i int, ended time.Time) bool {
		aged := byClock && !ended.After(limit)
		if !aged && excess <= 0 {
			return false
		}
		crowded = crowded || !aged
		excess -= sizes[i]
		return true
	})
	if err != nil {
		return fmt.Errorf("prune journal: %w", err)
	}
	if last.Through == 0 {
		return nil
	}
	detail := map[string]string{"last": strconv.FormatUint(last.Seq, 10), "older_than_days": strconv.Itoa(int(j.cfg.Keep.Hours() / 24))}
	if crowded {
		detail["more_than_bytes"] = strconv.FormatInt(j.cfg.MaxBytes, 10)
	}
	err = j.Note(ctx, appliance.Entry{Kind: entryPruned, Subject: strconv.FormatUint(last.Through, 10), Detail: detail})
	if err != nil {
		return err
	}
	last.At = j.cfg.Now().UTC().Truncate(time.Millisecond)
	text, err := signNote(j.cfg.Identity, aboutPruned, last)
	if err != nil {
		return err
	}
	if err := folder.Replace(filepath.Join(dir, prunedName), text, j.cfg.sync); err != nil {
		return fmt.Errorf("prune journal: %w", err)
	}
	j.forget(last.Through)
	return removeUpTo(dir, last.Through)
}

// measure returns the sizes of segments, and keeps their sum for Large.
func (j *Journal) measure(dir string, list []uint64) ([]int64, error) {
	sizes, sum := make([]int64, len(list)), int64(0)
	for i, n := range list {
		info, err := os.Stat(filepath.Join(dir, segmentName(n)))
		if err != nil {
			return nil, err
		}
		sizes[i] = info.Size()
		sum += sizes[i]
	}
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	j.bytes = sum
	return sizes, nil
}

// oldest finds the first segments before current that are stale. A segment ended, sealed or not, when the next one began,
// and that one names what came before it.
func oldest(dir string, list []uint64, current uint64, stale func(i int, ended time.Time) bool) (p pruned, err error) {
	for i, n := range list {
		if n >= current || i+1 == len(list) {
			break
		}
		l, previous, err := opening(dir, list[i+1])
		if err != nil {
			return p, err
		}
		if !l.sound || !stale(i, l.record.At) {
			break
		}
		p = pruned{Through: n, Seq: l.record.Seq - 1, Hash: previous.String()}
	}
	return p, nil
}

// opening reads the first entry of a segment and the hash of what it says came before; the line is unsound where there
// is no such entry.
func opening(dir string, n uint64) (l line, previous digest, err error) {
	f, err := os.Open(filepath.Join(dir, segmentName(n)))
	if err != nil {
		return l, previous, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err != nil {
		return l, previous, err
	}
	if lines := split(b); len(lines) > 0 {
		l = lines[0]
	}
	previous, ok := parseDigest(l.record.Detail["previous"])
	l.sound = l.sound && ok && l.record.Kind == entryOpened
	return l, previous, nil
}

// removeUpTo deletes the segments that the record of pruning names.
func removeUpTo(dir string, through uint64) error {
	list, err := segments(dir)
	if err != nil {
		return fmt.Errorf("prune journal: %w", err)
	}
	for _, n := range list {
		if n > through {
			break
		}
		if err := os.Remove(filepath.Join(dir, segmentName(n))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("prune journal: %w", err)
		}
	}
	return nil
}
