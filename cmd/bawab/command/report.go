package command

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
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2
)

// ErrQuiet ends a command with ExitFailed when it has told the reason itself.
var ErrQuiet = errors.New("failed")

// Report tells a person what went wrong, in one error line and hints, and returns the exit code.
func (t *Terminal) Report(err error) int {
	var usage *UsageError
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, ErrQuiet):
		return ExitFailed
	case errors.As(err, &usage):
		t.complain(usage.Msg, usage.Hint, "see `"+usage.Path+" --help`")
		return ExitUsage
	case errors.Is(err, context.Canceled):
		t.complain("interrupted")
		return ExitFailed
	}
	msg, hints := doctor.Explain(err)
	t.complain(msg, hints...)
	return ExitFailed
}

func (t *Terminal) complain(msg string, hints ...string) {
	fmt.Fprintf(t.Errs, "bawab: error: %s\n", words.OneLine(msg))
	for _, h := range hints {
		for line := range strings.Lines(h) {
			fmt.Fprintf(t.Errs, "hint: %s\n", words.OneLine(line))
		}
	}
}
