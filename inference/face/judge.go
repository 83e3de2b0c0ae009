package face

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
)

// The cues of a burst. The first ones carry rules of their own; those of a flat picture support the network that tells attacks.
const (
	CueSamePicture    = "same_picture"
	CueOtherPerson    = "other_person"
	CuePoseJump       = "pose_jump"
	CuePlaceJump      = "place_jump"
	CueSizeJump       = "size_jump"
	CueLightJump      = "light_jump"
	CueBackgroundJump = "background_jump"
	CueAttack         = "attack"
	CuePlanarMotion   = "planar_motion"
	CueMoire          = "moire"
	CueSheetEdge      = "sheet_edge"
)

// Judge judges bursts; it implements appliance.LivenessJudge. It is safe for concurrent use.
type Judge struct {
	finder  *Finder
	matcher *Matcher
	attacks *attackFinder // nil: attacks are not told
}

var _ appliance.LivenessJudge = (*Judge)(nil)

// NewJudge makes a judge. attacks is the "liveness" network, which stays the caller's; a burst is an attack from the probability
// attack on, 0 to 1.
func NewJudge(f *Finder, m *Matcher, attacks *inference.Network, attack float64) (*Judge, error) {
	a, err := newAttackFinder(attacks, attack)
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
	*still
	face      *sighting // nil where there is none
	embedding appliance.Embedding
	quality   appliance.FaceQuality
}

// Judge names every reason against a burst but gap_exceeded. The score is how surely no attack was seen; it is 1 without a network
// for attacks.
func (j *Judge) Judge(ctx context.Context, frames []*appliance.Picture) (out appliance.BurstFindings, err error) {
	if len(frames) != appliance.BurstFrames {
		return out, fmt.Errorf("judge burst: %d frames instead of %d", len(frames), appliance.BurstFrames)
	}
	var work inference.Work
	ctx = inference.WithWork(ctx, &work)
	watch := &laps{work: &work, last: time.Now()}
	seen, err := j.see(ctx, frames, &out, watch)
	if err != nil {
		return out, err
	}
	out.Reasons = append(out.Reasons, identical(seen, &out.Cues)...)
	watch.lap("identical")
	out.Reasons = append(out.Reasons, j.persons(seen, &out.Cues)...)
	out.Reasons = append(out.Reasons, realistic(seen, &out.Cues)...)
	watch.lap("sequence")
	flatness(seen, &out.Cues)
	watch.lap("cues")
	out.Score = 1
	if j.attacks != nil {
		if err := j.attacks.judge(ctx, seen, &out); err != nil {
			return out, err
		}
		watch.lap("attack")
	}
	out.Stages = watch.stages
	return out, nil
}

// see finds the faces, measures and embeds them.
func (j *Judge) see(ctx context.Context, frames []*appliance.Picture, out *appliance.BurstFindings, watch *laps) ([]frame, error) {
	seen := make([]frame, len(frames))
	for i, p := range frames {
		found, err := j.finder.find(ctx, p, largeFace)
		if err != nil {
			return nil, fmt.Errorf("judge burst: %w", err)
		}
		seen[i] = frame{still: newStill(p)}
		if len(found) == 0 {
			out.Reasons = append(out.Reasons, appliance.NoFaceInFrame)
			continue
		}
		if len(found) > 1 {
			out.Reasons = append(out.Reasons, appliance.MultipleFacesInFrame)
		}
		seen[i].face, seen[i].quality = &found[0], found[0].quality(p)
		if len(seen[i].quality.Faults) > 0 {
			out.Reasons = append(out.Reasons, appliance.LowQuality)
		}
	}
	watch.lap("find_face")
	for i := range seen {
		f := &seen[i]
		if f.face == nil {
			continue
		}
		e, err := j.matcher.embed(ctx, f.Picture, f.face.view, f.face.landmarks)
		if err != nil {
			return nil, fmt.Errorf("judge burst: %w", err)
		}
		f.embedding, out.Embeddings[i] = e, e
	}
	watch.lap("embed")
	return seen, nil
}

// onePerson is the similarity that the faces of a burst must have with each other: frames of one moment are much more alike than a
// portrait and a face, so that it can be the strictest that is calibrated.
const onePerson = similarPerTenThousand

// persons tells whether the frames show one person.
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

// identical tells whether any two frames are one picture.
func identical(seen []frame, cues *[]appliance.Cue) []appliance.Reason {
	most := 0.0
	for i := range seen {
		for k := range i {
			if seen[i].Picture == seen[k].Picture || samePixels(seen[i].Picture, seen[k].Picture) {
				most = 1
			} else {
				most = max(most, copyProbability(seen[k].still, seen[i].still))
			}
		}
	}
	cue := appliance.Cue{Name: CueSamePicture, Score: most, Threshold: samePicture}
	*cues = append(*cues, cue)
	if cue.Raised() {
		return []appliance.Reason{appliance.IdenticalImages}
	}
	return nil
}

// laps times the stages of a judgement and counts what the networks did in each.
type laps struct {
	work       *inference.Work
	last       time.Time
	runs, macs int64
	stages     []appliance.Stage
}

// lap ends a stage.
func (l *laps) lap(name string) {
	now := time.Now()
	runs, macs := l.work.Total()
	l.stages = append(l.stages, appliance.Stage{Name: name, Elapsed: now.Sub(l.last), Runs: runs - l.runs, MACs: macs - l.macs})
	l.last, l.runs, l.macs = now, runs, macs
}

// logistic is the probability at the given log-odds.
func logistic(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
