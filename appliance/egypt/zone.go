package egypt

import (
	_ "embed"
	"fmt"
	"time"
)

// cairoZone is Africa/Cairo as the time zone database has it that Go 1.26 carries (TZif, public domain), for a box without one. The whole
// database takes 450 kB.
//
//go:embed cairo.tzif
var cairoZone []byte

// Cairo is the zone in which documents expire: the machine's, whose rules may be newer, or else the program's own.
func Cairo() (*time.Location, error) {
	const name = "Africa/Cairo"
	if zone, err := time.LoadLocation(name); err == nil {
		return zone, nil
	}
	zone, err := time.LoadLocationFromTZData(name, cairoZone)
	if err != nil {
		return nil, fmt.Errorf("load time zone: %w", err)
	}
	return zone, nil
}

// ParseMoment reads a day of Cairo, of which end takes the last moment, or a time as RFC 3339 writes it; "" is no time.
func ParseMoment(s string, end bool) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	zone, err := Cairo()
	if err != nil {
		return time.Time{}, err
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, zone); err == nil {
		if end {
			return day.AddDate(0, 0, 1).Add(-time.Nanosecond), nil
		}
		return day, nil
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return at, fmt.Errorf("%q is neither a day such as 2027-03-31 nor a time such as 2027-03-31T14:00:00Z", s)
	}
	return at, nil
}
