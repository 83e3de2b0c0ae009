package transport

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sys/unix"
)

const (
	// peerTick is how often a client is looked at while its request is in work.
	peerTick = 25 * time.Millisecond
	// peerGrace is how long a client that has ended its sending is taken for one that still listens, before it is
	// asked. Most answers leave earlier.
	peerGrace = 300 * time.Millisecond
)

var errClientGone = errors.New("the client went away")

// Watch returns a context for the work on a request that ends when the client goes away, or with the one that it comes from. The function
// ends the watch; it returns when nothing touches the connection any more.
func Watch(from context.Context, c *fiber.Ctx) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(from)
	nc, ok := c.Context().Conn().(*conn)
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	sc, ok := nc.raw().(syscall.Conn)
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	p := peer{conn: nc, raw: sc, asks: c.Context().Request.Header.IsHTTP11()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.watch(ctx, cancel)
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// peer looks at the other end of a connection without reading from it.
type peer struct {
	conn *conn
	raw  syscall.Conn
	// asks says that the protocol has interim answers, by which a client that listens can be told from one that has
	// left: the kernel of the latter answers with a reset.
	asks  bool
	ended time.Time
	asked bool
}

func (p *peer) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(peerTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if p.gone(now) {
				cancel(errClientGone)
				return
			}
		}
	}
}

// gone reports whether the connection is dead. A client that has only ended its sending may still wait for the answer,
// and looks just like one that has closed for good until something is sent to it.
func (p *peer) gone(now time.Time) bool {
	raw, err := p.raw.SyscallConn()
	if err != nil {
		return true
	}
	var events int16
	err = raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		if _, err := unix.Poll(fds, 0); err == nil {
			events = fds[0].Revents
		}
	})
	switch {
	case err != nil || events&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0:
		return true
	case events&unix.POLLRDHUP == 0 || !p.asks || p.asked:
		return false
	case p.ended.IsZero():
		p.ended = now
	case now.Sub(p.ended) >= peerGrace:
		p.asked = true
		_, err := p.conn.Write([]byte("HTTP/1.1 100 Continue\r\n\r\n"))
		return err != nil
	}
	return false
}
