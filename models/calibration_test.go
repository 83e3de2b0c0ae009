package models

import (
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	if o := c.Origin(); o.Brought || o.Date < "2026-11-29" || len(o.SHA256) != 64 {
		t.Errorf("its origin is %s", o)
	}
	parsed, err := ParseCalibration(calibration)
	if err != nil || parsed.Origin() != c.Origin() {
		t.Fatalf("%s, %v", parsed.Origin(), err)
	}
	if diff := cmp.Diff(c.Groups, parsed.Groups); diff != "" {
		t.Errorf("it is parsed otherwise:\n%s", diff)
	}
	if err := parsed.Replaces(c, nil); err != nil {
		t.Errorf("it does not fit itself: %v", err)
	}
}

// calibrationOf is the text of a calibration with a group in line 3, whose numbers begin in line 5, and the lines behind that.
func calibrationOf(values, behind string) string {
	return `{
 "form": "bawab.calibration/1", "groups": [
  {"name": "g", "data_set": "d", "n": 3, "date": "2026-11-27", "budget": "b",
   "values": {
` + values + `
   }}` + behind + `
 ]
}`
}

// Property: a calibration with a number of no origin, a number twice, what is no number or of another form is refused with line and reason.
func TestParseCalibrationRefuses(t *testing.T) {
	const origin = `"data_set":"d","n":3,"date":"2026-11-27","budget":"b"`
	of := func(origin, from, to string) string {
		return ",\n" + `{"name":"h",` + strings.Replace(origin, from, to, 1) + "}"
	}
	for name, test := range map[string]struct{ file, want string }{
		"nothing":          {``, "1: it ends too early"},
		"no JSON":          {"{\n", "1: it ends too early"},
		"another thing":    {"[]", "1: the calibration is no object"},
		"another form":     {"{\n\"form\":\"x\"}", `2: form "x", want`},
		"no form":          {"{}", "1: it has no form"},
		"another member":   {"{\n\n\"weights\": 1}", "3: there is no member weights of a calibration"},
		"more behind":      {calibrationOf(`"a": 1`, "") + "\n{}", "9: something follows"},
		"no list":          {`{"form":"bawab.calibration/1","groups":{}}`, "1: groups is no list"},
		"no number":        {calibrationOf("\"a\": 1,\n\"b\": \"2\"", ""), "6: b is no number"},
		"nothing at all":   {calibrationOf("\"a\": 1,\n\"b\": null", ""), "6: b is no number"},
		"not a number":     {calibrationOf("\"a\": 1,\n\"b\": NaN", ""), "6: invalid character 'N'"},
		"too large":        {calibrationOf("\"a\": 1e999", ""), "5: a is no number"},
		"a list":           {calibrationOf("\"a\": [1]", ""), "5: a is no number"},
		"no comma":         {calibrationOf("\"a\": 1\n\"b\": 2", ""), "6: invalid character"},
		"twice in a group": {calibrationOf("\"a\": 1,\n\"b\": 2,\n\"a\": 3", ""), "7: a stands in line 5 already"},
		"twice in two groups": {
			calibrationOf(`"a": 1`, ",\n"+`{"name":"h",`+origin+",\n"+`"values":{"a":2}}`), "8: a stands in line 5 already",
		},
		"a group twice": {
			calibrationOf(`"a": 1`, ",\n"+`{"name":"g",`+origin+`,"values":{"b":2}}`), "7: group g stands in line 3 already",
		},
		"another member of a group": {calibrationOf("", ",\n"+`{"name":"h","limits":{}}`), "7: there is no member limits of a group"},
		"no budget":                 {calibrationOf("", of(origin, `,"budget":"b"`, "")), `7: group "h" lacks`},
		"no day":                    {calibrationOf("", of(origin, "2026-11-27", "soon")), `7: group "h" lacks`},
		"no examples":               {calibrationOf("", of(origin, `"n":3`, `"n":0`)), `7: group "h" lacks`},
		"an empty group":            {calibrationOf("", ",\n{}"), `7: group "" lacks`},
		"a count that is none":      {calibrationOf("", ",\n"+`{"name":"h","data_set":"d","n":"3"}`), "7: n is no number"},
		"a note that is none":       {calibrationOf("", ",\n"+`{"neighbours":{"a":1}}`), "7: a is no text"},
	} {
		if _, err := ParseCalibration([]byte(test.file)); err == nil || !strings.HasPrefix(err.Error(), CalibrationFile+":"+test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// Property: a calibration takes the place of the program's where it has each of its numbers, and others of decoders alone; the first that
// is wrong is refused with line and reason.
func TestReplaces(t *testing.T) {
	parse := func(text string) Calibration {
		c, err := ParseCalibration([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	group := func(name, values string) string {
		return ",\n" + `{"name":"` + name + `","data_set":"d","n":3,"date":"2026-11-28","budget":"b","values":{` + values + `}}`
	}
	const some = `"word gap": 2,
"first name like date": -1,
"right name limit": 0.97`
	program := parse(calibrationOf(some, ""))
	decoders := map[string]bool{"name": true, "date": true, "job": true}
	for name, test := range map[string]struct{ file, want string }{
		"the same":        {calibrationOf(some, ""), ""},
		"other numbers":   {calibrationOf(strings.ReplaceAll(some, "-1", "4"), ""), ""},
		"other decoders":  {calibrationOf(some, group("site roles", `"first job like name": 2, "right date limit": 0.5`)), ""},
		"no group at all": {`{"form":"bawab.calibration/1"}`, `1: the number "first name like date" of group g is missing`},
		"a missing number": {
			calibrationOf(strings.ReplaceAll(some, `"word gap": 2,`, ""), ""), `3: the number "word gap" of group g is missing`,
		},
		"an unknown number": {calibrationOf(some+",\n\"word gape\": 2", ""), `8: there is no number "word gape"`},
		"misspelled":        {calibrationOf(strings.ReplaceAll(some, "gap", "gape"), ""), `5: there is no number "word gape"`},
		"an unknown feature": {
			calibrationOf(some, group("my doubt", `"first job much like name": 2`)), `9: there is no number "first job much like name"`,
		},
		"an unknown decoder": {
			calibrationOf(some, group("my doubt", `"first verse like name": 2`)), `9: there is no number "first verse like name"`,
		},
		"an unknown group": {calibrationOf(some, group("mine", "")), `9: there is no group mine`},
		"a large weight": {
			calibrationOf(strings.ReplaceAll(some, "-1", "-1e9"), ""),
			`6: "first name like date" is -1e+09, it must be from -1000 to 1000`,
		},
		"a share above 1": {calibrationOf(strings.ReplaceAll(some, "0.97", "97"), ""), `7: "right name limit" is 97, it must be from 0 to 1`},
		"a share below 0": {calibrationOf(strings.ReplaceAll(some, "0.97", "-0.1"), ""), `7: "right name limit" is -0.1`},
		"two things":      {calibrationOf(strings.NewReplacer("-1", "1e4", "0.97", "3").Replace(some), ""), `6: `},
	} {
		err := parse(test.file).Replaces(program, decoders)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), CalibrationFile+":"+test.want)) {
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
