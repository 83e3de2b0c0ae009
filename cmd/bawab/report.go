package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bawab/bawab/daemon/doctor"

	"github.com/bawab/bawab/appliance/words"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// errQuiet ends a command with exitFailed when it has told the reason itself.
var errQuiet = errors.New("failed")

// report tells a person what went wrong, in one error line and hints, and returns the exit code.
func (t *terminal) report(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errQuiet):
		return exitFailed
	case errors.As(err, &usage):
		t.complain(usage.msg, usage.hint, "see `"+usage.path+" --help`")
		return exitUsage
	case errors.Is(err, context.Canceled):
		t.complain("interrupted")
		return exitFailed
	}
	msg, hints := doctor.Explain(err)
	t.complain(msg, hints...)
	return exitFailed
}

func (t *terminal) complain(msg string, hints ...string) {
	fmt.Fprintf(t.errs, "bawab: error: %s\n", words.OneLine(msg))
	for _, h := range hints {
		for line := range strings.Lines(h) {
			fmt.Fprintf(t.errs, "hint: %s\n", words.OneLine(line))
		}
	}
}
