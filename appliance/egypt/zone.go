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
