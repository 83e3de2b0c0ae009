package httpapi

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

// exchange is one request and its answer. It collects what the log line and the metrics tell, and nothing of what
// the request says about a person.
type exchange struct {
	id    string
	began time.Time
	route string // the route as it is registered, "other" for any other path
	access.Visitor
	// language is the one that the client prefers.
	language appliance.Language
	status   int
	code     appliance.Code
	stages   []appliance.Stage
	err      error // why the request failed
	stopped  bool  // the client went away, or the server ran out of time to stop
	noted    bool  // the handler wrote the entry of the journal itself
	shared   bool  // a page of a listed origin may show the answer although its request names no origin
	// decision is what the journal keeps of the answer; stands says that the handler has completed it. Its endpoint is that of the route
	// unless the handler names another.
	decision appliance.Decision
	stands   bool
	gaps     []time.Duration // between the frames of a liveness check

	body transport.Body
}

// exchangeKey is where the exchange travels in the fiber context.
const exchangeKey = "exchange"

// otherRoute stands for all paths that are no route, so that nothing a client invents reaches logs and metrics.
const otherRoute = "other"

// handler answers a request on a route; it writes its answer itself or returns an error.
type handler func(c *fiber.Ctx, x *exchange) error

// handle puts a handler on a route.
func (s *Server) handle(h handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		x := c.Locals(exchangeKey).(*exchange)
		x.route = c.Route().Path
		return h(c, x)
	}
}

// exchange wraps every request: its id, its answer when it fails, its log line and its figures.
func (s *Server) exchange(c *fiber.Ctx) error {
	x := s.begin(c)
	transport.Work(c)
	s.figures.inFlight.Add(1)
	defer s.figures.inFlight.Add(-1)
	err := s.gate.Admit(c, &x.Visitor)
	if err == nil {
		err = transport.Contradiction(c)
	}
	answered := false
	if err == nil {
		answered, err = s.preflight(c, x)
	}
	if err == nil && !answered {
		err = Guard(c)
	}
	s.finish(c, x, err)
	return nil
}

// refuse answers what the HTTP parser did not let through to a route.
func (s *Server) refuse(c *fiber.Ctx, err error) error {
	x := s.begin(c)
	transport.Linger(c)
	if refused := s.gate.Admit(c, &x.Visitor); refused != nil {
		err = refused
	}
	s.finish(c, x, err)
	return nil
}

func (s *Server) begin(c *fiber.Ctx) *exchange {
	x := &exchange{id: appliance.NewGUID(), began: s.deps.Now(), route: otherRoute, status: fiber.StatusOK}
	x.language = preferred(c.Get(fiber.HeaderAcceptLanguage))
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
func (s *Server) preflight(c *fiber.Ctx, x *exchange) (asked bool, err error) {
	if asked, err = s.gate.Preflight(c); !asked {
		return false, err
	}
	x.route = "preflight"
	if err == nil {
		x.status = fiber.StatusNoContent
		c.Status(x.status)
	}
	return true, err
}

// finish writes the answer of a failed request, the common headers, the log line and the figures.
func (s *Server) finish(c *fiber.Ctx, x *exchange, err error) {
	s.bodies.Release(x.Key, &x.body)
	if err != nil {
		s.fail(c, x, err)
	}
	decision := x.conclude()
	if err := s.journal(x, decision); err != nil {
		s.fail(c, x, err)
	} else if decision {
		s.publish(x)
	}
	s.countDrift(x)
	transport.Settle(c, &x.body)
	c.Set("X-Request-Id", x.id)
	speak(c, x.language)
	access.Confine(c)
	s.gate.Share(c, x.shared)
	s.figures.observe(x, s.deps.Now())
	s.log(c, x)
}

func (s *Server) fail(c *fiber.Ctx, x *exchange, err error) {
	x.err = err
	x.stopped = errors.Is(err, context.Canceled)
	err = plain(c, err)
	x.code = appliance.CodeOf(err)
	x.status = wire.HTTPStatus(x.code)
	if x.status == fiber.StatusServiceUnavailable && !errors.Is(err, errNoCamera) {
		x.Wait = max(x.Wait, time.Second)
	}
	if x.Wait > 0 {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(x.Wait.Seconds()))))
	}
	c.Set(fiber.HeaderContentType, wire.MediaType)
	c.Status(x.status).Context().Response.SetBodyRaw(wire.ErrorEnvelopeIn(x.language, x.id, err))
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
		return appliance.Errorf(appliance.CodeMethodNotAllowed, "the path does not take this method: use %s", c.GetRespHeader(fiber.HeaderAllow))
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

// log writes the one line of the request, unless too many like it came in the last minute. Names of routes and keys are the operator's own; everything else is a
// number or an id that was made here.
func (s *Server) log(c *fiber.Ctx, x *exchange) {
	if free := x.Key == "" || !decided(x.code); free && !s.lines.take(refusal{x.Key, x.code}, s.deps.Now()) {
		return
	}
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request_id", x.id),
		slog.String("route", x.route),
		slog.String("method", c.Method()),
		slog.Int("status", x.status),
		slog.Int("error_code", int(x.code)),
		slog.Int("bytes_in", x.body.Received),
		slog.Int("bytes_out", sentBytes(c)),
		slog.Float64("ms", milliseconds(s.deps.Now().Sub(x.began))),
	}
	if x.Key != "" {
		attrs = append(attrs, slog.String("key", x.Key))
	}
	if len(x.stages) > 0 {
		stages := make([]any, len(x.stages))
		for i, st := range x.stages {
			stages[i] = slog.Float64(st.Name, milliseconds(st.Elapsed))
		}
		attrs = append(attrs, slog.Group("stages_ms", stages...))
	}
	if x.stopped {
		attrs = append(attrs, slog.Bool("cancelled", true))
	}
	switch {
	case x.code == 0 && probe(x.route):
		level = slog.LevelDebug // thousands a day, and nothing that was asked of the appliance
	case x.code == appliance.CodeInternal:
		level = slog.LevelError
	case x.code == appliance.CodeUnavailable && !x.stopped:
		level = slog.LevelWarn
	}
	if level > slog.LevelInfo {
		attrs = append(attrs, slog.String("error", x.err.Error()))
	}
	s.deps.Log.LogAttrs(context.Background(), level, "request", attrs...)
}

// probe reports whether a route is asked by machines that watch.
func probe(route string) bool {
	return route == "/healthz" || route == "/readyz" || route == "/metrics"
}

func milliseconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e3 }
