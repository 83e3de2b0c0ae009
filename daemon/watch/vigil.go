package watch

import (
	"context"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// StuckAfter is how many times as long as a document is given a reading may take before it counts as stuck; faces and bursts have no limit
// of their own. Native code cannot be interrupted, so the only cure is a new process.
const StuckAfter = 3

// Vigil knows which readings are under way. It is safe for concurrent use.
type Vigil struct {
	mu      sync.Mutex
	next    int
	running map[int]time.Time // start of each
}

// NewVigil returns a vigil over no reading yet.
func NewVigil() *Vigil { return &Vigil{running: map[int]time.Time{}} }

// Over returns a reader that does what r does, under the vigil.
func (v *Vigil) Over(r appliance.Reader) appliance.Reader { return watched{v, r} }

// Oldest returns how long the oldest reading has been under way; 0 when there is none.
func (v *Vigil) Oldest(now time.Time) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	var longest time.Duration
	for _, began := range v.running {
		longest = max(longest, now.Sub(began))
	}
	return longest
}

// Begin notes that a reading begins, until end is called.
func (v *Vigil) Begin() (end func()) {
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
	vigil *Vigil
	appliance.Reader
}

// Read implements appliance.Reader.
func (w watched) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	defer w.vigil.Begin()()
	return w.Reader.Read(ctx, p, earlier)
}
