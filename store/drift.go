package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/bawab/bawab/store/seal"
)

const (
	bucketDrift = "drift"
	// driftPrefix begins the names of this bucket's entries, so that a salvage knows them by their form.
	driftPrefix = "drift "
)

// Drift returns what the watch over drift keeps: counts, and nothing of a person, so they lie in clear.
func (s *Store) Drift(ctx context.Context) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := s.view(ctx, "read drift", func(t tables) error {
		return t.drift.ForEach(func(k, v []byte) error {
			out[strings.TrimPrefix(string(k), driftPrefix)] = bytes.Clone(v)
			return nil
		})
	})
	return out, err
}

// KeepDrift puts values down and drops others, in one commit.
func (s *Store) KeepDrift(ctx context.Context, put map[string][]byte, drop []string) error {
	return s.write(ctx, "keep drift", func(t tables) (refusal, failure error) {
		for name, value := range put {
			if err := t.drift.Put([]byte(driftPrefix+name), value); err != nil {
				return nil, err
			}
		}
		for _, name := range drop {
			if err := t.drift.Delete([]byte(driftPrefix + name)); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}

// isDrift reports whether an entry has the form of the bucket.
func isDrift(key, value []byte) bool {
	return bytes.HasPrefix(key, []byte(driftPrefix)) && json.Valid(value)
}

// fillDrift puts down what another database kept.
func (t tables) fillDrift(kept map[string][]byte) error {
	for name, value := range kept {
		if err := t.drift.Put([]byte(name), value); err != nil {
			return err
		}
	}
	return nil
}

// toVersion5 makes room for counts.
func toVersion5(tx *bbolt.Tx, _ seal.Sealer) error {
	if _, err := tx.CreateBucketIfNotExists([]byte(bucketDrift)); err != nil {
		return fmt.Errorf("create bucket %s: %w", bucketDrift, err)
	}
	return nil
}
