package face

import (
	"math"

	"github.com/bawab/bawab/appliance"
)

// alignFeatures keeps the face of a frame, aligned and in one light.
func (f *frame) alignFeatures() {
	if f.face == nil {
		return
	}
	if pix := make([]byte, cropSide*cropSide); crop(f.Picture, f.face.view, f.face.landmarks, pix) {
		equalise(pix)
		f.features = pix
	}
}

// stillFeatures is the cue of a face in which nothing moves of itself, as that of a flat picture does; 0.5 where nothing is known. It
// raises nothing by itself.
func stillFeatures(seen []frame) appliance.Cue {
	cue, liveliest := appliance.Cue{Name: CueStillFeatures, Score: 0.5}, 0.0
	var before []byte
	for i := range seen {
		f := &seen[i]
		if f.face == nil {
			continue
		}
		if before != nil && f.features != nil {
			liveliest = max(liveliest, featureMotion(before, f.features))
			cue.Score = 1 / (1 + liveliest)
		}
		before = f.features
	}
	return cue
}

// facePart is a part of an aligned face: left, top, right and bottom in shares of its side, as in template.
type facePart [4]float64

// samples is the part in samples of cropSide.
func (p facePart) samples() (out [4]int) {
	for i, v := range p {
		out[i] = int(math.Round(v * cropSide))
	}
	return out
}

// movingParts are the parts that move of themselves, eyes and mouth; restingParts hardly do, nose and cheeks.
func movingParts() [3]facePart {
	return [3]facePart{{0.196, 0.375, 0.446, 0.554}, {0.554, 0.375, 0.804, 0.554}, {0.304, 0.714, 0.696, 0.929}}
}

func restingParts() [3]facePart {
	return [3]facePart{{0.411, 0.357, 0.589, 0.679}, {0.125, 0.589, 0.357, 0.75}, {0.643, 0.589, 0.875, 0.75}}
}

// featureMotion is by how much more eyes and mouth changed between two aligned faces than nose and cheeks did, as a ratio less 1:
// a blink, a look aside or a word changes them alone, a flat picture that is moved or turned changes all alike. It is 0 or more.
func featureMotion(a, b []byte) float64 {
	resting := 0.0
	for _, p := range restingParts() {
		resting += changed(a, b, p) / 3
	}
	most := 0.0
	for _, p := range movingParts() {
		most = max(most, changed(a, b, p))
	}
	return max(0, most/(resting+1)-1)
}

// changed is the mean difference of two aligned faces in a part, over its contrast; the part may have moved by up to two samples.
func changed(a, b []byte, where facePart) float64 {
	best, within := math.Inf(1), where.samples()
	const reach = 2
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			sum, shift, n := 0.0, 0.0, 0.0
			for y := within[1]; y < within[3]; y += 2 {
				for x := within[0]; x < within[2]; x++ {
					d := float64(a[y*cropSide+x]) - float64(b[(y+dy)*cropSide+x+dx])
					sum, shift, n = sum+d*d, shift+d, n+1
				}
			}
			best = min(best, math.Sqrt(max(sum/n-square(shift/n), 0)))
		}
	}
	return best
}
