package usecase

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
)

// usualRule is the rule of the default configuration.
func usualRule() BurstRule {
	return BurstRule{Least: 150 * time.Millisecond, Most: 400 * time.Millisecond}
}

// A burst takes three frames whose gaps lie within the rule, and never one that missed the gap, whatever comes in between.
func TestBurst(t *testing.T) {
	tests := []struct {
		name string
		at   []int    // milliseconds of the frames that passed
		run  []uint64 // 0 throughout, if nil
		want []int    // milliseconds of the burst, nil when none came about
	}{
		{"thirty frames a second", []int{0, 33, 66, 100, 133, 166, 200, 233, 266, 300, 333}, nil, []int{0, 166, 333}},
		{"just at the limits", []int{0, 150, 550}, nil, []int{0, 150, 550}},
		{"too slow a camera", []int{0, 401, 802, 1203, 1604}, nil, nil},
		{"a pause in the middle", []int{0, 200, 700, 900, 1100}, nil, []int{700, 900, 1100}},
		{"the same time twice", []int{0, 200, 200, 400, 600}, nil, []int{200, 400, 600}},
		{"a clock that goes back", []int{1000, 1200, 200, 400, 600}, nil, []int{200, 400, 600}},
		{"opened again in the middle", []int{0, 200, 400, 600, 800}, []uint64{1, 1, 2, 2, 2}, []int{400, 600, 800}},
		{"two frames", []int{0, 200}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, done := NewBurst(usualRule()), false
			for i, ms := range tt.at {
				f := &appliance.Frame{Sequence: uint64(i + 1), Kernel: time.Duration(ms) * time.Millisecond}
				if tt.run != nil {
					f.Run = tt.run[i]
				}
				if done = b.Add(Shot{Frame: f}); done {
					break
				}
			}
			var got []int
			if done {
				for _, s := range b.Shots() {
					got = append(got, int(s.Kernel/time.Millisecond))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The times of a burst keep the gaps of the kernel's clock, also when the wall clock is set between two frames.
func TestBurstTimes(t *testing.T) {
	b, noon := NewBurst(usualRule()), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i, wall := range []time.Time{noon, noon.Add(-time.Hour), noon.Add(time.Hour)} {
		b.Add(Shot{Frame: &appliance.Frame{Kernel: time.Duration(i+5) * 200 * time.Millisecond, Wall: wall}})
	}
	want := []time.Time{noon, noon.Add(200 * time.Millisecond), noon.Add(400 * time.Millisecond)}
	if diff := cmp.Diff(want, b.Times()); diff != "" {
		t.Error(diff)
	}
}

// A rule whose frames could lie further apart than the contract allows is refused.
func TestBurstRule(t *testing.T) {
	for rule, ok := range map[BurstRule]bool{
		usualRule():                              true,
		{time.Millisecond, appliance.MaxGap}:     true,
		{time.Millisecond, appliance.MaxGap + 1}: false,
		{0, appliance.MaxGap}:                    false,
		{300 * time.Millisecond, 200 * 1e6}:      false,
	} {
		if err := rule.Check(); (err == nil) != ok {
			t.Errorf("%v: %v", rule, err)
		}
	}
}
