package face

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/burst"
)

// The cues of a burst beside those of package burst.
const (
	CueOtherPerson   = "other_person"
	CueAttack        = "attack"
	CueStillFeatures = "still_features"
)

// Judge judges bursts; it implements appliance.EarlyJudge. It is safe for concurrent use.
type Judge struct {
	finder  *Finder
	matcher *Matcher
	attacks *attackFinder // nil: attacks are not told
}

var _ appliance.EarlyJudge = (*Judge)(nil)

// NewJudge makes a judge.
func NewJudge(f *Finder, m *Matcher, attacks Attacks) (*Judge, error) {
	a, err := newAttackFinder(attacks.Near, attacks.Wide, attacks.Threshold)
	if err != nil {
		return nil, err
	}
	return &Judge{finder: f, matcher: m, attacks: a}, nil
}

// NewRules makes a judge that knows the rules alone and cannot tell an attack. It is for measuring: who answers callers must
// never use it.
func NewRules(f *Finder, m *Matcher) *Judge { return &Judge{finder: f, matcher: m} }

// frame is what was seen in one frame of a burst.
type frame struct {
	*burst.Frame
	face      *sighting // nil where there is none
	embedding appliance.Embedding
	features  []byte // the aligned face, cropSide x cropSide; nil where there is none
	// attack is the probability of an attack by this frame alone, where it could be judged.
	attack float64
	judged bool
}

// Judge names every reason against a burst but gap_exceeded. The score is how surely no attack was seen; it is 1 without a network
// for attacks.
func (j *Judge) Judge(ctx context.Context, frames []*appliance.Picture) (out appliance.BurstFindings, err error) {
	judgement := j.Begin()
	for _, p := range frames {
		if err := judgement.See(ctx, p); err != nil {
			return out, err
		}
	}
	return judgement.Conclude(ctx)
}

// Begin begins the judgement of a burst, whose frames can be looked at as they come.
func (j *Judge) Begin() appliance.Judgement { return &judgement{judge: j} }

// judgement is what is known of a burst so far.
type judgement struct {
	judge *Judge
	seen  []frame
	out   appliance.BurstFindings
	// copied is the greatest probability that two frames are one picture.
	copied float64
	watch  laps
}

// See does the work on one frame, and on its likeness with the earlier ones.
func (b *judgement) See(ctx context.Context, p *appliance.Picture) error {
	if len(b.seen) == appliance.BurstFrames {
		return fmt.Errorf("judge burst: more than %d frames", appliance.BurstFrames)
	}
	var work inference.Work
	ctx = inference.WithWork(ctx, &work)
	b.watch.begin(&work)
	f := frame{Frame: burst.NewFrame(p)}
	if err := b.find(ctx, &f); err != nil {
		return fmt.Errorf("judge burst: %w", err)
	}
	b.watch.lap("find_face")
	if f.face != nil {
		e, err := b.judge.matcher.embed(ctx, f.Picture, f.face.view, f.face.landmarks)
		if err != nil {
			return fmt.Errorf("judge burst: %w", err)
		}
		f.embedding, b.out.Embeddings[len(b.seen)] = e, e
	}
	b.watch.lap("embed")
	for i := range b.seen {
		b.copied = max(b.copied, burst.CopyProbability(b.seen[i].Frame, f.Frame))
	}
	b.watch.lap("identical")
	f.alignFeatures()
	b.watch.lap("cues")
	if b.judge.attacks != nil && f.face != nil {
		var err error
		if f.attack, f.judged, err = b.judge.attacks.probability(ctx, f.Picture, f.face.marks()); err != nil {
			return fmt.Errorf("judge burst: %w", err)
		}
		if !f.judged {
			b.out.Reasons = append(b.out.Reasons, appliance.LowQuality)
		}
	}
	b.watch.lap("attack")
	b.seen = append(b.seen, f)
	return nil
}

// find finds the face of a frame, and says what is wrong with it.
func (b *judgement) find(ctx context.Context, f *frame) error {
	found, err := b.judge.finder.find(ctx, f.Picture)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		b.out.Reasons = append(b.out.Reasons, appliance.NoFaceInFrame)
		return nil
	}
	if len(found) > 1 {
		b.out.Reasons = append(b.out.Reasons, appliance.MultipleFacesInFrame)
	}
	f.face = &found[0]
	f.Face = &burst.Face{At: f.face.at, Size: f.face.size, Quality: f.face.quality(f.Picture)}
	if len(f.Face.Quality.Faults) > 0 {
		b.out.Reasons = append(b.out.Reasons, appliance.LowQuality)
	}
	return nil
}

// Conclude judges the frames together.
func (b *judgement) Conclude(context.Context) (appliance.BurstFindings, error) {
	if len(b.seen) != appliance.BurstFrames {
		return appliance.BurstFindings{}, fmt.Errorf("judge burst: %d frames instead of %d", len(b.seen), appliance.BurstFrames)
	}
	b.watch.begin(&inference.Work{})
	out := b.out
	out.Reasons = slices.Clone(out.Reasons)
	burst.JudgeCopy(b.copied, &out)
	out.Reasons = append(out.Reasons, b.judge.persons(b.seen, &out.Cues)...)
	frames := make([]*burst.Frame, len(b.seen))
	for i := range b.seen {
		frames[i] = b.seen[i].Frame
	}
	burst.JudgeSequence(frames, &out)
	b.watch.lap("sequence")
	out.Cues = append(out.Cues, burst.PlanarMotion(frames[0], frames[len(frames)-1]), stillFeatures(b.seen))
	b.watch.lap("cues")
	burst.JudgeInjection(frames, &out)
	b.watch.lap("injection")
	out.Score = 1
	if b.judge.attacks != nil {
		b.judge.attacks.judge(b.seen, &out)
	}
	b.watch.lap("attack")
	out.Stages = b.watch.stages
	return out, nil
}

// onePerson is the similarity that the faces of a burst must have with each other. Frames of one moment are much more alike than a
// portrait and a face: the least of 419 bursts of living persons (NUAA's for training and validation, 21 November 2026) had 0.74, and
// the strictest calibrated threshold, 0.6, let one of 1,000 bursts with another person's face pass.
const onePerson = 0.66

// persons reports whether the frames show one person.
func (j *Judge) persons(seen []frame, cues *[]appliance.Cue) []appliance.Reason {
	least := 1.0
	for i := range seen {
		for k := range i {
			if len(seen[i].embedding) > 0 && len(seen[k].embedding) > 0 {
				least = min(least, j.matcher.Similarity(seen[i].embedding, seen[k].embedding))
			}
		}
	}
	cue := appliance.Cue{Name: CueOtherPerson, Score: 1 - least, Threshold: 1 - onePerson + 1e-9}
	*cues = append(*cues, cue)
	if cue.Raised() {
		return []appliance.Reason{appliance.DifferentPersons}
	}
	return nil
}

// laps times the stages of a judgement and counts what the networks did in each. A stage that comes again adds to itself.
type laps struct {
	work       *inference.Work
	last       time.Time
	runs, macs int64
	stages     []appliance.Stage
}

// begin begins to time, with what the networks do from now on.
func (l *laps) begin(work *inference.Work) {
	l.work, l.last, l.runs, l.macs = work, time.Now(), 0, 0
}

// lap ends a stage.
func (l *laps) lap(name string) {
	now := time.Now()
	runs, macs := l.work.Total()
	i := slices.IndexFunc(l.stages, func(s appliance.Stage) bool { return s.Name == name })
	if i < 0 {
		i, l.stages = len(l.stages), append(l.stages, appliance.Stage{Name: name})
	}
	s := &l.stages[i]
	s.Elapsed, s.Runs, s.MACs = s.Elapsed+now.Sub(l.last), s.Runs+runs-l.runs, s.MACs+macs-l.macs
	l.last, l.runs, l.macs = now, runs, macs
}
