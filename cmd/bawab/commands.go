package main

import (
	"context"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/measure"
	"github.com/bawab/bawab/cmd/bawab/verify"
)

// commands is the command tree.
func commands() *cobra.Command {
	return command.Root(&cobra.Command{
		Use: "bawab", Short: "read identity documents on this machine alone",
		Long: `bawab reads Egyptian identity and vehicle documents and passports on this machine, with no cloud part.

Start it with ` + "`bawab serve --data ./var`" + `, or read one picture with ` + "`bawab scan passport.jpg`" + `.`,
	},
		version, versionLine(),
		serveCommand(), reloadCommand(), keysCommand(), measure.Scan(), modelsCommand(), doctorCommand(), storeCommand(),
		truthCommand(), measure.Learn(), verify.Audit(),
		verify.Proof(), tlsCommand(), serviceCommand(), configCommand(), measure.Eval(), measure.Bench(), completionCommand(), manualCommand(),
		versionCommand(),
	)
}

func completionCommand() *cobra.Command {
	c := command.Leaf(&cobra.Command{
		Use: "completion SHELL", Short: "print what lets a shell complete commands and flags",
		Long: `Prints the script with which bash, zsh or fish completes commands and flags of bawab. The packages install all three; without
them, put it where the shell looks, as ~/.local/share/bash-completion/completions/bawab, or try it for one session:

    source <(bawab completion bash)`,
	}, func(*flag.FlagSet) command.Action {
		return func(_ context.Context, t *command.Terminal, args []string) error {
			root := commands()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(t.Out, true)
			case "zsh":
				return root.GenZshCompletion(t.Out)
			case "fish":
				return root.GenFishCompletion(t.Out, true)
			}
			return &command.UsageError{Msg: "SHELL is " + args[0] + ": choose bash, zsh or fish"}
		}
	})
	c.ValidArgs = []string{"bash", "zsh", "fish"}
	return c
}
