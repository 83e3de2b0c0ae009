package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/bawab/bawab/configs"
)

func configCommand() command {
	return command{
		name: "config", short: "show and check the configuration",
		long: `Shows the configuration. It is gathered from the defaults, then the file, then variables such as
BAWAB_STORE_TTL=45m, then the command line: the later wins. A key that does not exist is an error.`,
		sub: []command{
			{
				name: "print", short: "print what would be used, as a commented YAML file",
				long: "Prints the configuration that `bawab serve` would use now, as a YAML file with every key explained.\nIt ends with exit code 1 and names every problem when there is one.",
				setup: func(fs *flag.FlagSet) action {
					var p place
					p.flags(fs)
					return func(_ context.Context, t *terminal, _ []string) error {
						c, err := p.load(t, nil)
						if err != nil {
							return err
						}
						_, err = fmt.Fprint(t.out, c.YAML())
						return err
					}
				},
			},
			{
				name: "table", short: "print all keys as a Markdown table", long: "Prints all keys with default, limits and meaning as the Markdown table of the README.",
				setup: printed(configs.Table),
			},
			{
				name: "schema", short: "print the JSON schema of the file", long: "Prints a JSON schema of the configuration file, for editors that complete and check YAML.",
				setup: printed(configs.Schema),
			},
		},
	}
}

// printed is the setup of a command that prints one text.
func printed(text func() string) func(*flag.FlagSet) action {
	return func(*flag.FlagSet) action {
		return func(_ context.Context, t *terminal, _ []string) error {
			_, err := fmt.Fprint(t.out, text())
			return err
		}
	}
}

func versionCommand() command {
	return command{
		name: "version", short: "print version and build",
		long:  "Prints the version, the Go version and the platform of this binary.",
		setup: printed(versionLine),
	}
}
