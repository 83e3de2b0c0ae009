package fraud

import (
	"cmp"
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
	// overtone is by how much more finer
	// ones may do so, as those of the pattern itself: a printer's screen on it stands out further.
	patterned, overtone, aroundPeriod = 1.5, 0.75, 6
)

// ownPattern reports whether a regular pattern too coarse for a printer is printed on a document, and no clearly stronger one that is
// finer.
func ownPattern(p *appliance.Picture, q appliance.Quad) bool {
	if min(p.Width, p.Height) < patternSide {
		return false
	}
	squares := groundOf(p, q)
	var sum [patternSide * patternSide]float64
	fft := fourier.NewCmplxFFT(patternSide)
	for _, s := range squares {
		s.addSpectrum(fft, &sum)
	}
	coarse, fine := strongest(&sum, float64(len(squares)), vision.Distance(q[0], q[1]))
	return coarse >= patterned && fine < coarse+overtone
}

// square is a part of a picture in which a pattern is looked for, and how much stands out of its ground.
type square struct {
	pix    [patternSide * patternSide]float64
	relief float64
}

// groundOf are the flattest squares of a document.
func groundOf(p *appliance.Picture, q appliance.Quad) []*square {
	h, ok := vision.RectToQuad(patchColumns, patchRows, q)
	if !ok {
		return nil
	}
	var all []*square
	for i := range patchColumns * patchRows {
		c := h.Apply(appliance.Point{X: float64(i%patchColumns) + 0.5, Y: float64(i/patchColumns) + 0.5})
		x := min(max(int(c.X)-patternSide/2, 0), p.Width-patternSide)
		y := min(max(int(c.Y)-patternSide/2, 0), p.Height-patternSide)
		s := &square{}
		for row := range patternSide {
			for column, v := range p.Y[(y+row)*p.Width+x:][:patternSide] {
				s.pix[row*patternSide+column] = float64(v)
			}
		}
		s.relief = s.measureRelief()
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b *square) int { return cmp.Compare(a.relief, b.relief) })
	return all[:patternSquares]
}

// measureRelief is how far the pixels of a square are from the means of the blocks in which they lie, squared and summed.
func (s *square) measureRelief() (sum float64) {
	const block = 16
	for top := 0; top < patternSide; top += block {
		for left := 0; left < patternSide; left += block {
			var of, squares float64
			for i := range block * block {
				v := s.pix[(top+i/block)*patternSide+left+i%block]
				of, squares = of+v, squares+v*v
			}
			sum += squares - of*of/(block*block)
		}
	}
	return sum
}

// addSpectrum adds the logarithms of a square's amplitudes, its middle weighing more than its sides.
func (s *square) addSpectrum(fft *fourier.CmplxFFT, sum *[patternSide * patternSide]float64) {
	const n = patternSide
	mean := 0.0
	for _, v := range s.pix {
		mean += v / (n * n)
	}
	hann := func(i int) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/(n-1)) }
	var z [n * n]complex128
	for i, v := range s.pix {
		z[i] = complex((v-mean)*hann(i%n)*hann(i/n), 0)
	}
	column := make([]complex128, n)
	for row := range slices.Chunk(z[:], n) {
		fft.Coefficients(row, row)
	}
	for x := range n {
		for y := range n {
			column[y] = z[y*n+x]
		}
		for y, v := range fft.Coefficients(column, column) {
			sum[y*n+x] += math.Log(cmplx.Abs(v) + 1)
		}
	}
}

// strongest is by how much, of n spectra together, the strongest period of a document so many pixels wide stands out of those about it: of
// those that its own pattern may have, and of all finer ones.
func strongest(sum *[patternSide * patternSide]float64, n, width float64) (coarse, fine float64) {
	for y := range patternSide/2 + 1 {
		for x := range patternSide {
			turns := math.Hypot(turnsOf(x), turnsOf(y))
			over := turns * width / patternSide
			if turns < leastTurns || over < coarsest {
				continue
			}
			out := sum[y*patternSide+x]/n - about(sum, x, y)/n
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

// about is the mean of a spectrum about a coefficient, which goes round.
func about(sum *[patternSide * patternSide]float64, x, y int) (mean float64) {
	const side = 2*aroundPeriod + 1
	for i := range side * side {
		column, row := (x+i%side-aroundPeriod+patternSide)%patternSide, (y+i/side-aroundPeriod+patternSide)%patternSide
		mean += sum[row*patternSide+column] / (side * side)
	}
	return mean
}
