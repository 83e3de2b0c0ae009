package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/proof"
)

// Config says where a journal lies and how long it keeps things.
type Config struct {
	// Dir is the data folder; the journal lies in its folder audit.
	Dir string
	// Identity signs the journal.
	Identity *proof.Identity
	// Anchor keeps a second copy of the head; it may be nil.
	Anchor Anchor
	// Keep is how long segments are kept after their last entry; 0 is 400 days.
	Keep time.Duration
	// MaxBytes is how much room the segments may take together; older ones are deleted before their time then. 0 is 1 GiB.
	MaxBytes int64
	// SegmentBytes is from which size a segment is sealed; 0 is 8 MiB.
	SegmentBytes int64
	// Reserve is spent on what was done to the appliance when the disk is full; it may be nil.
	Reserve *folder.Reserve
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Log gets what has no caller to go to. nil discards it.
	Log *slog.Logger

	// elapsed is the time that really passed since some moment, whatever the clock says.
	elapsed func() time.Duration
	// sync makes a file durable, and write puts bytes into it: tests let them fail.
	sync  func(*os.File) error
	write func(f *os.File, b []byte, at int64) (int, error)
}

// Anchor keeps the signed head of the journal outside of its folder. Head returns nil where none was kept.
type Anchor interface {
	JournalHead(ctx context.Context) ([]byte, error)
	KeepJournalHead(ctx context.Context, head []byte) error
}

func (c Config) withDefaults() Config {
	if c.Keep == 0 {
		c.Keep = 400 * 24 * time.Hour
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = 1 << 30
	}
	if c.SegmentBytes == 0 {
		c.SegmentBytes = 8 << 20
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.elapsed == nil {
		began := time.Now()
		c.elapsed = func() time.Duration { return time.Since(began) }
	}
	if c.sync == nil {
		c.sync = func(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }
	}
	if c.write == nil {
		c.write = func(f *os.File, b []byte, at int64) (int, error) { return f.WriteAt(b, at) }
	}
	return c
}

func (c Config) folder() string { return Folder(c.Dir) }

const (
	// maxBatch bounds how many entries share a sync.
	maxBatch = 256
	// maxOwn bounds the entries that wait for a disk that works again.
	maxOwn = 64
	// reserve is the room on the disk that the journal leaves to others: twice what the store keeps free, so that the journal
	// never takes the store's last.
	reserve = 512 << 10
)

// Journal is an appliance.Journal over the files of one folder. Its methods are safe for concurrent use. One process at a
// time may have it open: the lock of the data folder, which its store holds, sees to that.
type Journal struct {
	cfg Config

	queueMu sync.Mutex
	queue   []*note
	writing bool // somebody writes what is in the queue

	// writer is held by whoever writes. It guards what follows.
	writer  sync.Mutex
	open    bool
	file    *os.File // the segment that is written; nil before the first
	head    *os.File
	segment uint64   // its number
	first   uint64   // its first entry
	at      position // behind the last durable entry
	size    int64    // of its durable part
	day     string   // on which it was begun
	ended   bool     // it is sealed or damaged: the next entry begins a new one
	suspect bool     // the file may hold more than its durable part
	vital   bool     // what is being written goes on a full disk too
	running bool     // a start was noted and no stop since
	own     []appliance.Entry
	missed  int // entries that could not be written

	slot     int // of the head that is written next
	headText []byte
	unsynced bool // the head
	anchored uint64
	clock    clock

	healthMu sync.Mutex
	failure  error
	bytes    int64   // of all segments, as they were last measured
	damage   *damage // found now or by an earlier run; its segment is 0 until it has been noted
}

var _ appliance.Journal = (*Journal)(nil)

// note is an entry that waits to be written.
type note struct {
	entry appliance.Entry
	err   error
	done  chan struct{} // closed when err is final
}

// New makes a journal; it does no work yet.
func New(cfg Config) *Journal { return &Journal{cfg: cfg.withDefaults()} }

// Open makes the folder or finds the end of the journal in it. What a crash left unfinished is cut; what is missing or
// damaged is left as it is and noted with the first entry, and Damage tells it. A journal is only refused where it
// cannot be written at all.
func (j *Journal) Open(ctx context.Context) error {
	j.writer.Lock()
	defer j.writer.Unlock()
	if j.open {
		return errors.New("open journal: it is open already")
	}
	dir := j.cfg.folder()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unavailable("open journal", err)
	}
	if err := folder.Give(dir, j.cfg.Dir); err != nil {
		return unavailable("open journal", err)
	}
	if err := j.recover(ctx); err != nil {
		return errors.Join(unavailable("open journal", err), j.closeFiles())
	}
	j.clock = newClock(j.cfg.Now(), j.cfg.elapsed())
	j.open = true
	return nil
}

// Close makes the head durable and gives the files back. A second call does nothing.
func (j *Journal) Close() error {
	j.writer.Lock()
	defer j.writer.Unlock()
	if !j.open {
		return nil
	}
	j.open = false
	if err := errors.Join(j.syncHead(), j.closeFiles()); err != nil {
		return fmt.Errorf("close journal: %w", err)
	}
	return nil
}

func (j *Journal) closeFiles() error {
	var errs []error
	for _, f := range []*os.File{j.file, j.head} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	j.file, j.head = nil, nil
	return errors.Join(errs...)
}

// Note implements appliance.Journal. Entries that come while the disk syncs gather, and share the next sync. Callers wait
// beside the lock and not for it: waking them one by one would hold up the next batch.
func (j *Journal) Note(ctx context.Context, e appliance.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.Check(); err != nil {
		return err
	}
	if e.At.IsZero() {
		e.At = j.cfg.Now()
	}
	n := &note{entry: e, done: make(chan struct{})}
	j.queueMu.Lock()
	j.queue = append(j.queue, n)
	begin := !j.writing
	j.writing = true
	j.queueMu.Unlock()
	if begin {
		go j.drain()
	}
	<-n.done
	return n.err
}

// drain writes batch after batch until the queue is empty.
func (j *Journal) drain() {
	for batch := j.take(); batch != nil; batch = j.take() {
		j.writer.Lock()
		j.commit(batch)
		j.writer.Unlock()
		for _, n := range batch {
			close(n.done)
		}
	}
}

// take removes the next batch from the queue; with nil nobody writes any more.
func (j *Journal) take() []*note {
	j.queueMu.Lock()
	defer j.queueMu.Unlock()
	n := min(len(j.queue), maxBatch)
	batch := j.queue[:n:n]
	j.queue = j.queue[n:]
	if len(j.queue) == 0 {
		j.queue = nil
	}
	if len(batch) == 0 {
		j.writing = false
		return nil
	}
	return batch
}

// commit writes a batch. Where the disk is full, what was done to the appliance is written with the room that was set aside, and
// the journal stays as unhealthy as the disk is. The caller holds writer.
func (j *Journal) commit(batch []*note) {
	err := j.write(entriesOf(batch))
	j.noteHealth(err)
	if err == nil {
		return
	}
	var vital, rest []*note
	for _, n := range batch {
		if j.cfg.Reserve != nil && folder.Full(err) && n.entry.Kind != appliance.EntryDecision && n.entry.Kind != appliance.EntryRefused {
			vital = append(vital, n)
		} else {
			rest = append(rest, n)
		}
	}
	j.miss(rest, err)
	if len(vital) == 0 {
		return
	}
	j.vital = true
	err = j.cfg.Reserve.Spend(func() error { return j.write(entriesOf(vital)) })
	j.vital = false
	if err != nil {
		j.miss(vital, err)
	}
}

func entriesOf(batch []*note) []appliance.Entry {
	entries := make([]appliance.Entry, len(batch))
	for i, n := range batch {
		entries[i] = n.entry
	}
	return entries
}

// miss tells callers that their entries were not written.
func (j *Journal) miss(batch []*note, err error) {
	for _, n := range batch {
		n.err = unavailable("write journal", err)
		// A start is not undone by a disk that is full; it is noted as soon as there is room.
		if n.entry.Kind == appliance.EntryStart && len(j.own) < maxOwn {
			j.own = append(j.own, n.entry)
		} else {
			j.missed++
		}
	}
}

// write makes entries durable behind those that wait already. The caller holds writer.
func (j *Journal) write(entries []appliance.Entry) error {
	if err := j.ready(); err != nil {
		return err
	}
	if err := j.begin(); err != nil {
		return err
	}
	var buf bytes.Buffer
	at, running := j.at, j.running
	for _, e := range append(j.waiting(), entries...) {
		r := j.record(e)
		switch e.Kind {
		case appliance.EntryStart:
			if running {
				r.Detail = with(r.Detail, "unclean", "true")
			}
			running = true
		case appliance.EntryStop:
			running = false
		}
		var err error
		if at, err = at.put(&buf, r); err != nil {
			return err
		}
	}
	if buf.Len() == 0 {
		return nil
	}
	if err := j.append(buf.Bytes(), at); err != nil {
		return err
	}
	j.running, j.own, j.missed = running, nil, 0
	return j.writeHead()
}

// waiting are the journal's own entries that go before others.
func (j *Journal) waiting() []appliance.Entry {
	list := j.own[:len(j.own):len(j.own)]
	if j.missed > 0 {
		list = append(list, appliance.Entry{At: j.cfg.Now(), Kind: entryResumed, Detail: map[string]string{"missed": strconv.Itoa(j.missed)}})
	}
	return list
}

// record puts an entry into the form in which it is written.
func (j *Journal) record(e appliance.Entry) Record {
	r := Record{At: e.At.UTC().Truncate(time.Millisecond), Kind: e.Kind, Subject: e.Subject, Detail: e.Detail}
	if e.Transaction != "" {
		r.Transaction = Pseudonym(j.cfg.Identity, e.Transaction)
	}
	return r
}

func with(m map[string]string, name, value string) map[string]string {
	out := map[string]string{name: value}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// ready makes sure that there is a file that ends where the journal does, and room to write. The caller holds writer.
func (j *Journal) ready() error {
	if !j.open {
		return errors.New("the journal is closed")
	}
	if err := j.room(); err != nil {
		return err
	}
	if j.suspect && !j.ended {
		if err := j.reopen(); err != nil {
			return err
		}
	}
	if j.file != nil && !j.ended {
		info, err := j.file.Stat()
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink == 0 || info.Size() != j.size {
			j.damaged("changed_while_open", j.segment)
			j.ended = true
		}
	}
	return nil
}

// room fails where the disk is too full for what is being written.
func (j *Journal) room() error {
	var st syscall.Statfs_t
	if j.vital || syscall.Statfs(j.cfg.folder(), &st) != nil {
		return nil // a disk that cannot be measured shows in the write itself
	}
	free := int64(st.Bavail) * st.Bsize
	if j.cfg.Reserve != nil {
		free -= j.cfg.Reserve.Missing()
	}
	if free < reserve {
		return fmt.Errorf("%d bytes free: %w", free, syscall.ENOSPC)
	}
	return nil
}

// reopen cuts what a failed write left behind the durable part.
func (j *Journal) reopen() error {
	f, err := os.OpenFile(filepath.Join(j.cfg.folder(), segmentName(j.segment)), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(j.size), j.cfg.sync(f)); err != nil {
		return errors.Join(err, f.Close())
	}
	j.file.Close() // its errors are why it was opened again
	j.file, j.suspect = f, false
	return nil
}

// append makes bytes durable at the end of the segment.
func (j *Journal) append(b []byte, behind position) error {
	_, err := j.cfg.write(j.file, b, j.size)
	if err == nil {
		err = j.cfg.sync(j.file)
	}
	if err != nil {
		j.suspect = true
		_ = j.file.Truncate(j.size) // reopen does it again, and says so when it fails
		return err
	}
	j.at, j.size = behind, j.size+int64(len(b))
	return nil
}

// Healthy returns why the journal failed last, and nil once it has written since.
func (j *Journal) Healthy() error {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	return j.failure
}

// largeShare is the share of its room from which a journal counts as large: by then most of its time is left to do something about it.
const largeShare = 0.7

// Large returns how much room the journal takes, and whether that is so much of what it may that it will soon lose entries before
// their time.
func (j *Journal) Large() (bytes int64, large bool) {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	return j.bytes, float64(j.bytes) >= largeShare*float64(j.cfg.MaxBytes)
}

// Damage says what was wrong with the journal when this or an earlier run opened or wrote it, for as long as its place is kept; "" where nothing
// was.
func (j *Journal) Damage() string {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	if j.damage == nil {
		return ""
	}
	return j.damage.What
}

// harm is what the head says of the damage: the first head that is written after it was found says in which segment it is noted.
func (j *Journal) harm(segment uint64) *damage {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	if j.damage != nil && j.damage.Segment == 0 {
		j.damage = &damage{j.damage.What, segment}
	}
	return j.damage
}

// forget forgets damage that was noted in the segments up to one, which are no longer kept.
func (j *Journal) forget(through uint64) {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	if j.damage != nil && j.damage.Segment != 0 && j.damage.Segment <= through {
		j.damage = nil
	}
}

func (j *Journal) noteHealth(err error) {
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	j.failure = err
}

// damaged notes what is wrong with a segment.
func (j *Journal) damaged(what string, segment uint64) {
	j.own = append(j.own, appliance.Entry{At: j.cfg.Now(), Kind: entryDamaged, Subject: strconv.FormatUint(segment, 10), Detail: map[string]string{"what": what}})
	j.cfg.Log.Error("the journal is damaged", "segment", segment, "what", what)
	j.healthMu.Lock()
	defer j.healthMu.Unlock()
	j.damage = &damage{What: what}
}
