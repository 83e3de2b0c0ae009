package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"slices"
)

// KeySize is the length of the appliance key and of each data key: AES-256.
const KeySize = 32

// Overhead is how much longer a sealed value is than its content: nonce and tag.
const Overhead = 12 + 16

// Purpose keeps values of one kind from being taken for another. The number is the schema version that fixed the form.
type Purpose string

// The purposes. The keys that seal them are that of the appliance or branch, but for State and Record, which a data key seals.
const (
	PurposeCheck    Purpose = "bawab store 1: check"
	PurposeDataKey  Purpose = "bawab store 1: data key"
	PurposeState    Purpose = "bawab store 2: state"
	PurposeRecord   Purpose = "bawab store 1: record"
	PurposeAPIKey   Purpose = "bawab store 1: api key"
	PurposeNextKey  Purpose = "bawab store 3: next appliance key"
	PurposeIdentity Purpose = "bawab store 3: identity"
)

var errSeal = errors.New("a sealed value does not open")

// Sealer seals and opens values under one key. Nonces are random; one key must not seal more than 2^32 values,
// which at a hundred transactions a second takes the appliance key more than a year of nothing else.
type Sealer struct{ aead cipher.AEAD }

// New makes a sealer of a key of KeySize bytes.
func New(key []byte) (Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return Sealer{}, err
	}
	aead, err := cipher.NewGCM(block)
	return Sealer{aead}, err
}

// Seal returns nonce, ciphertext and tag. The place is bound but not stored: Open needs the same.
func (s Sealer) Seal(plain []byte, p Purpose, place ...[]byte) []byte {
	out := make([]byte, s.aead.NonceSize(), len(plain)+Overhead)
	rand.Read(out)
	return s.aead.Seal(out, out, plain, associated(p, place))
}

// Open returns the content in memory of its own.
func (s Sealer) Open(sealed []byte, p Purpose, place ...[]byte) ([]byte, error) {
	if len(sealed) < Overhead {
		return nil, errSeal
	}
	n := s.aead.NonceSize()
	plain, err := s.aead.Open(nil, sealed[:n], sealed[n:], associated(p, place))
	if err != nil {
		return nil, errSeal
	}
	return plain, nil
}

// NewKey draws the key of a new transaction or review; Wrap wraps it.
func NewKey() (key Sealer, raw []byte, err error) {
	raw = make([]byte, KeySize)
	rand.Read(raw)
	key, err = New(raw)
	return key, raw, err
}

// Wrap seals the key of a transaction or review under s, by PurposeDataKey or PurposeReviewKey.
func (s Sealer) Wrap(raw []byte, p Purpose, id ID) []byte { return s.Seal(raw, p, id[:]) }

// Unwrap returns the sealer of a transaction or review.
func (s Sealer) Unwrap(wrapped []byte, p Purpose, id ID) (Sealer, error) {
	raw, err := s.Open(wrapped, p, id[:])
	if err != nil {
		return Sealer{}, err
	}
	return New(raw)
}

// Rewrap wraps a wrapped key anew, under another key.
func (s Sealer) Rewrap(wrapped []byte, p Purpose, id ID, to Sealer) ([]byte, error) {
	raw, err := s.Open(wrapped, p, id[:])
	if err != nil {
		return nil, err
	}
	return to.Wrap(raw, p, id), nil
}

// associated is unambiguous because all parts of a place but the last have a fixed length for each Purpose.
func associated(p Purpose, place [][]byte) []byte {
	return slices.Concat(append([][]byte{[]byte(p), {0}}, place...)...)
}
