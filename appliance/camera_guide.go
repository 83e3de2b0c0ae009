package appliance

import (
	"context"
	"fmt"
	"math"
	"slices"
)

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

// reason is why a burst could not be taken for a living person while the guidance was not followed.
func (g Guidance) reason() Reason {
	switch g {
	case GuideNoFace:
		return NoFaceInFrame
	case GuideManyFaces:
		return MultipleFacesInFrame
	case GuideReady:
		return GapExceeded
	}
	return LowQuality
}

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

// sightOf lets a judge look at a frame.
func sightOf(ctx context.Context, judge FrameJudge, p *Picture) (s Sight, err error) {
	switch j := judge.(type) {
	case nil:
		s.Guidance = exposure(p)
	case FramePlacer:
		s, err = j.PlaceFrame(ctx, p)
	default:
		s.Guidance, err = j.JudgeFrame(ctx, p)
	}
	s.Width, s.Height = p.Width, p.Height
	return s, err
}

// FaceGuide judges frames for a liveness check: one face, whole, large, sharp and well lit.
type FaceGuide struct{ Finder FaceFinder }

// JudgeFrame implements FrameJudge.
func (g FaceGuide) JudgeFrame(ctx context.Context, p *Picture) (Guidance, error) {
	found, err := g.Finder.FindFaces(ctx, p)
	if err != nil {
		return "", fmt.Errorf("guide face: %w", err)
	}
	switch light := exposure(p); {
	case len(found) == 0 && light != GuideReady:
		return light, nil
	case len(found) == 0:
		return GuideNoFace, nil
	case len(found) > 1:
		return GuideManyFaces, nil
	case slices.ContainsFunc(found[0].Quad[:], func(c Point) bool { return c.X < 0 || c.Y < 0 || c.X > float64(p.Width) || c.Y > float64(p.Height) }):
		return GuideCutOff, nil
	case len(found[0].Quality.Faults) > 0:
		return faultGuidance(found[0].Quality.Faults[0]), nil
	}
	return GuideReady, nil
}

// faultGuidance is what to do about a fault.
func faultGuidance(f FaceFault) Guidance {
	switch f {
	case FaceTooSmall:
		return GuideCloser
	case FaceTurned:
		return GuideTurn
	case FaceCovered:
		return GuideUncover
	case FaceDark:
		return GuideDark
	case FaceBright:
		return GuideBright
	}
	return GuideBlurred
}

// Mean levels of a whole frame beyond which nobody can be made out in it: a lens cap, a lamp in the lens.
const (
	darkFrame   = 16
	brightFrame = 245
)

// exposure judges the light of a frame as a whole.
func exposure(p *Picture) Guidance {
	t := thumbnailOf(p)
	sum := 0
	for _, v := range t {
		sum += int(v)
	}
	switch mean := sum / len(t); {
	case mean < darkFrame:
		return GuideDark
	case mean > brightFrame:
		return GuideBright
	}
	return GuideReady
}

// thumbnail is a frame's luma in a few cells, to compare frames at next to no cost.
type thumbnail [thumbWidth * thumbHeight]byte

const thumbWidth, thumbHeight = 64, 48

// thumbnailOf averages up to 16 samples in each cell.
func thumbnailOf(p *Picture) *thumbnail {
	var t thumbnail
	for cy := range thumbHeight {
		for cx := range thumbWidth {
			sum := 0
			for i := range 4 {
				y := ((4*cy+i)*2 + 1) * p.Height / (8 * thumbHeight)
				for j := range 4 {
					sum += int(p.Y[y*p.Width+((4*cx+j)*2+1)*p.Width/(8*thumbWidth)])
				}
			}
			t[cy*thumbWidth+cx] = byte(sum / 16)
		}
	}
	return &t
}

// stillLevels is how many levels the liveliest quarter of a steady scene changes on average from one look to the next, at
// most: noise of cheap cameras gives 1 to 2 after the averaging, a hand that moves by a hundredth of the picture more than 5.
const stillLevels = 3.0

// motion is the mean change, in levels, of the quarter of the cells that changed most: a small document that moves in a still
// room counts as much as a large one. A change of the light as a whole, as of the camera's own exposure, is taken off.
func (t *thumbnail) motion(before *thumbnail) float64 {
	shift := 0
	for i := range t {
		shift += int(t[i]) - int(before[i])
	}
	mean := float64(shift) / float64(len(t))
	var counts [512]int
	for i := range t {
		counts[min(511, int(math.Round(math.Abs(float64(int(t[i])-int(before[i]))-mean))))]++
	}
	left, sum := len(t)/4, 0
	for level := len(counts) - 1; level > 0 && left > 0; level-- {
		n := min(left, counts[level])
		sum += n * level
		left -= n
	}
	return float64(sum) / float64(len(t)/4)
}
