package usecase

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/holder"
)

// JudgeLiveness judges three uploaded frames and compares their faces with the portrait of the transaction's reference. What is
// wrong with the frames is told by reasons, not by an error. When it returns without an error the outcome is on record; any request
// renews a living transaction. It counts as one of the transaction's face checks once its frames are decoded, whatever they show:
// each answer names all reasons that apply, among them those that an attacker wants to be rid of.
func (a *Appliance) JudgeLiveness(ctx context.Context, c Comparison, frames []appliance.LivenessFrame) (l appliance.Liveness, err error) {
	defer a.renewAfter(ctx, c.TransactionID, &err)
	return a.judgeLiveness(ctx, c, frames, nil)
}

// ownBurst is what is known of a burst by the appliance's own camera: begun has seen some of the frames already, and further,
// where it is not nil, may find more in them than the judge does.
type ownBurst struct {
	begun   *beginning
	further func(context.Context, []*appliance.Picture) (appliance.BurstFindings, error)
}

// judgeLiveness is JudgeLiveness without the renewal, which is a write of its own; own is nil for uploaded frames.
func (a *Appliance) judgeLiveness(
	ctx context.Context, c Comparison, frames []appliance.LivenessFrame, own *ownBurst,
) (l appliance.Liveness, err error) {
	a, leave := a.hold()
	defer leave()
	if len(frames) != appliance.BurstFrames {
		return l, fmt.Errorf("judge liveness: %d frames instead of %d", len(frames), appliance.BurstFrames)
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
		return appliance.Liveness{}, err
	}
	if l.Source = appliance.SourceUpload; own != nil {
		l.Source = appliance.SourceCamera
	}
	if err = a.remember(ctx, c, appliance.Record{Endpoint: appliance.EndpointLiveness, Liveness: &l}); err == nil {
		a.reviewLiveness(ctx, c, &l, frames)
	}
	return l, err
}

// comparable returns the reference that a liveness check of the transaction would compare with.
func (a *Appliance) comparable(ctx context.Context, id string) (*holder.Reference, error) {
	t, err := a.identified(ctx, id)
	if err != nil {
		return nil, err
	}
	if a.faces.Matcher == nil || a.faces.Judge == nil {
		return nil, appliance.Errorf(appliance.CodeNotBuilt, "this appliance cannot judge liveness yet")
	}
	return a.compared(t)
}

// judge judges the frames of a burst; the receiver may be nil.
func (o *ownBurst) judge(
	ctx context.Context, judge appliance.LivenessJudge, pictures []*appliance.Picture,
) (appliance.BurstFindings, error) {
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
func (a *Appliance) decodeFrames(ctx context.Context, frames []appliance.LivenessFrame) ([]*appliance.Picture, error) {
	pictures := make([]*appliance.Picture, len(frames))
	for i, f := range frames {
		if pictures[i] = f.Picture; f.Picture != nil {
			continue
		}
		if same := slices.IndexFunc(frames[:i], func(o appliance.LivenessFrame) bool { return sameBytes(o, f) }); same >= 0 {
			pictures[i] = pictures[same]
			continue
		}
		var err error
		if pictures[i], err = a.frame.Decode(ctx, f.Image); err != nil {
			return nil, appliance.OfPicture(err, i, len(frames))
		}
	}
	return pictures, nil
}

func sameBytes(a, b appliance.LivenessFrame) bool {
	return len(a.Image) > 0 && bytes.Equal(a.Image, b.Image)
}

// conclude draws the outcome from what was found.
func (f Faces) conclude(
	found appliance.BurstFindings, frames []appliance.LivenessFrame, pictures []*appliance.Picture, ref *holder.Reference,
) appliance.Liveness {
	l := appliance.Liveness{
		Threshold: f.Matcher.Threshold(), Score: found.Score, Cues: found.Cues, Similarity: 1,
		Reference: ref.Reference, Portrait: ref.Document.Portrait,
	}
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
		l.Cues = append(l.Cues, appliance.Cue{Name: string(appliance.DocumentPortrait), Score: nearest, Threshold: f.PortraitCeiling})
	}
	holds := map[appliance.Reason]bool{}
	for _, r := range found.Reasons {
		holds[r] = true
	}
	holds[appliance.DocumentPortrait] = holds[appliance.DocumentPortrait] || f.printsPortrait(nearest)
	for i, frame := range frames {
		holds[appliance.IdenticalImages] = holds[appliance.IdenticalImages] ||
			slices.ContainsFunc(frames[:i], func(o appliance.LivenessFrame) bool { return sameBytes(o, frame) })
	}
	times := make([]time.Time, len(frames))
	for i, frame := range frames {
		if times[i] = frame.At; times[i].IsZero() {
			times[i] = pictures[i].Taken
		}
	}
	var exceeded bool
	l.Gaps, exceeded = appliance.Gaps(times)
	holds[appliance.GapExceeded] = holds[appliance.GapExceeded] || exceeded
	for _, r := range appliance.Reasons() {
		if holds[r] {
			l.Reasons = append(l.Reasons, r)
			if r != appliance.PresentationAttack {
				l.Score = 0
			}
		}
	}
	l.IsLive = len(l.Reasons) == 0
	return l
}

// stopwatch times the steps of a request.
type stopwatch struct {
	now    func() time.Time
	last   time.Time
	stages []appliance.Stage
}

func (a *Appliance) stopwatch() *stopwatch { return &stopwatch{now: a.now, last: a.now()} }

// lap ends a step, which began where the last one ended.
func (w *stopwatch) lap(name string) {
	now := w.now()
	w.stages = append(w.stages, appliance.Stage{Name: name, Elapsed: now.Sub(w.last)})
	w.last = now
}
