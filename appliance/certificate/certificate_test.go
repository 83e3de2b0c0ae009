package certificate

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
)

// noon is when most tests take place.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// clock is a clock that a test sets.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.at.Store(noon.UnixNano())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// notes is a journal in memory.
type notes struct{ entries []appliance.Entry }

// Note implements appliance.Journal.
func (n *notes) Note(_ context.Context, e appliance.Entry) error {
	n.entries = append(n.entries, e)
	return e.Check()
}

func open(t *testing.T, c Config, clock *clock) *Keeper {
	t.Helper()
	k := New(c, &notes{}, quiet(), clock.now)
	if err := k.Open(); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestOwn: the first start makes a key of mode 0600 and a certificate that TLS 1.3 clients accept for every wanted name,
// for this machine and for nothing that signs others; a later start shows the same one.
func TestOwn(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	cfg := Config{Dir: dir, Names: []string{"Kiosk.bank.example", "192.168.9.8", "fd00::1"}}
	k := open(t, cfg, c)
	i := k.Info()
	if !i.Own || i.Key != "ECDSA P-256" || len(i.Fingerprint) != 95 || !strings.HasPrefix(i.Pin, "sha256//") || !i.NotAfter.Equal(noon.Add(lifetime)) {
		t.Errorf("got %+v", i)
	}
	info, err := os.Stat(filepath.Join(dir, "tls.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	for _, name := range []string{"kiosk.bank.example", "192.168.9.8", "fd00::1", "localhost", "127.0.0.1"} {
		if err := shake(t, k, name, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := shake(t, k, "evil.example", 0); err == nil {
		t.Error("good for any name")
	}
	if err := shake(t, k, "localhost", tls.VersionTLS12); err == nil {
		t.Error("speaks TLS 1.2")
	}
	leaf := k.current.Load().pair.Leaf
	if leaf.IsCA || leaf.KeyUsage != x509.KeyUsageDigitalSignature {
		t.Error("the certificate can sign others")
	}
	if again := open(t, cfg, c).Info(); again.Fingerprint != i.Fingerprint {
		t.Error("the second start shows another one")
	}
	if read, err := Read(cfg, noon); err != nil || read.Fingerprint != i.Fingerprint {
		t.Errorf("read %+v, %v", read, err)
	}
	if _, err := Read(Config{Dir: t.TempDir()}, noon); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no certificate gives %v", err)
	}
}

// shake connects a client that trusts the own authority alone or, where there is none, the certificate that is shown.
func shake(t *testing.T, k *Keeper, name string, most uint16) error {
	t.Helper()
	roots := x509.NewCertPool()
	if text, err := Authority(k.cfg); err == nil {
		roots.AppendCertsFromPEM(text)
	} else {
		roots.AddCert(k.current.Load().pair.Leaf)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", k.TLS())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		server, err := l.Accept()
		if err != nil {
			return
		}
		defer server.Close()
		server.Read(make([]byte, 1)) // ends with the client
	}()
	client, err := net.DialTimeout("tcp", l.Addr().String(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return tls.Client(client, &tls.Config{RootCAs: roots, ServerName: name, MaxVersion: most, Time: k.now}).Handshake()
}

// TestRenewal: the own certificate is announced to end and then renewed by itself, with the same key; one from the
// future is left alone, because the clock is behind.
func TestRenewal(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	k := open(t, Config{Dir: dir}, c)
	first := k.Info()
	if w := k.Warnings(); len(w) != 0 {
		t.Errorf("a new one warns %v", w)
	}
	c.advance(-40 * 365 * 24 * time.Hour)
	k.look()
	if k.Info().Fingerprint != first.Fingerprint {
		t.Error("made again while the clock is behind")
	}
	if w := k.Warnings(); len(w) != 1 || w[0].Code != appliance.WarnCertificate || !strings.Contains(w[0].Hint, "clock") {
		t.Errorf("a clock that is behind warns %v", w)
	}
	c.advance(40*365*24*time.Hour + lifetime - warnAhead + time.Hour)
	k.look()
	if w := k.Warnings(); k.Info().Fingerprint != first.Fingerprint || len(w) != 1 || !strings.Contains(w[0].Msg, "is renewed by itself on 2028-12-24") {
		t.Errorf("before the renewal: %v", w)
	}
	c.advance(warnAhead - renewAhead)
	k.look()
	second := k.Info()
	if second.Fingerprint == first.Fingerprint || second.Pin != first.Pin {
		t.Errorf("renewed %v, same key %v", second.Fingerprint != first.Fingerprint, second.Pin == first.Pin)
	}
	if w := k.Warnings(); len(w) != 0 {
		t.Errorf("the renewed one warns %v", w)
	}
	c.advance(2 * lifetime) // the machine was off
	if third := open(t, Config{Dir: dir}, c).Info(); third.Pin != first.Pin || !third.NotAfter.After(c.now()) {
		t.Error("an expired one is shown")
	}
}

// TestOwner: what root writes belongs to the owner of the folder, so that the daemon can read it.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, 12346); err != nil {
		t.Skip("files cannot be given away here:", err)
	}
	open(t, Config{Dir: dir}, newClock())
	for _, name := range []string{"tls.pem", "tls.key"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 12346 {
			t.Errorf("%s belongs to %d:%d", name, s.Uid, s.Gid)
		}
	}
}

// TestCrashLeavesNoKey: what a crash left of a key that was being written is gone when the next one is.
func TestCrashLeavesNoKey(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	part := filepath.Join(dir, "tls.key"+folder.Part)
	if err := os.WriteFile(part, []byte("a private key"), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, Config{Dir: dir}, c)
	if _, err := os.Stat(part); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there: %v", err)
	}
}

// TestNames: a name that the configuration adds makes the certificate again with the same key, and a new key is only made
// when asked for.
func TestNames(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	k := open(t, Config{Dir: dir}, c)
	first := k.Info()
	if err := k.Reload(Config{Dir: dir, Names: []string{"LOCALHOST"}}); err != nil || k.Info().Fingerprint != first.Fingerprint {
		t.Errorf("a name that it has: %v", err)
	}
	cfg := Config{Dir: dir, Names: []string{"10.20.30.40"}}
	if err := k.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	if i := k.Info(); !slices.Contains(i.Names, "10.20.30.40") || i.Pin != first.Pin {
		t.Errorf("got %+v", i)
	}
	renewed, err := Renew(cfg, c.now(), true)
	if err != nil || renewed.Pin == first.Pin {
		t.Fatalf("renewed: %+v, %v", renewed, err)
	}
	k.look()
	if k.Info().Fingerprint != renewed.Fingerprint {
		t.Error("the running one did not notice")
	}
}

// TestJournal: each certificate that clients are shown is in the journal once, with its fingerprint and why it was made.
func TestJournal(t *testing.T) {
	dir, c, n := t.TempDir(), newClock(), &notes{}
	cfg := Config{Dir: dir}
	k := New(cfg, n, quiet(), c.now)
	noted := func(origin, made string) {
		t.Helper()
		want := appliance.Entry{Kind: appliance.EntryTLS, Subject: k.Info().Fingerprint, Detail: map[string]string{"origin": origin}}
		if made != "" {
			want.Detail["made"] = made
		}
		if diff := cmp.Diff([]appliance.Entry{want}, n.entries); diff != "" {
			t.Errorf("noted (-want +got):\n%s", diff)
		}
		n.entries = nil
	}
	if err := k.Open(); err != nil {
		t.Fatal(err)
	}
	noted("own", firstStart)
	cfg.Names = []string{"kiosk.bank.example"}
	if err := k.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	noted("own", "it lacks kiosk.bank.example")
	if _, err := Renew(cfg, c.now(), true); err != nil {
		t.Fatal(err)
	}
	k.look()
	noted("own", "")
	if k.look(); len(n.entries) > 0 {
		t.Errorf("without a change: %v", n.entries)
	}
	if err := k.Reload(brought(t, t.TempDir(), nil, nil)); err != nil {
		t.Fatal(err)
	}
	noted("brought", "")
	cfg.Dir = t.TempDir()
	cfg.Names = []string{strings.Repeat("a", 63) + ".example", strings.Repeat("b", 63) + ".example", strings.Repeat("c", 63) + ".example"}
	k = open(t, Config{Dir: cfg.Dir}, c)
	k.journal = n
	if err := k.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	if len(n.entries) != 1 || n.entries[0].Check() != nil {
		t.Errorf("of many names: %v", n.entries)
	}
}

// TestOwnDamaged: a lost or damaged own certificate is made again from its key; a damaged key is named and never
// replaced silently, nor is one that others can read used.
func TestOwnDamaged(t *testing.T) {
	for name, tt := range map[string]struct {
		damage func(file, key string) error
		pin    bool   // the key stays
		want   string // the error
	}{
		"certificate gone":    {func(file, _ string) error { return os.Remove(file) }, true, ""},
		"certificate damaged": {func(file, _ string) error { return os.WriteFile(file, []byte("x"), 0o600) }, true, ""},
		"key gone":            {func(_, key string) error { return os.Remove(key) }, false, ""},
		"key damaged":         {func(_, key string) error { return os.WriteFile(key, []byte("x"), 0o600) }, false, "holds no private key"},
		"key cut":             {func(_, key string) error { return os.Truncate(key, 100) }, false, "holds no private key"},
		"loose key":           {func(_, key string) error { return os.Chmod(key, 0o640) }, false, "has mode 0640"},
	} {
		dir, c := t.TempDir(), newClock()
		cfg := Config{Dir: dir}
		first := open(t, cfg, c).Info()
		file, key := cfg.files()
		if err := tt.damage(file, key); err != nil {
			t.Fatal(err)
		}
		k := New(cfg, &notes{}, quiet(), c.now)
		err := k.Open()
		if tt.want != "" {
			refused(t, name, err, tt.want)
			continue
		}
		if err != nil || (k.Info().Pin == first.Pin) != tt.pin {
			t.Errorf("%s: %v, same key %v", name, err, k.Info().Pin == first.Pin)
		}
	}
}

func refused(t *testing.T, name string, err error, want string) {
	t.Helper()
	var e *appliance.Error
	if !errors.As(err, &e) || !strings.Contains(e.Msg, want) || e.Hint == "" {
		t.Errorf("%s: got %v, want %q with a hint", name, err, want)
	}
}

// brought writes a pair as an operator brings it.
func brought(t *testing.T, dir string, change func(*x509.Certificate), key any) Config {
	t.Helper()
	if key == nil {
		made, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		key = made
	}
	tmpl, err := template([]string{"kiosk.bank.example"}, noon)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(tmpl)
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.(crypto.Signer).Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{File: filepath.Join(dir, "c.pem"), KeyFile: filepath.Join(dir, "k.pem"), Dir: dir}
	put(t, c.KeyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	put(t, c.File, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return c
}

func put(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := replace(name, text); err != nil {
		t.Fatal(err)
	}
}

// TestBroughtProblems: everything that can be wrong with a brought pair is named, with a hint, before anything is served.
func TestBroughtProblems(t *testing.T) {
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Skip("no weak key can be made here:", err)
	}
	dir := t.TempDir()
	good := func(t *testing.T) Config { return brought(t, t.TempDir(), nil, nil) }
	for name, tt := range map[string]struct {
		cfg  func(t *testing.T) Config
		want string
	}{
		"expired": {func(t *testing.T) Config {
			return brought(t, t.TempDir(), func(c *x509.Certificate) { c.NotAfter = noon.Add(-time.Hour) }, nil)
		}, "expired on 2026-11-20"},
		"from tomorrow": {func(t *testing.T) Config {
			return brought(t, t.TempDir(), func(c *x509.Certificate) { c.NotBefore = noon.Add(24 * time.Hour) }, nil)
		}, "is not valid before 2026-11-21 12:00 UTC"},
		"no names": {func(t *testing.T) Config {
			return brought(t, t.TempDir(), func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = nil, nil }, nil)
		}, "names no host"},
		"weak key":   {func(t *testing.T) Config { return brought(t, t.TempDir(), nil, weak) }, "has a key of 1024 bits only"},
		"other key":  {func(t *testing.T) Config { a, b := good(t), good(t); a.KeyFile = b.KeyFile; return a }, "do not belong together"},
		"loose mode": {func(t *testing.T) Config { c := good(t); os.Chmod(c.KeyFile, 0o644); return c }, "has mode 0644: others may read it"},
		"no file":    {func(t *testing.T) Config { c := good(t); os.Remove(c.File); return c }, "cannot be read"},
		"no key":     {func(t *testing.T) Config { c := good(t); os.Remove(c.KeyFile); return c }, "cannot be read"},
		"swapped": {func(t *testing.T) Config {
			c := good(t)
			os.Chmod(c.File, 0o600)
			c.File, c.KeyFile = c.KeyFile, c.File
			return c
		}, "holds no certificate in PEM form"},
		"no PEM": {func(t *testing.T) Config { c := good(t); put(t, c.File, []byte("0\x82")); return c }, "holds no certificate in PEM form"},
		"passphrase": {func(t *testing.T) Config {
			c := good(t)
			put(t, c.KeyFile, pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte{1}}))
			return c
		}, "protected by a passphrase"},
	} {
		k := New(tt.cfg(t), &notes{}, quiet(), newClock().now)
		refused(t, name, k.Open(), tt.want)
	}
	if _, err := Renew(Config{File: "c", KeyFile: "k", Dir: dir}, noon, false); err == nil {
		t.Error("renews a brought certificate")
	}
}

// TestRotation: changed files are taken over while connections go on, a pair that does not fit leaves the old one in
// place with a warning until it does, and the end of a brought one is warned of.
func TestRotation(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	cfg := brought(t, dir, nil, nil)
	k := open(t, cfg, c)
	first := k.Info()
	if first.Own || first.Key != "ECDSA P-384" {
		t.Errorf("got %+v", first)
	}
	other := brought(t, t.TempDir(), func(t *x509.Certificate) { t.NotAfter = noon.Add(30 * 24 * time.Hour) }, nil)
	for i, from := range []string{other.File, other.KeyFile} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		put(t, []string{cfg.File, cfg.KeyFile}[i], text)
		k.look()
		if half := i == 0; half != (k.Info().Fingerprint == first.Fingerprint) || half != (len(k.Warnings()) == 1) {
			t.Errorf("after file %d: changed %v, warnings %v", i, k.Info().Fingerprint != first.Fingerprint, k.Warnings())
		}
	}
	if err := shake(t, k, "kiosk.bank.example", 0); err != nil {
		t.Error(err)
	}
	c.advance(10 * 24 * time.Hour)
	if w := k.Warnings(); len(w) != 1 || !strings.Contains(w[0].Msg, "expires on 2026-12-20") {
		t.Errorf("ten days before the end: %v", w)
	}
	c.advance(30 * 24 * time.Hour)
	k.look()
	if w := k.Warnings(); k.Info().Fingerprint == first.Fingerprint || len(w) != 1 || !strings.Contains(w[0].Msg, "expired on 2026-12-20") {
		t.Errorf("after the end: %v", w)
	}
	if err := k.Reload(Config{File: "none", KeyFile: "none"}); err == nil || k.Info().File != cfg.File {
		t.Errorf("a bad reload gave %v and shows %s", err, k.Info().File)
	}
	if k.look(); k.Info().File != cfg.File || k.cfg.File != cfg.File {
		t.Errorf("after a bad reload it looks at %s", k.cfg.File)
	}
}
