package appliance

import (
	"context"
	"sync/atomic"
)

// Queue bounds the work in the appliance: at most Workers tasks run, at most Waiting more wait, and the rest is
// refused at once so that a flood gets answers instead of a growing backlog.
type Queue struct {
	admitted chan struct{}
	running  chan struct{}
	depth    atomic.Int64
}

// NewQueue makes a queue of at least one worker.
func NewQueue(workers, waiting int) *Queue {
	workers, waiting = max(workers, 1), max(waiting, 0)
	return &Queue{admitted: make(chan struct{}, workers+waiting), running: make(chan struct{}, workers)}
}

// Do runs the task when a worker is free. It answers CodeUnavailable when the queue is full, and ctx.Err when the
// caller went away while waiting.
func (q *Queue) Do(ctx context.Context, task func(context.Context) error) error {
	select {
	case q.admitted <- struct{}{}:
		defer func() { <-q.admitted }()
	default:
		return Errorf(CodeUnavailable, "the appliance is busy: try again in a second")
	}
	q.depth.Add(1)
	defer q.depth.Add(-1)
	select {
	case q.running <- struct{}{}:
		defer func() { <-q.running }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return task(ctx)
}

// Depth returns how many tasks run or wait.
func (q *Queue) Depth() int { return int(q.depth.Load()) }
