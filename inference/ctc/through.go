package ctc

import "math"

// Likely is a class with its share of what it may be.
type Likely struct {
	Class int
	Share float64
}

// ScoreThrough is Score where each sign may be read as one of several classes: the sum over all that may be read for what is printed, each
// by its share. Two signs in a row need a blank between them where they are read alike, not where they are printed alike.
func (l *Lattice) ScoreThrough(read [][]Likely) float64 {
	s := spelling{read: read, signs: make([][]float64, len(read)), blanks: make([]float64, len(read)+1)}
	for i := range read {
		s.signs[i] = make([]float64, len(read[i]))
	}
	s.blanks[0] = 1 // as if a blank had come before the first column
	total := 0.0
	for t := range l.Columns {
		sum := s.step(l.Column(t))
		if sum == 0 {
			return math.Inf(-1)
		}
		s.scale(sum)
		total += math.Log(sum)
	}
	return total + math.Log(s.blanks[len(read)]+s.behind(len(read), -1))
}

// spelling holds the probabilities of the paths that spell the beginnings of a text, as far as the columns were seen.
type spelling struct {
	read   [][]Likely  // what may be read for each sign
	signs  [][]float64 // paths that end on that
	blanks []float64   // paths that end on a blank before each sign, and after the last
}

// step takes in a column and returns the sum of all paths.
func (s *spelling) step(p []float64) (sum float64) {
	for i := len(s.blanks) - 1; i >= 0; i-- { // from the end, so that what stands before is of the column before
		if i < len(s.signs) {
			for k, r := range s.read[i] {
				s.signs[i][k] = p[r.Class] * (s.signs[i][k] + r.Share*(s.blanks[i]+s.behind(i, r.Class)))
				sum += s.signs[i][k]
			}
		}
		s.blanks[i] = p[0] * (s.blanks[i] + s.behind(i, -1))
		sum += s.blanks[i]
	}
	return sum
}

// behind is the sum of the paths that end on the sign before the i-th, without those on a class.
func (s *spelling) behind(i, class int) (sum float64) {
	if i == 0 {
		return 0
	}
	for k, r := range s.read[i-1] {
		if r.Class != class {
			sum += s.signs[i-1][k]
		}
	}
	return sum
}

// scale divides all.
func (s *spelling) scale(by float64) {
	for _, values := range append(s.signs[:len(s.signs):len(s.signs)], s.blanks) {
		for k := range values {
			values[k] /= by
		}
	}
}
