package pack

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
)

// Who may sign a pack.
const (
	ByVendor = "vendor"
	BySite   = "site"
)

// Signers are the public keys of those whose packs are taken: the vendor of the appliance, and the site, for what it learned from its own
// documents. One that is nil signs nothing.
type Signers struct{ Vendor, Site ed25519.PublicKey }

// None tells that nobody's packs are taken.
func (s Signers) None() bool { return s.Vendor == nil && s.Site == nil }

// by names who signed the description of a pack, "" where it is nobody known.
func (s Signers) by(text, signature []byte) string {
	switch {
	case s.Vendor != nil && proof.VerifySignature(s.Vendor, signed, text, signature):
		return ByVendor
	case s.Site != nil && proof.VerifySignature(s.Site, signed, text, signature):
		return BySite
	}
	return ""
}

// ReadKey reads a private key in PEM (PKCS 8).
func ReadKey(name string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read vendor key: %w", err)
	}
	if block, _ := pem.Decode(text); block != nil {
		if parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if key, ok := parsed.(ed25519.PrivateKey); ok {
				return key, nil
			}
		}
	}
	return nil, &appliance.Error{
		Op:   "read vendor key",
		Msg:  name + " is no Ed25519 private key in PEM",
		Hint: "make one with `openssl genpkey -algorithm ed25519 -out vendor.pem`",
	}
}
