package transport

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"
)

// bounded is a listener of so many connections.
func bounded(t *testing.T, inner net.Listener, connections int) *Listener {
	t.Helper()
	l, err := NewListener(inner, nil, connections)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestEvict: a connection that has had its answer is silent again from then on, and the longest silent one goes first.
func TestEvict(t *testing.T) {
	l := bounded(t, loopback(t), 2)
	admit := func() *conn {
		ours, theirs := net.Pipe()
		t.Cleanup(func() { theirs.Close() })
		c := &conn{Conn: ours, listener: l}
		if !l.add(c) {
			t.Fatal("no room")
		}
		return c
	}
	deadline := func(c *conn) {
		if err := c.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	first, second := admit(), admit()
	deadline(first)
	first.work()
	deadline(second)
	third := admit()
	if second.state.Load() != connEvicted {
		t.Error("the silent one stays")
	}
	deadline(third)
	third.work()
	if l.add(&conn{listener: l}) {
		t.Error("a working one had to go")
	}
	deadline(third)
	deadline(first)
	admit()
	if third.state.Load() != connEvicted || first.state.Load() == connEvicted {
		t.Error("not the longest silent one had to go")
	}
	first.Close()
	if len(l.open) != 1 {
		t.Errorf("%d connections counted, want 1", len(l.open))
	}
}

// TestShortage: a listener that runs out of file descriptors goes on when there are some again, and ends when closed.
func TestShortage(t *testing.T) {
	inner := &scarce{Listener: loopback(t), failures: 3}
	l := bounded(t, inner, 2)
	go func() {
		if c, err := net.Dial("tcp", inner.Addr().String()); err == nil {
			c.Close()
		}
	}()
	c, err := l.Accept()
	if err != nil || inner.failures != 0 {
		t.Fatalf("%v with %d failures left", err, inner.failures)
	}
	c.Close()
	l.Close()
	if _, err := l.Accept(); err == nil {
		t.Error("accepts after its end")
	}
}

func loopback(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// scarce fails for want of file descriptors.
type scarce struct {
	net.Listener
	failures int
}

func (s *scarce) Accept() (net.Conn, error) {
	if s.failures > 0 {
		s.failures--
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return s.Listener.Accept()
}

// TestLateService: a connection that the server gets to late is as old as its accept; after an answer its wait begins anew.
func TestLateService(t *testing.T) {
	client, server := net.Pipe()
	defer client.Close()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	c := &conn{Conn: server, listener: bounded(t, inner, 1)}
	c.since.Store(1)
	if err := c.SetReadDeadline(time.Time{}); err != nil || c.since.Load() != 1 {
		t.Errorf("served late: waits since %d, %v", c.since.Load(), err)
	}
	c.work()
	if err := c.SetReadDeadline(time.Time{}); err != nil || c.since.Load() == 1 || c.state.Load() != connSilent {
		t.Errorf("answered: waits since %d in state %d, %v", c.since.Load(), c.state.Load(), err)
	}
}

// TestSilentAfterEnd: a connection for which the server begins to wait when the end has already begun does not hold it up
// either.
func TestSilentAfterEnd(t *testing.T) {
	l := bounded(t, loopback(t), 1)
	ours, theirs := net.Pipe()
	defer theirs.Close()
	admitted, err := l.admit(ours)
	if err != nil {
		t.Fatal(err)
	}
	defer admitted.Close()
	l.Hurry(10 * time.Millisecond)
	for name, deadline := range map[string]time.Time{"a later deadline": time.Now().Add(time.Hour), "none": {}} {
		if err := admitted.SetReadDeadline(deadline); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := admitted.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}

// TestEvictTLS: a silent connection makes room at once, also when its client takes nothing, not even a farewell.
func TestEvictTLS(t *testing.T) {
	l := bounded(t, loopback(t), 1)
	secure := httptest.NewTLSServer(nil) // for its certificate
	defer secure.Close()
	ours, theirs := net.Pipe()
	server, client := tls.Server(ours, secure.TLS), tls.Client(theirs, &tls.Config{InsecureSkipVerify: true})
	shaken := make(chan error, 1)
	go func() { shaken <- client.Handshake() }()
	if err := errors.Join(server.Handshake(), <-shaken); err != nil {
		t.Fatal(err)
	}
	if !l.add(&conn{Conn: server, listener: l}) {
		t.Fatal("no room")
	}
	began := time.Now()
	if !l.add(&conn{Conn: server, listener: l}) {
		t.Fatal("no room was made")
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}
