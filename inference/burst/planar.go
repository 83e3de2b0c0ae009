package burst

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// PlanarMotion is the cue of a flat picture that moves as one plane between two frames, 0.5 where nothing is known. It raises nothing by
// itself: a person before a poster, or behind a window with a blind, shows it, too.
func PlanarMotion(first, last *Frame) appliance.Cue {
	cue := appliance.Cue{Name: CuePlanarMotion, Score: 0.5}
	if first.Face != nil && last.Face != nil {
		at, size := first.Face.At, first.Face.Size
		cue.Score = planarMotion(first.around(motionReach, at, size), last.around(motionReach, at, size))
	}
	return cue
}

// motionReach is the side of the square around a face, in its sizes, whose motion is measured.
const motionReach = 2.4

// around cuts the square around a place out, reach times size wide, as a field of thumbSide.
func (f *Frame) around(reach float64, at appliance.Point, size float64) field {
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
