package certificate

import (
	"bytes"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// trusts reports whether a client that trusts the authority of text alone takes a certificate for a name.
func trusts(text []byte, leaf *x509.Certificate, name string, now time.Time) error {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	_, err := leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, CurrentTime: now})
	return err
}

// TestAuthority: a client that trusts the own authority takes each certificate that is renewed under it, also with another key, and
// the authority can sign for no other name or address.
func TestAuthority(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	cfg := Config{Dir: dir, Names: []string{"kiosk.bank.example", "192.168.9.8"}}
	k := open(t, cfg, c)
	text, err := Authority(cfg)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "ca.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key of the authority: %v, %v", info, err)
	}
	first := k.current.Load().pair.Leaf
	c.advance(lifetime - renewAhead + time.Hour)
	k.look()
	second := k.current.Load().pair.Leaf
	if first.Equal(second) {
		t.Fatal("the certificate was not renewed")
	}
	for _, name := range []string{"kiosk.bank.example", "192.168.9.8", "localhost"} {
		if err := trusts(text, second, name, c.now()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, keyFile := cfg.authorityFiles()
	secret, err := readKey(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	key, err := parseKey(keyFile, secret)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bank.example", "evil.example", "192.168.9.9", "10.0.0.1"} {
		forged, err := template(nil, c.now())
		if err != nil {
			t.Fatal(err)
		}
		forged.DNSNames, forged.IPAddresses = nil, nil
		if ip := net.ParseIP(name); ip != nil {
			forged.IPAddresses = []net.IP{ip}
		} else {
			forged.DNSNames = []string{name}
		}
		der, err := x509.CreateCertificate(rand.Reader, forged, parseCertificate(text), key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		if trusts(text, leaf, name, c.now()) == nil {
			t.Errorf("the authority can sign for %s", name)
		}
	}
}

// TestAuthorityGrows: a name that the configuration adds makes the authority again, with its key; an address that the machine got by
// itself does not, and is left out; `tls renew` takes it in, and a new key changes all.
func TestAuthorityGrows(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	cfg := Config{Dir: dir}
	k := open(t, cfg, c)
	first, _ := Authority(cfg)
	cfg.Names = []string{"kiosk.bank.example"}
	if err := k.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	second, _ := Authority(cfg)
	if bytes.Equal(first, second) ||
		!bytes.Equal(publicBytes(parseCertificate(first).PublicKey), publicBytes(parseCertificate(second).PublicKey)) {
		t.Error("a new name did not make the authority again, with the same key")
	}
	narrow := *parseCertificate(second)
	a := authority{leaf: &narrow}
	moved, err := template([]string{"kiosk.bank.example", "203.0.113.7"}, c.now())
	if err != nil {
		t.Fatal(err)
	}
	if a.restrict(moved); moved.VerifyHostname("203.0.113.7") == nil || moved.VerifyHostname("kiosk.bank.example") != nil {
		t.Errorf("got %v, %v", moved.DNSNames, moved.IPAddresses)
	}
	if _, err := Renew(cfg, c.now(), false); err != nil {
		t.Fatal(err)
	}
	if again, _ := Authority(cfg); !bytes.Equal(again, second) {
		t.Error("a renewal made an authority again that could sign")
	}
	if _, err := Renew(cfg, c.now(), true); err != nil {
		t.Fatal(err)
	}
	if fresh, _ := Authority(cfg); bytes.Equal(
		publicBytes(parseCertificate(fresh).PublicKey),
		publicBytes(parseCertificate(second).PublicKey),
	) {
		t.Error("a new key left the authority's")
	}
}

// TestWithoutAuthority: the certificate of an older release, which signed itself, stays until its renewal; a brought one has no
// authority of the appliance's.
func TestWithoutAuthority(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	cfg := Config{Dir: dir}
	_, keyFile := cfg.files()
	if err := writeKey(keyFile); err != nil {
		t.Fatal(err)
	}
	secret, _ := readKey(keyFile)
	key, err := parseKey(keyFile, secret)
	if err != nil {
		t.Fatal(err)
	}
	own, err := template(nil, c.now())
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, own, own, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "tls.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	k := open(t, cfg, c)
	if !bytes.Equal(k.current.Load().pair.Leaf.Raw, der) {
		t.Error("the certificate of an older release was replaced")
	}
	if _, err := Authority(cfg); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := Renew(cfg, c.now(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := Authority(cfg); err != nil {
		t.Error(err)
	}
	if _, err := Authority(brought(t, t.TempDir(), nil, nil)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a brought one: %v", err)
	}
}
