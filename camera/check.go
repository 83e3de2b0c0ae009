package camera

import (
	"bytes"
	"time"

	"github.com/bawab/bawab/appliance"
)

// What frames must keep to be believed.
const (
	// futureAllowed is how far the time of a frame may lie after the moment at which it was received: clocks are read one after
	// the other.
	futureAllowed = 5 * time.Millisecond
	// oldestFrame is how old a frame may be when it is received. A healthy camera takes one or two frame times.
	oldestFrame = time.Second
	// unbelievable is the age of a frame from which on its time is not merely old: it comes from another clock.
	unbelievable = time.Minute
	// jumpAllowed is how far the step from frame to frame may differ from that between their receptions: deliveries are late now
	// and then.
	jumpAllowed = 200 * time.Millisecond
	// sameFrames is how many equal frames in a row mean that a camera is frozen. The noise of a sensor makes two equal JPEG
	// files in a row all but impossible.
	sameFrames = 4
	// badFrames is how many frames in a row must be of no use before the camera counts as faulty: one hiccup is none.
	badFrames = 5
)

// checker examines the frames of one camera in their order.
type checker struct {
	last appliance.RawFrame
	seen bool
	same int // frames in a row that equal the one before
	run  uint64
	bad  int // frames of no use, in a row
}

// opened begins a new stretch of frames.
func (c *checker) opened() { *c = checker{run: c.run + 1} }

// take examines the next frame. use reports whether it may be used; fault is a condition that lasts, "" while there is none.
func (c *checker) take(f appliance.RawFrame) (use bool, fault appliance.WarningCode) {
	why := c.examine(f)
	c.last, c.seen = f, true
	if why == "" {
		c.bad = 0
		return true, ""
	}
	c.bad++
	if c.bad >= badFrames || why == appliance.WarnCameraFrozen {
		return false, why
	}
	return false, ""
}

// examine says what is wrong with a frame, "" when nothing is. One without a picture was damaged on its way.
func (c *checker) examine(f appliance.RawFrame) appliance.WarningCode {
	age := f.Now - f.Kernel
	if age < -futureAllowed || age > unbelievable {
		return appliance.WarnCameraClock
	}
	if c.seen {
		if f.Kernel <= c.last.Kernel {
			c.run++
			return appliance.WarnCameraClock
		}
		if len(f.JPEG) > 0 && bytes.Equal(f.JPEG, c.last.JPEG) {
			c.same++
		} else {
			c.same = 0
		}
		if c.same >= sameFrames-1 {
			return appliance.WarnCameraFrozen
		}
		if c.jumped(f) {
			c.run++
		}
	}
	if age > oldestFrame || len(f.JPEG) == 0 {
		return appliance.WarnCameraStale
	}
	return ""
}

// jumped reports whether the camera's clock moved away from the monotonic one since the last frame: by more than a late delivery
// explains. What comes before and after must not be compared.
func (c *checker) jumped(f appliance.RawFrame) bool {
	drift := (f.Kernel - c.last.Kernel) - (f.Now - c.last.Now)
	return drift > jumpAllowed || drift < -jumpAllowed
}
