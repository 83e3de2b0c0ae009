package appliance

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Scope is what an API key may do.
type Scope string

// The scopes.
const (
	ScopeOCR    Scope = "ocr"
	ScopeFace   Scope = "face"
	ScopeCamera Scope = "camera"
	ScopeReview Scope = "review"
	ScopeAdmin  Scope = "admin"
)

// ScopeAny stands for what any valid key may do; no key is made with it.
const ScopeAny Scope = ""

// Scopes lists the scopes in the order in which they are shown.
func Scopes() []Scope { return []Scope{ScopeOCR, ScopeFace, ScopeCamera, ScopeReview, ScopeAdmin} }

// Key is an API key as it is stored: the secret itself is shown once and only its SHA-256 is kept. A plain hash is
// enough because the secret is 32 random bytes, so there is nothing to guess.
type Key struct {
	Name    string
	Hash    [sha256.Size]byte
	Scopes  []Scope
	Created time.Time
	// Expires is zero for a key without an end.
	Expires time.Time
	// RatePerMinute is zero for a key without a limit.
	RatePerMinute int
	// Origins lists the web origins whose pages may use the key; empty for a key that any client may use.
	Origins []string `json:",omitempty"`
	// Screen is the address of the kiosk screen that the key was made for, "" for a key of a program. It counts in the cookie of that
	// screen alone, and only what a customer does at a kiosk can be done with it.
	Screen   string `json:",omitempty"`
	LastUsed time.Time
}

// Allows reports whether the key has the scope.
func (k *Key) Allows(s Scope) bool { return s == ScopeAny || slices.Contains(k.Scopes, s) }

// KeyStore keeps API keys. Names are unique: AddKey answers CodeBadRequest for a name in use, RevokeKey
// CodeNotFound for one that is not.
type KeyStore interface {
	AddKey(ctx context.Context, k Key) error
	Keys(ctx context.Context) ([]Key, error)
	RevokeKey(ctx context.Context, name string) error
	// TouchKeys records when keys were last used; unknown names are skipped.
	TouchKeys(ctx context.Context, used map[string]time.Time) error
}

// Keyring answers which key a secret belongs to, from memory, and keeps its store in step. Changes hold at once.
type Keyring struct {
	store KeyStore
	now   func() time.Time

	changes sync.Mutex // held while store and memory change, so that both change in the same order

	mu     sync.RWMutex
	byHash map[[sha256.Size]byte]Key
	used   map[string]time.Time
}

// NewKeyring makes a keyring over a store; Load fills it.
func NewKeyring(store KeyStore, now func() time.Time) *Keyring {
	return &Keyring{store: store, now: now, byHash: map[[sha256.Size]byte]Key{}, used: map[string]time.Time{}}
}

// Load reads the keys from the store.
func (r *Keyring) Load(ctx context.Context) error {
	r.changes.Lock()
	defer r.changes.Unlock()
	keys, err := r.store.Keys(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.byHash)
	for _, k := range keys {
		r.byHash[k.Hash] = k
	}
	return nil
}

// Authenticate returns the key of a secret. It fails, always alike, when the secret is missing, unknown, expired
// or revoked. The lookup goes by the secret's hash and ends in a constant-time comparison, so its time tells
// nothing about any stored secret.
func (r *Keyring) Authenticate(secret string) (Key, error) {
	h := sha256.Sum256([]byte(secret))
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	k, known := r.byHash[h]
	same := subtle.ConstantTimeCompare(k.Hash[:], h[:]) == 1
	if !known || !same || k.Screen != "" || !k.Expires.IsZero() && !now.Before(k.Expires) {
		return Key{}, Errorf(CodeUnauthorized, "the API key is missing or not valid: send a valid key in the ApiKey header")
	}
	r.used[k.Name] = now
	return k, nil
}

// Screen returns the key of a kiosk screen by the secret of its cookie. From another address than the screen's it is nobody's.
func (r *Keyring) Screen(secret, address string) (Key, bool) {
	k, ok := r.Find(sha256.Sum256([]byte(secret)))
	return k, ok && address != "" && k.Screen == address
}

// Find returns the key with this hash while it is valid, and records a use of it.
func (r *Keyring) Find(hash [sha256.Size]byte) (Key, bool) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.byHash[hash]
	if !ok || !k.Expires.IsZero() && !now.Before(k.Expires) {
		return Key{}, false
	}
	r.used[k.Name] = now
	return k, true
}

// Valid reports whether there is a key of this name that has not ended.
func (r *Keyring) Valid(name string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, k := range r.byHash {
		if k.Name == name {
			return k.Expires.IsZero() || r.now().Before(k.Expires)
		}
	}
	return false
}

var keyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckKeyName says what no key may be called.
func CheckKeyName(name string) error {
	if !keyName.MatchString(name) {
		return Errorf(CodeBadRequest, "the key name must be 1 to 64 letters, digits, dots, hyphens or underscores and begin with a letter or digit")
	}
	return nil
}

// CheckOrigin says what is no web origin as browsers write it: a scheme, a host in lower case, and a port that is not the scheme's own.
func CheckOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Hostname() == "" || u.Scheme+"://"+u.Host != origin ||
		strings.ToLower(u.Host) != u.Host || strings.HasSuffix(u.Host, ":") || strings.ContainsAny(u.Host, "*, ") {
		return Errorf(CodeBadRequest, "%q is no web origin: write scheme, host and port alone, as https://teller.bank.example", origin)
	}
	if u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" {
		return Errorf(CodeBadRequest, "browsers leave the port out of %q: write it without one", origin)
	}
	return nil
}

// NewSecret draws 32 random bytes, as text that fits into a header and an address.
func NewSecret() string {
	var b [32]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Add makes a key, stores it and returns its secret, which is kept nowhere.
func (r *Keyring) Add(ctx context.Context, k Key) (secret string, err error) {
	if err := CheckKeyName(k.Name); err != nil {
		return "", err
	}
	if len(k.Scopes) == 0 {
		return "", Errorf(CodeBadRequest, "the key needs at least one scope")
	}
	for _, s := range k.Scopes {
		if !slices.Contains(Scopes(), s) {
			return "", Errorf(CodeBadRequest, "scope %q is not known: use ocr, face, camera, review or admin", s)
		}
	}
	for _, o := range k.Origins {
		if err := CheckOrigin(o); err != nil {
			return "", err
		}
	}
	now := r.now()
	if !k.Expires.IsZero() && !now.Before(k.Expires) {
		return "", Errorf(CodeBadRequest, "the expiry of the key lies in the past")
	}
	secret = NewSecret()
	k.Hash, k.Created, k.LastUsed = sha256.Sum256([]byte(secret)), now, time.Time{}
	r.changes.Lock()
	defer r.changes.Unlock()
	if err := r.store.AddKey(ctx, k); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byHash[k.Hash] = k
	return secret, nil
}

// Revoke ends a key at once. An error says what else went wrong: the key stays only where the store still has it.
func (r *Keyring) Revoke(ctx context.Context, name string) error {
	r.changes.Lock()
	defer r.changes.Unlock()
	failed := r.store.RevokeKey(ctx, name)
	if failed != nil {
		kept, err := r.store.Keys(context.WithoutCancel(ctx))
		if err == nil && slices.ContainsFunc(kept, func(k Key) bool { return k.Name == name }) {
			return failed
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for h, k := range r.byHash {
		if k.Name == name {
			delete(r.byHash, h)
		}
	}
	delete(r.used, name)
	return failed
}

// List returns the keys by name, with their latest use.
func (r *Keyring) List() []Key {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := make([]Key, 0, len(r.byHash))
	for _, k := range r.byHash {
		if t, ok := r.used[k.Name]; ok {
			k.LastUsed = t
		}
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Flush writes the last-used times that gathered since the last call. They are kept in memory in between because
// a write to disk for every request would cost more than the request.
func (r *Keyring) Flush(ctx context.Context) error {
	r.mu.Lock()
	used := r.used
	r.used = map[string]time.Time{}
	for h, k := range r.byHash {
		if t, ok := used[k.Name]; ok {
			k.LastUsed = t
			r.byHash[h] = k
		}
	}
	r.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	return r.store.TouchKeys(ctx, used)
}
