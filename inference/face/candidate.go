package face

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// The output of the "faces" network: one block of channels for each 8 x 8 pixels of its square, all of them 0 to 1.
const (
	blockSide = 8
	blocks    = lookSide / blockSide

	channelScore     = 0
	channelSize      = 1
	channelBox       = 2 // left, top, right, bottom
	channelLandmarks = 6 // x and y of five points
	channelCovered   = 16
	channelBlur      = 17
	channelYaw       = 18
	channelPitch     = 19
	faceChannels     = 20
)

// What the channels stand for at 1: a size of 8 * 2^5 pixels, a side of the box 1.28 sizes from the middle of the block, an angle
// of 90 degrees.
const (
	sizeOctaves = 5
	boxReach    = 1.28
	angleReach  = 90
)

// candidate is a face in the square of a look.
type candidate struct {
	score float64
	size  float64 // of the box, as the side of a square of its area
	// box holds left, top, right and bottom.
	box           [4]float64
	landmarks     [5]appliance.Point
	covered, blur float64 // 0 to 1
	yaw, pitch    float64 // degrees; pitch is positive for a face that looks down, as the network has it
}

func (c *candidate) middle() appliance.Point {
	return appliance.Point{X: (c.box[0] + c.box[2]) / 2, Y: (c.box[1] + c.box[3]) / 2}
}

// The neighbours of the strongest block of a face say the same with noise of their own: those at least half as sure are
// averaged with it. Blocks whose middles lie within sameFace sizes of each other speak of one face.
const (
	sameFace  = 0.4
	halfSure  = 0.5
	bestFaces = 16 // more in one look are a crowd
)

// candidates reads the faces whose score is at least accept, the surest first.
func (l *look) candidates(accept float64) []candidate {
	var all []candidate
	for i := range blocks * blocks {
		if l.value[int(l.out[i*faceChannels+channelScore])+128] >= accept {
			all = append(all, l.block(i))
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var faces []candidate
	taken := make([]bool, len(all))
	for i := range all {
		if taken[i] || len(faces) == bestFaces {
			continue
		}
		best, sum, weight := &all[i], candidate{}, 0.0
		for j := i; j < len(all); j++ {
			if taken[j] || apart(all[j].middle(), best.middle()) > sameFace*best.size {
				continue
			}
			taken[j] = true
			if all[j].score >= halfSure*best.score {
				sum.add(&all[j])
				weight += all[j].score
			}
		}
		sum.divide(weight)
		sum.score = best.score
		faces = append(faces, sum)
	}
	return faces
}

// block reads what one block says.
func (l *look) block(i int) candidate {
	raw := l.out[i*faceChannels:][:faceChannels]
	value := func(channel int) float64 { return min(max(l.value[int(raw[channel])+128], 0), 1) }
	x, y := float64(i%blocks)*blockSide+blockSide/2, float64(i/blocks)*blockSide+blockSide/2
	c := candidate{score: value(channelScore), size: blockSide * math.Exp2(sizeOctaves*value(channelSize)),
		covered: value(channelCovered), blur: value(channelBlur),
		yaw: (2*value(channelYaw) - 1) * angleReach, pitch: (2*value(channelPitch) - 1) * angleReach}
	reach := boxReach * c.size
	c.box = [4]float64{x - reach*value(channelBox), y - reach*value(channelBox+1), x + reach*value(channelBox+2), y + reach*value(channelBox+3)}
	for k := range c.landmarks {
		c.landmarks[k] = appliance.Point{
			X: x + (2*value(channelLandmarks+2*k)-1)*c.size,
			Y: y + (2*value(channelLandmarks+2*k+1)-1)*c.size,
		}
	}
	return c
}

// add adds o with the weight of its score.
func (c *candidate) add(o *candidate) {
	c.size += o.score * o.size
	for k := range c.box {
		c.box[k] += o.score * o.box[k]
	}
	for k := range c.landmarks {
		c.landmarks[k].X += o.score * o.landmarks[k].X
		c.landmarks[k].Y += o.score * o.landmarks[k].Y
	}
	c.covered += o.score * o.covered
	c.blur += o.score * o.blur
	c.yaw += o.score * o.yaw
	c.pitch += o.score * o.pitch
}

// divide makes a mean of a sum.
func (c *candidate) divide(weight float64) {
	c.size /= weight
	for k := range c.box {
		c.box[k] /= weight
	}
	for k := range c.landmarks {
		c.landmarks[k].X /= weight
		c.landmarks[k].Y /= weight
	}
	c.covered /= weight
	c.blur /= weight
	c.yaw /= weight
	c.pitch /= weight
}

func apart(a, b appliance.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
