// Command bawab is the whole appliance: the daemon that reads identity documents and passports over HTTP, and the
// commands with which an operator runs, checks and measures it.
//
// Exit codes: 0 done, 1 failed (one "bawab: error:" line and "hint:" lines on standard error), 2 called wrongly.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/bawab/bawab/cmd/bawab/command"
)

// version is set by the linker from the repository's tag.
var version = "unknown"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	t := &command.Terminal{In: os.Stdin, Out: os.Stdout, Errs: os.Stderr, Environ: os.Environ()}
	code := t.Report(run(ctx, t, os.Args[1:]))
	os.Exit(code)
}

// run finds the command of args and carries it out.
func run(ctx context.Context, t *command.Terminal, args []string) error {
	t.Version = version
	return command.Run(ctx, t, commands(), args)
}
