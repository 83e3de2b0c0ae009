package number

// number14 is fourteen digits, 0 to 9 each.
type number14 [Length]byte

// String is the digits as text.
func (n *number14) String() string {
	var out [Length]byte
	for i, d := range n {
		out[i] = '0' + d
	}
	return string(out[:])
}

// weights holds one factor for each digit at each place of a number.
type weights [Length]belief

// weigh is the product of the factors of a number's digits.
func (w *weights) weigh(n *number14) float64 {
	product := 1.0
	for i, d := range n {
		product *= w[i][d]
	}
	return product
}

// chart weighs every number of the grammar by its digits and the priors: exactly, without listing numbers. A number's
// parts, that are year, month with day, governorate, and the two halves of the sequence, meet only in the check digit's
// sum modulo 11 and in the kind of the year.
type chart struct {
	cells    *weights
	calendar *calendar
	year     [2][yearKinds]part // by century
	day      [yearKinds]part    // months with their days
	place    part
	high     part // digits 10 and 11
	low      part // digits 12 and 13
	sequence part // high and low
	tail     part // place and sequence
	date     [2][11]float64
	last     [2][11]float64
	total    float64
}

// newChart fills in all parts.
func newChart(cells *weights, c *calendar) *chart {
	t := &chart{cells: cells, calendar: c}
	t.years(func(year int, weight float64, residue int) {
		t.year[c.century(year)][c.kind(year)].add(residue, weight, year)
	})
	for kind := range yearKinds {
		t.days(kind, func(month, day int, weight float64, residue int) {
			t.day[kind].add(residue, weight, 100*month+day)
		})
	}
	t.places(func(i int, weight float64, residue int) { t.place.add(residue, weight, i) })
	t.pairs(9, func(i int, weight float64, residue int) { t.high.add(residue, weight, i) })
	t.pairs(11, func(i int, weight float64, residue int) { t.low.add(residue, weight, i) })
	t.sequence = join(&t.high, &t.low)
	t.tail = join(&t.place, &t.sequence)
	for century := range t.date {
		for kind := range yearKinds {
			for r, w := range convolve(&t.year[century][kind].sum, &t.day[kind].sum) {
				t.date[century][r] += w
			}
		}
		for r := range 11 {
			for k := range 10 {
				t.last[century][r] += checkPrior(century, r, k) * cells[13][k]
			}
		}
		for r, w := range convolve(&t.date[century], &t.tail.sum) {
			t.total += w * t.last[century][r]
		}
	}
	return t
}

// years goes through all years of birth with the weight of their digits and their prior.
func (t *chart) years(yield func(year int, weight float64, residue int)) {
	for year := firstYear; year <= t.calendar.finalYear(); year++ {
		digits := yearDigits(year)
		weight := t.calendar.yearPrior(year)
		residue := 0
		for i, d := range digits {
			weight *= t.cells[i][d]
			residue += int(d) * checkWeight(i)
		}
		yield(year, weight, residue%11)
	}
}

// days goes through all days of a kind of year with the weight of their digits.
func (t *chart) days(kind int, yield func(month, day int, weight float64, residue int)) {
	for m := 1; m <= 12; m++ {
		for d := 1; d <= t.calendar.daysOfKind(kind, m); d++ {
			weight, residue := 1.0, 0
			for i, digit := range dayDigits(m, d) {
				weight *= t.cells[3+i][digit]
				residue += int(digit) * checkWeight(3+i)
			}
			yield(m, d, weight, residue%11)
		}
	}
}

// places goes through all governorates.
func (t *chart) places(yield func(i int, weight float64, residue int)) {
	for i, g := range Governorates() {
		a, b := int(g.Code[0]-'0'), int(g.Code[1]-'0')
		yield(i, t.cells[7][a]*t.cells[8][b]*governoratePrior(i), (a*checkWeight(7)+b*checkWeight(8))%11)
	}
}

// pairs goes through all values of two digits of the sequence.
func (t *chart) pairs(at int, yield func(i int, weight float64, residue int)) {
	for i := range 100 {
		a, b := i/10, i%10
		yield(i, t.cells[at][a]*t.cells[at+1][b]/100, (a*checkWeight(at)+b*checkWeight(at+1))%11)
	}
}

// best is the number of the greatest weight.
func (t *chart) best() number14 {
	var top float64
	var year, day, rest int
	var last byte
	for century := range t.year {
		closing, digits := t.closings(century)
		for kind := range yearKinds {
			head := join(&t.year[century][kind], &t.day[kind])
			for i := range 11 {
				for k := range 11 {
					if w := head.top[i] * t.tail.top[k] * closing[(i+k)%11]; w > top {
						first := head.arg[i]
						top, rest, last = w, k, digits[(i+k)%11]
						year, day = t.year[century][kind].arg[first], t.day[kind].arg[(i-first+11)%11]
					}
				}
			}
		}
	}
	if top == 0 {
		return number14{} // no day can be a birthday
	}
	place := t.tail.arg[rest]
	sequence := (rest - place + 11) % 11
	high := t.sequence.arg[sequence]
	a, b := t.high.arg[high], t.low.arg[(sequence-high+11)%11]
	code := Governorates()[t.place.arg[place]].Code
	y, d := yearDigits(year), dayDigits(day/100, day%100)
	return number14{
		y[0], y[1], y[2], d[0], d[1], d[2], d[3], code[0] - '0', code[1] - '0',
		byte(a / 10), byte(a % 10), byte(b / 10), byte(b % 10), last,
	}
}

// closings is, for each residue of the first thirteen digits, the weight of the best last one and that digit.
func (t *chart) closings(century int) (weight [11]float64, digit [11]byte) {
	for r := range 11 {
		for k, w := range t.cells[13] {
			if w *= checkPrior(century, r, k); w > weight[r] {
				weight[r], digit[r] = w, byte(k)
			}
		}
	}
	return weight, digit
}

// yearDigits are the first three digits of a number.
func yearDigits(year int) [3]byte {
	return [3]byte{byte(2 + (year-firstYear)/100), byte(year / 10 % 10), byte(year % 10)}
}

// dayDigits are month and day.
func dayDigits(month, day int) [4]byte {
	return [4]byte{byte(month / 10), byte(month % 10), byte(day / 10), byte(day % 10)}
}
