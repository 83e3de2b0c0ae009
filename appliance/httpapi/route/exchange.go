package route

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/words"
	"github.com/gofiber/fiber/v2"
)

// Exchange is one request and its answer. It collects what the log line and the metrics tell, and nothing of what
// the request says about a person.
type Exchange struct {
	ID string
	// Route is the route as it is registered, "other" for any other path.
	Route string
	access.Visitor
	// Language is the one that the client prefers.
	Language appliance.Language
	Code     appliance.Code
	Err      error // why the request failed
	Stages   []appliance.Stage
	// Lasting says that waiting does not mend what the request failed for, so its answer has no Retry-After.
	Lasting bool
	// Noted says that the handler wrote the entry of the journal itself, or that nothing was decided.
	Noted bool
	// Shared says that a page of a listed origin may show the answer although its request names no origin.
	Shared bool
	// Decision is what the journal keeps of the answer; Stands says that the handler has completed it. Its endpoint is that of the route
	// unless the handler names another.
	Decision appliance.Decision
	Stands   bool
	// Gaps are the times between the frames of a liveness check.
	Gaps []time.Duration

	began   time.Time
	body    transport.Body
	stopped bool // the client went away, or the server ran out of time to stop
}

// exchangeKey is where the exchange travels in the fiber context.
const exchangeKey = "exchange"

// otherRoute stands for all paths that are no route, so that nothing a client invents reaches logs and metrics.
const otherRoute = "other"

// Handler answers a request on a route; it writes its answer itself or returns an error.
type Handler func(c *fiber.Ctx, x *Exchange) error

// Handle puts a handler on a route.
func (f *Frame) Handle(h Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		x := c.Locals(exchangeKey).(*Exchange)
		x.Route = c.Route().Path
		return h(c, x)
	}
}

// Surround wraps every request: its id, its answer when it fails, its log line and its figures.
func (f *Frame) Surround(c *fiber.Ctx) error {
	x := f.begin(c)
	transport.Work(c)
	f.figures.inFlight.Add(1)
	defer f.figures.inFlight.Add(-1)
	err := f.Gate.Admit(c, &x.Visitor)
	if err == nil {
		err = transport.Contradiction(c)
	}
	answered := false
	if err == nil {
		answered, err = f.preflight(c, x)
	}
	if err == nil && !answered {
		err = Guard(c)
	}
	f.finish(c, x, err)
	return nil
}

// Refuse answers what the HTTP parser did not let through to a route.
func (f *Frame) Refuse(c *fiber.Ctx, err error) error {
	x := f.begin(c)
	transport.Linger(c)
	if refused := f.Gate.Admit(c, &x.Visitor); refused != nil {
		err = refused
	}
	f.finish(c, x, err)
	return nil
}

func (f *Frame) begin(c *fiber.Ctx) *Exchange {
	x := &Exchange{ID: appliance.NewGUID(), Route: otherRoute, began: f.Now()}
	x.Language = preferred(c.Get(fiber.HeaderAcceptLanguage))
	c.Locals(exchangeKey, x)
	return x
}

// Guard turns a panic of a handler into an error. The stack is for the log.
func Guard(c *fiber.Ctx) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		what := fmt.Sprintf("%T", r) // the value itself might quote what was being read
		if e, ok := r.(runtime.Error); ok {
			what = e.Error()
		}
		err = fmt.Errorf("panic: %s\n%s", what, debug.Stack())
	}()
	return c.Next()
}

// preflight answers a browser that asks for a page of another origin; it reports whether one did.
func (f *Frame) preflight(c *fiber.Ctx, x *Exchange) (asked bool, err error) {
	if asked, err = f.Gate.Preflight(c); !asked {
		return false, err
	}
	x.Route = "preflight"
	if err == nil {
		c.Status(fiber.StatusNoContent)
	}
	return true, err
}

// finish writes the answer of a failed request, the common headers, the log line and the figures.
func (f *Frame) finish(c *fiber.Ctx, x *Exchange, err error) {
	f.Bodies.Release(&x.body)
	if err != nil {
		f.fail(c, x, err)
	}
	decision := x.conclude()
	if err := f.journal(x, decision); err != nil {
		f.fail(c, x, err)
		decision = false
	}
	f.Answered(x, decision)
	transport.Settle(c, &x.body)
	c.Set("X-Request-Id", x.ID)
	speak(c, x.Language)
	access.Confine(c)
	f.Gate.Share(c, x.Shared)
	f.figures.observe(x, f.Now())
	f.log(c, x)
}

func (f *Frame) fail(c *fiber.Ctx, x *Exchange, err error) {
	x.Err = err
	x.stopped = errors.Is(err, context.Canceled)
	err = plain(c, err)
	x.Code = appliance.CodeOf(err)
	status := wire.HTTPStatus(x.Code)
	if status == fiber.StatusServiceUnavailable && !x.Lasting {
		x.Wait = max(x.Wait, time.Second)
	}
	if x.Wait > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(x.Wait.Seconds()))))
	}
	c.Set(fiber.HeaderContentType, wire.MediaType)
	c.Status(status).Context().Response.SetBodyRaw(wire.ErrorEnvelopeIn(x.Language, x.ID, err))
}

// plain puts the errors of fiber, and of a cancelled request, into the terms of the API. What fiber says about a
// malformed request quotes it, so none of that is passed on.
func plain(c *fiber.Ctx, err error) error {
	var f *fiber.Error
	switch {
	case errors.Is(err, context.Canceled):
		return appliance.Errorf(appliance.CodeUnavailable, "the request was cancelled: send it again")
	case !errors.As(err, &f):
		return err
	case f.Code == fiber.StatusNotFound:
		return appliance.Errorf(appliance.CodeNotFound, "there is no such path: /v1/openapi.yaml lists all paths")
	case f.Code == fiber.StatusMethodNotAllowed:
		return appliance.Errorf(appliance.CodeMethodNotAllowed,
			"the path does not take this method: use %s", c.GetRespHeader(fiber.HeaderAllow))
	case f.Code == fiber.StatusRequestHeaderFieldsTooLarge:
		return appliance.Errorf(appliance.CodeBadRequest, "the request line and headers are too large: keep them below %s",
			words.Size(int64(c.App().Config().ReadBufferSize)))
	case f.Code == fiber.StatusRequestTimeout:
		return appliance.Errorf(appliance.CodeBadRequest, "the headers did not arrive in time: send the request in one go")
	}
	return appliance.Errorf(appliance.CodeBadRequest, "the request is not valid HTTP: send HTTP/1.1")
}

// Succeed writes a JSON answer with status 200.
func Succeed(c *fiber.Ctx, body []byte) error {
	c.Set(fiber.HeaderContentType, wire.MediaType)
	c.Context().Response.SetBodyRaw(body)
	return nil
}

// log writes the one line of the request, unless too many like it came in the last minute. Names of routes and keys are the operator's
// own; everything else is a number or an id that was made here.
func (f *Frame) log(c *fiber.Ctx, x *Exchange) {
	if free := x.Key == "" || !decided(x.Code); free && !f.lines.take(refusal{x.Key, x.Code}, f.Now()) {
		return
	}
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request_id", x.ID),
		slog.String("route", x.Route),
		slog.String("method", c.Method()),
		slog.Int("status", c.Response().StatusCode()),
		slog.Int("error_code", int(x.Code)),
		slog.Int("bytes_in", x.body.Received),
		slog.Int("bytes_out", sentBytes(c)),
		slog.Float64("ms", milliseconds(f.Now().Sub(x.began))),
	}
	if x.Key != "" {
		attrs = append(attrs, slog.String("key", x.Key))
	}
	if len(x.Stages) > 0 {
		stages := make([]any, len(x.Stages))
		for i, st := range x.Stages {
			stages[i] = slog.Float64(st.Name, milliseconds(st.Elapsed))
		}
		attrs = append(attrs, slog.Group("stages_ms", stages...))
	}
	if x.stopped {
		attrs = append(attrs, slog.Bool("cancelled", true))
	}
	switch {
	case x.Code == 0 && probe(x.Route):
		level = slog.LevelDebug // thousands a day, and nothing that was asked of the appliance
	case x.Code == appliance.CodeInternal:
		level = slog.LevelError
	case x.Code == appliance.CodeUnavailable && !x.stopped:
		level = slog.LevelWarn
	}
	if level > slog.LevelInfo {
		attrs = append(attrs, slog.String("error", x.Err.Error()))
	}
	f.Log.LogAttrs(context.Background(), level, "request", attrs...)
}

// probe reports whether a route is asked by machines that watch.
func probe(route string) bool {
	return route == "/healthz" || route == "/readyz" || route == "/metrics"
}

func milliseconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e3 }

// sentBytes is the length of an answer as far as it is known: a stream counts as empty, and must not be read here.
func sentBytes(c *fiber.Ctx) int {
	if c.Response().IsBodyStream() {
		return 0
	}
	return len(c.Response().Body())
}
