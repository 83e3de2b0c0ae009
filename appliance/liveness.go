package appliance

import (
	"context"
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

// Milliseconds writes gaps as answers and statements tell them. It is nil where the gaps are not known.
func Milliseconds(gaps []time.Duration) []float64 {
	if gaps == nil {
		return nil
	}
	out := make([]float64, len(gaps))
	for i, g := range gaps {
		out[i] = float64(g) / float64(time.Millisecond)
	}
	return out
}

// EarlyJudge is a LivenessJudge that can look at the first frames of a burst while the last one is awaited.
type EarlyJudge interface {
	LivenessJudge
	// Begin begins the judgement of one burst.
	Begin() Judgement
}

// Judgement is that of one burst. Its calls come one after the other, and it needs no end: it holds nothing but memory.
type Judgement interface {
	// See takes the next frame in; the picture must stay as it is until Conclude.
	See(context.Context, *Picture) error
	// Conclude judges the BurstFrames frames that were seen, as LivenessJudge.Judge does.
	Conclude(context.Context) (BurstFindings, error)
}

// Where frames come from. What an upload or a recording shows proves nothing about a person before a camera.
const (
	SourceUpload    = "upload"
	SourceCamera    = "camera"
	SourceRecording = "recording"
)
