package main

import (
	"net"
	"sync"
	"testing"
)

// wire is a cable between clients and a program that can be held up, cut and led to another program.
type wire struct {
	address string

	mu   sync.Mutex
	more *sync.Cond
	to   string
	held bool
	cut  bool
	open map[net.Conn]bool
}

// heldAfter is how much of what a client sends passes a wire that is held up: requests without a picture do.
const heldAfter = 16 << 10

// newWire lays a wire to a program.
func newWire(t *testing.T, p *program) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{address: l.Addr().String(), to: p.listen, open: map[net.Conn]bool{}}
	w.more = sync.NewCond(&w.mu)
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); w.sever(); all.Wait() })
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { w.carry(c) })
		}
	})
	return w
}

// carry passes on what both ends of a connection say.
func (w *wire) carry(c net.Conn) {
	defer c.Close()
	w.mu.Lock()
	to, cut := w.to, w.cut
	w.mu.Unlock()
	if cut {
		return
	}
	d, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer d.Close()
	w.mu.Lock()
	w.open[c], w.open[d] = true, true
	w.mu.Unlock()
	var back sync.WaitGroup
	back.Go(func() { w.copy(c, d, false); c.Close() })
	w.copy(d, c, true)
	d.Close()
	back.Wait()
	w.mu.Lock()
	delete(w.open, c)
	delete(w.open, d)
	w.mu.Unlock()
}

// copy passes on until an end closes. What a client sends waits where the wire is held up.
func (w *wire) copy(to, from net.Conn, client bool) {
	b := make([]byte, 4<<10)
	for sent := 0; ; {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		if sent += n; client && sent > heldAfter {
			w.mu.Lock()
			for w.held && !w.cut {
				w.more.Wait()
			}
			w.mu.Unlock()
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// hold stops uploads on their way, or lets them go on.
func (w *wire) hold(held bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = held
	w.more.Broadcast()
}

// sever cuts the wire.
func (w *wire) sever() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
	for c := range w.open {
		c.Close()
	}
	w.more.Broadcast()
}

// mend lays the wire to a program.
func (w *wire) mend(p *program) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held, w.cut, w.to = false, false, p.listen
}
