package proof

import (
	"crypto/ed25519"
	"fmt"
)

// Identity is the key pair with which one appliance signs what others must be able to check without it: the proof of a
// liveness decision, the segments of its journal. It is made at the first start and lies sealed in the store.
type Identity struct{ key ed25519.PrivateKey }

// SignedPurpose says what a signature is for. It is signed with the message, so that a signature that was made for one purpose is
// worthless for another.
type SignedPurpose string

// The purposes of signatures.
const (
	SignedLiveness SignedPurpose = "liveness"
	SignedJournal  SignedPurpose = "journal"
)

// NewIdentity derives the identity from its seed of 32 bytes.
func NewIdentity(seed []byte) (*Identity, error) {
	if len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("make identity: the seed has %d bytes instead of %d", len(seed), ed25519.SeedSize)
	}
	return &Identity{key: ed25519.NewKeyFromSeed(seed)}, nil
}

// Public returns the key that checks what the identity signed. It is no secret.
func (i *Identity) Public() ed25519.PublicKey { return i.key.Public().(ed25519.PublicKey) }

// Sign returns the Ed25519 signature, 64 bytes, of a message for one purpose.
func (i *Identity) Sign(p SignedPurpose, message []byte) []byte {
	return ed25519.Sign(i.key, signed(p, message))
}

// VerifySignature reports whether signature is the one that the holder of public made of the message for this purpose.
func VerifySignature(public ed25519.PublicKey, p SignedPurpose, message, signature []byte) bool {
	return len(public) == ed25519.PublicKeySize && ed25519.Verify(public, signed(p, message), signature)
}

// signed is what is signed: the purpose, which holds no zero byte, ends where the zero is.
func signed(p SignedPurpose, message []byte) []byte {
	return append([]byte("bawab "+string(p)+"\x00"), message...)
}
