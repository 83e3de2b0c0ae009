package etcdtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Files are PEM files: who signed the members' certificates, and the certificate that a client shows, with its key.
type Files struct{ CA, Certificate, Key string }

// Certificates makes in a folder an authority, a certificate for all members and one for a client, valid for a month.
func Certificates(dir string) (Files, error) {
	authority := template("bawab test authority")
	authority.IsCA, authority.BasicConstraintsValid, authority.KeyUsage = true, true, x509.KeyUsageCertSign
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Files{}, err
	}
	out := Files{CA: filepath.Join(dir, "ca.crt"), Certificate: filepath.Join(dir, "client.crt"), Key: filepath.Join(dir, "client.key")}
	if err := write(out.CA, authority, authority, signer, signer); err != nil {
		return Files{}, err
	}
	member := template("member")
	member.IPAddresses, member.DNSNames = []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"}
	client := template("kiosk")
	for file, cert := range map[string]*x509.Certificate{filepath.Join(dir, "member.crt"): member, out.Certificate: client} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return Files{}, err
		}
		if err := errors.Join(write(file, cert, authority, key, signer), writeKey(file[:len(file)-len(".crt")]+".key", key)); err != nil {
			return Files{}, err
		}
	}
	return out, nil
}

func template(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Minute), NotAfter: now.AddDate(0, 1, 0), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

func write(file string, cert, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, signer)
	if err != nil {
		return fmt.Errorf("sign %s: %w", file, err)
	}
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
}

func writeKey(file string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
}

func readPool(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("no certificate in %s", file)
	}
	return pool, nil
}
