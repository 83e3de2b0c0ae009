package route

import (
	"context"
	"log/slog"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/metrics"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/gofiber/fiber/v2"
)

// Deps are the parts that a frame works with, for its handlers too. Now is the clock.
type Deps struct {
	Gate   *access.Gate
	Bodies *transport.Bodies
	// Parsing bounds how many bodies are parsed at once.
	Parsing *queue.Queue
	// Figures is where those of the requests are added.
	Figures *metrics.Set
	Log     *slog.Logger
	Now     func() time.Time
	// Journal notes every answer; it may be nil.
	Journal appliance.Journal
	// Answered is told of each answer before it leaves, and whether something was decided and noted.
	Answered func(x *Exchange, decided bool)
}

// Frame surrounds requests. It is safe for concurrent use.
type Frame struct {
	Deps
	// Work is cancelled when the server has no more time to stop, Streams as soon as it stops: a stream has no end of its own.
	Work, Streams context.Context

	end, endStreams context.CancelFunc
	figures         *figures
	refused         refusals
	lines           logLines
}

// New makes a frame; it does no I/O.
func New(d Deps) *Frame {
	f := &Frame{Deps: d, figures: newFigures(d.Figures)}
	f.Work, f.end = context.WithCancel(context.Background())
	f.Streams, f.endStreams = context.WithCancel(f.Work)
	return f
}

// EndStreams ends what has no end of its own.
func (f *Frame) EndStreams() { f.endStreams() }

// End cancels all work.
func (f *Frame) End() { f.end() }

// Read reads the body of a request. It may take a minute to come, in which its key may be revoked: it is asked about again.
func (f *Frame) Read(c *fiber.Ctx, x *Exchange, limit int) ([]byte, error) {
	body, err := f.Bodies.Read(c, x.Key, &x.body, limit)
	if x.body.Whole && x.Key != "" && !f.Gate.StillIn(x.Key, x.Session, transport.Remote(c)) {
		return nil, appliance.Errorf(appliance.CodeUnauthorized,
			"the API key or the session ended while the request arrived: send it again with a valid key")
	}
	return body, err
}

// Parse makes sense of a body: of the members whose names are known, which read takes. Only so many bodies are parsed at a time,
// and no longer than their clients wait for it.
func (f *Frame) Parse(c *fiber.Ctx, x *Exchange, body []byte, known []string, read func(wire.Members) error) error {
	ctx, stop := f.Watch(c, x)
	defer stop()
	return f.Parsing.Do(ctx, func(ctx context.Context) error {
		m, err := wire.ParseObject(ctx, body, known)
		if err != nil {
			return err
		}
		m.Reserve = func(n int) error { return f.Bodies.Reserve(&x.body, int64(n)) }
		return read(m)
	})
}

// Watch returns a context for the caller of a request that ends when the client goes away or the server runs out of time to stop. The
// function ends the watch; it returns when nothing touches the connection any more.
func (f *Frame) Watch(c *fiber.Ctx, x *Exchange) (context.Context, func()) {
	return transport.Watch(appliance.WithCaller(f.Work, x.Caller), c)
}
