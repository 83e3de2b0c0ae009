package camera

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// monotonic reads the clock by which the kernel stamps the buffers of cameras.
func monotonic() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0, fmt.Errorf("read monotonic clock: %w", err)
	}
	return time.Duration(t.Nano()), nil
}
