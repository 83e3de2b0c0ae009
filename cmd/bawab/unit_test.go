package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/store"
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
		{specimen: truth, found: true, raw: wrong, lines: wrong, document: document("")},
		{specimen: truth},
	})
	got := [][2]int{
		{s.NotFound, s.Failed},
		{s.ExactBefore.OK, s.ExactBefore.Of},
		{s.Exact.OK, s.Exact.Of},
		{s.Characters.OK, s.Characters.Of},
		{s.Fields["passport_no"].OK, s.Fields["passport_no"].Of},
		{s.Fields["name"].OK, s.Fields["name"].Of},
		{s.Unflagged.OK, s.Unflagged.Of},
	}
	want := [][2]int{{1, 0}, {0, 5}, {1, 5}, {88 + 87 + 87 + 87, 440}, {1, 5}, {4, 5}, {1, 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The summary of a run takes the nearest rank and keeps the order of the stages.
func TestSummary(t *testing.T) {
	var samples []sample
	for i := range 100 {
		d := time.Duration(i+1) * time.Millisecond
		samples = append(samples, sample{d, []appliance.Stage{{Name: "decode", Elapsed: d / 4}, {Name: "read", Elapsed: d / 2, Runs: 3, MACs: 70}}})
	}
	got := summary(samples, 2, 4*time.Second)
	want := benchRun{
		Cores: 2, Requests: 100, PerSecond: 25, P50: 50, P95: 95,
		Stages: []benchStage{{"decode", 12.5, 23.75, 0, 0}, {"read", 25, 47.5, 3, 70}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The form of the bench report stays: whoever compares with an old file finds the same members in the same units.
func TestBenchForm(t *testing.T) {
	r := benchReport{
		Form: "bawab-bench/2", Version: "v1", Date: "2026-11-20",
		Machine: benchMachine{Arch: "amd64", Cores: 2, Features: []string{"avx2"}, Go: "go1.26", Load: 0.5},
		Models:  []benchModel{{"lines", "00", 4}},
		Readings: []benchReading{{
			Endpoint: "ocr/passport", Picture: benchPicture{Name: "a.jpg", Bytes: 1, Width: 2, Height: 3}, MACs: 24,
			Runs: []benchRun{{Cores: 1, Requests: 5, PerSecond: 6, P50: 7, P95: 8, Stages: []benchStage{{"read", 9, 10, 25, 26}}}}, Speedup: 1.9,
		}},
		Daemon: benchDaemon{ReadyMilliseconds: 11, RSSBytes: 12},
		Soak: &benchSoak{
			Requests: 13, PerSecond: 14, Answers: map[string]int{"200": 15}, Growth: 0.01,
			Points: []soakPoint{{Requests: 16, RSSBytes: 17, AnonBytes: 18, FileBytes: 19, Files: 20, HeapBytes: 21, Goroutines: 22, StoreBytes: 23}},
		},
	}
	got, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("testdata", "bench.form.json")
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("a changed member needs another form name:\n%s", diff)
	}
	var again benchReport
	if err := readFigures(name, formBench, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, again); diff != "" {
		t.Error(diff)
	}
}

// A comparison pairs runs by their number of cores and leaves out what one side does not have.
func TestCompare(t *testing.T) {
	old := &benchReport{Version: "v1", Date: "2026-11-20", Readings: []benchReading{
		{Endpoint: "ocr/passport", MACs: 100, Runs: []benchRun{{Cores: 1, PerSecond: 10, P50: 100, P95: 200}}},
	}}
	now := &benchReport{Readings: []benchReading{
		{Endpoint: "ocr/general", Runs: []benchRun{{Cores: 1, PerSecond: 10}}},
		{Endpoint: "ocr/passport", MACs: 50, Runs: []benchRun{{Cores: 2, PerSecond: 40}, {Cores: 1, PerSecond: 20, P50: 50, P95: 300}}, Speedup: 2},
	}}
	var out strings.Builder
	compare(&out, old, now)
	for _, want := range []string{
		"passport MMAC                0.50", "passport, 1 core requests/s  2.00",
		"passport, 1 core p50 ms      0.50", "passport, 1 core p95 ms      1.50",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "2 cores") || strings.Contains(out.String(), "speed-up") || strings.Contains(out.String(), "general") {
		t.Errorf("figures without a counterpart in\n%s", out.String())
	}
}

// Each broken part of a machine makes its check fail with a hint, and a sound one does not.
func TestDoctorChecks(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	open := t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		got  appliance.Check
		ok   bool
	}{
		{"clock that was never set", checkClock(time.Unix(0, 0)), false},
		{"clock", checkClock(now), true},
		{"no key", checkKeys(nil, now), false},
		{"ended key", checkKeys([]appliance.Key{{Name: "a", Expires: now}}, now), false},
		{"one valid key", checkKeys([]appliance.Key{{Name: "a", Expires: now}, {Name: "b"}}, now), true},
		{"open folder", checkFolder(open), false},
		{"closed folder", checkFolder(closed), true},
		{"folder to be made", checkFolder(filepath.Join(closed, "new")), true},
		{"another version", checkDaemon(httpapi.Status{Version: "other"})[0], false},
		{"this version", checkDaemon(httpapi.Status{Version: version})[0], true},
		{"damaged store", reportChecks(store.Report{Problems: []string{"bad"}})[1], false},
	}
	for _, tt := range tests {
		if tt.got.OK != tt.ok || !tt.ok && tt.got.Hint == "" {
			t.Errorf("%s: got %+v", tt.name, tt.got)
		}
	}
}

// hanging is a reader that returns when it is let go.
type hanging chan struct{}

func (h hanging) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	h <- struct{}{} // says that it runs
	<-h
	return appliance.Reading{}, nil
}

// The vigil knows how long the oldest reading has been under way, and forgets it when it returns.
func TestVigil(t *testing.T) {
	v, h := newVigil(), make(hanging)
	if got := v.oldest(time.Now()); got != 0 {
		t.Errorf("%v before any reading", got)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := v.over(h).Read(t.Context(), nil, nil); err != nil {
			t.Error(err)
		}
	}()
	<-h
	if got := v.oldest(time.Now().Add(time.Hour)); got < time.Hour || got > time.Hour+patience {
		t.Errorf("%v after an hour", got)
	}
	h <- struct{}{}
	<-done
	if got := v.oldest(time.Now().Add(time.Hour)); got != 0 {
		t.Errorf("%v after the reading", got)
	}
}

// TestGrowth: memory that grows does so in the figure, and what one point has more than the others hardly counts.
func TestGrowth(t *testing.T) {
	for _, tt := range []struct {
		points []int64
		want   float64
	}{{[]int64{100, 100, 100, 100, 100, 100}, 0}, {[]int64{100, 100, 100, 110, 110, 110}, 0.1}, {[]int64{100, 100, 100, 100, 100, 109}, 0.03}} {
		var points []soakPoint
		for _, bytes := range tt.points {
			points = append(points, soakPoint{RSSBytes: bytes})
		}
		if got := growth(points); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v: %.4f", tt.points, got)
		}
	}
}

// The daemon bounds the memory that Go holds beside what is in use, and an operator's own bound stays.
func TestCollectEarly(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	if collectEarly([]string{"GOMEMLIMIT=1GiB", "GOGC=70"}); debug.SetMemoryLimit(-1) != math.MaxInt64 || debug.SetGCPercent(100) != 100 {
		t.Error("the operator's own bounds were changed")
	}
	if collectEarly(nil); debug.SetMemoryLimit(-1) != heapGoal || debug.SetGCPercent(100) >= 100 {
		t.Error("no bound was set")
	}
}
