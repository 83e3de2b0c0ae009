package httpapi

import (
	"context"
	"log/slog"
	"time"

	"github.com/bawab/bawab/appliance"
)

// ControlDeps are the parts that the control socket works with.
type ControlDeps struct {
	Keys *appliance.Keyring
	// CheckStore examines the store while it is in use.
	CheckStore func(context.Context) ([]appliance.Check, error)
	// Status describes the running daemon.
	Status func() Status
	Log    *slog.Logger
}

// Status is what the daemon tells about itself.
type Status struct {
	Version  string              `json:"version"`
	PID      int                 `json:"pid"`
	Started  time.Time           `json:"started"`
	Listen   string              `json:"listen"`
	Warnings []appliance.Warning `json:"warnings"`
	Models   []Model             `json:"models"`
}

// Model names one network of the daemon; SHA256 is in lower-case hexadecimal.
type Model struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Control serves the control socket DIR/bawab.sock, through which the command line reaches the running daemon.
type Control struct{ dir string }

// NewControl makes a control socket for the data folder; it does no I/O.
func NewControl(dir string, d ControlDeps) *Control { return &Control{dir: dir} }

// Open listens on the socket (mode 0600) and serves it in the background. A socket that a dead daemon left behind is
// replaced; a living one is an error.
func (c *Control) Open(ctx context.Context) error { return nil }

// Close stops serving and removes the socket. It is safe to call twice.
func (c *Control) Close() error { return nil }
