// Command bawab is the whole appliance: the daemon that reads identity documents and passports over HTTP, and the
// commands with which an operator runs, checks and measures it.
//
// Exit codes: 0 done, 1 failed (one "bawab: error:" line and "hint:" lines on standard error), 2 called wrongly.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker from the repository's tag.
var version = "unknown"

// terminal is where a command reads from and writes to.
type terminal struct {
	in      io.Reader
	out     io.Writer
	errs    io.Writer
	environ []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	t := &terminal{in: os.Stdin, out: os.Stdout, errs: os.Stderr, environ: os.Environ()}
	code := t.report(run(ctx, t, os.Args[1:]))
	os.Exit(code)
}
