package transport

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Listener bounds the number of open connections and outlives a shortage of file descriptors: the server below it
// would end for good on the first failed accept. When there are too many, the one that has kept the server waiting
// longest for a request makes room, so that nobody can lock others out by connecting and saying nothing.
type Listener struct {
	net.Listener
	tls   *tls.Config // nil where connections are not encrypted
	most  int
	done  chan struct{}
	once  sync.Once
	freed chan struct{} // holds a token after a connection has ended

	mu   sync.Mutex
	open map[*conn]struct{}
	last atomic.Pointer[time.Time] // when the end comes, the latest time at which a request may still begin
}

// NewListener takes so many connections of a listener at most. On anything but loopback it speaks TLS, and refuses to do without; on
// loopback it never does.
func NewListener(l net.Listener, secure *tls.Config, connections int) (*Listener, error) {
	switch addr := l.Addr().String(); {
	case Loopback(addr):
		secure = nil
	case secure == nil:
		return nil, networkError(addr)
	}
	return &Listener{
		Listener: l, tls: secure, most: max(connections, 1),
		done: make(chan struct{}), freed: make(chan struct{}, 1), open: map[*conn]struct{}{},
	}, nil
}

// Accept waits for a connection and for room for it.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err == nil {
			return l.admit(inner)
		}
		if !shortage(err) {
			return nil, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-l.done:
		}
	}
}

func (l *Listener) admit(inner net.Conn) (net.Conn, error) {
	c := &conn{Conn: secureConn(inner, l.tls), listener: l}
	c.since.Store(time.Now().UnixNano())
	for !l.add(c) {
		select {
		case <-l.freed:
		case <-l.done:
			inner.Close()
			return nil, net.ErrClosed
		}
	}
	return c, nil
}

// add takes the connection in, in place of a silent one if there is no more room. It fails when all are at work.
func (l *Listener) add(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.most && !l.evict() {
		return false
	}
	l.open[c] = struct{}{}
	return true
}

// evict closes a connection on which nothing is in work: of the address that holds most connections, so that one address does not
// take the place of others, the one that has waited longest.
func (l *Listener) evict() bool {
	held := map[netip.Addr]int{}
	for c := range l.open {
		held[c.address()]++
	}
	for {
		var idle *conn
		for c := range l.open {
			if state := c.state.Load(); state != connSilent && state != connLingering {
				continue
			}
			if idle == nil || cmp.Or(
				cmp.Compare(held[idle.address()], held[c.address()]),
				cmp.Compare(c.since.Load(), idle.since.Load()),
			) < 0 {
				idle = c
			}
		}
		if idle == nil {
			return false
		}
		if idle.state.CompareAndSwap(connSilent, connEvicted) || idle.state.CompareAndSwap(connLingering, connEvicted) {
			delete(l.open, idle)
			idle.raw().Close() // TLS would take its leave and might have to wait for that
			return true
		}
	}
}

// Hurry gives connections that wait for a request a moment to send it, so that none of them holds up the end of the
// server. What is under way is not touched.
func (l *Listener) Hurry(grace time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end := time.Now().Add(grace)
	l.last.Store(&end)
	for c := range l.open {
		if c.state.Load() == connSilent {
			// One that fails is closed already.
			_ = c.Conn.SetReadDeadline(end)
		}
	}
}

func (l *Listener) remove(c *conn) {
	l.mu.Lock()
	delete(l.open, c)
	l.mu.Unlock()
	select {
	case l.freed <- struct{}{}:
	default:
	}
}

// shortage reports whether an accept failed for want of something that other connections will give back.
func shortage(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Close ends Accept as well.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// The bounds of a lingering close.
const (
	lingerTotal = 10 * time.Second
	lingerIdle  = time.Second
)

// What a connection is doing.
const (
	connSilent    = iota // the server waits for the headers of a request
	connWorking          // a request is in work
	connLingering        // the answer has left, and what the client still sends is taken in
	connEvicted          // closed to make room
)

// conn is a connection whose close can wait for what the client still sends. Closing a socket with unread input
// makes the kernel send a reset, and a reset destroys the answer on its way to a client that is still writing.
type conn struct {
	net.Conn
	listener *Listener
	state    atomic.Int32
	since    atomic.Int64 // when the server began to wait, in nanoseconds
	// deadline is the latest one for headers. It is used by the goroutine that serves the connection alone.
	deadline time.Time
	linger   atomic.Bool
	heard    atomic.Bool // the client has sent something
	told     bool        // that this is TLS; used by the goroutine that serves the connection alone
	once     sync.Once
}

// SetReadDeadline is called by the server below when it begins to wait for a request, and again when the request has
// begun. The start of a request follows from the deadline.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.deadline = t
	if c.state.Load() == connWorking { // the first wait began when the connection did, however late it is served
		c.since.Store(time.Now().UnixNano())
		c.state.CompareAndSwap(connWorking, connSilent)
	}
	err := c.Conn.SetReadDeadline(t)
	// Looked at afterwards: Hurry, at the same time, may have set its deadline before this one.
	if last := c.listener.last.Load(); last != nil && (t.IsZero() || last.Before(t)) {
		return c.Conn.SetReadDeadline(*last)
	}
	return err
}

// HoldAtMost bounds what the system holds for a client that does not read. Where that fails it holds more.
func HoldAtMost(c net.Conn, bytes int) {
	if own, ok := c.(*conn); ok {
		if t, ok := own.raw().(*net.TCPConn); ok {
			_ = t.SetWriteBuffer(bytes)
		}
	}
}

// address is where the client is, without its port.
func (c *conn) address() netip.Addr { return addressOf(c.Conn.RemoteAddr()) }

// work says that the headers of a request are complete.
func (c *conn) work() { c.state.CompareAndSwap(connSilent, connWorking) }

// Work says that the headers of a request are complete: until it has its answer, its connection makes room for no other.
func Work(c *fiber.Ctx) {
	if own, ok := c.Context().Conn().(*conn); ok {
		own.work()
	}
}

// Linger lets the connection of a request end gently: what the client still sends is taken in, so that it gets its answer.
func Linger(c *fiber.Ctx) {
	if own, ok := c.Context().Conn().(*conn); ok {
		own.linger.Store(true)
	}
}

// Remote is the address that a request comes from. It is the connection's own; headers in which a proxy names another one are not believed.
func Remote(c *fiber.Ctx) netip.Addr { return addressOf(c.Context().RemoteAddr()) }

func addressOf(a net.Addr) netip.Addr {
	if a, ok := a.(*net.TCPAddr); ok {
		return a.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// Close ends the connection, after a lingering one has taken in what was under way.
func (c *conn) Close() error {
	var err error
	c.once.Do(func() {
		if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.linger.Load() && half.CloseWrite() == nil {
			c.since.Store(time.Now().UnixNano())
			c.state.CompareAndSwap(connWorking, connLingering)
			c.swallow()
		}
		err = c.Conn.Close()
		c.listener.remove(c)
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
