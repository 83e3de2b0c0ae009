package control

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
)

// Store is what the control socket reaches of the store.
type Store interface {
	EraseProven(ctx context.Context, id string) (appliance.Erasure, error)
	Compact(context.Context) (appliance.Compaction, error)
	// RotateKey takes a new appliance key of 32 bytes, or nil for a random one.
	RotateKey(ctx context.Context, key []byte) (appliance.Rotation, error)
	// Backup writes a backup to a file that is not there yet; BackupPath is a place for it that is the daemon's own, and
	// DropBackup destroys what lies there.
	Backup(ctx context.Context, path string) (appliance.BackupReport, error)
	BackupPath() string
	DropBackup() error
}

// storeRoutes names the paths of the store; none where the daemon gave none.
func (c *Socket) storeRoutes() {
	if c.deps.Store == nil {
		return
	}
	shelf := &shelf{store: c.deps.Store}
	c.app.Post("/store/erase/:id", func(ctx *fiber.Ctx) error {
		e, err := c.deps.Store.EraseProven(ctx.Context(), ctx.Params("id"))
		return replyUnless(ctx, e, err)
	})
	c.app.Post("/store/compact", func(ctx *fiber.Ctx) error {
		r, err := c.deps.Store.Compact(ctx.Context())
		return replyUnless(ctx, r, err)
	})
	c.app.Post("/store/rotate", func(ctx *fiber.Ctx) error {
		var in newApplianceKey
		if err := accept(ctx, &in); err != nil {
			return err
		}
		if len(in.Key) == 0 { // JSON writes nil as an empty text
			in.Key = nil
		}
		r, err := c.deps.Store.RotateKey(ctx.Context(), in.Key)
		return replyUnless(ctx, r, err)
	})
	c.app.Post("/store/backup", func(ctx *fiber.Ctx) error {
		made, err := shelf.make(ctx.Context())
		return replyUnless(ctx, made, err)
	})
	c.app.Get("/store/backup/:offset", func(ctx *fiber.Ctx) error {
		offset, err := ctx.ParamsInt("offset")
		if err != nil {
			return &appliance.Error{Code: appliance.CodeBadRequest, Msg: "the offset is no number", Err: err}
		}
		part, err := shelf.read(int64(offset))
		return replyUnless(ctx, part, err)
	})
	c.app.Delete("/store/backup", func(ctx *fiber.Ctx) error { return replyUnless(ctx, true, shelf.clear()) })
}

// replyUnless answers with v where there is no error.
func replyUnless(ctx *fiber.Ctx, v any, err error) error {
	if err != nil {
		return err
	}
	return reply(ctx, v)
}

// newApplianceKey is the request to change the appliance key; a nil key asks for a random one.
type newApplianceKey struct{ Key []byte }

// madeBackup describes a backup that lies ready.
type madeBackup struct {
	appliance.BackupReport
	SHA256 []byte
}

const (
	// backupPart is how much of a backup goes through the socket at a time, so that no answer takes long.
	backupPart = 1 << 20
	// backupIdle is after how long without a call a backup that lies ready may be replaced by the next one.
	backupIdle = time.Minute
)

// shelf holds the backup that is being fetched. What the end of the daemon leaves there, the store destroys at its next
// start.
type shelf struct {
	store Store
	mu    sync.Mutex
	file  *os.File // nil while nothing lies there
	used  time.Time
}

// make makes a backup and keeps it for read.
func (s *shelf) make(ctx context.Context) (made madeBackup, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil && time.Since(s.used) < backupIdle {
		return made, &appliance.Error{Code: appliance.CodeUnavailable, Op: "back up store", Msg: "another backup is being made", Hint: "try again in a minute"}
	}
	path := s.store.BackupPath()
	if err := s.drop(); err != nil {
		return made, err
	}
	if made.BackupReport, err = s.store.Backup(ctx, path); err != nil {
		return made, err
	}
	f, err := os.Open(path)
	if err != nil {
		return made, errors.Join(fmt.Errorf("back up store: %w", err), s.drop())
	}
	s.file, s.used = f, time.Now()
	if made.SHA256, err = hashOf(f); err != nil {
		return made, errors.Join(fmt.Errorf("back up store: %w", err), s.drop())
	}
	return made, nil
}

// read returns the part of the backup that begins at an offset; an empty one is behind its end.
func (s *shelf) read(offset int64) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil, appliance.Errorf(appliance.CodeNotFound, "no backup lies ready")
	}
	s.used = time.Now()
	part := make([]byte, backupPart)
	n, err := s.file.ReadAt(part, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read backup: %w", err)
	}
	return part[:n], nil
}

func (s *shelf) clear() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drop()
}

func (s *shelf) drop() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
		s.file = nil
	}
	if err := errors.Join(err, s.store.DropBackup()); err != nil {
		return fmt.Errorf("drop backup: %w", err)
	}
	return nil
}

// hashOf returns the SHA-256 of a whole file.
func hashOf(f *os.File) ([]byte, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// EraseTransaction destroys a transaction and proves it.
func (c *Client) EraseTransaction(ctx context.Context, id string) (e appliance.Erasure, err error) {
	err = c.call(ctx, http.MethodPost, "/store/erase/"+url.PathEscape(id), nil, &e)
	return e, err
}

// CompactStore gives the free room of the database back to the disk.
func (c *Client) CompactStore(ctx context.Context) (r appliance.Compaction, err error) {
	err = c.call(ctx, http.MethodPost, "/store/compact", nil, &r)
	return r, err
}

// RotateKey changes the appliance key; nil asks the daemon for a random one.
func (c *Client) RotateKey(ctx context.Context, key []byte) (r appliance.Rotation, err error) {
	err = c.call(ctx, http.MethodPost, "/store/rotate", newApplianceKey{key}, &r)
	return r, err
}

// BackupStore lets the daemon make a backup and writes it to f, an empty file. What lies in the file is compared with what
// the daemon checked.
func (c *Client) BackupStore(ctx context.Context, f *os.File) (r appliance.BackupReport, err error) {
	var made madeBackup
	if err := c.call(ctx, http.MethodPost, "/store/backup", nil, &made); err != nil {
		return r, err
	}
	defer func() {
		var done bool
		err = errors.Join(err, c.call(context.WithoutCancel(ctx), http.MethodDelete, "/store/backup", nil, &done))
	}()
	for at := int64(0); at < made.Bytes; {
		var part []byte
		if err := c.call(ctx, http.MethodGet, fmt.Sprintf("/store/backup/%d", at), nil, &part); err != nil {
			return r, err
		}
		if len(part) == 0 {
			return r, errors.New("fetch backup: it ended too early")
		}
		if _, err := f.WriteAt(part, at); err != nil {
			return r, fmt.Errorf("write backup: %w", err)
		}
		at += int64(len(part))
	}
	if err := f.Sync(); err != nil {
		return r, fmt.Errorf("write backup: %w", err)
	}
	sum, err := hashOf(f)
	if err != nil {
		return r, fmt.Errorf("read backup: %w", err)
	}
	if !bytes.Equal(sum, made.SHA256) {
		return r, errors.New("the file does not hold what the daemon made")
	}
	return made.BackupReport, nil
}
