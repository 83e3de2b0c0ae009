package appliance

import (
	"context"
	"time"
)

// RawFrame is one picture as a camera delivered it, with what the clocks said. Its bytes belong to who receives it.
type RawFrame struct {
	// JPEG is the picture with all tables that it needs; cameras leave some out.
	JPEG []byte
	// Kernel is when the kernel had filled the buffer, on its monotonic clock.
	Kernel time.Duration
	// Now and Wall are the monotonic clock and the wall clock, read together when the frame was received.
	Now  time.Duration
	Wall time.Time
}

// CameraSource is an open camera. It is used by one goroutine at a time.
type CameraSource interface {
	// Read waits for the next frame. An error means that the camera must be opened again.
	Read() (RawFrame, error)
	// Close must not be called while Read has not returned.
	Close() error
}

// CameraFault is the error of a source that knows what is wrong with its camera.
type CameraFault struct {
	Code WarningCode
	Err  error // the cause; nil when the code says it all
}

// Error names condition and cause.
func (f *CameraFault) Error() string {
	if f.Err == nil {
		return string(f.Code)
	}
	return string(f.Code) + ": " + f.Err.Error()
}

// Unwrap returns the cause.
func (f *CameraFault) Unwrap() error { return f.Err }

// CameraOpener opens a camera. A *CameraFault says what is wrong with it; another error means that it went away. The source
// ends a waiting Read when ctx ends, as far as it can.
type CameraOpener func(ctx context.Context) (CameraSource, error)

// Frame is one picture of the appliance's own camera that passed the checks of its times. All who look at the camera share
// it: nobody changes it.
type Frame struct {
	JPEG []byte
	// Sequence counts all frames since the start, from 1. Run counts the stretches of frames whose times can be compared: each
	// opening of the camera and each jump of its clock begins a new one.
	Sequence, Run uint64
	// Kernel is when the kernel had filled the buffer, on its monotonic clock; Wall is the same moment on the wall clock.
	Kernel time.Duration
	Wall   time.Time
}

// Camera is the appliance's own camera. It is safe for concurrent use.
type Camera interface {
	// Next waits for a frame whose Sequence is above after and returns the newest one. A camera that delivers nothing of use is
	// an *Error made by CameraUnavailable; a done ctx is ctx's own error.
	Next(ctx context.Context, after uint64) (*Frame, error)
}

// What can be wrong with the camera. While it lasts, the camera routes are answered with CodeUnavailable.
const (
	WarnCameraMissing WarningCode = "camera_missing" // there is no camera under the configured name
	WarnCameraDenied  WarningCode = "camera_denied"  // the daemon may not open it
	WarnCameraBusy    WarningCode = "camera_busy"    // another program has it, or it refuses what is configured
	WarnCameraLost    WarningCode = "camera_lost"    // it was unplugged, or stopped in the middle
	WarnCameraStale   WarningCode = "camera_stale"   // it delivers no frames, or only old ones
	WarnCameraFrozen  WarningCode = "camera_frozen"  // it delivers the same frame again and again
	WarnCameraClock   WarningCode = "camera_clock"   // the times of its frames jump or cannot be believed

	// WarnCameraPlayed says that captures work, but see a recording.
	WarnCameraPlayed WarningCode = "camera_played"
)

// CameraUnavailable is the error of a camera in the condition that code names.
func CameraUnavailable(code WarningCode, cause error) *Error {
	msg, hint := code.Text(English)
	e := Errorf(CodeUnavailable, "%s (%s): try again later or call an attendant", Phrasef(msg), string(code))
	e.Op, e.Hint, e.Err = "use camera", hint, cause
	return e
}

// CameraWarning is the lasting condition that code names.
func CameraWarning(code WarningCode) Warning {
	msg, hint := code.Text(English)
	return Warning{Code: code, Msg: msg, Hint: hint}
}
