package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/httpapi/transport"
)

// bare is a bare connection to the server, and the one of the system under it.
type bare struct {
	net.Conn
	tcp *net.TCPConn
}

// CloseWrite ends the sending at every level.
func (w bare) CloseWrite() error {
	var farewell error
	if t, ok := w.Conn.(*tls.Conn); ok {
		farewell = t.CloseWrite()
	}
	return errors.Join(farewell, w.tcp.CloseWrite())
}

// Close ends the connection without a farewell, as a client does that is switched off.
func (w bare) Close() error { return w.tcp.Close() }

// overBoth runs a test without and with TLS: what protects the server must do so in both.
func overBoth(t *testing.T, test func(t *testing.T, over func(*options))) {
	t.Run("plain", func(t *testing.T) { test(t, func(*options) {}) })
	t.Run("TLS", func(t *testing.T) {
		cfg := serverTLS(t)
		test(t, func(o *options) { o.tls = cfg })
	})
}

func serverTLS(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// trusting is a client that takes any certificate; who shows which is tested with the certificates.
func trusting() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// url names a path of the server.
func (f *fixture) url(path string) string {
	if f.secure {
		return "https://" + f.addr + path
	}
	return "http://" + f.addr + path
}

// TestTLSAlone: on a network address TLS 1.3 is spoken and nothing else; plain HTTP is told so in words and reaches no
// route, and an older TLS is refused.
func TestTLSAlone(t *testing.T) {
	f := start(t, func(o *options) { o.tls = serverTLS(t) })
	a := f.post("/v1/ocr/passport", sample())
	f.want("over TLS", a, 200, 0)
	if got := a.header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
		t.Errorf("Strict-Transport-Security %q", got)
	}
	res, err := http.Get("http://" + f.addr + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	plain := f.read(res)
	f.want("plain", plain, 400, 400)
	if !strings.Contains(plain.Message, "https") {
		t.Errorf("plain HTTP is told %q", plain.Message)
	}
	if c, err := tls.Dial("tcp", f.addr, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}); err == nil {
		c.Close()
		t.Error("speaks TLS 1.2")
	}
}

// TestSilentHandshake: who connects and makes no handshake, or half of one, is cut off like one who sends half a
// header, while others are served.
func TestSilentHandshake(t *testing.T) {
	f := start(t, func(o *options) { o.tls, o.cfg.HeaderTimeout = serverTLS(t), 200*time.Millisecond })
	for name, first := range map[string]string{"nothing": "", "half a hello": "\x16\x03\x01\x02\x00\x01", "garbage": "\x16\x03\x01\x00\x01\x00"} {
		c := f.raw().tcp
		f.send(c, "%s", first)
		began := time.Now()
		b, err := io.ReadAll(c)
		if err != nil || bytes.HasPrefix(b, []byte("HTTP")) || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %q, %v after %v", name, b, err, time.Since(began))
		}
	}
	f.want("another client", f.post("/v1/ocr/passport", sample()), 200, 0)
}

// TestPipelineTLS: requests that follow each other on one connection are answered in order, also when they arrive in one
// record of TLS.
func TestPipelineTLS(t *testing.T) {
	f := start(t, func(o *options) { o.tls = serverTLS(t) })
	c := f.raw()
	r := bufio.NewReader(c)
	one := "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	f.send(c, "%s", one+one)
	for range 2 {
		if a := f.receive(r); a.status != 200 {
			t.Errorf("HTTP %d", a.status)
		}
	}
}

// TestSilentAtEnd: connections that were opened and never used do not hold up the end of the server.
func TestSilentAtEnd(t *testing.T) { overBoth(t, silentAtEnd) }

func silentAtEnd(t *testing.T, over func(*options)) {
	f := start(t, over, func(o *options) { o.cfg.HeaderTimeout, o.cfg.IdleTimeout = time.Minute, time.Minute })
	f.raw()
	f.want("another client", f.post("/v1/ocr/passport", sample()), 200, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	if err := f.server.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

// TestLoopbackPlain: this machine itself is served without TLS, also where there is a certificate.
func TestLoopbackPlain(t *testing.T) {
	f := start(t)
	s := New(DefaultConfig(), Deps{Appliance: f.server.deps.Appliance, Keys: f.keys, Log: f.server.deps.Log, Now: time.Now, TLS: serverTLS(t)})
	l, err := transport.Listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	res, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != 200 || res.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("HTTP %d", res.StatusCode)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := errors.Join(s.Shutdown(t.Context()), <-ended); err != nil {
		t.Error(err)
	}
}

// TestNoPlainNetwork: without a certificate nothing but loopback is served.
func TestNoPlainNetwork(t *testing.T) {
	l, err := transport.Listen(t.Context(), "0.0.0.0:0")
	if err != nil {
		t.Skip("no other address to listen on:", err)
	}
	if strings.Contains(l.Addr().String(), "[") {
		t.Errorf("0.0.0.0 became %s", l.Addr())
	}
	keys := appliance.NewKeyring(appliancetest.NewKeys(), time.Now)
	if err := New(DefaultConfig(), Deps{Keys: keys, Now: time.Now}).Serve(l); err == nil {
		t.Error("serves on all addresses")
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("still listens")
	}
}
