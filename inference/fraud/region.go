package fraud

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// grain is how a region of a picture looks to one who cares for pixels and not for content.
type grain struct {
	noise  float64 // of the luma where it is smooth, in levels
	tint   float64 // the same of the chroma planes
	detail float64 // how much of the change between neighbours turns back at once: sharpness
	grid   float64 // how much larger changes are where blocks of 8 x 8 pixels meet
}

// grainBlocks x grainBlocks blocks of grainSide x grainSide pixels are looked at in a region; what its smoother quarter
// has in common is noise rather than content.
const (
	grainBlocks = 10
	grainSide   = 10
)

// grainOf looks at the blocks of a region. ok is false where most of them lie outside the picture.
func grainOf(p *appliance.Picture, q appliance.Quad) (g grain, ok bool) {
	h, ok := vision.RectToQuad(grainBlocks, grainBlocks, q)
	if !ok {
		return g, false
	}
	luma := vision.Luma(p)
	cb, _, coloured := vision.Chroma(p)
	var noise, tint []float64
	var turn, change, onGrid, offGrid, onCount, offCount float64
	for i := range grainBlocks * grainBlocks {
		c := h.Apply(appliance.Point{X: float64(i%grainBlocks) + 0.5, Y: float64(i/grainBlocks) + 0.5})
		x, y := int(c.X)-grainSide/2, int(c.Y)-grainSide/2
		if x < 1 || y < 1 || x+grainSide >= p.Width-1 || y+grainSide >= p.Height-1 {
			continue
		}
		noise = append(noise, roughness(luma, x, y))
		if coloured {
			cx, cy := x*p.ChromaWidth/p.Width, y*p.ChromaHeight/p.Height
			if cx > 0 && cy > 0 && cx+grainSide < p.ChromaWidth-1 && cy+grainSide < p.ChromaHeight-1 {
				tint = append(tint, roughness(cb, cx, cy))
			}
		}
		for row := y; row < y+grainSide; row++ {
			line := luma.Pix[row*luma.Stride:]
			for column := x; column < x+grainSide; column++ {
				a, b, d := float64(line[column-1]), float64(line[column]), float64(line[column+1])
				turn, change = turn+math.Abs(2*b-a-d), change+math.Abs(d-a)
				if step := math.Abs(d - b); (column+1)%8 == 0 {
					onGrid, onCount = onGrid+step, onCount+1
				} else {
					offGrid, offCount = offGrid+step, offCount+1
				}
			}
		}
	}
	if len(noise) < grainBlocks*grainBlocks/3 {
		return g, false
	}
	g.noise, g.tint = quantile(noise, 0.25), quantile(tint, 0.25)
	g.detail = math.Log((turn + 1) / (change + 1))
	g.grid = math.Log((onGrid/max(onCount, 1) + 0.1) / (offGrid/max(offCount, 1) + 0.1))
	return g, true
}

// roughness is the size of what neither a plane nor an edge explains in the block at (x, y): after Immerkaer, the mean
// answer of a mask that cancels both, as the standard deviation of white noise.
func roughness(p vision.Plane, x, y int) float64 {
	sum := 0
	for row := y; row < y+grainSide; row++ {
		up, at, down := p.Pix[(row-1)*p.Stride:], p.Pix[row*p.Stride:], p.Pix[(row+1)*p.Stride:]
		for c := x; c < x+grainSide; c++ {
			v := int(up[c-1]) - 2*int(up[c]) + int(up[c+1]) - 2*int(at[c-1]) + 4*int(at[c]) - 2*int(at[c+1]) +
				int(down[c-1]) - 2*int(down[c]) + int(down[c+1])
			sum += max(v, -v)
		}
	}
	return math.Sqrt(math.Pi/2) / 6 * float64(sum) / (grainSide * grainSide)
}

// quantile of values, which it sorts; 0 for none.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(len(values)-1, int(share*float64(len(values))))]
}

// apart is how different two levels of noise are: the logarithm of their ratio, quiet below a quarter of a level.
func apart(a, b float64) float64 { return math.Log((a + 0.25) / (b + 0.25)) }

// portraitMeasures compares the portrait with the rest of the card: how far apart their noise lies, in either direction,
// and signed; that of the chroma; their sharpness; how the blocks of the coder show; and how far apart two places of the
// rest lie themselves. It is for kinds whose portrait has one place.
func portraitMeasures(p *appliance.Picture, doc appliance.Document) ([]float64, bool) {
	facts := doc.Kind.Facts()
	if facts.Portrait == nil {
		return nil, false
	}
	var g [3]grain
	for i, r := range [3]appliance.Region{*facts.Portrait, facts.Beside[0], facts.Beside[1]} {
		var ok bool
		if g[i], ok = grainOf(p, part(doc.Quad, r[0], r[1], r[2], r[3])); !ok {
			return nil, false
		}
	}
	face, rest := g[0], grain{(g[1].noise + g[2].noise) / 2, (g[1].tint + g[2].tint) / 2, (g[1].detail + g[2].detail) / 2, (g[1].grid + g[2].grid) / 2}
	noise := apart(face.noise, rest.noise)
	return []float64{
		math.Abs(noise), noise, math.Abs(apart(face.tint, rest.tint)), math.Abs(face.detail - rest.detail), math.Abs(face.grid - rest.grid),
		math.Abs(apart(g[1].noise, g[2].noise)),
	}, true
}
