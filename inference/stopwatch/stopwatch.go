// Package stopwatch measures the stages of a reading.
package stopwatch

import (
	"context"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
)

// Watch measures the stages of a reading: the time and what the networks did; a stage that comes again adds up. It is not safe for
// concurrent use.
type Watch struct {
	// Stages are those that have ended.
	Stages     []appliance.Stage
	work       inference.Work
	last       time.Time
	runs, macs int64 // work done when the last stage ended
}

// New starts a Watch; the networks' work counts when they run under the context that it returns.
func New(ctx context.Context) (context.Context, *Watch) {
	w := &Watch{last: time.Now()}
	return inference.WithWork(ctx, &w.work), w
}

// Lap ends a stage, which began where the last one ended.
func (w *Watch) Lap(name string) {
	now := time.Now()
	runs, macs := w.work.Total()
	lap := appliance.Stage{Name: name, Elapsed: now.Sub(w.last), Runs: runs - w.runs, MACs: macs - w.macs}
	w.last, w.runs, w.macs = now, runs, macs
	i := slices.IndexFunc(w.Stages, func(s appliance.Stage) bool { return s.Name == name })
	if i < 0 {
		w.Stages = append(w.Stages, lap)
		return
	}
	s := &w.Stages[i]
	s.Elapsed, s.Runs, s.MACs = s.Elapsed+lap.Elapsed, s.Runs+lap.Runs, s.MACs+lap.MACs
}
