package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/configs"
)

func configCommand() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "config", Short: "show and check the configuration",
		Long: `Shows the configuration. It is gathered from the defaults, then the file, then variables such as
BAWAB_STORE_TTL=45m, then the command line: the later wins. A key that does not exist is an error.`,
	},
		command.Leaf(&cobra.Command{
			Use: "print", Short: "print what would be used, as a commented YAML file",
			Long: "Prints the configuration that `bawab serve` would use now, as a YAML file with every key explained.\nIt ends with exit code 1 and names every problem when there is one.",
		}, func(fs *flag.FlagSet) command.Action {
			var p command.Place
			p.Flags(fs)
			return func(_ context.Context, t *command.Terminal, _ []string) error {
				c, err := p.Load(t, nil)
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(t.Out, c.YAML())
				return err
			}
		}),
		command.Leaf(&cobra.Command{
			Use: "table", Short: "print all keys as a Markdown table",
			Long: "Prints all keys with default, limits and meaning as the Markdown table of the README.",
		}, printed(configs.Table)),
		command.Leaf(&cobra.Command{
			Use: "schema", Short: "print the JSON schema of the file",
			Long: "Prints a JSON schema of the configuration file, for editors that complete and check YAML.",
		}, printed(configs.Schema)),
	)
}

// printed is the setup of a command that prints one text.
func printed(text func() string) func(*flag.FlagSet) command.Action {
	return func(*flag.FlagSet) command.Action {
		return func(_ context.Context, t *command.Terminal, _ []string) error {
			_, err := fmt.Fprint(t.Out, text())
			return err
		}
	}
}

func versionCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "version", Short: "print version and build",
		Long: "Prints the version, the Go version and the platform of this binary.",
	}, printed(versionLine))
}
