// Package watch looks after a running process: how long readings have been under way, whether a picture is still read as at the start, and
// whether the clock jumped. What it finds the daemon tells, or it stops feeding the watchdog.
package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/bawab/bawab/appliance"
)

// Check goes the way of a request from end to end, at the pace of the watchdog: it decodes a small picture, reads
// it with the networks, writes to the disk and reads back and unseals what the store holds. It stands beside the queue,
// so that it neither waits behind requests nor turns one away.
//
// A reading that hangs, fails or comes out differently says that this process is past help, and the watchdog is not
// fed. A store that says why it fails does not: a new process would meet the same disk, while this one goes on as soon
// as there is room again. That is a warning.
type Check struct {
	store func(context.Context) error
	unfit func(error) // is told of networks that fail
	// Passed holds a token after a check that went well.
	Passed chan struct{}

	mu      sync.Mutex
	picture *builtIn
	running bool
	failed  error // how the last check ended
}

// builtIn is the built-in picture under the eyes of some networks.
type builtIn struct {
	read func(context.Context) (string, error)
	want string // what it says, as it was read first
}

// NewCheck returns a check over what goes to the disk and back, and what is told of networks that fail.
func NewCheck(store func(context.Context) error, unfit func(error)) *Check {
	return &Check{store: store, unfit: unfit, Passed: make(chan struct{}, 1)}
}

// Open reads the picture for the first time with some networks. What it reads is what all later checks must read: the networks
// give the same answer to the same picture. After an error those before stay.
func (c *Check) Open(ctx context.Context, read func(context.Context) (string, error)) error {
	text, err := read(ctx)
	if err == nil && text == "" {
		err = errors.New("no print was found on the built-in picture")
	}
	if err != nil {
		return &appliance.Error{
			Op: "check networks", Msg: "the networks do not read", Hint: "install bawab again; `bawab doctor` looks closer", Err: err,
		}
	}
	c.mu.Lock()
	c.picture = &builtIn{read, text}
	c.mu.Unlock()
	return nil
}

// Begin starts a check in the background, unless one is still under way.
func (c *Check) Begin(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return
	}
	c.running = true
	p := c.picture
	go func() {
		alive, err := c.run(ctx, p)
		c.mu.Lock()
		defer c.mu.Unlock()
		if p != c.picture { // other networks came meanwhile, and have passed
			alive, err = true, nil
		}
		c.running, c.failed = false, err
		if !alive {
			c.unfit(err)
			return
		}
		select {
		case c.Passed <- struct{}{}:
		default:
		}
	}()
}

// run makes one check. It reports whether this process is worth keeping, and what is wrong.
func (c *Check) run(ctx context.Context, p *builtIn) (alive bool, err error) {
	text, err := p.read(ctx)
	if err != nil {
		return false, fmt.Errorf("read the built-in picture: %w", err)
	}
	if text != p.want {
		return false, fmt.Errorf("read the built-in picture: %q where it was %q at the start", text, p.want)
	}
	if err := c.store(ctx); err != nil {
		return true, fmt.Errorf("write and read the store: %w", err)
	}
	return true, nil
}

// Problem returns how the last check failed, nil when it went well.
func (c *Check) Problem() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}
