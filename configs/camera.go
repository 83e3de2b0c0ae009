package configs

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Camera configures the appliance's own camera. Device is "" for none, "auto" for the only one, the path of one, or
// ReplayPrefix with a folder or video that is played instead.
type Camera struct {
	Device string `mapstructure:"device"`
	Format string `mapstructure:"format"`
	Width  int    `mapstructure:"width"`
	Height int    `mapstructure:"height"`
	FPS    int    `mapstructure:"fps"`
	// Rotate is by how many degrees clockwise a frame is turned to stand upright: 0, 90, 180 or 270.
	Rotate int           `mapstructure:"rotate"`
	Budget time.Duration `mapstructure:"budget"`
	GapMin time.Duration `mapstructure:"gap_min"`
	GapMax time.Duration `mapstructure:"gap_max"`
	// Viewers is how many may watch the preview at once.
	Viewers int `mapstructure:"viewers"`
	// Challenge is "off" or "flashes".
	Challenge string `mapstructure:"challenge"`
}

// ReplayPrefix begins a Device that is no camera but a recording.
const ReplayPrefix = "replay:"

// Replay returns what is played instead of a camera, "" when nothing is.
func (c Camera) Replay() string {
	path, ok := strings.CutPrefix(c.Device, ReplayPrefix)
	if !ok {
		return ""
	}
	return path
}

func cameraKeys() []key {
	return []key{
		{
			path: "camera.device", optional: true,
			doc:  "the appliance's own camera: `auto` for the only one, a path below /dev/v4l/by-id, or `replay:` with a folder of pictures or an AVI video to try things with; empty for none",
			hint: "`bawab doctor` lists the cameras",
		},
		{
			path: "camera.format", fallback: "mjpeg", choices: []string{"mjpeg", "yuyv"},
			doc: "form in which the camera delivers its frames", hint: "yuyv fills the USB bus and costs most of a core, because each frame is compressed here; few cameras lack mjpeg",
		},
		{
			path: "camera.width", fallback: "1280", kind: number, lo: 320, hi: 4096,
			doc: "width of the frames in pixels; the camera takes the nearest that it has", hint: "print on cards needs 1280 or more",
		},
		{
			path: "camera.height", fallback: "720", kind: number, lo: 240, hi: 4096,
			doc: "height of the frames in pixels", hint: "choose one that the camera has with camera.width",
		},
		{
			path: "camera.fps", fallback: "30", kind: number, lo: 5, hi: 120,
			doc: "frames a second; the camera takes the nearest that it has", hint: "fewer than 5 cannot keep the 500 ms of a liveness check",
		},
		{
			path: "camera.rotate", fallback: "0", kind: number, lo: 0, hi: 270,
			doc: "degrees clockwise by which frames are turned, for a camera that is mounted on its side or upside down: 0, 90, 180 or 270; the preview is turned, too", hint: "try it with the preview",
		},
		{
			path: "camera.budget", fallback: "5s", kind: duration, lo: int64(time.Second), hi: int64(30 * time.Second),
			doc: "how long a capture waits for good frames", hint: "write a duration with its unit, as 5s",
		},
		{
			path: "camera.gap_min", fallback: "150ms", kind: duration, lo: int64(50 * time.Millisecond), hi: int64(500 * time.Millisecond),
			doc: "least time between two frames of a liveness check: a living face moves in it", hint: "write a duration with its unit, as 150ms",
		},
		{
			path: "camera.gap_max", fallback: "400ms", kind: duration, lo: int64(50 * time.Millisecond), hi: int64(500 * time.Millisecond),
			doc: "longest time between two frames of a liveness check; a longer one is never used", hint: "write a duration with its unit, as 400ms",
		},
		{
			path: "camera.viewers", fallback: "4", kind: number, lo: 1, hi: 64,
			doc: "previews that may be open at the same time", hint: "a kiosk has one screen",
		},
		{
			path: "camera.challenge", fallback: "off", choices: []string{"off", "flashes"},
			doc:  "flashes: the kiosk's screen, which follows the preview, flashes in colours during a liveness check, and their reflection on the face is checked; not calibrated yet",
			hint: "leave it off unless you have tried it in the light of the place",
		},
	}
}

// validate returns what is wrong between the keys of the camera.
func (c Camera) validate() []Problem {
	var problems []Problem
	if path := strings.TrimPrefix(c.Device, ReplayPrefix); c.Device != "" && c.Device != "auto" && !filepath.IsAbs(path) {
		problems = append(problems, Problem{
			Path: "camera.device", Value: c.Device, Msg: "must be auto, a whole path, or replay: with a whole path",
			Hint: "`bawab doctor` lists the cameras with their paths",
		})
	}
	if c.Rotate%90 != 0 {
		problems = append(problems, Problem{Path: "camera.rotate", Value: strconv.Itoa(c.Rotate), Msg: "must be 0, 90, 180 or 270", Hint: "try it with the preview"})
	}
	if c.GapMax < c.GapMin+50*time.Millisecond {
		problems = append(problems, Problem{
			Path: "camera.gap_max", Value: c.GapMax.String(), Msg: "must be at least 50ms more than camera.gap_min (" + c.GapMin.String() + ")",
			Hint: "a frame must be able to fall in between",
		})
	}
	return problems
}
