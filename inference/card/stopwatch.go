package card

import (
	"context"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
)

// stopwatch measures the stages of a reading: the time and what the networks did; a stage that comes again adds up.
type stopwatch struct {
	work       inference.Work
	last       time.Time
	runs, macs int64 // work done when the last stage ended
	stages     []appliance.Stage
}

// newStopwatch starts a stopwatch; the networks' work counts when they run under the context that it returns.
func newStopwatch(ctx context.Context) (context.Context, *stopwatch) {
	w := &stopwatch{last: time.Now()}
	return inference.WithWork(ctx, &w.work), w
}

// lap ends a stage, which began where the last one ended.
func (w *stopwatch) lap(name string) {
	now := time.Now()
	runs, macs := w.work.Total()
	lap := appliance.Stage{Name: name, Elapsed: now.Sub(w.last), Runs: runs - w.runs, MACs: macs - w.macs}
	w.last, w.runs, w.macs = now, runs, macs
	i := slices.IndexFunc(w.stages, func(s appliance.Stage) bool { return s.Name == name })
	if i < 0 {
		w.stages = append(w.stages, lap)
		return
	}
	s := &w.stages[i]
	s.Elapsed, s.Runs, s.MACs = s.Elapsed+lap.Elapsed, s.Runs+lap.Runs, s.MACs+lap.MACs
}
