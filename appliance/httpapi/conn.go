package httpapi

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// listener bounds the number of open connections and outlives a shortage of file descriptors: the server below it
// would end for good on the first failed accept.
type listener struct {
	net.Listener
	slots chan struct{}
	done  chan struct{}
	once  sync.Once
}

func newListener(l net.Listener, connections int) *listener {
	return &listener{Listener: l, slots: make(chan struct{}, max(connections, 1)), done: make(chan struct{})}
}

// Accept waits for a free slot and a connection.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	for {
		c, err := l.Listener.Accept()
		if err == nil {
			return &conn{Conn: c, release: func() { <-l.slots }}, nil
		}
		if !shortage(err) {
			<-l.slots
			return nil, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-l.done:
		}
	}
}

// shortage tells whether an accept failed for want of something that other connections will give back.
func shortage(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Close ends Accept as well.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// The bounds of a lingering close.
const (
	lingerTotal = 10 * time.Second
	lingerIdle  = time.Second
)

// conn is a connection whose close can wait for what the client still sends. Closing a socket with unread input
// makes the kernel send a reset, and a reset destroys the answer on its way to a client that is still writing.
type conn struct {
	net.Conn
	// deadline is the latest read deadline. It is used by the goroutine that serves the connection alone.
	deadline time.Time
	linger   atomic.Bool
	once     sync.Once
	release  func()
}

// SetReadDeadline remembers the deadline, from which the start of the current request follows.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.deadline = t
	return c.Conn.SetReadDeadline(t)
}

// Close ends the connection, after a lingering one has taken in what was under way.
func (c *conn) Close() error {
	var err error
	c.once.Do(func() {
		if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.linger.Load() && half.CloseWrite() == nil {
			c.swallow()
		}
		err = c.Conn.Close()
		c.release()
	})
	return err
}

func (c *conn) swallow() {
	end := time.Now().Add(lingerTotal)
	b := make([]byte, 32<<10)
	for now := time.Now(); now.Before(end); now = time.Now() {
		idle := now.Add(lingerIdle)
		if idle.After(end) {
			idle = end
		}
		if c.Conn.SetReadDeadline(idle) != nil {
			return
		}
		if _, err := c.Conn.Read(b); err != nil {
			return // io.EOF: the client has taken its answer and closed
		}
	}
}
