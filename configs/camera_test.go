package configs

import (
	"strings"
	"testing"
)

// The keys of the camera are checked one by one and against each other.
func TestCamera(t *testing.T) {
	for _, tt := range []struct{ set, wrong string }{
		{"", ""},
		{"BAWAB_CAMERA_DEVICE=auto", ""},
		{"BAWAB_CAMERA_DEVICE=/dev/v4l/by-id/x", ""},
		{"BAWAB_CAMERA_DEVICE=replay:/tmp/x", ""},
		{"BAWAB_CAMERA_DEVICE=video0", "camera.device"},
		{"BAWAB_CAMERA_DEVICE=replay:x", "camera.device"},
		{"BAWAB_CAMERA_FORMAT=h264", "camera.format"},
		{"BAWAB_CAMERA_GAP_MAX=501ms", "camera.gap_max"},
		{"BAWAB_CAMERA_GAP_MAX=180ms", "camera.gap_max"},
		{"BAWAB_CAMERA_ROTATE=270", ""},
		{"BAWAB_CAMERA_ROTATE=45", "camera.rotate"},
		{"BAWAB_CAMERA_ROTATE=360", "camera.rotate"},
		{"BAWAB_CAMERA_ROTATE=left", "camera.rotate"},
		{"BAWAB_CAMERA_FPS=2", "camera.fps"},
		{"BAWAB_CAMERA_BUDGET=0s", "camera.budget"},
	} {
		c, err := Load(Sources{Environ: []string{tt.set}})
		if tt.wrong == "" && err != nil || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
			t.Errorf("%q: %v", tt.set, err)
		}
		if path, ok := strings.CutPrefix(tt.set, "BAWAB_CAMERA_DEVICE=replay:"); ok && err == nil && c.Camera.Replay() != path {
			t.Errorf("%q: replay %q", tt.set, c.Camera.Replay())
		}
	}
}
