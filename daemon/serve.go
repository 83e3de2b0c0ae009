package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/systemd"
	"golang.org/x/sys/unix"
)

// newLog makes the log of the daemon on standard error. Its level may change while it is in use.
func newLog(w io.Writer, c configs.Log, level *slog.LevelVar) *slog.Logger {
	setLevel(level, c)
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "text" {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// CollectEarly keeps the memory of the process flat: little lives long, and each reading needs several times as much for
// a moment, so that the heap would swing between once and twice its size. Collecting sooner costs a millisecond a
// reading. From heapGoal on garbage is collected before more memory is taken. A GOGC and a GOMEMLIMIT of the operator's own
// stay.
func CollectEarly(environ []string) {
	if systemd.Getenv(environ, "GOGC") == "" {
		debug.SetGCPercent(50)
	}
	if systemd.Getenv(environ, "GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapGoal)
	}
}

// withoutCore keeps the kernel from writing the memory of the process to a disk when it crashes: pictures, names and keys are in it. The
// unit file says so too, but the daemon may be started by other means. Beside the limit the process is marked as not dumpable, because the
// limit does not count for a program that the kernel pipes dumps to.
func withoutCore() error {
	return errors.Join(syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}), unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
}

// heapGoal is how much memory of its own Go may hold before it collects at every turn and gives back what is free. A picture of 25
// million pixels needs up to 190 MB while it is decoded and 38 afterwards; networks and files, which do not count, take 90 to 150, and the
// unit file grants 1,024.
const heapGoal = 128 << 20

// Process is what the daemon needs to know of the process that it runs in.
type Process struct {
	Version string    // of the program
	Environ []string  // as os.Environ gives it
	Out     io.Writer // greets whoever started it
	Errs    io.Writer // gets the log
	// Load gathers the configuration, at the start and again at each SIGHUP.
	Load func() (*configs.Config, error)
	// AdjustStore may change how the store is opened; tests alone set it.
	AdjustStore func(*store.Config)
}

// Serve runs the daemon until ctx ends.
func Serve(ctx context.Context, p Process) (err error) {
	cfg, err := p.Load()
	if err != nil {
		return err
	}
	if err := transport.CheckListen(cfg.Listen); err != nil {
		return err
	}
	CollectEarly(p.Environ)
	inference.FewArenas()
	level := new(slog.LevelVar)
	d := newDaemon(cfg, p.Version, p.Environ, newLog(p.Errs, cfg.Log, level))
	if err := withoutCore(); err != nil {
		d.log.Warn("core dumps are not forbidden", "error", err)
	}
	d.again, d.level, d.adjust = p.Load, level, p.AdjustStore
	signal.Notify(d.hup, syscall.SIGHUP)
	defer signal.Stop(d.hup)
	if err := d.Open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.greet(ctx, p.Out); err != nil {
		return err
	}
	if err := d.openControl(ctx); err != nil {
		return err
	}
	d.tell("READY=1")
	err = d.Run(ctx)
	d.tell("STOPPING=1")
	return err
}

// samplePicture is the passport that the repository carries to try the appliance with.
const samplePicture = "models/samples/passport.jpg"

// base is where the API is reached from this machine, and what curl needs to trust its certificate.
func (d *daemon) base() (url, trust string) {
	if d.certificate == nil {
		return "http://" + d.address(), ""
	}
	host, port, err := net.SplitHostPort(d.address())
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	i := d.certificate.Info()
	if !i.Own {
		return "https://" + net.JoinHostPort(host, port), "-k "
	}
	return "https://" + net.JoinHostPort(host, port), "--cacert " + i.Trust + " "
}

// greet says where the daemon listens and, at the first start, makes a key and shows it, unless nobody is there to
// see it.
func (d *daemon) greet(ctx context.Context, out io.Writer) error {
	if systemd.KeepsOutput(d.environ, out) {
		return nil
	}
	base, trust := d.base()
	fmt.Fprintf(out, "Try it in a browser: %s/console/\nbawab %s serves %s, its data is in %s\n", base, d.version, base, d.cfg.Data)
	if d.certificate != nil {
		fmt.Fprintf(out, "SHA-256 fingerprint of its certificate: %s\n", d.certificate.Info().Fingerprint)
	}
	if len(d.keys.List()) > 0 {
		_, err := fmt.Fprintf(out, "In a second terminal `bawab keys add NAME --scopes ocr --data %s` makes another API key.\n", d.cfg.Data)
		return err
	}
	secret, err := d.keys.Add(ctx, appliance.Key{Name: "first", Scopes: appliance.Scopes()})
	if err != nil {
		return fmt.Errorf("make the first key: %w", err)
	}
	picture := samplePicture
	if _, err := os.Stat(picture); err != nil {
		picture = "PICTURE.jpg"
	}
	if _, err := fmt.Fprintf(out, `
This is the first start. Here is an API key for everything, named "first"; it is shown only now:

%s

Sign in with it on the page above, or read a passport in a second terminal, in this folder:

{ printf '{"image":"'; base64 -w0 %s; printf '"}'; } | curl -sS %s%s/v1/ocr/passport -H 'Content-Type: application/json' -H 'ApiKey: %s' --data-binary @-

`, secret, picture, trust, base, secret); err != nil {
		// Nobody has seen the key, so nobody may have it.
		return errors.Join(fmt.Errorf("show the first key: %w", err), d.keys.Revoke(ctx, "first"))
	}
	return nil
}
