package usecase

import (
	"context"
	"time"

	"github.com/bawab/bawab/appliance"
)

// How the preview runs.
const (
	// previewEvery is the least time between two frames of the preview, on the camera's clock.
	previewEvery = 50 * time.Millisecond
	// guideEvery is how often frames are looked at for guidance while somebody watches and no capture runs.
	guideEvery = 250 * time.Millisecond
	// captureSpeaks is how long what a capture said is shown before the viewers look for themselves again.
	captureSpeaks = time.Second
)

// Admit takes one of the CapturerDeps.Viewers places of viewers; leave gives it back. Without a free one it is CodeUnavailable.
func (c *Capturer) Admit() (leave func(), err error) {
	select {
	case c.viewers <- struct{}{}:
		return func() { <-c.viewers }, nil
	default:
		return nil, appliance.Errorf(appliance.CodeUnavailable, "as many as may watch the camera already do: close another preview first")
	}
}

// Show hands frames of the camera with what is seen in them, the zero Sight where nobody has looked yet, to send until ctx or the
// camera ends or send fails; it returns why. Each viewer has its own pace: a slow one gets fewer frames and slows nobody.
func (c *Capturer) Show(ctx context.Context, s Subject, send func(*appliance.Frame, appliance.Sight) error) error {
	var last *appliance.Frame
	for {
		var after uint64
		if last != nil {
			after = last.Sequence
		}
		f, err := c.Camera.Next(ctx, after)
		if err != nil {
			return err
		}
		if last != nil && f.Run == last.Run && f.Kernel-last.Kernel < previewEvery {
			// Waiting for the next one is what keeps a viewer from more frames than it needs.
			last = &appliance.Frame{Sequence: f.Sequence, Run: last.Run, Kernel: last.Kernel}
			continue
		}
		if err := send(f, c.guidance(ctx, s, f)); err != nil {
			return err
		}
		last = f
	}
}

// guidance returns what the person should do. One viewer looks for all; the others, and all while a capture speaks, take what
// was said last.
func (c *Capturer) guidance(ctx context.Context, s Subject, f *appliance.Frame) appliance.Sight {
	g := &c.guides[s]
	if !g.look.TryLock() {
		return g.newest()
	}
	defer g.look.Unlock()
	g.mu.Lock()
	fresh := c.Now().Sub(g.at) < guideEvery || len(c.taken) > 0 && c.Now().Sub(g.at) < captureSpeaks
	g.mu.Unlock()
	if fresh {
		return g.newest()
	}
	c, leave := c.hold()
	defer leave()
	judge := c.faces
	if s == SubjectDocument {
		judge = c.documents
	}
	shot, said, err := c.examine(ctx, f, judge)
	if err != nil {
		return g.newest()
	}
	if shot.Picture != nil {
		now := thumbnailOf(shot.Picture)
		if said.Guidance == appliance.GuideReady && (g.before == nil || now.motion(g.before) > stillLevels) && s == SubjectDocument {
			said.Guidance = appliance.GuideHoldStill
		}
		g.before = now
	}
	c.say(s, said)
	return said
}

// newest is what was said last.
func (g *guide) newest() appliance.Sight {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.said
}
