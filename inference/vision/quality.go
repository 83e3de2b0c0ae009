package vision

import (
	"image"
	"iter"
	"math"
	"slices"
)

// Sharpness tells how sharp p is: the variance of its Laplacian (4 v - left - right - up - down) over the variance
// of its levels, so that contrast and exposure hardly count. Defocus and motion bring it towards 0; white noise has
// 20, the most that text or a face in focus reaches is about 3. It grows when a picture is scaled down: compare
// pictures at one scale. A plane under 3 x 3 samples or of one level has 0.
func Sharpness(p Plane) float64 {
	if p.Width < 3 || p.Height < 3 {
		return 0
	}
	var level, edge moments
	for y := 1; y < p.Height-1; y++ {
		up, row, down := p.Pix[(y-1)*p.Stride:], p.Pix[y*p.Stride:], p.Pix[(y+1)*p.Stride:]
		up, row, down = up[:p.Width], row[:p.Width], down[:p.Width]
		for x := 1; x < p.Width-1; x++ {
			v := int64(row[x])
			level.add(v)
			edge.add(4*v - int64(row[x-1]) - int64(row[x+1]) - int64(up[x]) - int64(down[x]))
		}
	}
	if level.variance() == 0 {
		return 0
	}
	return edge.variance() / level.variance()
}

// moments gathers what a variance needs; with 8-bit samples the sums of 25 million pixels stay exact.
type moments struct{ n, sum, squares int64 }

func (m *moments) add(v int64) {
	m.n++
	m.sum += v
	m.squares += v * v
}

func (m *moments) variance() float64 {
	mean := float64(m.sum) / float64(m.n)
	return max(0, float64(m.squares)/float64(m.n)-mean*mean)
}

// Median returns the level that half of the samples of p reach or stay below; 0 for a plane without samples.
func Median(p Plane) int {
	var counts [256]int
	for y := range p.Height {
		for _, v := range p.Pix[y*p.Stride:][:p.Width] {
			counts[v]++
		}
	}
	level, below := 0, counts[0]
	for below*2 < p.Width*p.Height {
		level++
		below += counts[level]
	}
	return level
}

// MedianOf returns the middle one of some values, the upper of two, 0 of none. It sorts them.
func MedianOf(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// MiddleHalf returns how far the quartiles of some values are apart, 0 of none. It sorts them.
func MiddleHalf(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return values[n-1-n/4] - values[n/4]
}

// DarkShare returns the share of p, 0 to 1, that is so dark that light text may be on it: levels below 100, of p fitted to 64 samples.
func DarkShare(p Plane) float64 {
	const side, dark = 64, 100
	small := make([]byte, side*side)
	Fit(p, side, small)
	w, h := FittedSize(p.Width, p.Height, side)
	count := 0
	for y := range h {
		for _, v := range small[y*side:][:w] {
			if v < dark {
				count++
			}
		}
	}
	return float64(count) / float64(w*h)
}

// GlareFraction returns the share of p, 0 to 1, that a light has burnt out: cells of 8 x 8 samples in which all levels
// are 250 or more. Single bright samples, such as the paper between letters, do not count.
func GlareFraction(p Plane) float64 {
	across, down := p.Width/burntCell, p.Height/burntCell
	if across == 0 || down == 0 {
		return 0
	}
	white := 0
	for range Burnt(p, burntCell) {
		white++
	}
	return float64(white) / float64(across*down)
}

const burntCell = 8

// Burnt goes through the squares of that side in p that a light has burnt out, in which all levels are 250 or more, in a raster of 8 samples.
func Burnt(p Plane, side int) iter.Seq[image.Rectangle] {
	const burnt = 250
	return func(yield func(image.Rectangle) bool) {
		for y := 0; y+side <= p.Height; y += burntCell {
			for x := 0; x+side <= p.Width; x += burntCell {
				if allAtLeast(p, x, y, side, burnt) && !yield(image.Rect(x, y, x+side, y+side)) {
					return
				}
			}
		}
	}
}

// allAtLeast reports whether the square cell at (x, y) holds no level below least.
func allAtLeast(p Plane, x, y, cell int, least byte) bool {
	for r := range cell {
		for _, v := range p.Pix[(y+r)*p.Stride+x:][:cell] {
			if v < least {
				return false
			}
		}
	}
	return true
}

// Sigmoid is the probability at log-odds x.
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
