package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"slices"
)

// keySize is the length of the appliance key and of each data key: AES-256.
const keySize = 32

// sealOverhead is how much longer a sealed value is than its content: nonce and tag.
const sealOverhead = 12 + 16

// purpose keeps values of one kind from being taken for another. The number is the schema version that fixed the form.
type purpose string

const (
	purposeCheck    purpose = "bawab store 1: check"
	purposeDataKey  purpose = "bawab store 1: data key"
	purposeState    purpose = "bawab store 2: state"
	purposeRecord   purpose = "bawab store 1: record"
	purposeAPIKey   purpose = "bawab store 1: api key"
	purposeNextKey  purpose = "bawab store 3: next appliance key"
	purposeIdentity purpose = "bawab store 3: identity"
)

var errSeal = errors.New("a sealed value does not open")

// sealer seals and opens values under one key. Nonces are random; one key must not seal more than 2^32 values,
// which at a hundred transactions a second takes the appliance key more than a year of nothing else.
type sealer struct{ aead cipher.AEAD }

func newSealer(key []byte) (sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, err
	}
	aead, err := cipher.NewGCM(block)
	return sealer{aead}, err
}

// seal returns nonce, ciphertext and tag. The place is bound but not stored: open needs the same.
func (s sealer) seal(plain []byte, p purpose, place ...[]byte) []byte {
	out := make([]byte, s.aead.NonceSize(), len(plain)+sealOverhead)
	rand.Read(out)
	return s.aead.Seal(out, out, plain, associated(p, place))
}

// open returns the content in memory of its own.
func (s sealer) open(sealed []byte, p purpose, place ...[]byte) ([]byte, error) {
	if len(sealed) < sealOverhead {
		return nil, errSeal
	}
	n := s.aead.NonceSize()
	plain, err := s.aead.Open(nil, sealed[:n], sealed[n:], associated(p, place))
	if err != nil {
		return nil, errSeal
	}
	return plain, nil
}

// associated is unambiguous because all parts of a place but the last have a fixed length for each purpose.
func associated(p purpose, place [][]byte) []byte {
	return slices.Concat(append([][]byte{[]byte(p), {0}}, place...)...)
}
