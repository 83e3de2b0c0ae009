// Package queue bounds the work in the appliance and shares it out fairly among callers.
package queue

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Queue bounds the work in the appliance: at most as many tasks run as it has workers, a bounded number waits, and the rest
// is refused at once so that a flood gets answers instead of a growing backlog.
//
// It is fair among callers (see CallerOf). A free worker goes to the caller who has the fewest tasks running, and in a full
// queue the one who holds most places gives one to a caller who holds fewer. While several callers are about, none of them
// gets the last worker: the task of another would have to wait until one of his ends, which may take seconds.
type Queue struct {
	workers, places int

	mu      sync.Mutex
	running map[string]int // tasks that run, by caller
	busy    int            // all of them
	waiting []*waiter      // in the order in which they came
	seen    map[string]time.Time
	quiet   *time.Timer // what WhenQuiet asked for; nil where it did not
	calm    time.Duration
}

// waiter is a task that waits for a worker.
type waiter struct {
	caller string
	turn   chan bool // true: run, false: the place went to another caller
}

// about is how long after his last task a caller counts as one who will come again.
const about = 30 * time.Second

// New makes a queue of at least one worker.
func New(workers, waiting int) *Queue {
	workers, waiting = max(workers, 1), max(waiting, 0)
	return &Queue{workers: workers, places: workers + waiting, running: map[string]int{}, seen: map[string]time.Time{}}
}

// Do runs the task when a worker is free. It answers CodeUnavailable when the queue is full, and ctx.Err when the
// caller went away while waiting.
func (q *Queue) Do(ctx context.Context, task func(context.Context) error) error {
	caller := appliance.CallerOf(ctx).Key
	if err := q.enter(ctx, caller); err != nil {
		return err
	}
	defer q.leave(caller)
	if err := ctx.Err(); err != nil {
		return err
	}
	k := &kept{}
	defer k.end()
	return task(context.WithValue(ctx, keptKey{}, k))
}

// enter returns nil when the task may run; leave is due then.
func (q *Queue) enter(ctx context.Context, caller string) error {
	q.mu.Lock()
	q.note(caller)
	if q.busy+len(q.waiting) >= q.places && !q.displace(caller) {
		q.mu.Unlock()
		return errBusy()
	}
	w := &waiter{caller: caller, turn: make(chan bool, 1)}
	q.waiting = append(q.waiting, w)
	q.dispatch()
	q.mu.Unlock()
	select {
	case granted := <-w.turn:
		if !granted {
			return errBusy()
		}
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	at := slices.Index(q.waiting, w)
	if at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
	q.mu.Unlock()
	if at < 0 && <-w.turn { // its turn came at the same time
		q.leave(caller)
	}
	return ctx.Err()
}

func errBusy() error {
	return appliance.Errorf(appliance.CodeUnavailable, "the appliance is busy: try again in a second")
}

// leave gives the worker of a task to the next one.
func (q *Queue) leave(caller string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	if q.running[caller]--; q.running[caller] == 0 {
		delete(q.running, caller)
	}
	q.dispatch()
	if q.quiet != nil && q.busy == 0 {
		q.quiet.Reset(q.calm)
	}
}

// note remembers that a caller is about, and forgets those who came long ago. The appliance's own work does not count.
func (q *Queue) note(caller string) {
	now := time.Now()
	if caller != "" {
		q.seen[caller] = now
	}
	for c, at := range q.seen {
		if now.Sub(at) > about {
			delete(q.seen, c)
		}
	}
}

// most is how many tasks of one caller run at once.
func (q *Queue) most() int {
	if len(q.seen) > 1 {
		return max(q.workers-1, 1)
	}
	return q.workers
}

// dispatch gives free workers to those who wait.
func (q *Queue) dispatch() {
	for q.busy < q.workers {
		next, most := -1, q.most()
		for i, w := range q.waiting {
			if n := q.running[w.caller]; n < most && (next < 0 || n < q.running[q.waiting[next].caller]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := q.waiting[next]
		q.waiting = slices.Delete(q.waiting, next, next+1)
		q.running[w.caller]++
		q.busy++
		if q.quiet != nil {
			q.quiet.Stop()
		}
		w.turn <- true
	}
}

// displace makes room for a caller in a full queue: the one who holds most places, and more than the caller would, loses the
// newest of his that waits.
func (q *Queue) displace(caller string) bool {
	held := map[string]int{}
	for c, n := range q.running {
		held[c] = n
	}
	for _, w := range q.waiting {
		held[w.caller]++
	}
	victim := -1
	for i, w := range q.waiting { // the last of equals is the newest
		if held[w.caller] > held[caller]+1 && (victim < 0 || held[w.caller] >= held[q.waiting[victim].caller]) {
			victim = i
		}
	}
	if victim < 0 {
		return false
	}
	q.waiting[victim].turn <- false
	q.waiting = slices.Delete(q.waiting, victim, victim+1)
	return true
}

// Depth returns how many tasks run or wait.
func (q *Queue) Depth() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.busy + len(q.waiting)
}
