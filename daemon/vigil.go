package daemon

import (
	"context"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// stuckAfter is how many times as long as a document is given a reading may take before it counts as stuck; faces and bursts have no limit of their own. Native code
// cannot be interrupted, so the only cure is a new process.
const stuckAfter = 3

// vigil knows which readings are under way. It is safe for concurrent use.
type vigil struct {
	mu      sync.Mutex
	next    int
	running map[int]time.Time // start of each
}

func newVigil() *vigil { return &vigil{running: map[int]time.Time{}} }

// over returns a reader that does what r does, under the vigil.
func (v *vigil) over(r appliance.Reader) appliance.Reader { return watched{v, r} }

// oldest returns how long the oldest reading has been under way; 0 when there is none.
func (v *vigil) oldest(now time.Time) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	var longest time.Duration
	for _, began := range v.running {
		longest = max(longest, now.Sub(began))
	}
	return longest
}

func (v *vigil) begin() (end func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	id := v.next
	v.next++
	v.running[id] = time.Now()
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.running, id)
	}
}

// watched is a reader under a vigil.
type watched struct {
	vigil *vigil
	appliance.Reader
}

// Read implements appliance.Reader.
func (w watched) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	defer w.vigil.begin()()
	return w.Reader.Read(ctx, p, earlier)
}
