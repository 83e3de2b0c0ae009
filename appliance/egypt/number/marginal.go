package number

// certainty is the weight of all numbers that share a part with a given number.
type certainty struct {
	digits            [Length]float64
	birth, place, sex float64 // birth is the whole day
}

// share adds to a certainty what of the chart's total agrees with a number in each part, scaled.
func (t *chart) share(n *number14, scale float64, c *certainty) {
	t.shareYear(n, scale, c)
	t.shareDay(n, scale, c)
	list := Governorates()
	rest := t.elsewhere(&t.sequence.sum)
	t.places(func(i int, weight float64, residue int) {
		weight *= scale * rest[residue]
		a, b := list[i].Code[0]-'0' == n[7], list[i].Code[1]-'0' == n[8]
		c.digits[7] += only(weight, a)
		c.digits[8] += only(weight, b)
		c.place += only(weight, a && b)
	})
	for _, half := range [2]struct {
		at     int
		others [11]float64
	}{{9, convolve(&t.place.sum, &t.low.sum)}, {11, convolve(&t.place.sum, &t.high.sum)}} {
		rest := t.elsewhere(&half.others)
		t.pairs(half.at, func(i int, weight float64, residue int) {
			weight *= scale * rest[residue]
			c.digits[half.at] += only(weight, byte(i/10) == n[half.at])
			c.digits[half.at+1] += only(weight, byte(i%10) == n[half.at+1])
			c.sex += only(weight, half.at == 11 && i%2 == int(n[12]%2))
		})
	}
	for century := range t.date {
		for r, w := range convolve(&t.date[century], &t.tail.sum) {
			c.digits[13] += scale * w * checkPrior(century, r, int(n[13])) * t.cells[13][n[13]]
		}
	}
}

// shareYear is share for the first three digits and the whole day of birth.
func (t *chart) shareYear(n *number14, scale float64, c *certainty) {
	var rest [2][yearKinds][11]float64
	for century := range t.year {
		tail := outside(&t.tail.sum, &t.last[century])
		for kind := range yearKinds {
			rest[century][kind] = outside(&t.day[kind].sum, &tail)
		}
	}
	t.years(func(year int, weight float64, residue int) {
		century, kind := t.calendar.century(year), t.calendar.kind(year)
		digits := yearDigits(year)
		for i, d := range digits {
			c.digits[i] += only(scale*weight*rest[century][kind][residue], d == n[i])
		}
		if digits != [3]byte(n[:3]) {
			return
		}
		tail := outside(&t.tail.sum, &t.last[century])
		t.days(kind, func(month, day int, w float64, r int) {
			c.birth += only(scale*weight*w*tail[(residue+r)%11], dayDigits(month, day) == [4]byte(n[3:7]))
		})
	})
}

// shareDay is share for month and day.
func (t *chart) shareDay(n *number14, scale float64, c *certainty) {
	for kind := range yearKinds {
		var rest [11]float64
		for century := range t.year {
			head := convolve(&t.year[century][kind].sum, &t.tail.sum)
			for r, w := range outside(&head, &t.last[century]) {
				rest[r] += w
			}
		}
		t.days(kind, func(month, day int, weight float64, residue int) {
			for i, d := range dayDigits(month, day) {
				c.digits[3+i] += only(scale*weight*rest[residue], d == n[3+i])
			}
		})
	}
}

// elsewhere is, for each residue of a part after the birth date, the weight of everything but it; others is the weight of
// the remaining parts after the birth date.
func (t *chart) elsewhere(others *[11]float64) (out [11]float64) {
	for century := range t.date {
		body := convolve(&t.date[century], others)
		for r, w := range outside(&body, &t.last[century]) {
			out[r] += w
		}
	}
	return out
}

// outside is, for each residue of a part, the weight of others when rest weighs the sum of both.
func outside(others, rest *[11]float64) (out [11]float64) {
	for i := range 11 {
		for k := range 11 {
			out[i] += others[k] * rest[(i+k)%11]
		}
	}
	return out
}

// only is the weight where the condition holds, else 0.
func only(weight float64, condition bool) float64 {
	if condition {
		return weight
	}
	return 0
}
