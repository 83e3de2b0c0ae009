package face

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Every fault is told from its threshold on, what to mend first first, and a good face has none.
func TestFaults(t *testing.T) {
	good := appliance.FaceQuality{EyeDistance: 60, Sharpness: 0.9, Light: 0.5, Contrast: 0.8}
	for name, c := range map[string]struct {
		change func(*appliance.FaceQuality)
		burnt  float64
		want   []appliance.FaceFault
	}{
		"good":              {func(*appliance.FaceQuality) {}, 0, nil},
		"20 pixels":         {func(q *appliance.FaceQuality) { q.EyeDistance = 8 }, 0, []appliance.FaceFault{appliance.FaceTooSmall}},
		"profile":           {func(q *appliance.FaceQuality) { q.Yaw = -80 }, 0, []appliance.FaceFault{appliance.FaceTurned}},
		"looks down":        {func(q *appliance.FaceQuality) { q.Pitch = -65 }, 0, []appliance.FaceFault{appliance.FaceTurned}},
		"upside down":       {func(q *appliance.FaceQuality) { q.Roll = 178 }, 0, nil},
		"half a profile":    {func(q *appliance.FaceQuality) { q.Yaw = 50 }, 0, nil},
		"mask":              {func(q *appliance.FaceQuality) { q.Covered = 0.5 }, 0, []appliance.FaceFault{appliance.FaceCovered}},
		"glasses":           {func(q *appliance.FaceQuality) { q.Covered = 0.1 }, 0, nil},
		"dark":              {func(q *appliance.FaceQuality) { q.Light = 0.05 }, 0, []appliance.FaceFault{appliance.FaceDark}},
		"flat and dark":     {func(q *appliance.FaceQuality) { q.Light, q.Contrast = 0.3, 0.05 }, 0, []appliance.FaceFault{appliance.FaceDark}},
		"over-exposed":      {func(q *appliance.FaceQuality) { q.Light = 0.95 }, 0, []appliance.FaceFault{appliance.FaceBright}},
		"washed out":        {func(*appliance.FaceQuality) {}, 0.5, []appliance.FaceFault{appliance.FaceBright}},
		"blurred":           {func(q *appliance.FaceQuality) { q.Sharpness = 0.3 }, 0, []appliance.FaceFault{appliance.FaceBlurred}},
		"small and blurred": {func(q *appliance.FaceQuality) { q.EyeDistance, q.Sharpness = 10, 0.3 }, 0, []appliance.FaceFault{appliance.FaceTooSmall, appliance.FaceBlurred}},
	} {
		q := good
		c.change(&q)
		if got := faults(q, c.burnt); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if got := score(q); got < 0 || got > 1 || name == "good" && got < 0.5 {
			t.Errorf("%s: score %g", name, got)
		}
	}
}

// The measures are taken from the picture: the distance of the eyes in its pixels, the light and the contrast of the face alone.
func TestQuality(t *testing.T) {
	faces, err := testFinder(t).FindFaces(t.Context(), drawn(320, 240, spot{160, 120, 100}))
	if err != nil || len(faces) != 1 {
		t.Fatalf("%d faces, %v", len(faces), err)
	}
	q := faces[0].Quality
	if q.EyeDistance < 33 || q.EyeDistance > 41 || q.Light < 0.6 || q.Light > 0.8 || q.Roll < -3 || q.Roll > 3 || q.Covered != 0 || q.Sharpness < 0.8 {
		t.Errorf("%+v", q)
	}
}
