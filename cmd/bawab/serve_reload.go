package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"
)

func reloadCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "reload", Short: "let the running daemon read its configuration again",
		Long: `Lets the running daemon read its configuration and its certificate again, as SIGHUP does, and waits for the outcome.
It takes over who may call (http.allow), the limits of requests and wrong keys, the level of the log, the certificate
and a set of networks that was installed, and loses no request. The other keys are named: they need a restart. When something is wrong, the daemon
goes on with what it had.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		return func(ctx context.Context, t *terminal, _ []string) error { return reload(ctx, t, p) }
	})
}

func reload(ctx context.Context, t *terminal, p place) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	client, err := dialRunning(cfg, "reload")
	if err != nil {
		return err
	}
	defer client.Close()
	r, err := client.Reload(ctx)
	if err != nil {
		return err
	}
	taken := "nothing has changed"
	if len(r.Taken) > 0 {
		taken = "taken over: " + strings.Join(r.Taken, ", ")
	}
	fmt.Fprintln(t.out, taken)
	if len(r.Restart) > 0 {
		fmt.Fprintln(t.out, "need a restart: "+strings.Join(r.Restart, ", "))
	}
	return nil
}
