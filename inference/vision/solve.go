package vision

import "math"

// Solve solves six symmetric equations, such as those of a least-squares fit, of which the upper triangle and the right side, the last column, are given; ok
// is false when they have no one answer.
func Solve(m [6][7]float64) (x [6]float64, ok bool) {
	for i := range 6 {
		for j := range i {
			m[i][j] = m[j][i]
		}
		m[i][i] += 1e-6 * (1 + m[i][i])
	}
	for i := range 6 {
		if !(math.Abs(m[i][i]) > 1e-12) {
			return x, false
		}
		for r := i + 1; r < 6; r++ {
			f := m[r][i] / m[i][i]
			for c := i; c < 7; c++ {
				m[r][c] -= f * m[i][c]
			}
		}
	}
	for i := 5; i >= 0; i-- {
		x[i] = m[i][6]
		for j := i + 1; j < 6; j++ {
			x[i] -= m[i][j] * x[j]
		}
		x[i] /= m[i][i]
	}
	return x, true
}
