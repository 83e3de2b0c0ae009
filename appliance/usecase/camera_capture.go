package usecase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
)

// CapturerDeps are the parts of a Capturer.
type CapturerDeps struct {
	Appliance *Appliance
	Camera    appliance.Camera
	Identity  *proof.Identity
	Rule      BurstRule
	// Budget is how long a capture may wait for what it needs.
	Budget time.Duration
	// Challenge lets the kiosk's screen flash in colours during a burst and looks for their reflection on the face. The screen
	// follows the preview, which must be open.
	Challenge bool
	// Recording tells that Camera plays a recording, for trying out: every statement says so.
	Recording bool
	// Viewers is how many may watch the preview at once.
	Viewers int
	// Version is stated with every liveness check.
	Version string
	Now     func() time.Time
}

// Capturer carries out the use cases of the appliance's own camera. One capture runs at a time: a kiosk has one person
// before its camera, and two captures would mix two transactions. Another one is refused with CodeUnavailable.
type Capturer struct {
	CapturerDeps
	taken   chan struct{}
	viewers chan struct{}
	guides  *[2]guide
	// challenged is the challenge of the burst that is being taken; nil without one.
	challenged *atomic.Pointer[challenge]
	// Of the networks that the request holds; nil in the capturer itself.
	faces, documents appliance.FrameJudge
	models           map[string]string
	thresholds       map[string]float64
}

// NewCapturer makes a Capturer; it does no work yet.
func NewCapturer(d CapturerDeps) *Capturer {
	return &Capturer{
		CapturerDeps: d, taken: make(chan struct{}, 1), viewers: make(chan struct{}, max(1, d.Viewers)),
		guides: new([2]guide), challenged: new(atomic.Pointer[challenge]),
	}
}

// take reserves the camera for one capture.
func (c *Capturer) take() (release func(), err error) {
	select {
	case c.taken <- struct{}{}:
		return func() { <-c.taken }, nil
	default:
		return nil, appliance.Errorf(appliance.CodeUnavailable,
			"the camera takes pictures for another request (camera_taken): try again when that is answered")
	}
}

// CapturedLiveness is the outcome of a liveness check with the appliance's own camera.
type CapturedLiveness struct {
	appliance.Liveness
	Proof proof.Proof
	// Frames are the JPEG files of the frames that were judged; none when the camera saw none that could be.
	Frames [][]byte
}

// Liveness takes a burst and judges it as JudgeLiveness does. Where the camera works but sees no three good frames within the
// budget, the outcome says why by its reason. A transaction that cannot be compared with is refused before the camera is used.
func (c *Capturer) Liveness(ctx context.Context, r Comparison) (out CapturedLiveness, err error) {
	defer c.Appliance.renewAfter(ctx, r.TransactionID, &err)
	c, leave := c.hold()
	defer leave()
	ref, err := c.Appliance.comparable(ctx, r.TransactionID)
	if err != nil {
		return out, err
	}
	release, err := c.take()
	if err != nil {
		return out, err
	}
	defer release()
	if c.Challenge && len(c.viewers) == 0 {
		return out, appliance.Errorf(appliance.CodeUnavailable,
			"nobody watches the preview (camera_unwatched): open it on the kiosk's screen, which shows the colours of the challenge")
	}
	began := c.Now()
	begun := &beginning{judge: c.Appliance.faces.Judge}
	burst, seen, challenge, err := c.burst(ctx, begun)
	if err != nil {
		return out, err
	}
	captured := appliance.Stage{Name: "capture", Elapsed: c.Now().Sub(began)}
	if burst.Complete() {
		out.Liveness, err = c.judgeBurst(ctx, r, burst, begun, challenge)
	} else {
		// Nothing was compared: this is no face check that counts.
		out.Liveness = appliance.Liveness{
			Reasons: []appliance.Reason{reasonOf(seen)}, Portrait: ref.Document.Portrait, Reference: ref.Reference,
			Threshold: c.Appliance.faces.Matcher.Threshold(), Source: appliance.SourceCamera,
		}
		err = c.Appliance.remember(ctx, r, appliance.Record{Endpoint: appliance.EndpointLiveness, Liveness: &out.Liveness})
		burst = NewBurst(c.Rule)
	}
	if err != nil {
		return CapturedLiveness{}, err
	}
	out.Stages = append([]appliance.Stage{captured}, out.Stages...)
	for _, s := range burst.Shots() {
		out.Frames = append(out.Frames, s.JPEG)
	}
	out.Proof, err = c.prove(r, burst, challenge, out.Liveness)
	return out, err
}

// judgeBurst hands a complete burst over.
func (c *Capturer) judgeBurst(ctx context.Context, r Comparison, b *Burst, begun *beginning, ch *challenge) (appliance.Liveness, error) {
	frames, times := make([]appliance.LivenessFrame, appliance.BurstFrames), b.Times()
	for i, s := range b.Shots() {
		frames[i] = appliance.LivenessFrame{Image: s.JPEG, Picture: s.Picture, At: times[i]}
	}
	return c.Appliance.judgeLiveness(ctx, r, frames, &ownBurst{begun, c.answered(ch)})
}

// burst gathers frames until the burst is complete or the budget is used up; begun looks at them as they come. seen tells what
// kept it from being complete: GuideReady when there were good frames, but too far apart. ch is the challenge that the frames
// answer, nil without one.
func (c *Capturer) burst(ctx context.Context, begun *beginning) (b *Burst, seen appliance.Guidance, ch *challenge, err error) {
	look, cancel := context.WithTimeout(ctx, c.Budget)
	defer cancel()
	defer c.challenged.Store(nil)
	b, seen = NewBurst(c.Rule), appliance.GuideNoFace
	var after uint64
	for ready := 0; !b.Complete(); {
		f, err := c.Camera.Next(look, after)
		if err == nil {
			after = f.Sequence
			if !c.wanted(b, f) {
				continue
			}
			var s Shot
			var shown appliance.Sight
			if s, shown, err = c.examine(look, f, c.faces); err == nil {
				c.say(SubjectFace, shown)
				g := shown.Guidance
				switch {
				case g == appliance.GuideReady:
					ready++
					c.add(b, s)
					err = begun.follow(look, b)
				case ready < appliance.BurstFrames:
					seen = g
				}
				if ready >= appliance.BurstFrames {
					seen = appliance.GuideReady
				}
				if err == nil {
					continue
				}
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil, "", nil, ctx.Err()
		case look.Err() == nil:
			return nil, "", nil, err
		case after == 0:
			return nil, "", nil, appliance.CameraUnavailable(appliance.WarnCameraStale, err)
		}
		return b, seen, nil, nil
	}
	return b, appliance.GuideReady, c.challenged.Load(), nil
}

// wanted reports whether a frame is worth a look. With a challenge it must show the flash that is its turn; a challenge that a
// frame missed is over, and the next one begins with another order.
func (c *Capturer) wanted(b *Burst, f *appliance.Frame) bool {
	if !c.Challenge {
		return !b.Early(f)
	}
	n := len(b.Shots())
	ch := c.challenged.Load()
	if ch == nil || ch.over(f.Wall, n) {
		b.Clear()
		c.challenged.Store(newChallenge(c.Now()))
		return false
	}
	return ch.fits(f.Wall, n) && !b.Early(f)
}

// add takes a shot into the burst. One that made the burst begin anew belongs to no flash of the challenge.
func (c *Capturer) add(b *Burst, s Shot) {
	n := len(b.Shots())
	b.Add(s)
	if c.Challenge && len(b.Shots()) != n+1 {
		b.Clear()
		c.challenged.Store(nil)
	}
}

// examine decodes a frame and looks at it. One that cannot be decoded counts as blurred: cables and hubs damage single frames.
func (c *Capturer) examine(ctx context.Context, f *appliance.Frame, judge appliance.FrameJudge) (Shot, appliance.Sight, error) {
	p, err := c.Appliance.decoder.Decode(ctx, f.JPEG)
	var damaged *appliance.Error
	if errors.As(err, &damaged) {
		return Shot{}, appliance.Sight{Guidance: appliance.GuideBlurred}, nil
	}
	if err != nil {
		return Shot{}, appliance.Sight{}, err
	}
	seen, err := sightOf(ctx, judge, p)
	return Shot{Frame: f, Picture: p}, seen, err
}

// prove signs what was found.
func (c *Capturer) prove(r Comparison, b *Burst, ch *challenge, l appliance.Liveness) (proof.Proof, error) {
	s := proof.Statement{
		GapsMS: appliance.Milliseconds(l.Gaps), Models: c.models, RequestID: r.RequestID, TransactionID: r.TransactionID, Version: c.Version,
		Result: proof.StatementResult{
			IsLive: l.IsLive, IsMatched: l.IsMatched, LivenessScore: l.PublicScore(), Reasons: l.Reasons, Similarity: l.Similarity,
		},
		SignedAt: c.Now().UTC().Format(proof.StatementTime), Source: appliance.SourceCamera,
		Thresholds: map[string]float64{"match": l.Threshold, "gap_ms": float64(appliance.MaxGap / time.Millisecond)},
	}
	for name, v := range c.thresholds {
		s.Thresholds[name] = v
	}
	times := b.Times()
	for i, shot := range b.Shots() {
		s.Frames = append(s.Frames, proof.NewStatementFrame(shot.Frame, times[i]))
	}
	if c.Recording {
		s.Source = appliance.SourceRecording
	}
	if ch != nil {
		colours := ch.String()
		s.Challenge = &colours
	}
	if l.Portrait != nil {
		hash := proof.EmbeddingHash(l.Portrait.Embedding)
		s.DocumentEmbedding = &hash
	}
	p, err := proof.SignStatement(c.Identity, s)
	if err != nil {
		return proof.Proof{}, fmt.Errorf("sign liveness: %w", err)
	}
	return p, nil
}

// Subject is what a capture or a viewer of the preview is about.
type Subject int

// The subjects.
const (
	SubjectFace Subject = iota
	SubjectDocument
)

// guide is the newest guidance for one subject.
type guide struct {
	mu     sync.Mutex
	said   appliance.Sight
	at     time.Time
	before *thumbnail
	// look is held by the viewer that looks at a frame for all.
	look sync.Mutex
}

// say makes the guidance of a running capture known to the viewers.
func (c *Capturer) say(s Subject, seen appliance.Sight) {
	guide := &c.guides[s]
	guide.mu.Lock()
	defer guide.mu.Unlock()
	guide.said, guide.at = seen, c.Now()
}
