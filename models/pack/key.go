package pack

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"

	"github.com/bawab/bawab/appliance"
)

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
