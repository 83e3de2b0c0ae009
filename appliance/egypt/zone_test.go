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
