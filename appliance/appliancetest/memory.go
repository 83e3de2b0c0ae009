package appliancetest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Transactions is an appliance.TransactionStore in memory, safe for concurrent use. It keeps copies: what a caller
// changes afterwards stays the caller's own.
type Transactions struct {
	ttl time.Duration
	now func() time.Time

	mu   sync.Mutex
	fail error
	live map[string]*appliance.Transaction
	gone map[string]time.Time // id to the time it expired
}

// NewTransactions makes an empty store whose transactions live for ttl after their last request. Now is the clock.
func NewTransactions(ttl time.Duration, now func() time.Time) *Transactions {
	return &Transactions{ttl: ttl, now: now, live: map[string]*appliance.Transaction{}, gone: map[string]time.Time{}}
}

// Fail makes every later call answer err, as a store on a broken or full disk does; nil ends it.
func (s *Transactions) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// find returns the living transaction of an id, after it has moved what ran out to the expired ones.
func (s *Transactions) find(id string) (*appliance.Transaction, error) {
	if s.fail != nil {
		return nil, s.fail
	}
	now := s.now()
	if t, ok := s.live[id]; ok {
		if now.Before(t.Expires) {
			return t, nil
		}
		delete(s.live, id)
		s.gone[id] = t.Expires
	}
	if expired, ok := s.gone[id]; ok {
		if now.Sub(expired) <= appliance.ExpiredMemory {
			return nil, appliance.Errorf(appliance.CodeTransactionExpired, "the transaction has expired: start a new one")
		}
		delete(s.gone, id)
	}
	return nil, appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is not known")
}

// Transaction returns a copy of a living transaction.
func (s *Transactions) Transaction(ctx context.Context, id string) (*appliance.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	if err != nil {
		return nil, err
	}
	return copied(t)
}

// Append adds a copy of the record.
func (s *Transactions) Append(ctx context.Context, id string, r appliance.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := copied(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	switch {
	case err != nil && appliance.CodeOf(err) == appliance.CodeTransactionUnknown:
		t = &appliance.Transaction{ID: id, Created: s.now()}
		s.live[id] = t
	case err != nil:
		return err
	}
	t.Records = append(t.Records, r)
	t.Expires = appliance.EndOf(t.Created, s.now(), s.ttl, appliance.MaxAge)
	return nil
}

// Attempt counts a face check.
func (s *Transactions) Attempt(ctx context.Context, id string, most int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	if err != nil {
		return err
	}
	if t.Attempts >= most {
		return appliance.TooManyAttempts(most)
	}
	t.Attempts++
	t.Expires = appliance.EndOf(t.Created, s.now(), s.ttl, appliance.MaxAge)
	return nil
}

// Renew moves the end of a living transaction.
func (s *Transactions) Renew(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.find(id)
	if err != nil {
		return err
	}
	t.Expires = appliance.EndOf(t.Created, s.now(), s.ttl, appliance.MaxAge)
	return nil
}

// Erase drops a living transaction; it counts as expired from now on.
func (s *Transactions) Erase(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.find(id); err != nil {
		return err
	}
	delete(s.live, id)
	s.gone[id] = s.now()
	return nil
}

// Sweep drops what has expired.
func (s *Transactions) Sweep(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return 0, s.fail
	}
	n, now := 0, s.now()
	for id, t := range s.live {
		if !now.Before(t.Expires) {
			delete(s.live, id)
			s.gone[id] = t.Expires
			n++
		}
	}
	maps.DeleteFunc(s.gone, func(_ string, expired time.Time) bool { return now.Sub(expired) > appliance.ExpiredMemory })
	return n, nil
}

// copied makes a deep copy through the same JSON that a real store writes, so that a value which a real store
// could not keep fails here as well.
func copied[T any](v T) (T, error) {
	var out T
	b, err := json.Marshal(v)
	if err != nil {
		return out, err
	}
	err = json.Unmarshal(b, &out)
	return out, err
}

// Keys is an appliance.KeyStore in memory, safe for concurrent use.
type Keys struct {
	mu   sync.Mutex
	keys map[string]appliance.Key
}

// NewKeys makes a store that holds the given keys.
func NewKeys(keys ...appliance.Key) *Keys {
	s := &Keys{keys: map[string]appliance.Key{}}
	for _, k := range keys {
		s.keys[k.Name] = k
	}
	return s
}

// AddKey stores a key.
func (s *Keys) AddKey(ctx context.Context, k appliance.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.keys[k.Name]; ok {
		return appliance.Errorf(appliance.CodeBadRequest, "a key named %q exists already", k.Name)
	}
	k.Scopes = slices.Clone(k.Scopes)
	s.keys[k.Name] = k
	return nil
}

// Keys returns all keys by name.
func (s *Keys) Keys(ctx context.Context) ([]appliance.Key, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []appliance.Key
	for _, k := range s.keys {
		k.Scopes = slices.Clone(k.Scopes)
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b appliance.Key) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// RevokeKey removes a key.
func (s *Keys) RevokeKey(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.keys[name]; !ok {
		return appliance.Errorf(appliance.CodeNotFound, "there is no key named %q", name)
	}
	delete(s.keys, name)
	return nil
}

// TouchKeys records the times of last use.
func (s *Keys) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, at := range used {
		if k, ok := s.keys[name]; ok {
			k.LastUsed = at
			s.keys[name] = k
		}
	}
	return nil
}
