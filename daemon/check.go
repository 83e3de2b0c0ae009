package daemon

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
)

// selfCheckPicture is a small drawn picture with a line of text.
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
	store func(context.Context) error
	unfit func(error) // is told of networks that fail
	// passed holds a token after a check that went well.
	passed chan struct{}

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

func newSelfCheck(store func(context.Context) error, unfit func(error)) *selfCheck {
	return &selfCheck{store: store, unfit: unfit, passed: make(chan struct{}, 1)}
}

// open reads the picture for the first time with some networks. What it reads is what all later checks must read: the networks
// give the same answer to the same picture. After an error those before stay.
func (c *selfCheck) open(ctx context.Context, read func(context.Context) (string, error)) error {
	text, err := read(ctx)
	if err == nil && text == "" {
		err = errors.New("no print was found on the built-in picture")
	}
	if err != nil {
		return &appliance.Error{Op: "check networks", Msg: "the networks do not read", Hint: "install bawab again; `bawab doctor` looks closer", Err: err}
	}
	c.mu.Lock()
	c.picture = &builtIn{read, text}
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
		case c.passed <- struct{}{}:
		default:
		}
	}()
}

// run makes one check. It reports whether this process is worth keeping, and what is wrong.
func (c *selfCheck) run(ctx context.Context, p *builtIn) (alive bool, err error) {
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

// problem returns how the last check failed, nil when it went well.
func (c *selfCheck) problem() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// builtIn reads the built-in picture with an engine.
func (d *daemon) builtIn(e *engine.Engine) func(context.Context) (string, error) {
	general := d.vigil.over(e.General)
	return func(ctx context.Context) (string, error) {
		p, err := e.Decoder.Decode(ctx, selfCheckPicture)
		if err != nil {
			return "", err
		}
		r, err := general.Read(ctx, p, nil)
		var lines []string
		for _, l := range r.Lines {
			lines = append(lines, l.Text)
		}
		return strings.Join(lines, "\n"), err
	}
}

// openCheck makes the self-check over the daemon's own parts.
func (d *daemon) openCheck() {
	d.check = newSelfCheck(func(ctx context.Context) error {
		// No use of a key is written down, but the transaction that would is: through the writer, to the disk.
		if err := d.store.TouchKeys(ctx, nil); err != nil {
			return err
		}
		_, err := d.store.Keys(ctx)
		return err
	}, func(err error) { d.trial.fail(d.engine.Load().Set.Version(), err) })
}
