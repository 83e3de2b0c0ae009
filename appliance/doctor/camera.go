package doctor

import (
	"errors"
	"os"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/camera"
	"github.com/bawab/bawab/configs"
)

// Cameras lists the cameras of the machine.
func Cameras() appliance.Check {
	devices, err := camera.List()
	if err != nil {
		return appliance.Check{Name: "camera", Detail: err.Error(), Hint: "check /sys/class/video4linux"}
	}
	if len(devices) == 0 {
		return appliance.Check{Name: "camera", OK: true, Detail: "none, and only the camera routes need one"}
	}
	c := appliance.Check{Name: "camera", OK: true}
	var names []string
	for _, d := range devices {
		names = append(names, strings.TrimSpace(d.Name+" at "+d.Path))
		if !d.Readable {
			c.OK, c.Hint = false, "put the user of bawab into the group video"
		}
	}
	c.Detail = strings.Join(names, ", ")
	return c
}

// ofCamera tells whether a warning is about the camera.
func ofCamera(code appliance.WarningCode) bool { return strings.HasPrefix(string(code), "camera_") }

// Camera says how the camera is: what the running daemon warns of, or else the configured one, or, where none is
// configured, which there are. A warning stands by its code.
func Camera(c configs.Camera, running *httpapi.Status) []appliance.Check {
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
		checks[0].Detail += "; cameras of this machine: " + there.Detail
	}
	return checks
}

// device examines the configured camera without disturbing a daemon that uses it: a device that streams may be
// opened again, only not set up.
func device(c configs.Camera) appliance.Check {
	if path := c.Replay(); path != "" {
		if _, err := os.Stat(path); err != nil {
			return appliance.Check{
				Name:   "camera",
				Detail: err.Error(),
				Hint:   "name a folder of JPEG pictures or an AVI video after " + configs.ReplayPrefix,
			}
		}
		w := appliance.CameraWarning(appliance.WarnCameraPlayed)
		return Warned(w, w.Msg+": "+path)
	}
	path, err := camera.Find(c.Device)
	var fault *appliance.CameraFault
	switch {
	case err == nil:
		return appliance.Check{Name: "camera", OK: true, Detail: path}
	case errors.As(err, &fault):
		w := appliance.CameraWarning(fault.Code)
		return Warned(w, strings.TrimSpace(w.Msg+": "+err.Error()))
	}
	return appliance.Check{Name: "camera", Detail: err.Error(), Hint: "check /sys/class/video4linux"}
}
