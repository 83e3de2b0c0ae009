// Package control is the socket through which the command line reaches the running daemon of a data folder, with its client.
package control

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/go-json-experiment/json"
	"github.com/gofiber/fiber/v2"
)

// Deps are the parts that the control socket works with.
type Deps struct {
	Keys *appliance.Keyring
	// CheckStore examines the store while it is in use.
	CheckStore func(context.Context) ([]appliance.Check, error)
	// Store may be nil: then it is not administered through the socket.
	Store Store
	// Review may be nil: then the review queue is not reached through the socket.
	Review Review
	// Status describes the running daemon.
	Status func() state.Status
	// Reload reads configuration and certificate again.
	Reload func() (Reloaded, error)
	// SwitchModels goes over to the model set that is installed; it may be nil.
	SwitchModels func() (state.ModelsInUse, error)
	// LetIn lets a kiosk screen in by the code that it shows; it may be nil.
	LetIn func(ctx context.Context, name, code string) (address string, err error)
	// Journal may be nil.
	Journal Journal
	Log     *slog.Logger
}

// socketName is the name of the socket in the data folder.
const socketName = "bawab.sock"

// Socket serves the control socket DIR/bawab.sock, through which the command line reaches the running daemon.
// Whoever can open the socket may do everything: its mode is 0600.
type Socket struct {
	dir  string
	deps Deps
	app  *fiber.App
	done chan struct{}
	once sync.Once
	// listener is nil until Open. The server closes it too, but only once it has begun to serve.
	listener net.Listener
}

// New makes a control socket for the data folder; it does no I/O.
func New(dir string, d Deps) *Socket {
	c := &Socket{dir: dir, deps: d, done: make(chan struct{})}
	c.app = fiber.New(fiber.Config{
		Immutable: true, CaseSensitive: true, StrictRouting: true, DisableStartupMessage: true,
		ReadTimeout: 10 * time.Second, IdleTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		BodyLimit: 64 << 10, ErrorHandler: c.fail,
	})
	c.app.Use(func(ctx *fiber.Ctx) error { return route.Guard(ctx) })
	c.app.Get("/keys", c.listKeys)
	c.app.Post("/keys", c.addKey)
	c.app.Delete("/keys/:name", c.revokeKey)
	c.app.Post("/store/check", c.checkStore)
	c.app.Post("/screens", c.letIn)
	c.app.Get("/status", c.status)
	c.app.Post("/reload", c.reload)
	c.journalRoutes()
	c.modelRoutes()
	c.storeRoutes()
	c.reviewRoutes()
	return c
}

// Open listens on the socket (mode 0600) and serves it in the background. A socket that a dead daemon left behind is
// replaced; a living one is an error.
func (c *Socket) Open(ctx context.Context) error {
	l, err := listen(ctx, c.dir)
	if err != nil {
		return err
	}
	c.listener = l
	go func() {
		defer close(c.done)
		if err := c.app.Listener(l); err != nil {
			c.deps.Log.Error("control socket ended", "error", err)
		}
	}()
	return nil
}

// Close stops serving and removes the socket. It is safe to call twice.
func (c *Socket) Close() error {
	if c.listener == nil {
		return nil
	}
	var err error
	c.once.Do(func() {
		err = os.Remove(filepath.Join(c.dir, socketName))
		if errors.Is(err, os.ErrNotExist) {
			err = nil // somebody removed it: an order to stop is followed all the same
		}
		err = errors.Join(c.app.ShutdownWithTimeout(5*time.Second), err)
		c.listener.Close()
		<-c.done
	})
	return err
}

// listen makes the socket under another name, narrows its mode and only then moves it into its place, so that
// it is never there with a wider mode.
func listen(ctx context.Context, dir string) (net.Listener, error) {
	conn, err := dial(ctx, dir)
	if err == nil {
		conn.Close()
		return nil, &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "open control socket",
			Msg: "another daemon serves this data folder", Hint: "stop it first, or give this one another --data folder",
		}
	}
	folder, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	defer folder.Close()
	temporary := socketName + "." + strconv.Itoa(os.Getpid())
	if err := os.Remove(filepath.Join(dir, temporary)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", short(folder, temporary))
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	err = os.Chmod(filepath.Join(dir, temporary), 0o600)
	if err == nil {
		err = os.Rename(filepath.Join(dir, temporary), filepath.Join(dir, socketName))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open control socket: %w", err), l.Close(), os.Remove(filepath.Join(dir, temporary)))
	}
	return l, nil
}

// short names a file of an open folder by a path that fits into a socket address, which holds 107 bytes.
func short(folder *os.File, name string) string {
	return fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), name)
}

// dial connects to a living daemon; without one the error is ErrNoDaemon.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	folder, err := os.Open(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoDaemon
	}
	if err != nil {
		return nil, fmt.Errorf("reach the daemon: %w", err)
	}
	defer folder.Close()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", short(folder, socketName))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, ErrNoDaemon
	}
	if err != nil {
		return nil, fmt.Errorf("reach the daemon: %w", err)
	}
	return conn, nil
}

// failure is an error on its way through the socket.
type failure struct {
	Code appliance.Code
	Msg  string
	Hint string
}

func (c *Socket) fail(ctx *fiber.Ctx, err error) error {
	out := failure{Code: appliance.CodeInternal, Msg: err.Error()} // the caller is the operator
	var e *appliance.Error
	if errors.As(err, &e) {
		out = failure{Code: e.Code, Msg: e.Error(), Hint: e.Hint}
	}
	return reply(ctx.Status(wire.HTTPStatus(out.Code)), out)
}

// accept reads the request. Its body is taken as it came: Body would also undo compressions, which nobody uses here and
// whose code, with a dictionary of web pages, would have to be carried along.
func accept(ctx *fiber.Ctx, v any) error {
	if err := json.Unmarshal(ctx.BodyRaw(), v); err != nil {
		return &appliance.Error{Code: appliance.CodeBadRequest, Msg: "the request is not valid", Err: err}
	}
	return nil
}

func reply(ctx *fiber.Ctx, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return route.Succeed(ctx, b)
}

// newKey is the request to add a key.
type newKey struct {
	Name          string
	Scopes        []appliance.Scope
	Expires       time.Time
	RatePerMinute int
	Origins       []string `json:",omitempty"`
}

func (c *Socket) addKey(ctx *fiber.Ctx) error {
	var k newKey
	if err := accept(ctx, &k); err != nil {
		return err
	}
	secret, err := c.deps.Keys.Add(ctx.Context(), appliance.Key{Name: k.Name, Scopes: k.Scopes, Expires: k.Expires, RatePerMinute: k.RatePerMinute, Origins: k.Origins})
	if err != nil {
		return err
	}
	return reply(ctx, secret)
}

func (c *Socket) listKeys(ctx *fiber.Ctx) error {
	keys := c.deps.Keys.List()
	for i := range keys {
		clear(keys[i].Hash[:])
	}
	return reply(ctx, keys)
}

func (c *Socket) revokeKey(ctx *fiber.Ctx) error {
	if err := c.deps.Keys.Revoke(ctx.Context(), ctx.Params("name")); err != nil {
		return err
	}
	return reply(ctx, true)
}

func (c *Socket) checkStore(ctx *fiber.Ctx) error {
	checks, err := c.deps.CheckStore(ctx.Context())
	if err != nil {
		return err
	}
	return reply(ctx, checks)
}

func (c *Socket) status(ctx *fiber.Ctx) error { return reply(ctx, c.deps.Status()) }

// Reloaded tells which keys of the configuration have changed, by dotted path: those that the daemon took over, and
// those that need a restart. "models" stands for another model set.
type Reloaded struct {
	Taken   []string
	Restart []string
}

func (c *Socket) reload(ctx *fiber.Ctx) error {
	r, err := c.deps.Reload()
	if err != nil {
		return err
	}
	return reply(ctx, r)
}
