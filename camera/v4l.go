package camera

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"

	"gocv.io/x/gocv"

	"github.com/bawab/bawab/appliance"
)

// Auto is the device name that stands for the only camera of the machine.
const Auto = "auto"

// The formats in which a camera may deliver its frames.
const (
	MJPEG = "mjpeg"
	YUYV  = "yuyv"
)

// Settings say which camera to open and how.
type Settings struct {
	// Device is a path, best one below /dev/v4l/by-id, or Auto.
	Device string
	// Format is MJPEG or YUYV.
	Format string
	// Width and Height are in pixels, Rate in frames a second. A camera that lacks them takes the nearest that it has.
	Width, Height, Rate int
}

// Opener opens the V4L2 camera that the settings name.
func Opener(s Settings) appliance.CameraOpener {
	return func(context.Context) (appliance.CameraSource, error) {
		path, err := Find(s.Device)
		if err != nil {
			return nil, err
		}
		return openV4L(path, s)
	}
}

// Find returns the path of the camera that Settings.Device names, if it can be opened; else a *appliance.CameraFault says what
// hinders.
func Find(device string) (string, error) {
	devices, err := List()
	if err != nil {
		return "", err
	}
	return choose(device, devices)
}

// choose returns the path to open.
func choose(device string, devices []Device) (string, error) {
	if device == Auto {
		if len(devices) != 1 {
			return "", &appliance.CameraFault{
				Code: appliance.WarnCameraMissing,
				Err:  fmt.Errorf("camera.device auto needs exactly one camera, there are %d", len(devices)),
			}
		}
		device = devices[0].Path
	}
	// OpenCV does not say why it cannot open a device; opening it first does.
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	switch {
	case err == nil:
		return device, f.Close()
	case errors.Is(err, fs.ErrPermission):
		return "", &appliance.CameraFault{Code: appliance.WarnCameraDenied, Err: err}
	case errors.Is(err, syscall.EBUSY):
		return "", &appliance.CameraFault{Code: appliance.WarnCameraBusy, Err: err}
	}
	return "", &appliance.CameraFault{Code: appliance.WarnCameraMissing, Err: err}
}

// v4l is an open V4L2 camera. OpenCV's Read waits up to 10 s for a frame, then it fails.
type v4l struct {
	capture       *gocv.VideoCapture
	mat           gocv.Mat
	format        string
	width, height int
}

// openV4L opens a device and sets it up. OpenCV hands its frames over as the camera coded them, so that nothing is lost, and
// nothing is spent on frames that nobody looks at.
func openV4L(path string, s Settings) (appliance.CameraSource, error) {
	c, err := gocv.OpenVideoCaptureWithAPI(path, gocv.VideoCaptureV4L2)
	if err != nil {
		if c != nil {
			err = errors.Join(err, c.Close())
		}
		return nil, &appliance.CameraFault{Code: appliance.WarnCameraBusy, Err: err}
	}
	code := map[string]string{MJPEG: "MJPG", YUYV: "YUYV"}[s.Format]
	c.Set(gocv.VideoCaptureFOURCC, c.ToCodec(code))
	c.Set(gocv.VideoCaptureFrameWidth, float64(s.Width))
	c.Set(gocv.VideoCaptureFrameHeight, float64(s.Height))
	c.Set(gocv.VideoCaptureFPS, float64(s.Rate))
	c.Set(gocv.VideoCaptureConvertRGB, 0)
	v := &v4l{
		capture: c, mat: gocv.NewMat(), format: s.Format,
		width: int(c.Get(gocv.VideoCaptureFrameWidth)), height: int(c.Get(gocv.VideoCaptureFrameHeight)),
	}
	if got := c.CodecString(); got != code {
		err := errors.Join(fmt.Errorf("the camera delivers %q instead of %q", got, code), v.Close())
		return nil, &appliance.CameraFault{Code: appliance.WarnCameraBusy, Err: err}
	}
	return v, nil
}

// Read implements appliance.CameraSource.
func (v *v4l) Read() (f appliance.RawFrame, err error) {
	// A signal to the process interrupts the wait for a frame, so one failure is tried again.
	if !v.capture.Read(&v.mat) && !v.capture.Read(&v.mat) {
		return f, &appliance.CameraFault{Code: appliance.WarnCameraLost}
	}
	if f.Now, err = monotonic(); err != nil {
		return f, err
	}
	f.Wall, f.Kernel = time.Now(), kernelTime(v.capture.Get(gocv.VideoCapturePosMsec))
	f.JPEG = v.mat.ToBytes()
	if v.format == YUYV {
		f.JPEG, err = encodeYUYV(f.JPEG, v.width, v.height)
	}
	return f, err
}

// kernelTime is the kernel's time of a buffer, which OpenCV gives in milliseconds, in its own whole microseconds.
func kernelTime(ms float64) time.Duration {
	return time.Duration(math.Round(ms*1e3)) * time.Microsecond
}

// Close frees the camera. It must not be called while Read is at work.
func (v *v4l) Close() error { return errors.Join(v.mat.Close(), v.capture.Close()) }
