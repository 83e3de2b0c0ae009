package appliance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Reason is why a burst of frames is not taken for a living person.
type Reason string

// The reasons, in the order in which answers name them. InjectedMedia: the frames do not come from a camera that looks at a person
// but were made. DocumentPortrait: a frame shows the portrait of the transaction's own document.
const (
	IdenticalImages      Reason = "identical_images"
	DifferentPersons     Reason = "different_persons"
	UnrealisticSequence  Reason = "unrealistic_sequence"
	PresentationAttack   Reason = "presentation_attack"
	InjectedMedia        Reason = "injected_media"
	DocumentPortrait     Reason = "document_portrait"
	GapExceeded          Reason = "gap_exceeded"
	NoFaceInFrame        Reason = "no_face"
	MultipleFacesInFrame Reason = "multiple_faces"
	LowQuality           Reason = "low_quality"
)

// Reasons lists all reasons in the order in which answers name them.
func Reasons() []Reason {
	return []Reason{
		IdenticalImages, DifferentPersons, UnrealisticSequence, PresentationAttack, InjectedMedia, DocumentPortrait,
		GapExceeded, NoFaceInFrame, MultipleFacesInFrame, LowQuality,
	}
}

// BurstFrames is how many frames a burst has.
const BurstFrames = 3

// LivenessFrame is one frame of a burst: the encoded picture of a caller, or the decoded one of the appliance's own camera.
type LivenessFrame struct {
	// Image is the encoded picture. Two frames of equal bytes are identical. It may be nil where Picture is set.
	Image []byte
	// Picture is set where the frame is decoded already.
	Picture *Picture
	// At is the kernel's time of the frame; zero takes the time of capture that the picture itself carries, if any.
	At time.Time
}

// LivenessJudge judges the frames of a burst by what they show. It names every reason that applies but gap_exceeded, in any
// order. It must not keep the pictures.
type LivenessJudge interface {
	Judge(ctx context.Context, frames []*Picture) (BurstFindings, error)
}

// BurstFindings is what a LivenessJudge finds.
type BurstFindings struct {
	Reasons []Reason
	// Embeddings are those of the faces, frame by frame; nil for a frame without one.
	Embeddings [BurstFrames]Embedding
	// Score is how surely a living person stood before the camera, 0 to 1.
	Score float64
	// Cues are the named signs behind the reasons.
	Cues []Cue
	// Stages are the steps of the work in order.
	Stages []Stage
}

// Liveness is the outcome of a liveness check.
type Liveness struct {
	// IsLive is true when no reason speaks against it; IsMatched when the faces of all frames match the portrait.
	IsLive, IsMatched bool
	// Reasons are in the order of Reasons, each at most once; empty when IsLive.
	Reasons []Reason
	// Similarity is the lowest of the three faces with the portrait, 0 where there is no face; Threshold is the one from which a
	// face matches.
	Similarity, Threshold float64
	// Score is how surely a living person stood before the camera, 0 to 1; it is 0 where another rule than presentation_attack
	// is broken.
	Score float64
	// Gaps are the times between the frames, nil where they are not known.
	Gaps []time.Duration
	// Source is where the frames come from: SourceUpload or SourceCamera.
	Source string
	// Reviewed says that the frames are kept for a person to look at. Records do not keep it.
	Reviewed bool `json:"-"`
	// Reference is the document that the faces were compared with.
	Reference Reference
	// Cues are the named signs behind the reasons.
	Cues []Cue
	// Stages are the steps of the work in order. Records do not keep them.
	Stages []Stage `json:"-"`
	// Portrait is what the faces were compared with. Records hold it with its document.
	Portrait *Portrait `json:"-"`
}

// PublicScore is what callers without the scope admin, and the signed statement, are told in place of Score: 1 where the person is
// live, else 0. Whoever could watch a finer score move would learn from each try how to come nearer.
func (l Liveness) PublicScore() float64 {
	if l.IsLive {
		return 1
	}
	return 0
}

// JudgeLiveness judges three uploaded frames and compares their faces with the portrait of the transaction's reference. What is
// wrong with the frames is told by reasons, not by an error. When it returns without an error the outcome is on record; any request
// renews a living transaction. It counts as one of the transaction's face checks once its frames are decoded, whatever they show:
// each answer names all reasons that apply, among them those that an attacker wants to be rid of.
func (a *Appliance) JudgeLiveness(ctx context.Context, c Comparison, frames []LivenessFrame) (l Liveness, err error) {
	return a.judgeLiveness(ctx, c, frames, nil)
}

// ownBurst is what is known of a burst by the appliance's own camera: begun has seen some of the frames already, and further,
// where it is not nil, may find more in them than the judge does.
type ownBurst struct {
	begun   *beginning
	further func(context.Context, []*Picture) (BurstFindings, error)
}

// judgeLiveness is JudgeLiveness; own is nil for uploaded frames.
func (a *Appliance) judgeLiveness(ctx context.Context, c Comparison, frames []LivenessFrame, own *ownBurst) (l Liveness, err error) {
	defer a.renewAfter(ctx, c.TransactionID, &err)
	a, leave := a.hold()
	defer leave()
	if len(frames) != BurstFrames {
		return l, fmt.Errorf("judge liveness: %d frames instead of %d", len(frames), BurstFrames)
	}
	err = a.queue.Do(ctx, func(ctx context.Context) error {
		watch := a.stopwatch()
		pictures, err := a.decodeFrames(ctx, frames)
		if err != nil {
			return err
		}
		watch.lap("decode")
		ref, err := a.comparable(ctx, c.TransactionID)
		if err != nil {
			return err
		}
		if err := a.transactions.Attempt(ctx, c.TransactionID, a.attempts); err != nil {
			return err
		}
		watch.lap("count")
		found, err := own.judge(ctx, a.faces.Judge, pictures)
		if err != nil {
			return err
		}
		l = a.faces.conclude(found, frames, pictures, ref)
		l.Stages = append(watch.stages, found.Stages...)
		return nil
	})
	if err != nil {
		return Liveness{}, err
	}
	if l.Source = SourceUpload; own != nil {
		l.Source = SourceCamera
	}
	if err = a.remember(ctx, c, Record{Endpoint: EndpointLiveness, Liveness: &l}); err == nil {
		a.reviewLiveness(ctx, c, &l, frames)
	}
	return l, err
}

// comparable returns the reference that a liveness check of the transaction would compare with.
func (a *Appliance) comparable(ctx context.Context, id string) (*reference, error) {
	t, err := a.identified(ctx, id)
	if err != nil {
		return nil, err
	}
	if a.faces.Matcher == nil || a.faces.Judge == nil {
		return nil, Errorf(CodeNotBuilt, "this appliance cannot judge liveness yet")
	}
	return a.compared(t)
}

// judge judges the frames of a burst; the receiver may be nil.
func (o *ownBurst) judge(ctx context.Context, judge LivenessJudge, pictures []*Picture) (BurstFindings, error) {
	if o != nil {
		judge = o.begun
	}
	found, err := judge.Judge(ctx, pictures)
	if err != nil {
		return found, fmt.Errorf("judge liveness: %w", err)
	}
	if o == nil || o.further == nil {
		return found, nil
	}
	more, err := o.further(ctx, pictures)
	if err != nil {
		return found, err
	}
	found.Reasons, found.Cues = append(found.Reasons, more.Reasons...), append(found.Cues, more.Cues...)
	found.Score = min(found.Score, more.Score)
	return found, nil
}

// decodeFrames returns the pictures of the frames. One that was sent twice is decoded once.
func (a *Appliance) decodeFrames(ctx context.Context, frames []LivenessFrame) ([]*Picture, error) {
	pictures := make([]*Picture, len(frames))
	for i, f := range frames {
		if pictures[i] = f.Picture; f.Picture != nil {
			continue
		}
		if same := slices.IndexFunc(frames[:i], func(o LivenessFrame) bool { return sameBytes(o, f) }); same >= 0 {
			pictures[i] = pictures[same]
			continue
		}
		var err error
		if pictures[i], err = a.frame.Decode(ctx, f.Image); err != nil {
			return nil, ofPicture(err, i, len(frames))
		}
	}
	return pictures, nil
}

func sameBytes(a, b LivenessFrame) bool { return len(a.Image) > 0 && bytes.Equal(a.Image, b.Image) }

// conclude draws the outcome from what was found.
func (f Faces) conclude(found BurstFindings, frames []LivenessFrame, pictures []*Picture, ref *reference) Liveness {
	l := Liveness{Threshold: f.Matcher.Threshold(), Score: found.Score, Cues: found.Cues, Similarity: 1, Reference: ref.Reference, Portrait: ref.document.Portrait}
	nearest := 0.0
	for _, e := range found.Embeddings {
		similarity := 0.0
		if len(e) > 0 {
			similarity = f.Matcher.Similarity(e, l.Portrait.Embedding)
		}
		l.Similarity, nearest = min(l.Similarity, similarity), max(nearest, similarity)
	}
	l.IsMatched = l.Similarity >= l.Threshold
	if f.PortraitCeiling > 0 {
		l.Cues = append(l.Cues, Cue{Name: string(DocumentPortrait), Score: nearest, Threshold: f.PortraitCeiling})
	}
	holds := map[Reason]bool{}
	for _, r := range found.Reasons {
		holds[r] = true
	}
	holds[DocumentPortrait] = holds[DocumentPortrait] || f.printsPortrait(nearest)
	for i, frame := range frames {
		holds[IdenticalImages] = holds[IdenticalImages] || slices.ContainsFunc(frames[:i], func(o LivenessFrame) bool { return sameBytes(o, frame) })
	}
	times := make([]time.Time, len(frames))
	for i, frame := range frames {
		if times[i] = frame.At; times[i].IsZero() {
			times[i] = pictures[i].Taken
		}
	}
	var exceeded bool
	l.Gaps, exceeded = Gaps(times)
	holds[GapExceeded] = holds[GapExceeded] || exceeded
	for _, r := range Reasons() {
		if holds[r] {
			l.Reasons = append(l.Reasons, r)
			if r != PresentationAttack {
				l.Score = 0
			}
		}
	}
	l.IsLive = len(l.Reasons) == 0
	return l
}

// ofPicture says which of several pictures an error is about.
func ofPicture(err error, i, n int) error {
	var e *Error
	if n == 1 || !errors.As(err, &e) {
		return err
	}
	named := *e
	inner := e.text
	if inner.String() != e.Msg {
		inner = Phrasef(e.Msg)
	}
	named.text = Phrasef("picture %d of %d: %s", i+1, n, inner)
	named.Msg = named.text.String()
	return &named
}

// stopwatch times the steps of a request.
type stopwatch struct {
	now    func() time.Time
	last   time.Time
	stages []Stage
}

func (a *Appliance) stopwatch() *stopwatch { return &stopwatch{now: a.now, last: a.now()} }

// lap ends a step, which began where the last one ended.
func (w *stopwatch) lap(name string) {
	now := w.now()
	w.stages = append(w.stages, Stage{Name: name, Elapsed: now.Sub(w.last)})
	w.last = now
}

// MaxGap is the longest time that may pass between two frames of a burst.
const MaxGap = 500 * time.Millisecond

// Gaps returns the times between the frames of a burst, and whether one is negative or longer than MaxGap. Without the time
// of every frame there are no gaps, and none is exceeded.
func Gaps(times []time.Time) (gaps []time.Duration, exceeded bool) {
	if slices.ContainsFunc(times, time.Time.IsZero) {
		return nil, false
	}
	for i := range len(times) - 1 {
		gap := times[i+1].Sub(times[i])
		gaps = append(gaps, gap)
		exceeded = exceeded || gap < 0 || gap > MaxGap
	}
	return gaps, exceeded
}
