package appliancetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// TestKeyStore checks that a KeyStore keeps the promises of the interface. Each case opens an empty store.
func TestKeyStore(t *testing.T, open func(t *testing.T) appliance.KeyStore) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, appliance.KeyStore){
		"keys come back as they went in": keysComeBack,
		"names are unique":               namesUnique,
		"revoked keys are gone":          revokedGone,
		"touching skips unknown names":   touching,
		"a cancelled caller gets nothing": func(t *testing.T, s appliance.KeyStore) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := s.AddKey(ctx, SampleKey("a")); !errors.Is(err, context.Canceled) {
				t.Errorf("add: %v, want context.Canceled", err)
			}
			wantKeys(t, s)
		},
	} {
		t.Run(name, func(t *testing.T) { check(t, open(t)) })
	}
}

// SampleKey returns a key with every member but LastUsed filled in; its secret is its name.
func SampleKey(name string) appliance.Key {
	created := time.Date(2026, time.March, 1, 12, 0, 0, 5, time.UTC)
	return appliance.Key{
		Name: name, Hash: sha256.Sum256([]byte(name)), Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeAdmin},
		Created: created, Expires: created.AddDate(1, 0, 0), RatePerMinute: 90, Origins: []string{"https://teller.bank.example"},
	}
}

func addKey(t *testing.T, s appliance.KeyStore, k appliance.Key) {
	t.Helper()
	if err := s.AddKey(t.Context(), k); err != nil {
		t.Fatalf("add %s: %v", k.Name, err)
	}
}

func wantKeys(t *testing.T, s appliance.KeyStore, want ...appliance.Key) {
	t.Helper()
	got, err := s.Keys(t.Context())
	if err != nil {
		t.Fatalf("list: %v", err)
	}
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got keys\n%+v\nwant\n%+v", got, want)
	}
}

func keysComeBack(t *testing.T, s appliance.KeyStore) {
	wantKeys(t, s)
	a, b, c := SampleKey("a"), SampleKey("B.2"), SampleKey("c")
	c.Expires, c.RatePerMinute, c.Origins, c.Scopes = time.Time{}, 0, nil, []appliance.Scope{appliance.ScopeFace}
	for _, k := range []appliance.Key{c, a, b} {
		addKey(t, s, k)
	}
	wantKeys(t, s, b, a, c) // by name
}

func namesUnique(t *testing.T, s appliance.KeyStore) {
	first, second := SampleKey("till"), SampleKey("till")
	second.Hash = sha256.Sum256([]byte("another secret"))
	addKey(t, s, first)
	wantCode(t, "second key of that name", s.AddKey(t.Context(), second), appliance.CodeBadRequest)
	wantKeys(t, s, first)
	other := SampleKey("Till")
	addKey(t, s, other)
	wantKeys(t, s, other, first)
}

func revokedGone(t *testing.T, s appliance.KeyStore) {
	a, b := SampleKey("a"), SampleKey("b")
	addKey(t, s, a)
	addKey(t, s, b)
	if err := s.RevokeKey(t.Context(), "a"); err != nil {
		t.Fatalf("revoke: %v", err)
	}
	wantKeys(t, s, b)
	wantCode(t, "second revoke", s.RevokeKey(t.Context(), "a"), appliance.CodeNotFound)
	addKey(t, s, a)
	wantKeys(t, s, a, b)
}

func touching(t *testing.T, s appliance.KeyStore) {
	a, b := SampleKey("a"), SampleKey("b")
	addKey(t, s, a)
	addKey(t, s, b)
	b.LastUsed = b.Created.Add(time.Hour)
	if err := s.TouchKeys(t.Context(), map[string]time.Time{"b": b.LastUsed, "ghost": b.LastUsed}); err != nil {
		t.Fatalf("touch: %v", err)
	}
	wantKeys(t, s, a, b)
}
