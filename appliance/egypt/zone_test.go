package egypt

import (
	"testing"
	"time"
)

// TestCairoWithoutADatabase: the zone that the program carries has Egypt's winter and summer time as it is since 2023.
func TestCairoWithoutADatabase(t *testing.T) {
	zone, err := time.LoadLocationFromTZData("Africa/Cairo", cairoZone)
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]int{"2026-01-15": 2, "2026-07-15": 3, "2026-04-24": 3, "2026-10-30": 2, "2020-07-15": 2} {
		at, err := time.ParseInLocation(time.DateOnly, day, zone)
		if err != nil {
			t.Fatal(err)
		}
		if _, offset := at.Add(12 * time.Hour).Zone(); offset != want*3600 {
			t.Errorf("on %s Cairo is %d seconds before UTC, want %d hours", day, offset, want)
		}
	}
}

// TestParseMoment: a day is one of Cairo from its first to its last moment, a time is its own, and anything else is told.
func TestParseMoment(t *testing.T) {
	for _, c := range []struct {
		text string
		end  bool
		want string // "" for none
		bad  bool
	}{
		{text: ""},
		{text: "2027-03-31", want: "2027-03-30T22:00:00Z"},
		{text: "2027-03-31", end: true, want: "2027-03-31T21:59:59.999999999Z"},
		{text: "2027-07-01", want: "2027-06-30T21:00:00Z"}, // summer time
		{text: "2027-03-31T14:00:00Z", want: "2027-03-31T14:00:00Z"},
		{text: "2027-03-31T14:00:00+02:00", end: true, want: "2027-03-31T12:00:00Z"},
		{text: "31.3.2027", bad: true},
		{text: "2027-02-30", bad: true},
	} {
		at, err := ParseMoment(c.text, c.end)
		switch {
		case (err != nil) != c.bad:
			t.Errorf("%q: error %v", c.text, err)
		case !c.bad && c.want == "" && !at.IsZero(), c.want != "" && at.UTC().Format(time.RFC3339Nano) != c.want:
			t.Errorf("%q, end %v: %s, want %q", c.text, c.end, at, c.want)
		}
	}
}
