package models

import (
	"maps"
	"math"
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

// Property: a struct is filled with the numbers of its fields' names, those of structs in it too, and a number that is missing or nonsense
// is refused by its name.
func TestFill(t *testing.T) {
	type inner struct {
		NearShare float64 `most:"1"`
	}
	type numbers struct {
		WordGap  float64
		FewSigns int
		Weights  map[string]float64
		Inner    inner
	}
	whole := map[string]float64{"word gap": 2.2, "few signs": 3, "near share": 0.5, "first any": -1}
	for name, test := range map[string]struct {
		number string
		value  float64
		want   string
	}{
		"missing":       {"word gap", math.NaN(), `there is no number "word gap"`},
		"nothing":       {"word gap", 0, `"word gap" is 0`},
		"below nothing": {"few signs", -3, `"few signs" is -3`},
		"a fraction":    {"few signs", 2.5, `"few signs" is 2.5, it must be whole`},
		"a large share": {"near share", 1.1, `"near share" is 1.1, it must be above 0 and at most 1`},
		"endless":       {"word gap", math.Inf(1), `"word gap" is +Inf`},
	} {
		values := maps.Clone(whole)
		if values[test.number] = test.value; math.IsNaN(test.value) {
			delete(values, test.number)
		}
		var got numbers
		if err := NewCalibration(Group{Values: values}).Fill(&got); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	var got numbers
	err := NewCalibration(Group{Values: whole}).Fill(&got)
	if err != nil || got.WordGap != 2.2 || got.FewSigns != 3 || got.Inner.NearShare != 0.5 || got.Weights["first any"] != -1 {
		t.Errorf("filled %+v, %v", got, err)
	}
}
