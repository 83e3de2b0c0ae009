package face

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// squareSide is the side of the square that the "faces" network looks at, in its pixels.
const squareSide = 320

// The output of the "faces" network: for each anchor a score, and the shift of its middle and the growth of its sides, which stand as
// x / anchorReach + 0.5.
const (
	anchorValues = 5
	anchorReach  = 8
	// anchorShift is a shift in sides of the anchor, and anchorGrowth the logarithm of a growth, at 1: the "variances" of its makers.
	anchorShift, anchorGrowth = 0.1, 0.2
)

// anchor is a square near which the network looks for a face.
type anchor struct{ x, y, side float64 }

// anchors are those of the network, in the order of its output: map by map, row by row, and for each block from the smallest to the
// largest.
func anchors() (all []anchor) {
	for _, m := range []struct {
		step  float64
		sides []float64
	}{{8, []float64{10, 16, 24}}, {16, []float64{32, 48}}, {32, []float64{64, 96}}, {64, []float64{128, 192, 256}}} {
		for y := m.step / 2; y < squareSide; y += m.step {
			for x := m.step / 2; x < squareSide; x += m.step {
				for _, side := range m.sides {
					all = append(all, anchor{x, y, side})
				}
			}
		}
	}
	return all
}

// candidate is a face in the square of a view.
type candidate struct {
	score float64
	size  float64 // of the box, as the side of a square of its area
	// box holds left, top, right and bottom.
	box [4]float64
	// landmarks and pose come from a look from near.
	landmarks  [5]appliance.Point
	yaw, pitch float64 // degrees; yaw is positive towards the right of the square, pitch upwards
}

func (c *candidate) middle() appliance.Point {
	return appliance.Point{X: (c.box[0] + c.box[2]) / 2, Y: (c.box[1] + c.box[3]) / 2}
}

// longest is the longer side of the box.
func (c *candidate) longest() float64 { return max(c.box[2]-c.box[0], c.box[3]-c.box[1]) }

const (
	// sameBox is how much two boxes overlap, as the share of what both cover, from which on they are of one face.
	sameBox = 0.3
	// sameFace is the distance of two faces, in sizes of the larger one, under which they are one.
	sameFace = 0.4
	// bestFaces is how many faces are taken of one look: more are a crowd.
	bestFaces = 16
)

// candidates reads the faces whose score is at least accept, the surest first.
func (l *look) candidates(grid []anchor, accept float64) (faces []candidate) {
	var all []candidate
	for i, a := range grid {
		if raw := l.out[i*anchorValues:][:anchorValues]; l.value[int(raw[0])+128] >= accept {
			all = append(all, l.read(a, raw))
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for _, c := range all {
		if len(faces) == bestFaces {
			break
		}
		if !slices.ContainsFunc(faces, func(o candidate) bool { return overlap(c.box, o.box) > sameBox }) {
			faces = append(faces, c)
		}
	}
	return faces
}

// read reads what the network says at an anchor.
func (l *look) read(a anchor, raw []int8) candidate {
	value := func(i int) float64 { return (l.value[int(raw[i])+128] - 0.5) * anchorReach }
	x, y := a.x+anchorShift*value(1)*a.side, a.y+anchorShift*value(2)*a.side
	w, h := a.side*math.Exp(anchorGrowth*value(3)), a.side*math.Exp(anchorGrowth*value(4))
	return candidate{score: min(max(l.value[int(raw[0])+128], 0), 1), size: math.Sqrt(w * h), box: [4]float64{x - w/2, y - h/2, x + w/2, y + h/2}}
}

// overlap is the share of what two boxes cover that both cover.
func overlap(a, b [4]float64) float64 {
	w, h := min(a[2], b[2])-max(a[0], b[0]), min(a[3], b[3])-max(a[1], b[1])
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / ((a[2]-a[0])*(a[3]-a[1]) + (b[2]-b[0])*(b[3]-b[1]) - w*h)
}
