package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/configs"
)

func serveCommand() command {
	return command{
		name: "serve", short: "run the daemon",
		long: `Runs the daemon until it gets SIGINT or SIGTERM; then it finishes the requests in work and stops.

At the first start, when there is no API key yet, it makes one with every scope and prints it once on standard output,
with a command that tries it. Under systemd it prints no key, because the journal would keep it: make one with
` + "`bawab keys add`" + `. The log goes to standard error.`,
		setup: func(fs *flag.FlagSet) action {
			var p place
			p.flags(fs)
			listen := fs.String("listen", "", "`ADDR` to listen on, HOST:PORT; overrides the configuration")
			return func(ctx context.Context, t *terminal, _ []string) error {
				cfg, err := p.load(t, map[string]string{"listen": *listen})
				if err != nil {
					return err
				}
				return serve(ctx, t, cfg)
			}
		},
	}
}

// newLog makes the log of the daemon on standard error.
func newLog(w io.Writer, c configs.Log) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		level = slog.LevelInfo // configs allows only names that slog knows
	}
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "text" {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// collectEarly keeps the memory of the process flat: little lives long, and each reading needs several times as much for
// a moment, so that the heap would swing between once and twice its size. Collecting sooner costs a millisecond a
// reading. A GOGC of the operator's own stays.
func collectEarly(environ []string) {
	if getenv(environ, "GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// serve runs the daemon until ctx ends.
func serve(ctx context.Context, t *terminal, cfg *configs.Config) (err error) {
	if err := httpapi.CheckListen(cfg.Listen); err != nil {
		return err
	}
	collectEarly(t.environ)
	d := newDaemon(cfg, t.environ, newLog(t.errs, cfg.Log))
	if err := d.Open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.greet(ctx, t); err != nil {
		return err
	}
	if err := d.openControl(ctx); err != nil {
		return err
	}
	if err := notify(t.environ, "READY=1"); err != nil {
		d.log.Warn("systemd was not told", "error", err)
	}
	err = d.Run(ctx)
	if err := notify(t.environ, "STOPPING=1"); err != nil {
		d.log.Warn("systemd was not told", "error", err)
	}
	return err
}

// samplePicture is the passport that the repository carries to try the appliance with.
const samplePicture = "models/samples/passport.jpg"

// greet says where the daemon listens and, at the first start, makes a key and shows it, unless nobody is there to
// see it.
func (d *daemon) greet(ctx context.Context, t *terminal) error {
	if service(t.environ, t.out) {
		return nil
	}
	address := d.address()
	fmt.Fprintf(t.out, "bawab %s serves http://%s, its data is in %s\n", version, address, d.cfg.Data)
	if len(d.keys.List()) > 0 {
		return nil
	}
	secret, err := d.keys.Add(ctx, appliance.Key{Name: "first", Scopes: appliance.Scopes()})
	if err != nil {
		return fmt.Errorf("make the first key: %w", err)
	}
	picture := samplePicture
	if _, err := os.Stat(picture); err != nil {
		picture = "PICTURE.jpg"
	}
	if _, err := fmt.Fprintf(t.out, `
This is the first start. Here is an API key for everything, named "first"; it is shown only now:

%s

Try it on a passport:

{ printf '{"image":"'; base64 -w0 %s; printf '"}'; } | curl -sS http://%s/v1/ocr/passport -H 'Content-Type: application/json' -H 'ApiKey: %s' --data-binary @-

`, secret, picture, address, secret); err != nil {
		// Nobody has seen the key, so nobody may have it.
		return errors.Join(fmt.Errorf("show the first key: %w", err), d.keys.Revoke(ctx, "first"))
	}
	return nil
}
