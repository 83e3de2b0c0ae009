package face

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// flatness holds the cues of a flat picture held before the camera, each from 0 for none to 1. They raise nothing by themselves: a
// person before a poster, or behind a window with a blind, shows them, too.
type flatness struct{ motion, still float64 }

// cues names them.
func (f flatness) cues() []appliance.Cue {
	return []appliance.Cue{{Name: CuePlanarMotion, Score: f.motion}, {Name: CueStillFeatures, Score: f.still}}
}

// measureFlatness measures what one frame alone tells.
func (f *frame) measureFlatness() {
	if f.face == nil {
		return
	}
	if pix := make([]byte, cropSide*cropSide); crop(f.Picture, f.face.view, f.face.landmarks, pix) {
		equalise(pix)
		f.features = pix
	}
}

// flatnessOf puts together what the frames of a burst tell.
func flatnessOf(seen []frame) flatness {
	out := flatness{motion: 0.5, still: 0.5}
	first, last := &seen[0], &seen[len(seen)-1]
	if first.face != nil && last.face != nil {
		out.motion = planarMotion(first.around(motionReach, first.face.at, first.face.size), last.around(motionReach, first.face.at, first.face.size))
	}
	liveliest := 0.0
	var before []byte
	for i := range seen {
		f := &seen[i]
		if f.face == nil {
			continue
		}
		if before != nil && f.features != nil {
			liveliest = max(liveliest, featureMotion(before, f.features))
			out.still = 1 / (1 + liveliest)
		}
		before = f.features
	}
	return out
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

// motionReach is the side of the square around a face, in its sizes, whose motion is measured.
const motionReach = 2.4

// around cuts the square around a place out, reach times size wide, as a field of thumbSide.
func (f *frame) around(reach float64, at appliance.Point, size float64) field {
	side := reach * size
	w, h := float64(f.Width)/2, float64(f.Height)/2
	return f.cutTo(thumbSide, at.X/w-1, at.Y/h-1, side/2/w, side/2/h)
}

const (
	motionCell = 16
	// stillMotion is the motion in samples under which nothing can be said.
	stillMotion = 0.4
)

// vector is the motion of one cell.
type vector struct{ x, y, dx, dy, weight float64 }

// planarMotion is how well the motion of a face with its surroundings is that of one plane: 1 for a sheet that is moved, 0 for a
// head that moves before a background or turns. It is 0.5 where nothing moves.
func planarMotion(a, b field) float64 {
	cells := flow(a, b)
	plane, ok := affine(cells)
	if !ok {
		return 0.5
	}
	var moved, left, weight float64
	for _, c := range cells {
		ex, ey := c.dx-(plane[0]*c.x+plane[1]*c.y+plane[2]), c.dy-(plane[3]*c.x+plane[4]*c.y+plane[5])
		moved += c.weight * (c.dx*c.dx + c.dy*c.dy)
		left += c.weight * (ex*ex + ey*ey)
		weight += c.weight
	}
	motion, residual := math.Sqrt(moved/weight), math.Sqrt(left/weight)
	if motion < stillMotion {
		return 0.5
	}
	return math.Exp(-square(residual / (0.25*motion + 0.1)))
}

func square(x float64) float64 { return x * x }

// flow is the motion of the cells from a to b, by least squares of the levels; cells without detail are left out.
func flow(a, b field) (all []vector) {
	const margin = motionCell / 2
	for cy := margin; cy+motionCell+margin <= a.side; cy += motionCell / 2 {
		for cx := margin; cx+motionCell+margin <= a.side; cx += motionCell / 2 {
			v := vector{x: float64(cx) + motionCell/2 - float64(a.side)/2, y: float64(cy) + motionCell/2 - float64(a.side)/2}
			for range 6 {
				var xx, xy, yy, xt, yt float64
				for y := cy; y < cy+motionCell; y++ {
					for x := cx; x < cx+motionCell; x++ {
						l, gx, gy, ok := b.sample(float64(x)+v.dx, float64(y)+v.dy)
						if !ok {
							continue
						}
						t := float64(a.at(x, y) - l)
						xx, xy, yy = xx+float64(gx*gx), xy+float64(gx*gy), yy+float64(gy*gy)
						xt, yt = xt+float64(gx)*t, yt+float64(gy)*t
					}
				}
				det := xx*yy - xy*xy
				// The smaller eigenvalue reports whether the cell has detail in both directions.
				if v.weight = (xx + yy - math.Sqrt(square(xx-yy)+4*xy*xy)) / 2; v.weight < 16*motionCell*motionCell/4 || det <= 0 {
					v.weight = 0
					break
				}
				v.dx += (yy*xt - xy*yt) / det
				v.dy += (xx*yt - xy*xt) / det
			}
			if v.weight > 0 && math.Hypot(v.dx, v.dy) < motionCell {
				v.weight = math.Sqrt(v.weight)
				all = append(all, v)
			}
		}
	}
	return all
}

// affine is the motion of a plane that fits the cells with the least squares; ok is false for too few of them.
func affine(cells []vector) (plane [6]float64, ok bool) {
	if len(cells) < 8 {
		return plane, false
	}
	var normal [2][6][7]float64 // the upper left 3 x 3 is used, with the right side in the last column
	for _, c := range cells {
		row := [3]float64{c.x, c.y, 1}
		for k, d := range [2]float64{c.dx, c.dy} {
			for i := range 3 {
				for j := i; j < 3; j++ {
					normal[k][i][j] += c.weight * row[i] * row[j]
				}
				normal[k][i][6] += c.weight * row[i] * d
			}
		}
	}
	for k := range 2 {
		for i := 3; i < 6; i++ {
			normal[k][i][i] = 1
		}
		x, solved := vision.Solve(normal[k])
		if !solved {
			return plane, false
		}
		copy(plane[3*k:], x[:3])
	}
	return plane, true
}
