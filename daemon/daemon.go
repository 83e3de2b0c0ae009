// Package daemon is the running appliance: store, networks, camera and API, opened in order and closed in reverse, and what it
// looks after while it runs. The commands share with it where things lie in a data folder and how administration is noted.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/appliance/drift"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/camera"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/journal"
	"github.com/bawab/bawab/daemon/watch"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/etcd"
	"github.com/bawab/bawab/systemd"
)

// daemon is the running appliance: its parts, opened in order and closed in reverse.
type daemon struct {
	cfg     *configs.Config
	version string // of the program
	environ []string
	log     *slog.Logger
	started time.Time

	store   *store.Store
	branch  *etcd.Store // nil where this kiosk keeps its transactions itself
	journal *journal.Journal
	ready   atomic.Bool // the networks are open and the API is served
	engine  atomic.Pointer[engine.Engine]
	vigil   *watch.Vigil
	// appliance gets other networks when models are switched; switching is held meanwhile, and trial watches the new ones.
	appliance *usecase.Appliance
	switching sync.Mutex
	trial     *modelTrial
	camera    *camera.Camera // nil without one
	keys      *appliance.Keyring
	queue     *queue.Queue
	server    *httpapi.Server
	listener  net.Listener
	// certificate is nil where only this machine itself can call.
	certificate *certificate.Keeper
	check       *watch.Check
	drift       *drift.Watch
	clock       watch.Clock
	unkept      atomic.Pointer[error] // why the last picture that should have been kept for review was not; nil where it was

	// again loads the configuration anew, level is that of the log, hup takes the signals to reload. loaded is the
	// configuration as it was last loaded, while cfg stays that of the start; reloading guards it.
	again     func() (*configs.Config, error)
	level     *slog.LevelVar
	hup       chan os.Signal
	reloading sync.Mutex
	loaded    *configs.Config

	// adjust may change how the store is opened; it is set by tests alone.
	adjust func(*store.Config)

	opened []closer
	served chan error
}

// closer is one part that was opened.
type closer struct {
	name  string
	close func() error
}

// newDaemon makes a daemon; Open does the work.
func newDaemon(cfg *configs.Config, version string, environ []string, log *slog.Logger) *daemon {
	return &daemon{
		cfg:     cfg,
		version: version,
		loaded:  cfg,
		hup:     make(chan os.Signal, 1),
		environ: environ,
		log:     log,
		started: time.Now(),
		vigil:   watch.NewVigil(),
		trial:   newModelTrial(log),
		served:  make(chan error, 1),
	}
}

// Open brings up store, networks, camera and API in this order and begins to serve. When one fails, those before it are
// closed again.
func (d *daemon) Open(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := d.openStore(ctx); err != nil {
		return err
	}
	if err := d.openNetworks(ctx); err != nil {
		return err
	}
	if err := d.openCamera(ctx); err != nil {
		return err
	}
	return d.openAPI(ctx)
}

func (d *daemon) push(name string, close func() error) {
	d.opened = append(d.opened, closer{name, close})
}

func (d *daemon) openStore(ctx context.Context) error {
	cfg := StoreConfig(d.cfg, d.environ, d.log)
	if d.adjust != nil {
		d.adjust(&cfg)
	}
	lost := journal.Orphaned(cfg.Dir)
	d.store = store.New(cfg)
	if err := d.store.Open(ctx); err != nil {
		return err
	}
	d.push("store", d.store.Close)
	if lost {
		d.log.Warn("the data folder had a journal and no database: a new one is begun, with the old appliance key and after the old journal",
			"folder", cfg.Dir, "hint", "where it should not be gone, stop the daemon and put a backup back with `bawab store restore`")
	}
	if err := d.openJournal(ctx); err != nil {
		return err
	}
	if err := d.openDrift(ctx); err != nil {
		return err
	}
	d.keys = appliance.NewKeyring(appliance.JournaledKeys(d.store, d.journal), time.Now)
	if err := d.keys.Load(ctx); err != nil {
		return fmt.Errorf("load keys: %w", err)
	}
	if err := d.openBranch(ctx); err != nil {
		return err
	}
	run, stop := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { d.store.Run(run, d.cfg.Store.Sweep) })
	upkeep.Go(func() { d.eachInterval(run, "the use of keys was not recorded", d.keys.Flush) })
	d.push("upkeep", func() error {
		stop()
		upkeep.Wait()
		return d.flush()
	})
	return nil
}

// upkeepInterval is how often the daemon writes down what it counts: the last uses of keys, refused requests. A kill in between
// loses only them.
const upkeepInterval = time.Minute

// eachInterval calls do once every upkeepInterval until ctx ends, and warns of what fails.
func (d *daemon) eachInterval(ctx context.Context, warning string, do func(context.Context) error) {
	tick := time.NewTicker(upkeepInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				d.log.Error(warning, "error", err)
			}
		}
	}
}

// flush writes the last uses of keys on a context of its own: the daemon's has ended by then.
func (d *daemon) flush() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return d.keys.Flush(ctx)
}

func (d *daemon) openAPI(ctx context.Context) error {
	captures, err := d.capturer(ctx)
	if err != nil {
		return err
	}
	policy, err := policyOf(d.cfg)
	if err != nil {
		return err
	}
	secure, err := d.openCertificate()
	if err != nil {
		return err
	}
	pages, err := d.console()
	if err != nil {
		return err
	}
	customers, err := d.kiosk(ctx, captures)
	if err != nil {
		return err
	}
	h := d.cfg.HTTP
	d.server = httpapi.New(httpapi.Config{
		BodyBytes: int(h.MaxBodyBytes), LivenessBytes: int(h.MaxLivenessBodyBytes), BufferedBytes: int64(h.MaxBufferedBytes),
		PictureBytes: int(d.cfg.Picture.MaxBytes), HeaderBytes: int(h.MaxHeaderBytes),
		HeaderTimeout: h.HeaderTimeout, RequestTimeout: h.ReadTimeout, IdleTimeout: h.IdleTimeout, WriteTimeout: h.WriteTimeout,
		Lull: httpapi.DefaultConfig().Lull, Connections: h.MaxConnections, Policy: policy,
	}, httpapi.Deps{
		Appliance: d.appliance, Keys: d.keys, Health: d.health(), Log: d.log, Version: d.version, Now: time.Now, TLS: secure,
		Journal: d.journal, Camera: captures, Console: pages, Review: d.review(), Drift: d.drift, Kiosk: customers,
		Erase: d.noted().EraseFor,
	})
	listener, err := transport.Listen(ctx, d.cfg.Listen)
	if err != nil {
		return err
	}
	d.listener = listener
	go func() { d.served <- d.server.Serve(listener) }()
	d.push("API", d.drain)
	d.ready.Store(true)
	return nil
}

// closeEngine frees the networks. One that is still at work after the drain is not waited for long, and not freed
// under its feet either: the process is about to end.
func (d *daemon) closeEngine() error {
	done := make(chan error, 1)
	go func() { done <- d.engine.Load().Close() }()
	select {
	case err := <-done:
		return err
	case <-time.After(engineGrace):
		return errors.New("a network is still at work")
	}
}

// engineGrace is far longer than any network runs.
const engineGrace = 5 * time.Second

// drain lets the requests in work finish.
func (d *daemon) drain() error {
	ctx, cancel := context.WithTimeout(context.Background(), d.cfg.HTTP.DrainTimeout)
	defer cancel()
	err := d.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return &appliance.Error{
			Op: "stop", Msg: fmt.Sprintf("requests that had not finished after %v were cut off", d.cfg.HTTP.DrainTimeout),
			Hint: "give them more time with http.drain_timeout", Err: err,
		}
	}
	return err
}

// openControl opens the control socket. It comes last: whoever finds it finds a daemon that is ready.
func (d *daemon) openControl(ctx context.Context) error {
	control := control.New(d.cfg.Data, control.Deps{
		Keys: d.keys, Status: d.status, Reload: d.reload, SwitchModels: d.switchNow, LetIn: d.server.LetIn, Log: d.log, Journal: d.journal,
		Store: d.noted(), Review: d.noted(),
		CheckStore: func(ctx context.Context) ([]appliance.Check, error) {
			report, err := d.store.Check(ctx)
			return ReportChecks(report), err
		},
	})
	if err := control.Open(ctx); err != nil {
		return err
	}
	d.push("control socket", control.Close)
	d.log.Info("ready", "listen", d.address(), "version", d.version, "workers", d.engine.Load().Workers,
		"seconds", time.Since(d.started).Seconds())
	return nil
}

// Run waits until ctx ends or the daemon cannot go on, and tells the service manager that it is alive after each self-check that it
// passed. What takes its time, as a reload that opens other networks, is done beside that.
func (d *daemon) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		d.follow(ctx)
	}()
	defer func() {
		stop()
		select {
		case <-changed:
		case <-time.After(engineGrace): // a network may never return, and the process is about to end
			d.log.Warn("a switch of the models is still under way")
		}
	}()
	alive := time.NewTicker(systemd.WatchdogInterval(d.environ))
	defer alive.Stop()
	for {
		select {
		case <-ctx.Done():
			d.log.Info("stopping")
			return nil
		case err := <-d.served:
			return errors.Join(errors.New("the API ended by itself"), err)
		case now := <-alive.C:
			if stuck := d.vigil.Oldest(now); stuck > watch.StuckAfter*d.cfg.Picture.MaxTime {
				return fmt.Errorf("a reading has not returned for %v", stuck.Round(time.Second))
			}
			if err := d.cameraStuck(now); err != nil {
				return err
			}
			if by := d.clock.Look(now); by != 0 {
				d.log.Warn("the clock jumped, or this machine slept", "by", by.Round(time.Second).String())
			}
			if err := d.check.Problem(); err != nil {
				d.log.Error("the self-check failed", "error", err)
			}
			d.check.Begin(ctx)
		case <-d.check.Passed:
			d.tell("WATCHDOG=1")
		}
	}
}

// follow reloads when the daemon is told to, and goes back from models that fail on trial, one after the other, until ctx ends.
func (d *daemon) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-d.trial.failed:
			d.fallBack(f)
		case <-d.hup:
			d.reload() // it has told the log
		}
	}
}

// Close closes what Open opened, the last first, so that the store ends after everything that writes to it. It may be
// called twice.
func (d *daemon) Close() error {
	var errs []error
	for _, c := range slices.Backward(d.opened) {
		if err := c.close(); err != nil {
			d.log.Error("a part did not close", "part", c.name, "error", err)
			errs = append(errs, err)
		}
	}
	d.opened = nil
	return errors.Join(errs...)
}

// address is where the API listens, with the port that it got.
func (d *daemon) address() string { return d.listener.Addr().String() }

func (d *daemon) status() state.Status {
	e := d.engine.Load()
	s := state.Status{Version: d.version, PID: os.Getpid(), Started: d.started, Listen: d.address(), Warnings: d.warnings()}
	if d.certificate != nil {
		s.Fingerprint = d.certificate.Info().Fingerprint
	}
	s.Calibration = e.Calibration.SHA256
	for _, m := range e.Set.List() {
		s.Models = append(s.Models, state.Model{Name: m.Name, SHA256: m.SHA256})
	}
	return s
}
