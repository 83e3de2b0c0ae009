package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
)

func reloadCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "reload", Short: "let the running daemon read its configuration again",
		Long: `Lets the running daemon read its configuration and its certificate again, as SIGHUP does, and waits for the outcome.
It takes over who may call (http.allow), the limits of requests and wrong keys, the level of the log, the certificate
and a set of networks that was installed, and loses no request. The other keys are named: they need a restart. When something is wrong, the daemon
goes on with what it had.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		return func(ctx context.Context, t *command.Terminal, _ []string) error { return reload(ctx, t, p) }
	})
}

func reload(ctx context.Context, t *command.Terminal, p command.Place) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	client, err := reach.Running(cfg, "reload")
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
	fmt.Fprintln(t.Out, taken)
	if len(r.Restart) > 0 {
		fmt.Fprintln(t.Out, "need a restart: "+strings.Join(r.Restart, ", "))
	}
	return nil
}
