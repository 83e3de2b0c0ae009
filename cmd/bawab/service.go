package main

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/service"
	"github.com/bawab/bawab/cmd/bawab/command"
)

func serviceCommand() *cobra.Command {
	verb := func(name, short, long string, act func(ctx context.Context, t *command.Terminal) error) *cobra.Command {
		return command.Leaf(&cobra.Command{
			Use: name, Short: short,
			Long: long,
		}, func(*flag.FlagSet) command.Action {
			return func(ctx context.Context, t *command.Terminal, _ []string) error { return act(ctx, t) }
		})
	}
	return command.Group(
		&cobra.Command{
			Use: "service", Short: "install, start and stop the daemon as a system service",
			Long: `Runs the daemon as the systemd service bawab.service, with the unit that this binary carries: as the user bawab, without
any privilege, seeing no other device than cameras, talking to no network that was not named.`,
		},
		command.Leaf(&cobra.Command{
			Use: "install", Short: "make the account and the unit, and let it start with the machine",
			Long: `Makes the user bawab and the unit, and lets the service start with the machine. With a package installed, it only
does what is still missing. --allow admits networks to the service: without it the system lets nothing but this
machine itself reach it, whatever the configuration says. Call it again to change them. Start it with
` + "`bawab service start`" + `.`,
		}, func(fs *flag.FlagSet) command.Action {
			allow := fs.String("allow", "", "`LIST` of networks and addresses that the system lets through, as 10.0.0.0/8,192.168.1.20")
			return func(ctx context.Context, t *command.Terminal, _ []string) error {
				return installService(ctx, t, *allow)
			}
		}),
		verb(
			"uninstall",
			"stop the service and remove its unit",
			"Stops the service and removes its unit. Data, configuration and account stay.",
			func(ctx context.Context, t *command.Terminal) error { return service.Uninstall(ctx, t.Out) },
		),
		verb(
			"start",
			"start the service",
			"Starts the service and waits until it is ready.",
			func(_ context.Context, t *command.Terminal) error { return service.Act(t.Out, "start") },
		),
		verb(
			"stop",
			"stop the service",
			"Stops the service; requests in work get their answers first.",
			func(_ context.Context, t *command.Terminal) error { return service.Act(t.Out, "stop") },
		),
		verb("status", "tell how the service is", "Says whether the service runs. Exit code 1 when it does not.",
			func(_ context.Context, t *command.Terminal) error { return service.Status(t.Out) }),
		command.Leaf(&cobra.Command{
			Use: "logs", Short: "print the log of the service",
			Long: "Prints the log of the service since the machine started.",
		}, func(fs *flag.FlagSet) command.Action {
			follow := fs.Bool("follow", false, "go on as the log grows")
			lines := fs.Int("lines", 200, "print the last `N` lines")
			return func(ctx context.Context, t *command.Terminal, _ []string) error {
				return service.Logs(ctx, t.Out, t.Errs, *lines, *follow)
			}
		}),
	)
}

// installService installs the service and admits the networks of a list.
func installService(ctx context.Context, t *command.Terminal, list string) error {
	var networks []netip.Prefix
	if list != "" {
		var err error
		networks, err = access.ParseAllow(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }))
		if err != nil || len(networks) == 0 {
			return &command.UsageError{Msg: "--allow " + fmt.Sprintf("%q", list) + " is no list of networks, as 10.0.0.0/8,192.168.1.20"}
		}
	}
	return service.Install(ctx, t.Out, networks)
}
