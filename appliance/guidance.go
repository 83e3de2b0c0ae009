package appliance

import "context"

// Guidance is what the person before the camera should do now.
type Guidance string

// The guidance; what is said with it stands in the catalogue.
const (
	GuideReady      Guidance = "ready"
	GuideNoFace     Guidance = "no_face"
	GuideManyFaces  Guidance = "several_faces"
	GuideNoDocument Guidance = "no_document"
	GuideCloser     Guidance = "closer"
	GuideHoldStill  Guidance = "hold_still"
	GuideGlare      Guidance = "glare"
	GuideCutOff     Guidance = "cut_off"
	GuideDark       Guidance = "too_dark"
	GuideBright     Guidance = "too_bright"
	GuideBlurred    Guidance = "blurred"
	GuideTurn       Guidance = "look_straight"
	GuideUncover    Guidance = "uncover"
)

// FrameJudge looks at single frames of the camera. It is safe for concurrent use and does not keep the picture.
type FrameJudge interface {
	// JudgeFrame says what the person should change, GuideReady when nothing.
	JudgeFrame(ctx context.Context, p *Picture) (Guidance, error)
}

// FramePlacer is a FrameJudge that also tells what it sees in the frame, and where.
type FramePlacer interface {
	FrameJudge
	PlaceFrame(ctx context.Context, p *Picture) (Sight, error)
}

// Sight is what a look at one frame tells the person before the camera. Quad outlines the document in pixels of a frame of Width and
// Height, and Kind is what it looks like before it is read; both are zero where none is seen, and for faces.
type Sight struct {
	Guidance      Guidance
	Kind          Kind
	Quad          Quad
	Width, Height int
}

// Guidance is what to do about the flaws of the picture, what hides most first.
func (c Capture) Guidance() Guidance {
	switch {
	case c.CutOff:
		return GuideCutOff
	case c.TooSmall:
		return GuideCloser
	case c.Glared:
		return GuideGlare
	case c.Blurred:
		return GuideBlurred
	}
	return GuideReady
}
