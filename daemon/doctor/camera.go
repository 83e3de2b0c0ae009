package doctor

import (
	"errors"
	"os"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/camera"
	"github.com/bawab/bawab/configs"
)

// Cameras lists the cameras of the machine.
func Cameras() appliance.Check {
	devices, err := camera.List()
	if err != nil {
		return appliance.Check{Name: "camera", Hint: "check /sys/class/video4linux"}.Detailed(appliance.Joined("", err))
	}
	if len(devices) == 0 {
		return appliance.Check{Name: "camera", OK: true, Detail: "none, and only the camera routes need one"}
	}
	c := appliance.Check{Name: "camera", OK: true}
	var names []any
	for _, d := range devices {
		if d.Name == "" {
			names = append(names, appliance.Phrasef("at %s", d.Path))
		} else {
			names = append(names, appliance.Phrasef("%s at %s", d.Name, d.Path))
		}
		if !d.Readable {
			c.OK, c.Hint = false, "put the user of bawab into the group video"
		}
	}
	return c.Detailed(appliance.Joined(", ", names...))
}

// ofCamera reports whether a warning is about the camera.
func ofCamera(code appliance.WarningCode) bool { return strings.HasPrefix(string(code), "camera_") }

// Camera says how the camera is: what the running daemon warns of, or else the configured one, or, where none is
// configured, which there are. A warning stands by its code.
func Camera(c configs.Camera, running *state.Status) []appliance.Check {
	there := Cameras()
	if c.Device == "" {
		return []appliance.Check{there}
	}
	checks := []appliance.Check{device(c)}
	if running != nil {
		if told := warnings(*running, ofCamera); told != nil {
			checks = told
		}
	}
	if c.Replay() == "" && !checks[0].OK {
		checks[0] = checks[0].Detailed(appliance.Phrasef("%s; cameras of this machine: %s", checks[0].Told(), there.Told()))
	}
	return checks
}

// device examines the configured camera without disturbing a daemon that uses it: a device that streams may be
// opened again, only not set up.
func device(c configs.Camera) appliance.Check {
	if path := c.Replay(); path != "" {
		if _, err := os.Stat(path); err != nil {
			way := appliance.Phrasef("name a folder of JPEG pictures or an AVI video after %s", configs.ReplayPrefix)
			return appliance.Check{Name: "camera"}.Detailed(appliance.Joined("", err)).Hinted(way)
		}
		c := Warned(appliance.CameraWarning(appliance.WarnCameraPlayed))
		return c.Detailed(appliance.Joined(": ", c.Told(), path))
	}
	path, err := camera.Find(c.Device)
	var fault *appliance.CameraFault
	switch {
	case err == nil:
		return appliance.Check{Name: "camera", OK: true, Detail: path}
	case errors.As(err, &fault):
		c := Warned(appliance.CameraWarning(fault.Code))
		return c.Detailed(appliance.Joined(": ", c.Told(), err))
	}
	return appliance.Check{Name: "camera", Hint: "check /sys/class/video4linux"}.Detailed(appliance.Joined("", err))
}
