package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
)

// Explain splits an error into its message and what to do about it.
func Explain(err error) (msg string, hints []string) {
	var problems *configs.Error
	if errors.As(err, &problems) {
		return explainConfig(problems.Problems)
	}
	var e *appliance.Error
	if errors.As(err, &e) && e.Hint != "" {
		hints = append(hints, e.Hint)
	}
	if len(hints) == 0 {
		hints = commonHints(err)
	}
	return err.Error(), hints
}

func explainConfig(problems []configs.Problem) (msg string, hints []string) {
	if len(problems) == 1 {
		return problems[0].String(), []string{problems[0].Hint}
	}
	for _, p := range problems {
		hints = append(hints, p.String()+" - "+p.Hint)
	}
	return fmt.Sprintf("the configuration has %d problems", len(problems)), hints
}

// commonHints knows the failures of the system that people meet.
func commonHints(err error) []string {
	var op *net.OpError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return []string{"another program, or another bawab, listens there: choose another address with --listen, or port 0 for a free one"}
	case errors.Is(err, fs.ErrNotExist):
		return []string{"check the path: the file is not there, or not the folder in which it is to lie"}
	case errors.Is(err, fs.ErrPermission):
		return []string{"run as a user who may do this, or choose another place with --data"}
	case errors.Is(err, syscall.ENOSPC):
		return []string{"free some room on that disk"}
	case errors.As(err, &op):
		return []string{"write the address as HOST:PORT, as 127.0.0.1:8080"}
	}
	return nil
}
