package main

import (
	"context"
	_ "embed" // the picture lies beside this file
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance"
)

// selfCheckPicture is a small drawn picture with a line of print.
//
//go:embed selfcheck.png
var selfCheckPicture []byte

// selfCheck goes the way of a request from end to end, at the pace of the watchdog: it decodes a small picture, reads
// it with the networks, writes to the disk and reads back and unseals what the store holds. It stands beside the queue,
// so that it neither waits behind requests nor turns one away.
//
// A reading that hangs, fails or comes out differently says that this process is past help, and the watchdog is not
// fed. A store that says why it fails does not: a new process would meet the same disk, while this one goes on as soon
// as there is room again. That is a warning.
type selfCheck struct {
	read  func(context.Context) (string, error)
	store func(context.Context) error
	// passed holds a token after a check that went well.
	passed chan struct{}

	mu      sync.Mutex
	want    string // what the picture says, as it was read at the start
	running bool
	failed  error // how the last check ended
}

func newSelfCheck(read func(context.Context) (string, error), store func(context.Context) error) *selfCheck {
	return &selfCheck{read: read, store: store, passed: make(chan struct{}, 1)}
}

// open makes the first check. What it reads is what all later ones must read: the networks give the same answer to the
// same picture.
func (c *selfCheck) open(ctx context.Context) error {
	text, err := c.read(ctx)
	if err == nil && text == "" {
		err = errors.New("no print was found on the built-in picture")
	}
	if err != nil {
		return &appliance.Error{Op: "check networks", Msg: "the networks do not read", Hint: "install bawab again; `bawab doctor` looks closer", Err: err}
	}
	c.mu.Lock()
	c.want = text
	c.mu.Unlock()
	return nil
}

// begin starts a check in the background, unless one is still under way.
func (c *selfCheck) begin(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return
	}
	c.running = true
	go func() {
		alive, err := c.run(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running, c.failed = false, err
		if alive {
			select {
			case c.passed <- struct{}{}:
			default:
			}
		}
	}()
}

// run makes one check. It tells whether this process is worth keeping, and what is wrong.
func (c *selfCheck) run(ctx context.Context) (alive bool, err error) {
	text, err := c.read(ctx)
	if err != nil {
		return false, fmt.Errorf("read the built-in picture: %w", err)
	}
	if text != c.want {
		return false, fmt.Errorf("read the built-in picture: %q where it was %q at the start", text, c.want)
	}
	if err := c.store(ctx); err != nil {
		return true, fmt.Errorf("write and read the store: %w", err)
	}
	return true, nil
}

// problem returns how the last check failed, nil when it went well.
func (c *selfCheck) problem() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// openCheck makes the self-check over the daemon's own parts.
func (d *daemon) openCheck(ctx context.Context) error {
	general := d.vigil.over(d.engine.general)
	d.check = newSelfCheck(func(ctx context.Context) (string, error) {
		p, err := d.engine.decoder.Decode(ctx, selfCheckPicture)
		if err != nil {
			return "", err
		}
		r, err := general.Read(ctx, p, nil)
		var lines []string
		for _, l := range r.Lines {
			lines = append(lines, l.Text)
		}
		return strings.Join(lines, "\n"), err
	}, func(ctx context.Context) error {
		// No use of a key is written down, but the transaction that would is: through the writer, to the disk.
		if err := d.store.TouchKeys(ctx, nil); err != nil {
			return err
		}
		_, err := d.store.Keys(ctx)
		return err
	})
	return d.check.open(ctx)
}
