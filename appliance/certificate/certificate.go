package certificate

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Config says where the certificate comes from.
type Config struct {
	// File and KeyFile are PEM files of a brought certificate with its chain and of its private key. When both are
	// "", the appliance has a certificate of its own in Dir.
	File    string
	KeyFile string
	// Dir takes the own certificate, tls.pem, and its key, tls.key.
	Dir string
	// Names are host names and addresses that the own certificate must be good for; it is made again when one is
	// missing.
	Names []string
}

func (c Config) own() bool { return c.File == "" }

// files are the certificate and its key.
func (c Config) files() (certificate, key string) {
	if c.own() {
		return filepath.Join(c.Dir, "tls.pem"), filepath.Join(c.Dir, "tls.key")
	}
	return c.File, c.KeyFile
}

// Info describes a certificate to a person.
type Info struct {
	// Own tells that the appliance made it.
	Own  bool
	File string
	// Trust is the file that clients of an own certificate trust: that of the own authority, or File where no authority signed it.
	Trust string
	// Fingerprint is the SHA-256 of the certificate as browsers show it: pairs of capital hexadecimal digits with
	// colons. Pin is that of its public key in the form "sha256//BASE64" of curl's --pinnedpubkey.
	Fingerprint string
	Pin         string
	Issuer      string
	Key         string
	Names       []string
	NotBefore   time.Time
	NotAfter    time.Time
}

// Read looks at the certificate without making, renewing or serving one. The error of a missing own certificate is
// fs.ErrNotExist by errors.Is.
func Read(c Config, now time.Time) (Info, error) {
	pair, err := load(c, now)
	if err != nil {
		return Info{}, err
	}
	return describe(c, pair), nil
}

func describe(c Config, pair *tls.Certificate) Info {
	leaf := pair.Leaf
	file, _ := c.files()
	sum, pin := sha256.Sum256(leaf.Raw), sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	trust := file
	if _, err := Authority(c); err == nil {
		trust, _ = c.authorityFiles()
	}
	return Info{
		Own: c.own(), File: file, Trust: trust, Fingerprint: strings.ReplaceAll(fmt.Sprintf("% X", sum[:]), " ", ":"),
		Pin: "sha256//" + base64.StdEncoding.EncodeToString(pin[:]), Issuer: leaf.Issuer.String(), Key: keyName(leaf.PublicKey),
		Names: names(leaf), NotBefore: leaf.NotBefore, NotAfter: leaf.NotAfter,
	}
}

func keyName(public crypto.PublicKey) string {
	switch k := public.(type) {
	case *ecdsa.PublicKey:
		return "ECDSA " + k.Params().Name
	case *rsa.PublicKey:
		return fmt.Sprintf("RSA %d", k.N.BitLen())
	case ed25519.PublicKey:
		return "Ed25519"
	}
	return fmt.Sprintf("%T", public)
}

// names lists what a certificate is good for.
func names(leaf *x509.Certificate) []string {
	all := append([]string{}, leaf.DNSNames...)
	for _, ip := range leaf.IPAddresses {
		all = append(all, ip.String())
	}
	return all
}

// load reads the pair and names what is wrong with it: unreadable or no PEM, a key that others can read, key and
// certificate that do not belong together, too weak a key, and dates that do not cover now.
func load(c Config, now time.Time) (*tls.Certificate, error) {
	file, keyFile := c.files()
	key, err := readKey(keyFile)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, refuse(err, appliance.Phrasef("the certificate %s cannot be read", file),
			appliance.Phrasef("check tls.certificate: the daemon needs a PEM file that it may read"))
	}
	pair, err := tls.X509KeyPair(text, key)
	if err != nil {
		return nil, mismatch(file, keyFile, text, key, err)
	}
	if k, ok := pair.Leaf.PublicKey.(*rsa.PublicKey); ok && k.N.BitLen() < 2048 {
		return nil, refuse(nil, appliance.Phrasef("the certificate %s has a key of %d bits only", file, k.N.BitLen()),
			appliance.Phrasef("bring one with ECDSA P-256 or RSA of at least 2048 bits"))
	}
	if len(names(pair.Leaf)) == 0 {
		return nil, refuse(nil, appliance.Phrasef("the certificate %s names no host", file),
			appliance.Phrasef("bring one with subject alternative names: clients look at nothing else"))
	}
	return &pair, valid(c, file, pair.Leaf, now)
}

// valid judges the dates of a brought certificate. The own one is renewed instead.
func valid(c Config, file string, leaf *x509.Certificate, now time.Time) error {
	switch {
	case c.own():
		return nil
	case now.After(leaf.NotAfter):
		return refuse(nil, appliance.Phrasef("the certificate %s expired on %s", file, leaf.NotAfter.UTC().Format(time.DateOnly)),
			appliance.Phrasef("bring a new one, or leave tls.certificate and tls.key out for the appliance's own; is the clock right?"))
	case now.Before(leaf.NotBefore):
		return refuse(nil, appliance.Phrasef("the certificate %s is not valid before %s", file, leaf.NotBefore.UTC().Format(minute)),
			appliance.Phrasef("check the clock of this machine; it says %s", now.UTC().Format(minute)))
	}
	return nil
}

// readKey reads the private key, unless others can read it too.
func readKey(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, refuse(err, appliance.Phrasef("the certificate's key %s cannot be read", name),
			appliance.Phrasef("check tls.key: the daemon needs a PEM file that it may read"))
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, refuse(nil, appliance.Phrasef("the certificate's key %s has mode %04o: others may read it", name, mode),
			appliance.Phrasef("chmod 600 %s, and chown it to the user of the daemon", name))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, refuse(err, appliance.Phrasef("the certificate's key %s cannot be read", name), appliance.Phrasef("chown it to the user of the daemon"))
	}
	return text, nil
}

// mismatch says why certificate and key do not make a pair.
func mismatch(file, keyFile string, text, key []byte, err error) error {
	if block, _ := pem.Decode(text); block == nil || block.Type != "CERTIFICATE" {
		return refuse(err, appliance.Phrasef("%s holds no certificate in PEM form", file),
			appliance.Phrasef("it must begin with %s", "-----BEGIN CERTIFICATE-----"))
	}
	block, _ := pem.Decode(key)
	if block != nil && strings.Contains(block.Type, "ENCRYPTED") || block != nil && block.Headers["DEK-Info"] != "" {
		return refuse(nil, appliance.Phrasef("%s is protected by a passphrase", keyFile),
			appliance.Phrasef("store the key without one, mode 0600: nobody is there to type it at start"))
	}
	if block == nil || !strings.HasSuffix(block.Type, "PRIVATE KEY") {
		return refuse(err, appliance.Phrasef("%s holds no private key in PEM form", keyFile),
			appliance.Phrasef("it must begin with %s", "-----BEGIN PRIVATE KEY-----"))
	}
	return refuse(err, appliance.Phrasef("the certificate %s and the key %s do not belong together", file, keyFile),
		appliance.Phrasef("bring the key that the certificate was made for, the server's own certificate first in its file"))
}

// minute is how moments are told to people.
const minute = "2006-01-02 15:04 MST"

func refuse(cause error, said, way appliance.Phrase) error {
	return appliance.Refusal(appliance.CodeUnavailable, "open certificate", said, way, cause)
}

// missing reports whether there is no own certificate yet.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
