package control

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/google/go-cmp/cmp"
)

// storeControl is a fake store.
type storeControl struct {
	path    string
	content []byte
	keys    [][]byte
}

func (s *storeControl) EraseProven(_ context.Context, id string) (appliance.Erasure, error) {
	if id != "known-1" {
		return appliance.Erasure{}, appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is unknown")
	}
	return appliance.Erasure{Records: 2, Searched: 3, Elsewhere: []string{"f"}}, nil
}

func (s *storeControl) Compact(context.Context) (appliance.Compaction, error) {
	return appliance.Compaction{Before: 9, After: 5}, nil
}

func (s *storeControl) RotateKey(_ context.Context, key []byte) (appliance.Rotation, error) {
	s.keys = append(s.keys, key)
	return appliance.Rotation{Transactions: 1, Keys: 2, Unopened: 3, KeyFile: "k", Installed: true}, nil
}

func (s *storeControl) Backup(_ context.Context, path string) (appliance.BackupReport, error) {
	return appliance.BackupReport{Transactions: 7, Bytes: int64(len(s.content))}, os.WriteFile(path, s.content, 0o600)
}

func (s *storeControl) BackupPath() string { return s.path }

func (s *storeControl) DropBackup() error { return os.RemoveAll(s.path) }

// TestStore: what the operator does to the store of a running daemon arrives there and comes back whole, a backup
// of several parts among it; nothing of the backup stays in the daemon's folder, and two at a time are refused.
func TestStore(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	content := bytes.Repeat([]byte("backup "), backupPart/3)
	s := &storeControl{path: filepath.Join(dir, "bawab.db.backup"), content: content}
	control := New(dir, Deps{Store: s, Log: slog.New(slog.DiscardHandler)})
	if err := control.Open(ctx); err != nil {
		t.Fatal(err)
	}
	defer control.Close()
	c, err := Dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := c.EraseTransaction(ctx, "known-1")
	if diff := cmp.Diff(appliance.Erasure{Records: 2, Searched: 3, Elsewhere: []string{"f"}}, e); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := c.EraseTransaction(ctx, "other"); appliance.CodeOf(err) != appliance.CodeTransactionUnknown {
		t.Errorf("unknown: %v", err)
	}
	if r, err := c.CompactStore(ctx); r.Before != 9 || r.After != 5 || err != nil {
		t.Errorf("compact: %+v, %v", r, err)
	}
	want := appliance.Rotation{Transactions: 1, Keys: 2, Unopened: 3, KeyFile: "k", Installed: true}
	for _, key := range [][]byte{nil, []byte("0123456789")} {
		if r, err := c.RotateKey(ctx, key); r != want || err != nil {
			t.Errorf("rotate: %+v, %v", r, err)
		}
	}
	if len(s.keys) != 2 || s.keys[0] != nil || string(s.keys[1]) != "0123456789" {
		t.Errorf("the keys arrived as %q", s.keys)
	}
	for range 2 {
		f, err := os.Create(filepath.Join(t.TempDir(), "saved"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.BackupStore(ctx, f)
		if err != nil || r.Transactions != 7 {
			t.Errorf("backup: %+v, %v", r, err)
		}
		got, err := os.ReadFile(f.Name())
		if err := errors.Join(err, f.Close()); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes came, want %d, %v", len(got), len(content), err)
		}
	}
	if _, err := os.Stat(s.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the backup stayed in the folder: %v", err)
	}
	var made madeBackup
	if err := c.call(ctx, "POST", "/store/backup", nil, &made); err != nil {
		t.Fatal(err)
	}
	if err := c.call(ctx, "POST", "/store/backup", nil, &made); appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("two at a time: %v", err)
	}
}
