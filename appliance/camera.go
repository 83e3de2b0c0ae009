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

// cameraAdvice is what is wrong and what helps.
func cameraAdvice(code WarningCode) (msg, hint string) {
	switch code {
	case WarnCameraDenied:
		return "the camera may not be opened", "put the user of bawab into the group video"
	case WarnCameraBusy:
		return "the camera is in use by another program or refuses the configured format", "end the other program, or choose camera.format, camera.width and camera.height that the camera has"
	case WarnCameraLost:
		return "the camera went away", "check the plug and the cable of the camera; it is opened again by itself"
	case WarnCameraStale:
		return "the camera delivers no fresh frames", "plug the camera in again; a slow hub or too high a camera.fps can be the cause"
	case WarnCameraFrozen:
		return "the camera delivers the same frame again and again", "plug the camera in again; if it stays so, replace it"
	case WarnCameraPlayed:
		return "a recording is played instead of a camera", "for trying out only: name a camera with camera.device"
	case WarnCameraClock:
		return "the times of the camera's frames cannot be believed", "plug the camera in again; if it stays so, its driver is of no use for liveness"
	}
	return "there is no camera", "plug one in and name it with camera.device; `bawab doctor` lists the cameras"
}

// CameraUnavailable is the error of a camera in the condition that code names.
func CameraUnavailable(code WarningCode, cause error) *Error {
	msg, hint := cameraAdvice(code)
	return &Error{Code: CodeUnavailable, Op: "use camera", Msg: msg + " (" + string(code) + "): try again later or call an attendant", Hint: hint, Err: cause}
}

// CameraWarning is the lasting condition that code names.
func CameraWarning(code WarningCode) Warning {
	msg, hint := cameraAdvice(code)
	return Warning{Code: code, Msg: msg, Hint: hint}
}
