package queue

import (
	"context"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// keptKey finds what a task keeps in its context.
type keptKey struct{}

// kept are the workers of other queues that a task keeps until it ends.
type kept struct {
	mu   sync.Mutex
	held map[*Queue]func()
}

// Keep takes a worker of q until the task ends that ctx belongs to (see Do): what the task makes of it, such as a decoded picture, lasts as
// long. A task that keeps one already takes no second. Outside of a task nothing is taken. give returns the worker before the end of the
// task; it may be called twice.
//
// Who keeps workers of two queues takes them in the same order everywhere.
func (q *Queue) Keep(ctx context.Context) (give func(), err error) {
	k, ok := ctx.Value(keptKey{}).(*kept)
	if !ok {
		return func() {}, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if give, ok := k.held[q]; ok {
		return give, nil
	}
	caller := appliance.CallerOf(ctx).Key
	if err := q.enter(ctx, caller); err != nil {
		return nil, err
	}
	if k.held == nil {
		k.held = map[*Queue]func(){}
	}
	give = sync.OnceFunc(func() { q.leave(caller) })
	k.held[q] = give
	return give, nil
}

// end gives back all that the task keeps.
func (k *kept) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, give := range k.held {
		give()
	}
}

// WhenQuiet lets do be called whenever no task has run for so long after the last one. It must be called before the queue is used.
func (q *Queue) WhenQuiet(after time.Duration, do func()) {
	q.quiet = time.AfterFunc(after, do)
	q.quiet.Stop()
	q.calm = after
}
