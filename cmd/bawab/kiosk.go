package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance/httpapi"
)

func keysScreenCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "screen NAME CODE", Short: "let a kiosk screen in",
		Long: `Lets the kiosk screen in that shows CODE, and names it. Its key is kept in a cookie of that screen's browser, counts from that
address alone and opens nothing but the kiosk's own steps. Take it back with ` + "`bawab keys revoke NAME`" + `. The daemon must run.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		return func(ctx context.Context, t *terminal, args []string) error {
			return letScreenIn(ctx, t, p, args[0], args[1])
		}
	})
}

func letScreenIn(ctx context.Context, t *terminal, p place, name, code string) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	client, err := dialRunning(cfg, "let a screen in")
	if err != nil {
		return err
	}
	defer client.Close()
	address, err := client.LetIn(ctx, httpapi.Screen{Name: name, Code: code})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "%s is the screen at %s\n", name, address)
	return err
}
