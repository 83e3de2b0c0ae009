package face

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// What a face must be to be compared. Angles in degrees.
const (
	// leastEyes is the distance between the eyes in pixels of the picture. Below it the crop is mostly made of what was not seen.
	leastEyes = 16
	// mostYaw and mostPitch leave no more than one eye to compare. A profile has a yaw of 90. How far a face is turned in the plane of the
	// picture does not matter: it is turned back.
	mostYaw, mostPitch = 75, 60
	// mostCovered lets glasses and beards pass; a mask covers maskCovers and more.
	mostCovered = 0.4
	// mostBlur is a blur of about 4.5 % of the size of the face.
	mostBlur = 0.6
	// darkest and brightest are mean levels of a face, and flattest is a deviation of its levels, in shares of the range of levels.
	darkest, brightest, flattest = 0.1, 0.9, 0.035
	// mostBurnt is the share of a face that light may have washed out.
	mostBurnt = 0.4
)

// marks are the landmarks in pixels of the picture.
func (s *sighting) marks() (marks [5]appliance.Point) {
	for i, l := range s.landmarks {
		marks[i] = s.view.toPicture.Apply(l)
	}
	return marks
}

// quality measures how well the picture shows the face.
func (s *sighting) quality(p *appliance.Picture) appliance.FaceQuality {
	marks := s.marks()
	q := appliance.FaceQuality{
		EyeDistance: vision.Distance(marks[0], marks[1]), Yaw: s.yaw, Pitch: s.pitch,
		Roll: angle(marks[1].Y-marks[0].Y, marks[1].X-marks[0].X),
	}
	if veil(p, marks) > mostOther {
		q.Covered = maskCovers
	}
	burnt := 0.0
	pix := make([]byte, cropSide*cropSide)
	if crop(p, s.view, s.landmarks, pix) {
		mean, deviation := levels(pix)
		q.Light, q.Contrast = mean/255, min(deviation/64, 1)
		q.Sharpness = 1 - blur(pix)
		burnt = vision.GlareFraction(vision.Plane{Pix: pix, Width: cropSide, Height: cropSide, Stride: cropSide})
	}
	q.Faults = faults(q, burnt)
	q.Score = score(q)
	return q
}

// faults names why a face cannot be compared, what to mend first first.
func faults(q appliance.FaceQuality, burnt float64) (all []appliance.FaceFault) {
	flat := q.Contrast*64/255 < flattest
	for _, f := range []struct {
		holds bool
		fault appliance.FaceFault
	}{
		{q.EyeDistance < leastEyes, appliance.FaceTooSmall},
		{math.Abs(q.Yaw) > mostYaw || math.Abs(q.Pitch) > mostPitch, appliance.FaceTurned},
		{q.Covered > mostCovered, appliance.FaceCovered},
		{q.Light < darkest || flat && q.Light < 0.5, appliance.FaceDark},
		{q.Light > brightest || burnt > mostBurnt || flat && q.Light >= 0.5, appliance.FaceBright},
		{1-q.Sharpness > mostBlur, appliance.FaceBlurred},
	} {
		if f.holds {
			all = append(all, f.fault)
		}
	}
	return all
}

// score puts the measures together: each falls from 1 where nothing is amiss to 0 at twice what is allowed.
func score(q appliance.FaceQuality) float64 {
	part := func(value, good, bad float64) float64 { return min(max((bad-value)/(bad-good), 0), 1) }
	s := part(-q.EyeDistance, -48, -leastEyes/2)
	s *= part(math.Abs(q.Yaw), 10, 2*mostYaw) * part(math.Abs(q.Pitch), 10, 2*mostPitch)
	s *= part(q.Covered, 0.05, 2*mostCovered) * part(1-q.Sharpness, 0.05, 2*mostBlur)
	return s * part(-q.Contrast, -0.5, 0)
}
