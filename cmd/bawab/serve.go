package main

import (
	"context"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/configs"
)

func serveCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "serve", Short: "run the daemon",
		Long: `Runs the daemon until it gets SIGINT or SIGTERM; then it finishes the requests in work and stops. On SIGHUP it reads its
configuration again, like ` + "`bawab reload`" + `. On any address but loopback it speaks TLS 1.3 alone, with a certificate of its own
unless the configuration names one.

At the first start, when there is no API key yet, it makes one with every scope and prints it once on standard output,
with a command that tries it. Under systemd it prints no key, because the journal would keep it: make one with
` + "`bawab keys add`" + `. The log goes to standard error.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		listen := fs.String("listen", "", "`ADDR` to listen on, HOST:PORT; overrides the configuration")
		return func(ctx context.Context, t *command.Terminal, _ []string) error {
			return daemon.Serve(ctx, daemon.Process{
				Version: version, Environ: t.Environ, Out: t.Out, Errs: t.Errs,
				Load: func() (*configs.Config, error) { return p.Load(t, map[string]string{"listen": *listen}) },
			})
		}
	})
}
