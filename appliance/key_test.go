package appliance_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

type keys struct{ list []appliance.Key }

func (k *keys) AddKey(_ context.Context, key appliance.Key) error {
	if slices.ContainsFunc(k.list, func(o appliance.Key) bool { return o.Name == key.Name }) {
		return appliance.Errorf(appliance.CodeBadRequest, "the name is taken")
	}
	k.list = append(k.list, key)
	return nil
}

func (k *keys) Keys(context.Context) ([]appliance.Key, error) { return k.list, nil }

func (k *keys) RevokeKey(_ context.Context, name string) error {
	n := len(k.list)
	k.list = slices.DeleteFunc(k.list, func(o appliance.Key) bool { return o.Name == name })
	if len(k.list) == n {
		return appliance.Errorf(appliance.CodeNotFound, "no such key")
	}
	return nil
}

func (k *keys) TouchKeys(_ context.Context, used map[string]time.Time) error {
	for i := range k.list {
		if t, ok := used[k.list[i].Name]; ok {
			k.list[i].LastUsed = t
		}
	}
	return nil
}

// Property: a key works from the moment it is added until it is revoked or expires, and the four ways of being
// wrong are told apart by nobody.
func TestKeyring(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	store := &keys{}
	ring := appliance.NewKeyring(store, func() time.Time { return now })
	ctx := t.Context()

	secret, err := ring.Add(ctx, appliance.Key{Name: "kiosk-1", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	if err != nil {
		t.Fatal(err)
	}
	short, err := ring.Add(ctx, appliance.Key{Name: "short", Scopes: appliance.Scopes(), Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if k, err := ring.Authenticate(secret); err != nil || k.Name != "kiosk-1" || !k.Allows(appliance.ScopeOCR) || k.Allows(appliance.ScopeFace) {
		t.Errorf("got %+v, %v", k, err)
	}
	if _, err := ring.Authenticate(short); err != nil {
		t.Error(err)
	}
	now = now.Add(time.Hour)
	wrong := map[string]string{"missing": "", "unknown": "x" + secret[1:], "expired": short}
	if err := ring.Revoke(ctx, "kiosk-1"); err != nil {
		t.Fatal(err)
	}
	wrong["revoked"] = secret
	messages := map[string]bool{}
	for name, s := range wrong {
		_, err := ring.Authenticate(s)
		if appliance.CodeOf(err) != appliance.CodeUnauthorized {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		messages[err.Error()] = true
	}
	if len(messages) != 1 {
		t.Errorf("%d different messages, want one", len(messages))
	}
}

// brokenKeys is a key store that fails, before or after it has revoked; added is called when a key was stored.
type brokenKeys struct {
	keys
	before, after, listing error
	added                  func()
}

func (k *brokenKeys) AddKey(ctx context.Context, key appliance.Key) error {
	err := k.keys.AddKey(ctx, key)
	if k.added != nil {
		k.added()
	}
	return err
}

func (k *brokenKeys) Keys(ctx context.Context) ([]appliance.Key, error) {
	if k.listing != nil {
		return nil, k.listing
	}
	return k.keys.Keys(ctx)
}

func (k *brokenKeys) RevokeKey(ctx context.Context, name string) error {
	if k.before != nil {
		return k.before
	}
	return errors.Join(k.keys.RevokeKey(ctx, name), k.after)
}

// Property: a key that was revoked ends at once, whatever fails behind that, and the failure is told; only where the store still has
// the key does it go on.
func TestRevokeThatFails(t *testing.T) {
	full := appliance.Errorf(appliance.CodeUnavailable, "the disk is full")
	for name, c := range map[string]struct {
		spoil func(*brokenKeys, *journalOf)
		works bool
	}{
		"journal":            {func(_ *brokenKeys, j *journalOf) { j.err = full }, false},
		"store, afterwards":  {func(k *brokenKeys, _ *journalOf) { k.after = full }, false},
		"gone from the disk": {func(k *brokenKeys, _ *journalOf) { k.list = nil }, false},
		"nobody can tell":    {func(k *brokenKeys, _ *journalOf) { k.before, k.listing = full, full }, false},
		"store, before":      {func(k *brokenKeys, _ *journalOf) { k.before = full }, true},
	} {
		t.Run(name, func(t *testing.T) {
			store, journal := &brokenKeys{}, &journalOf{}
			ring := appliance.NewKeyring(appliance.JournaledKeys(store, journal), time.Now)
			secret, err := ring.Add(t.Context(), appliance.Key{Name: "till", Scopes: appliance.Scopes()})
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(store, journal)
			if err := ring.Revoke(t.Context(), "till"); err == nil {
				t.Error("the failure was not told")
			}
			if _, err := ring.Authenticate(secret); (err == nil) != c.works || (len(ring.List()) == 1) != c.works {
				t.Errorf("authenticated: %v, listed %d", err, len(ring.List()))
			}
		})
	}
}

// Property: a key that is revoked while it is being added is gone from memory too.
func TestRevokeMeetsAdd(t *testing.T) {
	store, revoked := &brokenKeys{}, make(chan struct{})
	ring := appliance.NewKeyring(store, time.Now)
	store.added = func() {
		go func() {
			defer close(revoked)
			if err := ring.Revoke(t.Context(), "till"); err != nil {
				t.Error(err)
			}
		}()
		for range 1000 { // what need not wait for Add to end is done by then
			runtime.Gosched()
		}
	}
	secret, err := ring.Add(t.Context(), appliance.Key{Name: "till", Scopes: appliance.Scopes()})
	if err != nil {
		t.Fatal(err)
	}
	<-revoked
	if _, err := ring.Authenticate(secret); err == nil {
		t.Error("a revoked key works")
	}
}

// Property: what was added and used survives a restart of the keyring; secrets are in no stored key.
func TestKeyringReload(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	store, clock := &keys{}, func() time.Time { return now }
	ring := appliance.NewKeyring(store, clock)
	secret, err := ring.Add(t.Context(), appliance.Key{Name: "a", Scopes: appliance.Scopes()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ring.Authenticate(secret); err != nil {
		t.Fatal(err)
	}
	if err := ring.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := appliance.NewKeyring(store, clock)
	if err := again.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Authenticate(secret); err != nil {
		t.Error(err)
	}
	if got := again.List(); len(got) != 1 || !got[0].LastUsed.Equal(now) {
		t.Errorf("listed %+v", got)
	}
}

// Property: a key that makes no sense is refused with a reason.
func TestKeyringRefuses(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	ring := appliance.NewKeyring(&keys{}, func() time.Time { return now })
	ocr := []appliance.Scope{appliance.ScopeOCR}
	if _, err := ring.Add(t.Context(), appliance.Key{Name: "taken", Scopes: ocr}); err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]appliance.Key{
		"no name":       {Scopes: ocr},
		"blank in name": {Name: "a b", Scopes: ocr},
		"no scope":      {Name: "a"},
		"unknown scope": {Name: "a", Scopes: []appliance.Scope{"root"}},
		"past expiry":   {Name: "a", Scopes: ocr, Expires: now},
		"taken name":    {Name: "taken", Scopes: ocr},
	} {
		if _, err := ring.Add(t.Context(), k); appliance.CodeOf(err) != appliance.CodeBadRequest {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
