package mrz

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// values is what a reading says, in a form to compare.
func values(r Reading) map[string]string {
	m := map[string]string{"format": r.Format.String(), "name": r.Name()}
	for i, key := range strings.Fields("code state surname given number nationality birth sex expiry optional optional2") {
		f := r.fields()[i]
		m[key] = f.Value
		if f.CheckOK != Unchecked {
			m[key] += " " + f.CheckOK.String()
		}
		if f.Reason != "" && f.Reason != ReasonEmpty {
			m[key] += " (" + string(f.Reason) + ")"
		}
		if m[key] == "" {
			delete(m, key)
		}
	}
	if c, ok := r.Check(CheckComposite); ok && !c.OK {
		m["composite"] = string([]byte{c.Printed, '/', c.Computed})
	}
	if r.NameTruncated {
		m["truncated"] = "yes"
	}
	return m
}

// The specimens mean what Doc 9303 says they mean.
func TestParseSpecimens(t *testing.T) {
	type want = map[string]string
	anna := want{
		"state": "UTO", "nationality": "UTO", "surname": "ERIKSSON", "given": "ANNA MARIA", "sex": "F",
		"name": "ANNA MARIA ERIKSSON", "birth": "1974-08-12 passed", "expiry": "2012-04-15 passed",
	}
	with := func(base want, more ...string) want {
		m := want{}
		for k, v := range base {
			m[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	visa := with(anna, "birth", "1940-09-07 passed", "expiry", "1996-12-10 passed", "nationality", "XXX", "code", "V",
		"number", "L8988901C passed")
	for _, test := range []struct {
		specimen
		want want
	}{
		{specimenTD3, with(anna, "format", "TD3", "code", "P", "number", "L898902C3 passed", "optional", "ZE184226B passed")},
		{specimenTD1, with(anna, "format", "TD1", "code", "I", "number", "D23145890 passed")},
		{specimenTD2, with(anna, "format", "TD2", "code", "I", "number", "D23145890 passed")},
		{specimenMRVA, with(visa, "format", "MRV-A", "optional", "6ZE184226B")},
		{specimenMRVB, with(visa, "format", "MRV-B")},
		{specimenLong, want{
			"format": "TD1", "code": "I", "state": "UTO", "number": "D23145890734 passed",
			"birth": "1934-07-12 passed", "sex": "M", "expiry": "1995-07-12 passed", "nationality": "UTO",
			"surname": "STEVENSON", "given": "PETER JOHN", "name": "PETER JOHN STEVENSON",
		}},
		{specimenEGY, want{
			"format": "TD3", "code": "P", "state": "EGY", "number": "A00000000 passed",
			"birth": "1900-01-01 passed", "sex": "M", "expiry": "1999-12-31 passed", "nationality": "EGY",
			"optional": "20001010100014 passed", "surname": "ALI", "given": "OMAR HASSAN", "name": "OMAR HASSAN ALI",
		}},
		{specimenFrench, want{
			"format": "French ID", "code": "ID", "state": "FRA", "number": "880692310285 passed",
			"birth": "1965-12-06 passed", "sex": "F", "surname": "BERTHIER", "given": "CORINNE", "name": "CORINNE BERTHIER",
		}},
	} {
		r, err := Parse(test.lines, noon)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, values(r)); diff != "" {
			t.Errorf("%v: %s", test.format, diff)
		}
		checkShape(t, r)
		for _, f := range r.fields() {
			if f.Confidence != 1 || f.Doubtful() {
				t.Errorf("%v: %q has confidence %v", test.format, f.Value, f.Confidence)
			}
		}
	}
}

// What is wrong in a zone is said of the field that it is wrong in, and every other field is kept.
func TestParseFaults(t *testing.T) {
	base, err := Parse(specimenTD3.lines, noon)
	if err != nil {
		t.Fatal(err)
	}
	birth := func(text string) []string { return rechecked(TD3, replaced(specimenTD3.lines, 1, 13, text)) }
	for name, test := range map[string]struct {
		lines []string
		want  map[string]string // differences from the specimen
	}{
		"check digit 7 for 6": {
			replaced(specimenTD3.lines, 1, 9, "7"),
			map[string]string{"number": "L898902C3 failed", "composite": "0/7"},
		},
		"composite 1 for 0":           {replaced(specimenTD3.lines, 1, 43, "1"), map[string]string{"composite": "1/0"}},
		"month 13":                    {birth("741312"), map[string]string{"birth": " passed (impossible date)"}},
		"29 February of a leap year":  {birth("760229"), map[string]string{"birth": "1976-02-29 passed"}},
		"29 February of a common one": {birth("750229"), map[string]string{"birth": " passed (impossible date)"}},
		"day unknown":                 {birth("7408<<"), map[string]string{"birth": " passed (date partly unknown)"}},
		"birth unknown":               {birth("<<<<<<"), map[string]string{"birth": " passed"}},
		"letter in a date": {
			birth("74O812"), map[string]string{"birth": " passed (symbol not allowed)"},
		},
		"unknown state": {
			replaced(specimenTD3.lines, 0, 2, "Q"), map[string]string{"state": "QTO (unknown state)"},
		},
		"Germany":        {replaced(specimenTD3.lines, 0, 2, "D<<"), map[string]string{"state": "D"}},
		"sex not stated": {replaced(specimenTD3.lines, 1, 20, "<"), map[string]string{"sex": "X"}},
		"sex X":          {replaced(specimenTD3.lines, 1, 20, "X"), map[string]string{"sex": "X"}},
		"sex N":          {replaced(specimenTD3.lines, 1, 20, "N"), map[string]string{"sex": " (symbol not allowed)"}},
		"name cut": {
			replaced(specimenTD3.lines, 0, 26, "<ELISABETH<MARGAR"),
			map[string]string{"given": "ANNA MARIA ELISABETH MARGAR", "name": "ANNA MARIA ELISABETH MARGAR ERIKSSON"},
		},
		"name cut at the end": {
			replaced(specimenTD3.lines, 0, 26, "<ELISABETH<MARGARE"),
			map[string]string{"given": "ANNA MARIA ELISABETH MARGARE", "name": "ANNA MARIA ELISABETH MARGARE ERIKSSON", "truncated": "yes"},
		},
	} {
		r, err := Parse(test.lines, noon)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := values(base)
		for k, v := range test.want {
			want[k] = v
		}
		if diff := cmp.Diff(want, values(r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The composite digit covers what Doc 9303 says, optional data to its last position included.
func TestCompositeReach(t *testing.T) {
	const td1, td2, td3 = "D231458907ABCDEFGHIJKLMNO", "D231458907UTO7408122F1204159PQRSTUV", "L898902C36UTO7408122F1204159ZE184226BCDEFG"
	td3Checked := td3 + string(CheckDigit("ZE184226BCDEFG"))
	for _, lines := range [][]string{
		{
			"I<UTO" + td1,
			"7408122F1204159UTOPQRSTUVWXYZ" + string(CheckDigit(td1+"7408122"+"1204159"+"PQRSTUVWXYZ")),
			specimenTD1.lines[2],
		},
		{specimenTD2.lines[0], td2 + string(CheckDigit(td2[:10]+td2[13:20]+td2[21:]))},
		{specimenTD3.lines[0], td3Checked + string(CheckDigit(td3Checked[:10]+td3Checked[13:20]+td3Checked[21:]))},
	} {
		r, err := Parse(lines, noon)
		if err != nil || !r.ChecksOK() {
			t.Errorf("%s: %v %v", lines, err, r.Checks)
		}
		r = Decode(ink(r.Format, lines), noon)
		if joined(r.Lines) != joined(lines) || r.DocumentNumber.Doubtful() {
			t.Errorf("%s: decoded as %s with %v", lines, r.Lines, r.DocumentNumber.Confidence)
		}
	}
}

// An empty personal number may have a filler or a zero for its check digit.
func TestParseEmptyPersonalNumber(t *testing.T) {
	for _, printed := range []string{"<", "0"} {
		line := "L898902C36UTO7408122F1204159<<<<<<<<<<<<<<" + printed
		line += string(CheckDigit(line[0:10] + line[13:20] + line[21:43]))
		r, err := Parse([]string{specimenTD3.lines[0], line}, noon)
		if err != nil || !r.ChecksOK() || r.Optional.Value != "" || r.Optional.Reason != ReasonEmpty {
			t.Errorf("%q: %v %+v", printed, err, r.Checks)
		}
	}
}

// A filler for the check digit of a short number, on a card that could have had a long one, is a failed check.
func TestParseFillerForCheckDigit(t *testing.T) {
	for _, optional := range []string{"<<<<<<<<<<<<<<<", "7<<<<<<<<<<<<<<"} {
		lines := append([]string{"I<UTOD23145890<" + optional}, specimenTD1.lines[1:]...)
		r, err := Parse(lines, noon)
		if err != nil || r.DocumentNumber.CheckOK != Failed || r.DocumentNumber.Value != "D23145890" {
			t.Errorf("%s: %v %+v", optional, err, r.DocumentNumber)
		}
	}
	lines := append([]string{"I<UTOD23145890<734567890123452"}, specimenTD1.lines[1:]...)
	r, err := Parse(lines, noon)
	if err != nil || r.DocumentNumber.Value != "D2314589073456789012345" {
		t.Errorf("longest number: %v %+v", err, r.DocumentNumber)
	}
}

// Blank lines, blanks around lines, line ends and lower case do not matter; anything else that is no zone is refused.
func TestParseShape(t *testing.T) {
	good := []string{"", "  " + strings.ToLower(specimenTD3.lines[0]) + "\r\n", "\t" + specimenTD3.lines[1] + " ", ""}
	if r, err := Parse(good, noon); err != nil || r.DocumentNumber.Value != "L898902C3" {
		t.Errorf("%v %q", err, r.DocumentNumber.Value)
	}
	long := strings.Repeat("<", 44)
	for name, lines := range map[string][]string{
		"nothing":         nil,
		"blank":           {"", " "},
		"one line":        {long},
		"three of 44":     {long, long, long},
		"uneven":          {long, long[:43]},
		"two of 30":       {long[:30], long[:30]},
		"45":              {long + "<", long + "<"},
		"question mark":   {long, "?" + long[:43]},
		"blank inside":    {long, long[:20] + " " + long[:23]},
		"Arabic":          {long, "ع" + long[:42]},
		"zero byte":       {long, "\x00" + long[:43]},
		"a page of prose": {"THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG."},
	} {
		if _, err := Parse(lines, noon); !errors.Is(err, ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
