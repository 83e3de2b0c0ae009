// Package camera captures with the camera of the box: one goroutine reads frames as they come, checks their times and keeps
// the newest one; a camera that goes away is opened again until it is back.
package camera

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// How a camera is opened again, and how long it may be silent.
const (
	// reopenEvery is how often a camera that is away is looked for: who plugs it in again is served two seconds later, and a look
	// costs next to nothing.
	reopenEvery = time.Second
	// silence is how long no frame of use may come before the camera counts as stale. The slowest cameras give 5 a second.
	silence = 2 * time.Second
	// openGrace is what opening may take before a camera that says nothing counts as stale.
	openGrace = 5 * time.Second
	// closeGrace is how long Close waits for a native call.
	closeGrace = 3 * time.Second
)

// Camera is the appliance's own camera; it implements appliance.Camera. It is safe for concurrent use.
type Camera struct {
	open appliance.CameraOpener
	log  *slog.Logger

	cancel context.CancelFunc
	ended  chan struct{}

	mu      sync.Mutex
	changed chan struct{} // closed when something below changes
	frame   *appliance.Frame
	came    time.Time // when frame came
	fault   appliance.WarningCode
	cause   error
	native  time.Time // since when the source is at work; zero while it is not
	closed  bool
}

// New makes a camera over what open opens; it does no I/O.
func New(open appliance.CameraOpener, log *slog.Logger) *Camera {
	return &Camera{open: open, log: log, changed: make(chan struct{})}
}

// Open begins to capture. A camera that is not there is no error: it may be plugged in later.
func (c *Camera) Open(context.Context) error {
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.ended, c.came = cancel, make(chan struct{}), time.Now().Add(openGrace)
	go func() {
		defer close(c.ended)
		c.capture(ctx)
	}()
	return nil
}

// Close ends the capture and all who wait in Next. A native call that does not return in time is an error: its memory stays,
// because freeing it under its feet would be worse, and the process should end. It may be called twice.
func (c *Camera) Close() error {
	if c.cancel == nil {
		return nil
	}
	c.cancel()
	c.set(func() { c.closed = true })
	select {
	case <-c.ended:
		return nil
	case <-time.After(closeGrace):
		return errors.New("close camera: the driver has not returned")
	}
}

// Next implements appliance.Camera.
func (c *Camera) Next(ctx context.Context, after uint64) (*appliance.Frame, error) {
	for {
		c.mu.Lock()
		f, came, fault, cause, changed, closed := c.frame, c.came, c.fault, c.cause, c.changed, c.closed
		c.mu.Unlock()
		quiet := silence - time.Since(came)
		switch {
		case closed:
			return nil, appliance.Errorf(appliance.CodeUnavailable, "the appliance is stopping: try again in a moment")
		case fault != "":
			return nil, appliance.CameraUnavailable(fault, cause)
		case quiet <= 0:
			return nil, appliance.CameraUnavailable(appliance.WarnCameraStale, nil)
		case f != nil && f.Sequence > after:
			return f, nil
		}
		timer := time.NewTimer(quiet)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
		timer.Stop()
	}
}

// Warnings returns what is wrong with the camera now.
func (c *Camera) Warnings() []appliance.Warning {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.fault != "":
		return []appliance.Warning{appliance.CameraWarning(c.fault)}
	case c.cancel != nil && !c.closed && time.Since(c.came) > silence:
		return []appliance.Warning{appliance.CameraWarning(appliance.WarnCameraStale)}
	}
	return nil
}

// Stuck returns how long the camera's driver has been at work on one call; it may wait for a frame for some seconds.
func (c *Camera) Stuck(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.native.IsZero() {
		return 0
	}
	return now.Sub(c.native)
}

// set changes what mu guards and wakes all who wait.
func (c *Camera) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	close(c.changed)
	c.changed = make(chan struct{})
}

// working marks the time in which the source is at work.
func (c *Camera) working(do func()) {
	c.mu.Lock()
	c.native = time.Now()
	c.mu.Unlock()
	do()
	c.mu.Lock()
	c.native = time.Time{}
	c.mu.Unlock()
}

// capture opens the camera again and again until ctx ends.
func (c *Camera) capture(ctx context.Context) {
	var check checker
	var sequence uint64
	for {
		err := c.session(ctx, &check, &sequence)
		if ctx.Err() != nil {
			return
		}
		c.lost(err)
		timer := time.NewTimer(reopenEvery)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// session reads from one opening of the camera until that fails.
func (c *Camera) session(ctx context.Context, check *checker, sequence *uint64) (err error) {
	var source appliance.CameraSource
	c.working(func() { source, err = c.open(ctx) })
	if err != nil {
		return err
	}
	defer func() { c.working(func() { err = errors.Join(err, source.Close()) }) }()
	check.opened()
	for ctx.Err() == nil {
		var raw appliance.RawFrame
		c.working(func() { raw, err = source.Read() })
		if err != nil {
			return err
		}
		raw.JPEG = complete(raw.JPEG)
		use, fault := check.take(raw)
		if !use {
			if fault != "" {
				c.report(fault, nil)
			}
			continue
		}
		*sequence++
		c.publish(&appliance.Frame{JPEG: raw.JPEG, Sequence: *sequence, Run: check.run, Kernel: raw.Kernel, Wall: raw.Wall.Add(raw.Kernel - raw.Now)})
	}
	return ctx.Err()
}

// publish puts a frame into the slot.
func (c *Camera) publish(f *appliance.Frame) {
	recovered := false
	c.set(func() {
		recovered = c.fault != ""
		c.frame, c.came, c.fault, c.cause = f, time.Now(), "", nil
	})
	if recovered {
		c.log.Info("the camera works again")
	}
}

// lost reports that the camera could not be opened or stopped in the middle.
func (c *Camera) lost(err error) {
	fault := appliance.WarnCameraLost
	var known *appliance.CameraFault
	if errors.As(err, &known) {
		fault = known.Code
	}
	c.report(fault, err)
}

// report makes a condition known. It is logged when it begins.
func (c *Camera) report(fault appliance.WarningCode, cause error) {
	begins := false
	c.set(func() {
		begins = c.fault != fault
		c.fault, c.cause = fault, cause
	})
	if begins {
		c.log.Warn(appliance.CameraWarning(fault).Msg, "warning", string(fault), "error", cause)
	}
}
