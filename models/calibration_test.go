package models

import (
	"strings"
	"testing"
)

// Property: the calibration in the program is whole, and each of its numbers has an origin.
func TestOpenCalibration(t *testing.T) {
	c, err := OpenCalibration()
	if err != nil {
		t.Fatal(err)
	}
	const least = 100
	if n := len(c.Values()); n < least {
		t.Errorf("%d numbers", n)
	}
}

// Property: a calibration with a number of no origin, a number twice or of another form is refused with the reason.
func TestParseCalibrationRefuses(t *testing.T) {
	const head = `{"form":"bawab.calibration/1","groups":`
	const origin = `"data_set":"d","n":3,"date":"2026-11-27","budget":"b"`
	for name, test := range map[string]struct{ file, want string }{
		"no JSON":      {`{`, "parse calibration: unexpected end"},
		"another form": {`{"form":"x"}`, `form "x"`},
		"no budget":    {head + `[{"name":"g","data_set":"d","n":3,"date":"2026-11-27"}]}`, `group "g" lacks`},
		"no day":       {head + `[{"name":"g","data_set":"d","n":3,"date":"soon","budget":"b"}]}`, `group "g" lacks`},
		"no examples":  {head + `[{"name":"g","data_set":"d","n":0,"date":"2026-11-27","budget":"b"}]}`, `group "g" lacks`},
		"twice": {
			head + `[{"name":"g",` + origin + `,"values":{"a":1}},{"name":"h",` + origin + `,"values":{"a":2}}]}`,
			"a stands in group g and in group h",
		},
	} {
		if _, err := ParseCalibration([]byte(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
