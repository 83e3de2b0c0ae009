package usecase

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// reasonOf is why a burst could not be taken for a living person while the guidance was not followed.
func reasonOf(g appliance.Guidance) appliance.Reason {
	switch g {
	case appliance.GuideNoFace:
		return appliance.NoFaceInFrame
	case appliance.GuideManyFaces:
		return appliance.MultipleFacesInFrame
	case appliance.GuideReady:
		return appliance.GapExceeded
	}
	return appliance.LowQuality
}

// sightOf lets a judge look at a frame.
func sightOf(ctx context.Context, judge appliance.FrameJudge, p *appliance.Picture) (s appliance.Sight, err error) {
	switch j := judge.(type) {
	case nil:
		s.Guidance = exposure(p)
	case appliance.FramePlacer:
		s, err = j.PlaceFrame(ctx, p)
	default:
		s.Guidance, err = j.JudgeFrame(ctx, p)
	}
	s.Width, s.Height = p.Width, p.Height
	return s, err
}

// FaceGuide judges frames for a liveness check: one face, whole, large, sharp and well lit.
type FaceGuide struct{ Finder appliance.FaceFinder }

// JudgeFrame implements FrameJudge.
func (g FaceGuide) JudgeFrame(ctx context.Context, p *appliance.Picture) (appliance.Guidance, error) {
	found, err := g.Finder.FindFaces(ctx, p)
	if err != nil {
		return "", fmt.Errorf("guide face: %w", err)
	}
	switch light := exposure(p); {
	case len(found) == 0 && light != appliance.GuideReady:
		return light, nil
	case len(found) == 0:
		return appliance.GuideNoFace, nil
	case len(found) > 1:
		return appliance.GuideManyFaces, nil
	case slices.ContainsFunc(found[0].Quad[:], func(c appliance.Point) bool {
		return c.X < 0 || c.Y < 0 || c.X > float64(p.Width) || c.Y > float64(p.Height)
	}):
		return appliance.GuideCutOff, nil
	case len(found[0].Quality.Faults) > 0:
		return faultGuidance(found[0].Quality.Faults[0]), nil
	}
	return appliance.GuideReady, nil
}

// faultGuidance is what to do about a fault.
func faultGuidance(f appliance.FaceFault) appliance.Guidance {
	switch f {
	case appliance.FaceTooSmall:
		return appliance.GuideCloser
	case appliance.FaceTurned:
		return appliance.GuideTurn
	case appliance.FaceCovered:
		return appliance.GuideUncover
	case appliance.FaceDark:
		return appliance.GuideDark
	case appliance.FaceBright:
		return appliance.GuideBright
	}
	return appliance.GuideBlurred
}

// Mean levels of a whole frame beyond which nobody can be made out in it: a lens cap, a lamp in the lens.
const (
	darkFrame   = 16
	brightFrame = 245
)

// exposure judges the light of a frame as a whole.
func exposure(p *appliance.Picture) appliance.Guidance {
	t := thumbnailOf(p)
	sum := 0
	for _, v := range t {
		sum += int(v)
	}
	switch mean := sum / len(t); {
	case mean < darkFrame:
		return appliance.GuideDark
	case mean > brightFrame:
		return appliance.GuideBright
	}
	return appliance.GuideReady
}

// thumbnail is a frame's luma in a few cells, to compare frames at next to no cost.
type thumbnail [thumbWidth * thumbHeight]byte

const thumbWidth, thumbHeight = 64, 48

// thumbnailOf averages up to 16 samples in each cell.
func thumbnailOf(p *appliance.Picture) *thumbnail {
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
