package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
)

func keysScreenCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "screen NAME CODE...", Short: "let a kiosk screen in",
		Long: `Lets the kiosk screen in that shows CODE, written with its hyphen or as two words, and names it. Its key is kept
in a cookie of that screen's browser, counts from that address alone and opens nothing but the kiosk's own steps.
Take it back with ` + "`bawab keys revoke NAME`" + `. The daemon must run.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			return letScreenIn(ctx, t, p, args[0], strings.Join(args[1:], ""))
		}
	})
}

func letScreenIn(ctx context.Context, t *command.Terminal, p command.Place, name, code string) error {
	cfg, err := p.Load(t, nil)
	if err != nil {
		return err
	}
	client, err := reach.Running(cfg, "let a screen in")
	if err != nil {
		return err
	}
	defer client.Close()
	address, err := client.LetIn(ctx, control.Screen{Name: name, Code: code})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "%s is the screen at %s\n", name, address)
	return err
}
