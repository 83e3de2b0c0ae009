// Package replay plays a folder of pictures or a video as a camera, with a clock of its own, so that everything above the
// camera runs without one. It can behave as badly as real cameras do.
package replay

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Clock is the time by which a Player plays.
type Clock interface {
	Now() time.Time
	// Sleep waits until d has passed or ctx ends; then it returns ctx's error.
	Sleep(ctx context.Context, d time.Duration) error
}

// Kind is a way in which a camera misbehaves.
type Kind int

// The misbehaviours.
const (
	// Unplug ends the source at frame At; after that the camera is missing for Times openings.
	Unplug Kind = iota
	// Busy refuses Times openings before frame At.
	Busy
	// Freeze repeats frame At Times times.
	Freeze
	// Late delivers Times frames from At on By after they were taken.
	Late
	// Jump moves the camera's clock by By from frame At on.
	Jump
	// Silence delivers nothing for By from frame At on, or until the source's context ends where By is 0.
	Silence
	// Damage delivers Times frames from At on that are no pictures.
	Damage
)

// Fault is one misbehaviour. Frames are counted from 1 over all openings.
type Fault struct {
	Kind  Kind
	At    int
	Times int
	By    time.Duration
}

// Config says what to play.
type Config struct {
	// Path is a folder of JPEG pictures, played in the order of their names, or a Motion JPEG video in an AVI file. In a folder,
	// the file times.txt may hold the time of each picture: lines with its name, a blank and milliseconds from the start, growing.
	// Without it there are 30 a second.
	Path string
	// Clock paces the player; nil takes the machine's.
	Clock  Clock
	Faults []Fault
}

// Player plays from the start at every opening, and again when it has come to the end. It is safe for concurrent use; its Open
// is an appliance.CameraOpener.
type Player struct {
	cfg   Config
	began time.Time

	mu        sync.Mutex
	delivered int   // frames so far
	refused   []int // openings that each fault refused
	pulled    []bool
}

// New makes a player; it does no I/O.
func New(cfg Config) *Player {
	if cfg.Clock == nil {
		cfg.Clock = machineClock{}
	}
	return &Player{cfg: cfg, began: cfg.Clock.Now().Add(-bootedBefore), refused: make([]int, len(cfg.Faults)), pulled: make([]bool, len(cfg.Faults))}
}

// bootedBefore is how long the box has been up when a player is made, so that its monotonic clock looks like one.
const bootedBefore = time.Hour

// Open opens the camera. A folder or video that cannot be played is a camera that is missing.
func (p *Player) Open(ctx context.Context) (appliance.CameraSource, error) {
	if code := p.refuse(); code != "" {
		return nil, &appliance.CameraFault{Code: code}
	}
	s := &source{player: p, ctx: ctx, opened: p.cfg.Clock.Now()}
	if err := s.load(p.cfg.Path); err != nil {
		return nil, &appliance.CameraFault{Code: appliance.WarnCameraMissing, Err: errors.Join(err, s.Close())}
	}
	return s, nil
}

// refuse returns why this opening is refused, "" when it is not.
func (p *Player) refuse() appliance.WarningCode {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.cfg.Faults {
		if p.refused[i] >= f.Times {
			continue
		}
		switch {
		case f.Kind == Busy && p.delivered+1 >= f.At:
			p.refused[i]++
			return appliance.WarnCameraBusy
		case f.Kind == Unplug && p.pulled[i]:
			p.refused[i]++
			return appliance.WarnCameraMissing
		}
	}
	return ""
}

// next counts a frame and returns its number; pulled says that the camera is unplugged before it.
func (p *Player) next() (number int, pulled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.cfg.Faults {
		if f.Kind == Unplug && !p.pulled[i] && p.delivered+1 >= f.At {
			p.pulled[i] = true
			return 0, true
		}
	}
	p.delivered++
	return p.delivered, false
}

// hits returns the faults of a kind that concern a frame.
func (p *Player) hits(k Kind, number int) []Fault {
	var hits []Fault
	for _, f := range p.cfg.Faults {
		if f.Kind == k && number >= f.At && (k == Jump || number < f.At+max(1, f.Times)) {
			hits = append(hits, f)
		}
	}
	return hits
}

// machineClock is the clock of the machine.
type machineClock struct{}

// Now implements Clock.
func (machineClock) Now() time.Time { return time.Now() }

// Sleep implements Clock.
func (machineClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() // where both are due, the end counts
}
