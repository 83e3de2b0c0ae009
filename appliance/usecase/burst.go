package usecase

import (
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
)

// BurstRule says how far apart the frames of a burst of the appliance's own camera lie: far enough for a person to move a
// little, and never more than MaxGap.
type BurstRule struct{ Least, Most time.Duration }

// Check returns what is wrong with the rule, nil when it can be kept.
func (r BurstRule) Check() error {
	if r.Least <= 0 || r.Most < r.Least || r.Most > appliance.MaxGap {
		return fmt.Errorf("gaps from %v to %v: they must grow, and end at %v at most", r.Least, r.Most, appliance.MaxGap)
	}
	return nil
}

// Shot is a frame with its decoded picture.
type Shot struct {
	*appliance.Frame
	Picture *appliance.Picture
}

// Burst gathers the frames of a liveness check from those that passed their own examination. A frame that missed the gap is
// never used: the burst begins anew with it.
type Burst struct {
	rule  BurstRule
	shots []Shot
}

// NewBurst makes an empty burst.
func NewBurst(rule BurstRule) *Burst { return &Burst{rule: rule} }

// Early reports whether a frame comes too soon after the last one that was taken, so that it need not even be looked at.
func (b *Burst) Early(f *appliance.Frame) bool {
	if len(b.shots) == 0 {
		return false
	}
	last := b.shots[len(b.shots)-1]
	gap := f.Kernel - last.Kernel
	return f.Run == last.Run && gap > 0 && gap < b.rule.Least
}

// Add takes a frame in and reports whether the burst is complete. Frames come in the order in which they were taken.
func (b *Burst) Add(s Shot) bool {
	if b.Early(s.Frame) {
		return false
	}
	if n := len(b.shots); n > 0 {
		last := b.shots[n-1]
		if gap := s.Kernel - last.Kernel; s.Run != last.Run || gap <= 0 || gap > b.rule.Most {
			b.shots = b.shots[:0]
		}
	}
	b.shots = append(b.shots, s)
	return b.Complete()
}

// Clear lets the burst begin anew.
func (b *Burst) Clear() { b.shots = nil }

// Complete reports whether the burst has all its frames.
func (b *Burst) Complete() bool { return len(b.shots) == appliance.BurstFrames }

// Shots returns the frames so far, at most BurstFrames; they are the burst's.
func (b *Burst) Shots() []Shot { return b.shots }

// Times returns when the frames were taken, on the wall clock of the first: the gaps between them are those of the kernel's
// clock, also when the wall clock is set in between.
func (b *Burst) Times() []time.Time {
	times := make([]time.Time, len(b.shots))
	for i, s := range b.shots {
		times[i] = b.shots[0].Wall.Add(s.Kernel - b.shots[0].Kernel)
	}
	return times
}
