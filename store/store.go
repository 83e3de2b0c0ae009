package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// Config says where a store lies and how long it keeps things.
type Config struct {
	// Dir is the data folder. It is made, mode 0700, when it is missing.
	Dir string
	// KeyFile is the file of the appliance key: 32 bytes, for instance $CREDENTIALS_DIRECTORY/bawab.key under systemd.
	// "" stands for Dir/appliance.key, which is made at the first start.
	KeyFile string
	// TTL is how long a transaction lives after its last request; 0 is 30 minutes.
	TTL time.Duration
	// MaxAge is how long it lives after its first request at the latest; 0 is appliance.MaxAge.
	MaxAge time.Duration
	// LockTimeout is how long Open waits for another process to leave the folder; 0 is one second.
	LockTimeout time.Duration
	// KeyElsewhere says that KeyFile is put there anew at each start, as systemd does with credentials: what is written
	// to it is lost, so a new appliance key must be put where it comes from by somebody else.
	KeyElsewhere bool
	// CompactFrom is the size in bytes from which the sweeper compacts a half empty database; 0 is 16 MiB.
	CompactFrom int64
	// ReviewRoom bounds how many bytes the pictures for review take together; 0 is 1 GiB.
	ReviewRoom int64
	// Reached is told which point the work has reached; tests end the process there. nil is nobody.
	Reached func(database.Point)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Log gets what has no caller to go to: failures of the sweeper and recoveries. nil discards it.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.TTL == 0 {
		c.TTL = 30 * time.Minute
	}
	if c.MaxAge == 0 {
		c.MaxAge = appliance.MaxAge
	}
	if c.CompactFrom == 0 {
		c.CompactFrom = compactFrom
	}
	if c.ReviewRoom == 0 {
		c.ReviewRoom = reviewRoom
	}
	if c.LockTimeout == 0 {
		c.LockTimeout = time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// life is how long transactions live.
func (c Config) life() database.Life { return database.Life{TTL: c.TTL, MaxAge: c.MaxAge} }

// Folder is the data folder of a store, for whoever works on it while no store is open over it.
func (c Config) Folder() database.Folder {
	c = c.withDefaults()
	return database.Folder{Dir: c.Dir, KeyFile: c.KeyFile, LockTimeout: c.LockTimeout, Now: c.Now, Reached: c.Reached}
}

const (
	// reserve is the room on the disk that records do not use, so that a nearly full disk still lets transactions be renewed:
	// bbolt writes new pages before it frees old ones.
	reserve = 256 << 10
	// reserveName and setAside are the file that holds room for erasing when others have filled the disk, and its size: an
	// erasure takes some 50 KiB, of the database and the journal together.
	reserveName = "reserve"
	setAside    = 1 << 20
)

// Store is an appliance.TransactionStore and an appliance.KeyStore over one file. Its methods are safe for concurrent
// use. Calls before Open and after Close answer CodeUnavailable.
type Store struct {
	cfg  Config
	room *folder.Reserve

	queueMu sync.Mutex
	queue   []*op

	// writer is held by whoever commits, scrubs, opens or closes. It guards the fields below it and comes before access.
	writer   sync.Mutex
	lock     *os.File    // the locked data folder; nil while the store is closed
	suspect  bool        // memory may differ from disk: open the file again before the next use
	scrubDue bool        // something was erased whose pages are not overwritten yet
	placed   seal.Sealer // the appliance key that lies in its place
	next     []byte      // the one that the database is sealed with, where it is not in its place yet

	// access is held for reading by readers, and for writing by who changes the fields below it or overwrites pages.
	access sync.RWMutex
	db     *database.DB

	// reviewMu is held by who keeps or erases reviews, and comes before writer: the room that their pictures take is used by one at a time.
	reviewMu    sync.Mutex
	reviewBytes atomic.Int64
	reviewCount atomic.Int64

	healthMu sync.Mutex
	failure  error
	pending  bool // the new appliance key is not in its place yet
}

var (
	_ appliance.TransactionStore = (*Store)(nil)
	_ appliance.KeyStore         = (*Store)(nil)
)

// New makes a store; it does no work yet.
func New(cfg Config) *Store {
	return &Store{cfg: cfg.withDefaults(), room: folder.NewReserve(filepath.Join(cfg.Dir, reserveName), setAside)}
}

func (s *Store) folder() database.Folder { return s.cfg.Folder() }

// Reserve is the room that is set aside on the disk of the data folder for what must work when it is full.
func (s *Store) Reserve() *folder.Reserve { return s.room }

// Open locks the data folder, makes or reads the appliance key, makes or verifies the database, lifts it to the current
// schema, and completes what was interrupted: overwrites what an erasure left, goes on with a change of the appliance key,
// removes what a compaction, a backup or a restore left. A file that is damaged in its structure is refused, and so is
// anything that other users could have read or put there.
func (s *Store) Open(ctx context.Context) error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if s.lock != nil {
		return errors.New("open store: it is open already")
	}
	lock, key, err := s.folder().Claim(ctx)
	if err != nil {
		return err
	}
	s.access.Lock()
	s.placed = key
	if err = s.folder().RemoveLeftovers(); err == nil {
		err = s.openDatabase()
	}
	s.access.Unlock()
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	s.lock, s.scrubDue = lock, true
	if err := database.Wipe(s.folder().Path() + database.SuffixOld); err != nil {
		s.cfg.Log.Warn("the former database was not removed", "error", err)
	}
	s.completeRotation()
	if err := s.settleReviews(); err != nil {
		s.cfg.Log.Warn("the pictures for review are not in order", "error", err)
	}
	s.note(s.scrub())
	s.setAside()
	return nil
}

// setAside fills the reserve. Where the disk is too full for that, DiskFree says so, and the next sweep tries again.
func (s *Store) setAside() {
	if err := s.room.Fill(); err != nil {
		s.cfg.Log.Debug("the reserve is not complete", "error", err)
	}
}

// openDatabase opens the file, and makes it when it is missing. The caller holds writer and access.
func (s *Store) openDatabase() error {
	db, next, err := s.folder().Open(s.placed)
	if err != nil {
		return err
	}
	s.db = db
	s.expect(next)
	return nil
}

// Close gives the folder back. It waits for calls under way; a second call does nothing.
func (s *Store) Close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if s.lock == nil {
		return nil
	}
	s.access.Lock()
	err := s.closeDatabase()
	s.access.Unlock()
	err = errors.Join(err, s.lock.Close())
	s.lock = nil
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// closeDatabase closes the file. The caller holds writer and access.
func (s *Store) closeDatabase() error {
	db := s.db
	s.db = nil
	if db == nil {
		return nil
	}
	return db.Close()
}

// view runs a read. What f borrows from the tables ends with it.
func (s *Store) view(ctx context.Context, step string, f func(database.Tables) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.access.RLock()
	defer s.access.RUnlock()
	if s.db == nil {
		return unavailable(step, errClosed)
	}
	err := s.db.View(f)
	if e := (*appliance.Error)(nil); err == nil || errors.As(err, &e) {
		return err
	}
	s.note(err)
	return unavailable(step, err)
}

var errClosed = errors.New("the store is closed")

// Check examines the database; see database.Folder. Writers wait meanwhile.
func (s *Store) Check(ctx context.Context) (database.Report, error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if s.lock == nil {
		return database.Report{}, unavailable("check store", errClosed)
	}
	return s.folder().Check(ctx, s.placed)
}

// note keeps the outcome of the last commit for Healthy.
func (s *Store) note(err error) {
	s.healthMu.Lock()
	defer s.healthMu.Unlock()
	s.failure = err
}

// Healthy returns why the store failed last, and nil once a write has succeeded since.
func (s *Store) Healthy() error {
	s.healthMu.Lock()
	defer s.healthMu.Unlock()
	return s.failure
}

// Size returns the size of the database in bytes.
func (s *Store) Size() (int64, error) {
	info, err := os.Stat(s.folder().Path())
	if err != nil {
		return 0, fmt.Errorf("measure store: %w", err)
	}
	return info.Size(), nil
}

// DiskFree returns how many bytes the store may still use on its disk.
func (s *Store) DiskFree() (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(s.cfg.Dir, &st); err != nil {
		return 0, fmt.Errorf("measure disk: %w", err)
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// roomForRecords fails, and notes it, when there is no more room for records.
func (s *Store) roomForRecords() error {
	free, err := s.DiskFree()
	if err != nil || free-s.room.Missing() >= reserve {
		return nil // a disk that cannot be measured shows in the write itself
	}
	err = fmt.Errorf("%d bytes free: %w", free, syscall.ENOSPC)
	s.note(err)
	return err
}

// Run sweeps, and compacts where that is worth it, at once and then at every interval until the context ends, and returns
// when the sweep under way is done. Failures are logged and show in Healthy.
func (s *Store) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if n, err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("sweep of the store failed", "error", err)
		} else if n > 0 {
			s.cfg.Log.Info("expired transactions erased", "transactions", n)
		}
		s.setAside()
		if c, err := s.compactIfWorth(ctx); err != nil && ctx.Err() == nil {
			s.cfg.Log.Error("the store was not compacted", "error", err)
		} else if c.After > 0 {
			s.cfg.Log.Info("store compacted", "before_bytes", c.Before, "after_bytes", c.After)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
