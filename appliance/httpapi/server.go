package httpapi

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Config holds the limits of the server. DefaultConfig returns the values of the contract; a zero value means no
// limit nowhere: every field must be set.
type Config struct {
	// BodyBytes bounds a request body, LivenessBytes that of a liveness request with its three pictures.
	BodyBytes     int
	LivenessBytes int
	// BufferedBytes bounds all request bodies in memory together; above it a request is answered 503.
	BufferedBytes int64
	// PictureBytes bounds one picture after base64.
	PictureBytes int
	// HeaderBytes bounds the request line and the headers together.
	HeaderBytes int
	// HeaderTimeout runs from the first byte of a request (or the connect) to the end of its headers,
	// RequestTimeout to the end of its body. IdleTimeout ends an unused connection, WriteTimeout one that does
	// not take its answer.
	HeaderTimeout  time.Duration
	RequestTimeout time.Duration
	IdleTimeout    time.Duration
	WriteTimeout   time.Duration
	// Connections bounds the open connections; further ones wait until one ends.
	Connections int
	// WrongKeysPerMinute is how many wrong keys one address may send a minute before it is answered 429.
	WrongKeysPerMinute int
}

// DefaultConfig returns the limits of the contract.
func DefaultConfig() Config {
	return Config{
		BodyBytes: 16 << 20, LivenessBytes: 40 << 20, BufferedBytes: 256 << 20, PictureBytes: 8 << 20, HeaderBytes: 16 << 10,
		HeaderTimeout: 10 * time.Second, RequestTimeout: 60 * time.Second, IdleTimeout: 60 * time.Second, WriteTimeout: 30 * time.Second,
		Connections: 1024, WrongKeysPerMinute: 60,
	}
}

// Deps are the parts that the server works with. Now is the clock; Log must not be nil.
type Deps struct {
	Appliance *appliance.Appliance
	Keys      *appliance.Keyring
	Health    Health
	Log       *slog.Logger
	Version   string
	Now       func() time.Time
}

// Health tells the server how the appliance is. Every function may be called at any time from any goroutine; a nil
// one counts as "fine" or 0.
type Health struct {
	// Ready returns nil once requests can be answered.
	Ready func() error
	// Warnings lists the lasting conditions that hold now.
	Warnings func() []appliance.Warning
	// QueueDepth is how many tasks run or wait.
	QueueDepth func() int
	// StoreBytes is the size of the store on disk.
	StoreBytes func() int64
}

// Server answers the HTTP API.
type Server struct {
	cfg  Config
	deps Deps
}

// New makes a server; it does no I/O.
func New(cfg Config, d Deps) *Server { return &Server{cfg: cfg, deps: d} }

// Serve answers connections of the listener until Shutdown, then it returns nil. The listener is closed on return.
func (s *Server) Serve(l net.Listener) error { return nil }

// Shutdown stops accepting and waits until the requests in work have their answers. When ctx ends first, what still
// runs is cancelled and the error says so.
func (s *Server) Shutdown(ctx context.Context) error { return nil }
