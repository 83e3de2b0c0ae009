package number

// part is some of a number's digits in all their readings, sorted by what they add to the check digit's sum modulo 11.
type part struct {
	sum [11]float64 // weight of all readings
	top [11]float64 // weight of the best one
	arg [11]int     // which that is, as the caller numbers them
}

// add takes in a reading.
func (p *part) add(residue int, weight float64, which int) {
	p.sum[residue] += weight
	if weight > p.top[residue] {
		p.top[residue], p.arg[residue] = weight, which
	}
}

// join is both parts together; a best reading is numbered by the residue of its first part.
func join(a, b *part) (p part) {
	for i := range 11 {
		for k := range 11 {
			r := (i + k) % 11
			p.sum[r] += a.sum[i] * b.sum[k]
			if w := a.top[i] * b.top[k]; w > p.top[r] {
				p.top[r], p.arg[r] = w, i
			}
		}
	}
	return p
}

// convolve is the weight of two parts together.
func convolve(a, b *[11]float64) (out [11]float64) {
	for i := range 11 {
		for k := range 11 {
			out[(i+k)%11] += a[i] * b[k]
		}
	}
	return out
}
