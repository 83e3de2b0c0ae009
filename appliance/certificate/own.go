package certificate

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

// The life of an own certificate. 825 days is the most that Apple's systems accept of one that their owner installed.
const (
	lifetime = 825 * 24 * time.Hour
	// renewAhead is when a new one replaces it, warnAhead when that is announced: clients that trust the certificate
	// itself, and neither its key nor the authority, have to be told the new one.
	renewAhead = 60 * 24 * time.Hour
	warnAhead  = 90 * 24 * time.Hour
	// behind is how far back its validity begins: the clocks of clients are not exact.
	behind = 24 * time.Hour
)

// Renew makes the own certificate again at once, with the old key or, to leave that behind, with a new one. A running daemon
// takes it over by itself.
func Renew(c Config, now time.Time, newKey bool) (Info, error) {
	if !c.own() {
		return Info{}, refuse(nil, appliance.Phrasef("the certificate was brought and cannot be renewed here"),
			appliance.Phrasef("put a new one into %s and %s: a running daemon takes it over", c.File, c.KeyFile))
	}
	if newKey { // whoever has the one key may have the other, which lies beside it
		_, name := c.files()
		_, authority := c.authorityFiles()
		if err := errors.Join(writeKey(name), writeKey(authority)); err != nil {
			return Info{}, err
		}
	}
	pair, err := create(c, now, true)
	if err != nil {
		return Info{}, err
	}
	return describe(c, pair), nil
}

// create makes a certificate with the own key, signed by the own authority, and makes what of these there is not. An authority that may not
// sign a name of the configuration is made again; where all says so, also one that may not sign a name of this machine.
func create(c Config, now time.Time, all bool) (*tls.Certificate, error) {
	file, keyFile := c.files()
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	key, err := openKey(keyFile)
	if err != nil {
		return nil, err
	}
	template, err := template(c.Names, now)
	if err != nil {
		return nil, err
	}
	must := c.Names
	if all {
		must = names(template)
	}
	a, err := openAuthority(c, template, must, now)
	if err != nil {
		return nil, err
	}
	a.restrict(template)
	der, err := x509.CreateCertificate(rand.Reader, template, a.leaf, key.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	if err := replace(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})); err != nil {
		return nil, err
	}
	return load(c, now)
}

// openKey reads an own key, and makes it where there is none.
func openKey(name string) (crypto.Signer, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		if err := writeKey(name); err != nil {
			return nil, err
		}
	}
	text, err := readKey(name)
	if err != nil {
		return nil, err
	}
	return parseKey(name, text)
}

func parseKey(name string, text []byte) (crypto.Signer, error) {
	way := appliance.Phrasef("move it away, and the next start makes a new one; clients must then be told the new fingerprint")
	damaged := appliance.Phrasef("the appliance's own key %s is damaged", name)
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, refuse(nil, damaged, way)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, refuse(err, damaged, way)
	}
	key, ok := parsed.(crypto.Signer)
	if !ok {
		return nil, refuse(nil, appliance.Phrasef("the appliance's own key %s cannot sign", name), way)
	}
	return key, nil
}

func writeKey(name string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("make certificate: %w", err)
	}
	return replace(name, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

func template(wanted []string, now time.Time) (*x509.Certificate, error) {
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "bawab"
	}
	t := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: host, Organization: []string{"bawab"}},
		NotBefore: now.Add(-behind).UTC(), NotAfter: now.Add(lifetime).UTC(),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}
	for _, name := range slices.Concat(wanted, machineNames(host)) {
		add(t, name)
	}
	return t, nil
}

// newSerial draws the serial number of a certificate.
func newSerial() (*big.Int, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, fmt.Errorf("make certificate: %w", err)
	}
	return serial, nil
}

// add puts a name or an address into the certificate once.
func add(t *x509.Certificate, name string) {
	if a, err := netip.ParseAddr(name); err == nil {
		ip := net.IP(a.Unmap().AsSlice())
		if !slices.ContainsFunc(t.IPAddresses, ip.Equal) {
			t.IPAddresses = append(t.IPAddresses, ip)
		}
		return
	}
	if !slices.ContainsFunc(t.DNSNames, func(n string) bool { return strings.EqualFold(n, name) }) {
		t.DNSNames = append(t.DNSNames, strings.ToLower(name))
	}
}

// machineNames lists under which names and addresses this machine is reached: its host name, if that is one, and all
// its addresses but the link-local ones, which clients cannot use in a URL.
func machineNames(host string) []string {
	all := []string{"localhost", "127.0.0.1", "::1"}
	if len(host) <= 253 && strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" {
		all = append([]string{host}, all...)
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return all // where the system lists no addresses, the configuration names them
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			all = append(all, n.IP.String())
		}
	}
	return all
}

// lacking lists the wanted names that a certificate is not good for.
func lacking(leaf *x509.Certificate, wanted []string) []string {
	var missing []string
	for _, name := range wanted {
		if slices.Contains(names(leaf), strings.ToLower(name)) || leaf.VerifyHostname(name) == nil {
			continue
		}
		missing = append(missing, name)
	}
	return missing
}

// replace writes a file in one step that is on disk when it returns. It belongs to the owner of its folder: what root renews, the daemon
// must be able to read. What a crash leaves, which may be a key, is gone with the next call.
func replace(name string, text []byte) error {
	if err := folder.Replace(name, text, (*os.File).Sync); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return nil
}
