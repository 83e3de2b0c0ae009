package store

import (
	"context"

	"github.com/bawab/bawab/store/database"
)

// Drift returns what the watch over drift keeps: counts, and nothing of a person, so they lie in clear.
func (s *Store) Drift(ctx context.Context) (kept map[string][]byte, err error) {
	err = s.view(ctx, "read drift", func(t database.Tables) error {
		kept, err = t.Drift()
		return err
	})
	return kept, err
}

// KeepDrift puts values down and drops others, in one commit.
func (s *Store) KeepDrift(ctx context.Context, put map[string][]byte, drop []string) error {
	return s.write(ctx, "keep drift", func(t database.Tables) (refusal, failure error) {
		for name, value := range put {
			if err := t.PutDrift(name, value); err != nil {
				return nil, err
			}
		}
		for _, name := range drop {
			if err := t.DropDrift(name); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}
