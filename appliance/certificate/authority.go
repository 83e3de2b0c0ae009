package certificate

import (
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// authorityLifetime is how long the appliance's own authority lives: as long as a kiosk does, because every client that trusts it has to
// be told a new one.
const authorityLifetime = 10 * 365 * 24 * time.Hour

// authority signs the own certificate, so that clients trust one thing that stays when the certificate is renewed. It can sign nothing but
// its own names and addresses (critical name constraints): whoever steals its key can pretend to be this appliance and nobody else.
type authority struct {
	leaf *x509.Certificate
	key  crypto.Signer
}

// authorityFiles are the certificate and the key of the own authority.
func (c Config) authorityFiles() (certificate, key string) {
	return filepath.Join(c.Dir, "ca.pem"), filepath.Join(c.Dir, "ca.key")
}

// Authority returns the own authority's certificate in PEM form, for clients to trust. The error is fs.ErrNotExist where there is none:
// the certificate was brought, or made by a release that had no authority.
func Authority(c Config) ([]byte, error) {
	if !c.own() {
		return nil, fs.ErrNotExist
	}
	file, _ := c.authorityFiles()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	signed, _ := os.ReadFile(filepath.Join(c.Dir, "tls.pem"))
	a, leaf := parseCertificate(text), parseCertificate(signed)
	if a == nil || leaf == nil || leaf.CheckSignatureFrom(a) != nil {
		return nil, fs.ErrNotExist
	}
	return text, nil
}

// parseCertificate returns the first certificate of a PEM text, nil where there is none.
func parseCertificate(text []byte) *x509.Certificate {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return leaf
}

// openAuthority loads the authority that may sign t, and makes it (again) where there is none, it ends before t or may not sign one of the
// names that must be in t. Its key stays where there is one.
func openAuthority(c Config, t *x509.Certificate, must []string, now time.Time) (*authority, error) {
	file, keyFile := c.authorityFiles()
	key, err := openKey(keyFile)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	a := &authority{leaf: parseCertificate(text), key: key}
	if a.sound(must, t.NotAfter) {
		return a, nil
	}
	return a, a.make(file, t, now)
}

// sound reports whether the authority can sign a certificate with these names until then.
func (a *authority) sound(must []string, until time.Time) bool {
	if a.leaf == nil || a.leaf.NotAfter.Before(until) || !slices.Equal(publicBytes(a.leaf.PublicKey), publicBytes(a.key.Public())) {
		return false
	}
	return !slices.ContainsFunc(must, func(name string) bool { return !a.permits(name) })
}

// publicBytes is a public key in its one encoding, nil for one that has none.
func publicBytes(key crypto.PublicKey) []byte {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil
	}
	return der
}

// permits reports whether the authority may sign a name or an address.
func (a *authority) permits(name string) bool {
	if ip := net.ParseIP(name); ip != nil {
		return slices.ContainsFunc(a.leaf.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip) })
	}
	return slices.Contains(a.leaf.PermittedDNSDomains, strings.ToLower(name))
}

// make makes the certificate of the authority for the names and addresses of t, and writes it.
func (a *authority) make(file string, t *x509.Certificate, now time.Time) error {
	serial, err := newSerial()
	if err != nil {
		return err
	}
	own := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "bawab authority of " + t.Subject.CommonName, Organization: []string{"bawab"}},
		NotBefore: t.NotBefore, NotAfter: now.Add(authorityLifetime).UTC(), KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: t.DNSNames,
	}
	for _, ip := range t.IPAddresses {
		bits := 8 * len(ip)
		own.PermittedIPRanges = append(own.PermittedIPRanges, &net.IPNet{IP: ip, Mask: net.CIDRMask(bits, bits)})
	}
	der, err := x509.CreateCertificate(rand.Reader, own, own, a.key.Public(), a.key)
	if err != nil {
		return fmt.Errorf("make authority: %w", err)
	}
	if a.leaf, err = x509.ParseCertificate(der); err != nil {
		return fmt.Errorf("make authority: %w", err)
	}
	return replace(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// restrict takes out of t what the authority may not sign: addresses that the machine got since, which the configuration does not name.
func (a *authority) restrict(t *x509.Certificate) {
	t.DNSNames = slices.DeleteFunc(t.DNSNames, func(name string) bool { return !a.permits(name) })
	t.IPAddresses = slices.DeleteFunc(t.IPAddresses, func(ip net.IP) bool { return !a.permits(ip.String()) })
}
