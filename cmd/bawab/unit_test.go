package main

import (
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/egypt"
)

// A last day is valid to its end in Cairo, a duration counts from now, and anything else is refused.
func TestParseExpiry(t *testing.T) {
	zone, err := egypt.Cairo()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 15, 0, 0, 0, zone)
	tests := []struct {
		in   string
		want time.Time
		ok   bool
	}{
		{"", time.Time{}, true},
		{"2026-11-20", time.Date(2026, 11, 21, 0, 0, 0, 0, zone), true},
		{"2026-11-19", time.Time{}, false},
		{"90d", time.Date(2027, 2, 18, 15, 0, 0, 0, zone), true},
		{"24h", time.Date(2026, 11, 21, 15, 0, 0, 0, zone), true},
		{"0d", time.Time{}, false},
		{"-1h", time.Time{}, false},
		{"2027-02-30", time.Time{}, false},
		{"99999999d", time.Time{}, false},
		{"soon", time.Time{}, false},
	}
	for _, tt := range tests {
		got, err := parseExpiry(tt.in, now)
		if !got.Equal(tt.want) || (err == nil) != tt.ok {
			t.Errorf("%q: got %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}
