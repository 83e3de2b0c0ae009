package database

import (
	"bytes"
	"encoding/json"
	"strings"
)

// driftPrefix begins the names of the entries about drift, so that a salvage knows them by their form.
const driftPrefix = "drift "

// Drift returns what the watch over drift keeps, by name.
func (t Tables) Drift() (map[string][]byte, error) {
	out := map[string][]byte{}
	return out, t.drift.ForEach(func(k, v []byte) error {
		out[strings.TrimPrefix(string(k), driftPrefix)] = bytes.Clone(v)
		return nil
	})
}

// PutDrift puts down a value of the watch over drift.
func (t Tables) PutDrift(name string, value []byte) error {
	return t.drift.Put([]byte(driftPrefix+name), value)
}

// DropDrift drops one.
func (t Tables) DropDrift(name string) error { return t.drift.Delete([]byte(driftPrefix + name)) }

// IsDrift reports whether an entry has the form of the bucket.
func IsDrift(key, value []byte) bool {
	return bytes.HasPrefix(key, []byte(driftPrefix)) && json.Valid(value)
}

// FillDrift puts down what another database kept.
func (t Tables) FillDrift(kept map[string][]byte) error {
	for name, value := range kept {
		if err := t.drift.Put([]byte(name), value); err != nil {
			return err
		}
	}
	return nil
}
