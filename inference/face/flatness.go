package face

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// flatness holds the cues of a flat picture held before the camera, each from 0 for none to 1. They raise nothing by themselves: a
// person before a poster, or behind a window with a blind, shows them, too.
type flatness struct{ motion, grid, sheet, still float64 }

// cues names them.
func (f flatness) cues() []appliance.Cue {
	return []appliance.Cue{{Name: CuePlanarMotion, Score: f.motion}, {Name: CueMoire, Score: f.grid},
		{Name: CueSheetEdge, Score: f.sheet}, {Name: CueStillFeatures, Score: f.still}}
}

// How far a cue at 1 raises the log-odds of an attack. They were set on 21 November 2026 on the bursts of NUAA's two persons for
// validation (56 living, 127 printed): the network's look alone parts them at -1.73 and 0.68, with the edge of a sheet at -1.60
// and 0.80, and half of the prints rise by 0.5. NUAA's faces are too small for a grating to show; its weight is that of a look that is
// three times as sure. The motion of a plane and features that keep still told nothing there, where pictures are cut anew around
// each face, and weigh nothing: they stand in the evidence.
const sheetWeight, gratingWeight = 0.62, 1.1

// odds is by how much the cues raise the log-odds of an attack over the network's look. That none shows says nothing.
func (f flatness) odds() float64 { return sheetWeight*f.sheet + gratingWeight*f.grid }

// measureFlatness measures what one frame alone tells.
func (f *frame) measureFlatness() {
	if f.face == nil {
		return
	}
	f.grid, f.sheet = moire(f), sheetEdge(f.around(edgeReach, f.face.at, f.face.size))
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
	n, liveliest := 0.0, 0.0
	var before []byte
	for i := range seen {
		f := &seen[i]
		if f.face == nil {
			continue
		}
		out.grid, out.sheet, n = out.grid+f.grid, out.sheet+f.sheet, n+1
		if before != nil && f.features != nil {
			liveliest = max(liveliest, featureMotion(before, f.features))
			out.still = 1 / (1 + liveliest)
		}
		before = f.features
	}
	n = max(n, 1)
	out.grid, out.sheet = out.grid/n, out.sheet/n
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

// Sides of the squares around a face, in its sizes.
const (
	motionReach = 2.4
	edgeReach   = 4
)

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
				// The smaller eigenvalue tells whether the cell has detail in both directions.
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

const (
	gratingSide = 64
	// gratingLow is the frequency, in periods a window, under which a picture's own detail lies.
	gratingLow = 12
	// Of noise the greatest frequency is about three times the median; a grating stands out from calmGrating on and is certain at
	// clearGrating.
	calmGrating, clearGrating = 5, 14
)

// moire looks for gratings on the face, at the resolution of the picture: those of a screen's pixels or of a print's dots against
// the camera's. Its score is 0 for none.
func moire(f *frame) float64 {
	reach := f.face.size / 4
	worst := 0.0
	for _, at := range [4][2]float64{{-1, 0.3}, {1, 0.3}, {0, -1.2}, {0, 0.8}} {
		x, y := int(f.face.at.X+at[0]*reach)-gratingSide/2, int(f.face.at.Y+at[1]*reach)-gratingSide/2
		if f.face.size < 2*gratingSide || x < 0 || y < 0 || x+gratingSide > f.Width || y+gratingSide > f.Height {
			continue
		}
		var window [gratingSide * gratingSide]complex128
		for i := range window {
			r, c := i/gratingSide, i%gratingSide
			hann := square(math.Sin(math.Pi*(float64(r)+0.5)/gratingSide)) * square(math.Sin(math.Pi*(float64(c)+0.5)/gratingSide))
			window[i] = complex(hann*float64(f.Y[(y+r)*f.Width+x+c]), 0)
		}
		worst = max(worst, grating(&window))
	}
	return min(max((worst-calmGrating)/(clearGrating-calmGrating), 0), 1)
}

// grating is by how much the strongest high frequency of a window stands above their median. The frequencies of JPEG's blocks, on
// the axes, are left out.
func grating(window *[gratingSide * gratingSide]complex128) float64 {
	spectrum(window)
	var high []float64
	signed := func(i int) int {
		if i > gratingSide/2 {
			return i - gratingSide
		}
		return i
	}
	for i, v := range window {
		u, w := signed(i%gratingSide), signed(i/gratingSide)
		if max(u, -u) > 1 && w > 1 && math.Hypot(float64(u), float64(w)) >= gratingLow {
			high = append(high, math.Hypot(real(v), imag(v)))
		}
	}
	slices.Sort(high)
	return high[len(high)-1] / (high[len(high)/2] + 1)
}

// spectrum transforms a window in place.
func spectrum(window *[gratingSide * gratingSide]complex128) {
	var line [gratingSide]complex128
	for r := range gratingSide {
		copy(line[:], window[r*gratingSide:])
		transform(line[:])
		copy(window[r*gratingSide:(r+1)*gratingSide], line[:])
	}
	for c := range gratingSide {
		for r := range gratingSide {
			line[r] = window[r*gratingSide+c]
		}
		transform(line[:])
		for r := range gratingSide {
			window[r*gratingSide+c] = line[r]
		}
	}
}

// transform is the discrete Fourier transform of a line whose length is a power of two.
func transform(line []complex128) {
	n := len(line)
	if n == 1 {
		return
	}
	even, odd := make([]complex128, n/2), make([]complex128, n/2)
	for i := range even {
		even[i], odd[i] = line[2*i], line[2*i+1]
	}
	transform(even)
	transform(odd)
	for i := range even {
		sin, cos := math.Sincos(-2 * math.Pi * float64(i) / float64(n))
		t := complex(cos, sin) * odd[i]
		line[i], line[i+n/2] = even[i]+t, even[i]-t
	}
}

const (
	// edgeStep is the least difference of levels over an edge, and edgeSpread how far it may lean over its length, in samples.
	edgeStep, edgeSpread = 8, 6
	// Edges are looked for from nearEdge samples from the middle on: the face itself has a reach of 16.
	nearEdge, farEdge = 20, 60
)

// sheetEdge is how clearly straight edges run along the sides of the face, as those of a sheet or of a phone do: the share of its
// length along which the third clearest of the four sides can be seen. Edges that go on far beyond the face are a door's or a
// shelf's as well, which nothing here can tell.
func sheetEdge(f field) float64 {
	var sides []float64
	for side := range 4 {
		best := 0.0
		for off := nearEdge; off < farEdge; off++ {
			for lean := -edgeSpread; lean <= edgeSpread; lean += 2 {
				best = max(best, edgeShare(f, side, off, lean))
			}
		}
		sides = append(sides, best)
	}
	slices.Sort(sides)
	return min(max((sides[1]-0.5)/0.45, 0), 1)
}

// edgeShare is the share of a line along which the level steps, mostly in one direction. The side counts left, right, top, bottom.
func edgeShare(f field, side, off, lean int) float64 {
	const from, to = thumbSide/2 - nearEdge, thumbSide/2 + nearEdge
	up, down := 0, 0
	for along := from; along < to; along++ {
		across := off + lean*(along-thumbSide/2)/(2*nearEdge)
		if side%2 == 0 {
			across = -across
		}
		at := min(max(thumbSide/2+across, 1), thumbSide-2)
		var step float32
		if side < 2 {
			step = f.at(at+1, along) - f.at(at-1, along)
		} else {
			step = f.at(along, at+1) - f.at(along, at-1)
		}
		switch {
		case step > edgeStep:
			up++
		case step < -edgeStep:
			down++
		}
	}
	return float64(max(up, down)) / (to - from)
}
