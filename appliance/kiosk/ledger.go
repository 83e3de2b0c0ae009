package kiosk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance/folder"
)

// ledger keeps on disk which transactions are open at the screens, by id alone, so that a power cut in the middle of a check leaves
// none behind: the next start erases them. It is safe for concurrent use.
type ledger struct {
	path string

	mu   sync.Mutex
	open map[string]string // the key of the screen, by transaction
}

// openLedger reads the file of a data folder; there may be none.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{path: filepath.Join(dir, "kiosk.json"), open: map[string]string{}}
	text, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the kiosk's list: %w", err)
	}
	if err := json.Unmarshal(text, &l.open); err != nil || l.open == nil {
		l.open = map[string]string{} // a file that was cut off: its transactions end with store.ttl
	}
	return l, nil
}

// all returns what is open.
func (l *ledger) all() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.open)
}

// add writes a transaction down before anything is read for it.
func (l *ledger) add(transaction, screen string) error {
	return l.change(func() { l.open[transaction] = screen })
}

// drop forgets transactions that are erased or belong to the integrator.
func (l *ledger) drop(transactions ...string) error {
	return l.change(func() {
		maps.DeleteFunc(l.open, func(id, _ string) bool { return slices.Contains(transactions, id) })
	})
}

func (l *ledger) change(do func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
	text, err := json.Marshal(l.open)
	if err != nil {
		return fmt.Errorf("write the kiosk's list: %w", err)
	}
	return folder.Replace(l.path, text, (*os.File).Sync)
}
