package httpapi

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/gofiber/fiber/v2"
)

const (
	// heldEvents is how many events a reader may be behind; further ones are lost to it.
	heldEvents = 64
	// heldBytes is what the system's buffer holds for a reader that is behind. Left to itself Linux takes up to 4 MB for each, and one
	// that never reads would not be noticed for ten thousand events.
	heldBytes = 64 << 10
	// eventBeat is how often a quiet stream says that it lives, and notices at the latest that its key has ended.
	eventBeat = 15 * time.Second
	// maxEventReaders bounds the streams that are open at once, below http.max_connections, so that readers leave room for callers.
	maxEventReaders = 256
)

// events passes what was answered to the readers of the event stream. It never waits for one.
type events struct {
	mu      sync.Mutex
	readers map[*eventReader]struct{}
}

// eventReader is one open stream.
type eventReader struct {
	next chan []byte
	lost atomic.Int64
}

// join adds a reader; nil when there are as many as may be.
func (e *events) join() *eventReader {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.readers) >= maxEventReaders {
		return nil
	}
	if e.readers == nil {
		e.readers = map[*eventReader]struct{}{}
	}
	r := &eventReader{next: make(chan []byte, heldEvents)}
	e.readers[r] = struct{}{}
	return r
}

func (e *events) leave(r *eventReader) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.readers, r)
}

// publish gives an event to all readers; it is written only where there is one.
func (e *events) publish(name string, write func() []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.readers) == 0 {
		return
	}
	event := fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, write())
	for r := range e.readers {
		select {
		case r.next <- event:
		default:
			r.lost.Add(1)
		}
	}
}

// publish tells the readers of the event stream what was decided: kinds, codes and outcomes, and nothing that was read.
func (s *Server) publish(x *route.Exchange) {
	if streams(x) {
		return
	}
	s.events.publish("answer", func() []byte { return eventOf(&x.Decision, s.deps.Now()) })
}

// streams reports whether an exchange opened a stream or a way to one, which decides nothing about a picture.
func streams(x *route.Exchange) bool {
	return x.Route == "/v1/events" || strings.HasPrefix(x.Route, "/v1/camera/preview")
}

// eventOf writes an event as JSON.
func eventOf(d *appliance.Decision, now time.Time) []byte {
	kinds, codes, fake := d.Found()
	w := wire.NewWriter()
	w.Begin()
	w.Name("at").Time(now)
	w.Name("transaction_id").Text(d.TransactionID)
	w.Name("request_id").Text(d.RequestID)
	w.Name("endpoint").Text(string(d.Endpoint))
	w.Name("key").Text(d.Key)
	w.Name("error_code").Integer(int64(d.Code))
	w.Name("kinds").Texts(kinds)
	w.Name("codes").Open()
	for _, c := range codes {
		w.Integer(int64(c))
	}
	w.Shut()
	w.Name("fake").Truth(fake)
	w.Name("is_matched").Maybe(d.Matched)
	w.Name("is_live").Maybe(d.Live)
	w.Name("reasons").Reasons(d.Reasons)
	w.Close()
	return w.Bytes()
}

// endOf writes how a check at a screen ended, for the readers of the event stream.
func endOf(e kiosk.End) []byte {
	w := wire.NewWriter()
	w.Begin()
	w.Name("at").Time(e.At)
	w.Name("transaction_id").Text(e.Transaction)
	w.Name("key").Text(e.Screen)
	w.Name("outcome").Text(string(e.Outcome))
	w.Close()
	return w.Bytes()
}

// eventStream streams what is answered as server-sent events, until the reader goes, its key ends or the server stops.
func (s *Server) eventStream(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeAdmin); err != nil {
		return err
	}
	r := s.events.join()
	if r == nil {
		return appliance.Errorf(appliance.CodeUnavailable, "%d readers follow the events already: close one", maxEventReaders)
	}
	conn := c.Context().Conn()
	transport.HoldAtMost(conn, heldBytes)
	key, cookie, from := x.Key, x.Session, transport.Remote(c)
	mayFollow := func() bool { return s.gate.StillIn(key, cookie, from) }
	c.Set(fiber.HeaderContentType, "text/event-stream")
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer s.events.leave(r)
		beat := time.NewTicker(eventBeat)
		defer beat.Stop()
		for text := ": bawab\n\n"; text != ""; text = s.nextEvent(r, beat, mayFollow) {
			if conn.SetWriteDeadline(time.Now().Add(s.cfg.WriteTimeout)) != nil {
				return
			}
			_, _ = w.WriteString(text) // a bufio.Writer keeps its first error for Flush
			if w.Flush() != nil {
				return // the reader has gone, and nobody else is to be told
			}
		}
	})
	return nil
}

// nextEvent waits for what a stream sends next, "" when it ends.
func (s *Server) nextEvent(r *eventReader, beat *time.Ticker, mayFollow func() bool) string {
	text := ": still here\n\n"
	select {
	case <-s.frame.Streams.Done():
		return ""
	case <-beat.C:
	case event := <-r.next:
		text = string(event)
		if n := r.lost.Swap(0); n > 0 {
			text = "event: lost\ndata: {\"count\":" + strconv.FormatInt(n, 10) + "}\n\n" + text
		}
	}
	if !mayFollow() {
		return ""
	}
	return text
}
