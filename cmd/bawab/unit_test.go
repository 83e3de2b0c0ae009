package main

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// A last day is valid to its end in Cairo, a duration counts from now, and anything else is refused.
func TestParseExpiry(t *testing.T) {
	zone, err := cairo()
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
		{"0d", time.Time{}, false}, {"-1h", time.Time{}, false}, {"2027-02-30", time.Time{}, false}, {"99999999d", time.Time{}, false}, {"soon", time.Time{}, false},
	}
	for _, tt := range tests {
		got, err := parseExpiry(tt.in, now)
		if !got.Equal(tt.want) || (err == nil) != tt.ok {
			t.Errorf("%q: got %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}

// The interval agrees with published values, also at shares of 0 and 1, where the plain one is empty.
func TestShare(t *testing.T) {
	tests := []struct {
		ok, of    int
		low, high float64
	}{
		{0, 0, 0, 0}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {999, 1000, 0.9943, 0.9998},
	}
	for _, tt := range tests {
		var s share
		s.count(tt.ok, tt.of)
		if math.Abs(s.Low-tt.low) > 1e-4 || math.Abs(s.High-tt.high) > 1e-4 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", tt.ok, tt.of, s.Low, s.High, tt.low, tt.high)
		}
	}
}

// The score counts a wrong number as unflagged only when nothing marks it, and a missing picture as wrong everywhere.
func TestScore(t *testing.T) {
	lines := []string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"}
	wrong := []string{lines[0], "L898902C46UTO7408122F1204159ZE184226B<<<<<10"}
	truth := specimen{File: "a.jpg", MRZ: lines, Fields: map[string]string{"passport_no": "L898902C3", "name": "ANNA MARIA ERIKSSON"}}
	document := func(number string, codes ...appliance.Code) appliance.Document {
		d := appliance.Document{Fields: []appliance.Field{{Name: "passport_no", Value: number}, {Name: "name", Value: "ANNA MARIA ERIKSSON"}}}
		if len(codes) > 0 {
			d.Validations = []appliance.Validation{{Field: "passport_no", Value: number, Errors: codes}}
		}
		return d
	}
	s := scoreOf([]outcome{
		{specimen: truth, found: true, raw: wrong, lines: lines, document: document("L898902C3")},
		{specimen: truth, found: true, raw: wrong, lines: wrong, document: document("L898902C4")},
		{specimen: truth, found: true, raw: wrong, lines: wrong, document: document("L898902C4", appliance.CodeMRZCheck)},
		{specimen: truth},
	})
	got := [][2]int{{s.NotFound, s.Failed}, {s.ExactBefore.OK, s.ExactBefore.Of}, {s.Exact.OK, s.Exact.Of}, {s.Characters.OK, s.Characters.Of},
		{s.Fields["passport_no"].OK, s.Fields["passport_no"].Of}, {s.Fields["name"].OK, s.Fields["name"].Of}, {s.Unflagged.OK, s.Unflagged.Of}}
	want := [][2]int{{1, 0}, {0, 4}, {1, 4}, {88 + 87 + 87, 352}, {1, 4}, {3, 4}, {1, 4}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The summary of a run takes the nearest rank and keeps the order of the stages.
func TestSummary(t *testing.T) {
	var samples []sample
	for i := range 100 {
		d := time.Duration(i+1) * time.Millisecond
		samples = append(samples, sample{d, []appliance.Stage{{Name: "decode", Elapsed: d / 4}, {Name: "read", Elapsed: d / 2}}})
	}
	got := summary(samples, 2, 4*time.Second)
	want := benchRun{Cores: 2, Requests: 100, PerSecond: 25, P50: 50, P95: 95,
		Stages: []benchStage{{"decode", 12.5, 23.75}, {"read", 25, 47.5}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
