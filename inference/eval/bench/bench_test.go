package bench

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval"
)

// The summary of a run takes the nearest rank and keeps the order of the stages.
func TestSummary(t *testing.T) {
	var samples []sample
	for i := range 100 {
		d := time.Duration(i+1) * time.Millisecond
		samples = append(
			samples,
			sample{d, []appliance.Stage{{Name: "decode", Elapsed: d / 4}, {Name: "read", Elapsed: d / 2, Runs: 3, MACs: 70}}},
		)
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
			Runs: []benchRun{
				{Cores: 1, Requests: 5, PerSecond: 6, P50: 7, P95: 8, Stages: []benchStage{{"read", 9, 10, 25, 26}}},
			}, Speedup: 1.9,
		}},
		Daemon: benchDaemon{ReadyMilliseconds: 11, RSSBytes: 12},
		Soak: &benchSoak{
			Requests: 13, PerSecond: 14, Answers: map[string]int{"200": 15}, Growth: 0.01,
			Points: []soakPoint{
				{Requests: 16, RSSBytes: 17, AnonBytes: 18, FileBytes: 19, Files: 20, HeapBytes: 21, Goroutines: 22, StoreBytes: 23},
			},
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
	if err := eval.ReadFigures(name, form, &again); err != nil {
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
		{
			Endpoint: "ocr/passport",
			MACs:     50,
			Runs:     []benchRun{{Cores: 2, PerSecond: 40}, {Cores: 1, PerSecond: 20, P50: 50, P95: 300}},
			Speedup:  2,
		},
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
	if strings.Contains(out.String(), "2 cores") || strings.Contains(out.String(), "speed-up") ||
		strings.Contains(out.String(), "general") {
		t.Errorf("figures without a counterpart in\n%s", out.String())
	}
}

// TestGrowth: memory that grows does so in the figure, and what one point has more than the others hardly counts.
func TestGrowth(t *testing.T) {
	for _, tt := range []struct {
		points []int64
		want   float64
	}{
		{[]int64{100, 100, 100, 100, 100, 100}, 0},
		{[]int64{100, 100, 100, 110, 110, 110}, 0.1},
		{[]int64{100, 100, 100, 100, 100, 109}, 0.03},
	} {
		var points []soakPoint
		for _, bytes := range tt.points {
			points = append(points, soakPoint{RSSBytes: bytes})
		}
		if got := growth(points); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v: %.4f", tt.points, got)
		}
	}
}
