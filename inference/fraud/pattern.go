package fraud

import (
	"cmp"
	"image"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// A ground of regular dots or short lines that is printed on a card looks like the screen of a printer, but for its size: the
// coarsest screens, of dots diffused at 300 an inch, have 37 lines an inch, which are 126 over an ID-1 card. It was set on 30 November
// 2026 to the 21 of a stranger's 300 genuine cards that were called prints, all of such grounds (1.6 to 2.9), and to 30 prints and
// copies of two simulators, which have at most 1.4 at such periods (models/fraud.md, "Grounds of dots").
const (
	// patternSide is the side in pixels of the squares in which a pattern is looked for, of which the patternSquares flattest count: on the
	// others print drowns the ground.
	patternSide, patternSquares = 128, 12
	// coarsest and finest are how many periods over a document's width a pattern of its own has.
	coarsest, finest = 55, 100
	// leastTurns is how many periods a square shows at least: fewer are its light and its print.
	leastTurns = 5
	// patterned is by how much, as the logarithm of amplitudes, a period stands out of those about it, aroundPeriod of them on each side;
	// overtone is by how much more finer ones may do so, as those of the pattern itself: a printer's screen on it stands out further.
	patterned, overtone, aroundPeriod = 1.5, 0.75, 6
)

// ownPattern reports whether a regular pattern too coarse for a printer is printed on a document, and no clearly stronger one that is
// finer.
func ownPattern(p *appliance.Picture, q appliance.Quad) bool {
	all := squaresOver(p, q, patternSide)
	if len(all) == 0 {
		return false
	}
	sum := spectrum{fft: fourier.NewCmplxFFT(patternSide)}
	for _, at := range flattest(p, all) {
		sum.add(p, at)
	}
	coarse, fine := sum.strongest(vision.Distance(q[0], q[1]))
	return coarse >= patterned && fine < coarse+overtone
}

// flattest are the squares of a picture of which the least stands out of their ground.
func flattest(p *appliance.Picture, corners []image.Point) []image.Point {
	relief := make(map[image.Point]float64, len(corners))
	for _, at := range corners {
		relief[at] = reliefOf(p, at)
	}
	slices.SortStableFunc(corners, func(a, b image.Point) int { return cmp.Compare(relief[a], relief[b]) })
	return corners[:patternSquares]
}

// reliefOf is how far the pixels of a square are from the means of the blocks in which they lie, squared and summed.
func reliefOf(p *appliance.Picture, at image.Point) (sum float64) {
	const block = 16
	for top := 0; top < patternSide; top += block {
		for left := 0; left < patternSide; left += block {
			var of, squares float64
			for i := range block * block {
				v := float64(p.Y[(at.Y+top+i/block)*p.Width+at.X+left+i%block])
				of, squares = of+v, squares+v*v
			}
			sum += squares - of*of/(block*block)
		}
	}
	return sum
}

// spectrum is the mean of the logarithms of the amplitudes of patternSquares squares, with the memory of their transforms.
type spectrum struct {
	fft    *fourier.CmplxFFT
	mean   [patternSide * patternSide]float64
	square [patternSide * patternSide]complex128
	column [patternSide]complex128
}

// add adds a square, its middle weighing more than its sides.
func (s *spectrum) add(p *appliance.Picture, at image.Point) {
	const n = patternSide
	pixel := func(i int) float64 { return float64(p.Y[(at.Y+i/n)*p.Width+at.X+i%n]) }
	mean := 0.0
	for i := range n * n {
		mean += pixel(i) / (n * n)
	}
	hann := func(i int) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/(n-1)) }
	z, column := s.square[:], s.column[:]
	for i := range z {
		z[i] = complex((pixel(i)-mean)*hann(i%n)*hann(i/n), 0)
	}
	for row := range slices.Chunk(z, n) {
		s.fft.Coefficients(row, row)
	}
	for x := range n {
		for y := range n {
			column[y] = z[y*n+x]
		}
		for y, v := range s.fft.Coefficients(column, column) {
			s.mean[y*n+x] += math.Log(cmplx.Abs(v)+1) / patternSquares
		}
	}
}

// strongest is by how much the strongest period of a document so many pixels wide stands out of those about it: of those that its own
// pattern may have, and of all finer ones.
func (s *spectrum) strongest(width float64) (coarse, fine float64) {
	for y := range patternSide/2 + 1 {
		for x := range patternSide {
			turns := math.Hypot(turnsOf(x), turnsOf(y))
			over := turns * width / patternSide
			if turns < leastTurns || over < coarsest {
				continue
			}
			out := s.mean[y*patternSide+x] - s.about(x, y)
			if over < finest {
				coarse = max(coarse, out)
			} else {
				fine = max(fine, out)
			}
		}
	}
	return coarse, fine
}

// turnsOf is how many turns over a square the coefficient of an index has.
func turnsOf(i int) float64 { return float64(min(i, patternSide-i)) }

// about is the mean of what stands about a coefficient; the spectrum goes round.
func (s *spectrum) about(x, y int) (mean float64) {
	const side = 2*aroundPeriod + 1
	for i := range side * side {
		column, row := (x+i%side-aroundPeriod+patternSide)%patternSide, (y+i/side-aroundPeriod+patternSide)%patternSide
		mean += s.mean[row*patternSide+column] / (side * side)
	}
	return mean
}
