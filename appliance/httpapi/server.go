package httpapi

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/drift"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/browser"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/bawab/bawab/appliance/metrics"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/gofiber/fiber/v2"
)

// Config holds the limits of the server. DefaultConfig returns the values of the contract; every field must be set,
// a zero does not mean "no limit".
type Config struct {
	// BodyBytes bounds a request body, LivenessBytes that of a liveness request with its three pictures.
	BodyBytes     int
	LivenessBytes int
	// BufferedBytes bounds all request bodies in memory together. Callers share it: the requests of one API key get at most
	// half of it, above that they are answered 503.
	BufferedBytes int64
	// PictureBytes bounds one picture after base64.
	PictureBytes int
	// HeaderBytes bounds the request line and the headers together.
	HeaderBytes int
	// HeaderTimeout runs from the first byte of a request (of the first one: from the connect) to the end of its
	// headers, RequestTimeout from the same moment to the end of its body. IdleTimeout ends an unused connection,
	// WriteTimeout one that does not take its answer.
	HeaderTimeout  time.Duration
	RequestTimeout time.Duration
	IdleTimeout    time.Duration
	WriteTimeout   time.Duration
	// Lull is within what time each 20 KiB of a body must arrive.
	Lull time.Duration
	// Connections bounds the open connections; further ones wait until one ends.
	Connections int
	// Policy is the first one; SetPolicy replaces it.
	Policy access.Policy
}

// DefaultConfig returns the limits of the contract.
func DefaultConfig() Config {
	return Config{
		BodyBytes:      16 << 20,
		LivenessBytes:  40 << 20,
		BufferedBytes:  80 << 20,
		PictureBytes:   8 << 20,
		HeaderBytes:    16 << 10,
		HeaderTimeout:  10 * time.Second,
		RequestTimeout: 60 * time.Second,
		IdleTimeout:    60 * time.Second,
		WriteTimeout:   30 * time.Second,
		Lull:           5 * time.Second,
		Connections:    1024,
		Policy:         access.Policy{WrongKeysPerMinute: 60},
	}
}

// Deps are the parts that the server works with. Now is the clock.
type Deps struct {
	Appliance *usecase.Appliance
	Keys      *appliance.Keyring
	Health    Health
	Log       *slog.Logger
	Version   string
	Now       func() time.Time
	// Journal notes every answer; it may be nil.
	Journal appliance.Journal
	// Erase destroys a transaction for a key and notes it; nil: transactions cannot be erased here.
	Erase func(ctx context.Context, id, key string) error
	// Camera captures with the appliance's own camera; nil: there is none.
	Camera *usecase.Capturer
	// Review is the queue of pictures that people look at; nil: there is none.
	Review *Review
	// Drift counts what is answered and watches it; nil: nothing is counted.
	Drift *drift.Watch
	// Console serves the pages; nil: there are none.
	Console *browser.Console
	// Kiosk serves the page for customers; nil: it is off.
	Kiosk *browser.Kiosk
	// TLS is spoken on every address but loopback; without it only loopback is served.
	TLS *tls.Config
}

// Server answers the HTTP API.
type Server struct {
	cfg     Config
	deps    Deps
	app     *fiber.App
	figures *metrics.Set
	gate    *access.Gate
	frame   *route.Frame
	looks   access.Rates[string] // at reviews, by the key's name
	pages   *browser.Routes
	events  events

	mu       sync.Mutex
	listener *transport.Listener
	stopped  bool
	prints   prints // of unknown documents that wait for review
}

// New makes a server; it does no I/O.
func New(cfg Config, d Deps) *Server {
	s := &Server{cfg: cfg, deps: d, figures: metrics.New()}
	gauges(s.figures, d)
	wrong := s.figures.Counter("bawab_wrong_keys_total", "Requests with a wrong API key.")
	s.gate = access.NewGate(d.Keys, cfg.Policy, d.Now, func() { wrong.Inc() })
	s.frame = route.New(route.Deps{
		Gate: s.gate,
		Bodies: transport.NewBodies(transport.Limits{
			Memory: cfg.BufferedBytes, Arriving: int64(cfg.Connections),
			HeaderTimeout: cfg.HeaderTimeout, RequestTimeout: cfg.RequestTimeout, Lull: cfg.Lull,
		}),
		Parsing: queue.New(runtime.GOMAXPROCS(0), cfg.Connections),
		Figures: s.figures, Log: d.Log, Now: d.Now, Journal: d.Journal, Answered: s.answered,
	})
	s.pages = browser.New(browser.Deps{
		Frame: s.frame, Keys: d.Keys, Console: d.Console, Kiosk: d.Kiosk, Version: d.Version,
		BodyBytes: cfg.BodyBytes, LivenessBytes: cfg.LivenessBytes, PictureBytes: cfg.PictureBytes, WriteTimeout: cfg.WriteTimeout,
		Machine: func() browser.Machine {
			return browser.Machine{Ready: d.Health.ready() == nil, Queue: d.Health.queueDepth(), StoreBytes: d.Health.storeBytes()}
		},
		Burst: s.burst, Preview: s.stream,
		Ended: func(e kiosk.End) { s.events.publish("kiosk", func() []byte { return endOf(e) }) },
	})
	s.app = fiber.New(fiber.Config{
		Immutable:                    true,
		CaseSensitive:                true,
		StrictRouting:                true,
		StreamRequestBody:            true,
		DisablePreParseMultipartForm: true,
		DisableStartupMessage:        true,
		DisableDefaultContentType:    true,
		BodyLimit:                    cfg.LivenessBytes,
		ReadBufferSize:               cfg.HeaderBytes,
		ReadTimeout:                  cfg.HeaderTimeout,
		WriteTimeout:                 cfg.WriteTimeout,
		IdleTimeout:                  cfg.IdleTimeout,
		ErrorHandler:                 s.frame.Refuse,
	})
	s.app.Server().HeaderReceived = transport.HeaderReceived
	s.app.Server().CloseOnShutdown = true
	s.routes()
	return s
}

// routes names every path that the server answers; all others are 404.
func (s *Server) routes() {
	s.app.Use(s.frame.Surround)
	for _, e := range appliance.DocumentEndpoints() {
		s.post(e, s.document(e))
	}
	s.app.Get("/v1/ocr/kinds", s.frame.Handle(s.kinds))
	s.app.Post("/v1/ocr/kinds/:kind", s.frame.Handle(s.kindDocument))
	s.post(appliance.EndpointFaceMatch, s.faceMatch)
	s.post(appliance.EndpointLiveness, s.liveness)
	s.app.Post("/v1/camera/liveness", s.frame.Handle(s.cameraLiveness))
	s.app.Post("/v1/camera/document", s.frame.Handle(s.cameraDocument))
	s.app.Get("/v1/camera/preview", s.frame.Handle(s.cameraPreview))
	s.app.Post("/v1/camera/preview/token", s.frame.Handle(s.previewToken))
	s.app.Get("/v1/transactions/:id", s.frame.Handle(s.transaction))
	s.app.Delete("/v1/transactions/:id", s.frame.Handle(s.eraseTransaction))
	s.app.Get("/v1/events", s.frame.Handle(s.eventStream))
	s.app.Get("/v1/openapi.yaml", s.frame.Handle(openAPI))
	s.app.Get("/healthz", s.frame.Handle(s.healthz))
	s.app.Get("/readyz", s.frame.Handle(s.readyz))
	s.app.Get("/metrics", s.frame.Handle(s.metrics))
	s.reviewRoutes()
	s.driftRoutes()
	s.pages.Add(s.app)
}

func (s *Server) post(e appliance.Endpoint, h route.Handler) {
	s.app.Post("/v1/"+string(e), s.frame.Handle(h))
}

// SetPolicy replaces the policy. Requests that come from then on are judged by it; what addresses have used up stays
// counted.
func (s *Server) SetPolicy(p access.Policy) { s.gate.SetPolicy(p) }

// LetIn makes a key for the kiosk screen that shows a code, and returns its address. The key counts in the cookie of that screen alone.
func (s *Server) LetIn(ctx context.Context, name, code string) (address string, err error) {
	return s.pages.LetIn(ctx, name, code)
}

// NoteRefusals notes how many requests of each key, and of nobody known, were refused since the last call. What could not be
// noted is counted on.
func (s *Server) NoteRefusals(ctx context.Context) error { return s.frame.NoteRefusals(ctx) }

// answered tells of an answer whoever follows and counts what is decided.
func (s *Server) answered(x *route.Exchange, decided bool) {
	if decided {
		s.publish(x)
	}
	s.countDrift(x)
}

// Serve answers connections of the listener until Shutdown, then it returns nil. The listener is closed on return.
// A listener on anything but loopback speaks TLS, and is refused without a certificate.
func (s *Server) Serve(l net.Listener) error {
	served, err := transport.NewListener(l, s.deps.TLS, s.cfg.Connections)
	if err != nil {
		l.Close()
		return err
	}
	s.mu.Lock()
	s.listener = served
	if s.stopped {
		_ = served.Close() // as the listener of the system is closed, whatever it says
	}
	s.mu.Unlock()
	return s.app.Listener(served)
}

// Shutdown stops accepting and waits until the requests in work have their answers. When ctx ends first, what still
// runs is cancelled and the error says so.
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.frame.End()
	s.frame.EndStreams()
	s.hurry()
	err := s.app.ShutdownWithContext(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.listener != nil {
		_ = s.listener.Close() // the server below knows it only once it has begun to serve
	}
	return err
}

// hurryGrace is how long a connection that is silent when the server stops may still begin a request.
const hurryGrace = time.Second

func (s *Server) hurry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		s.listener.Hurry(hurryGrace)
	}
}
