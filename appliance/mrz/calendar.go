package mrz

// unreal is how probable it is, before looking, that a printed date is no day of the calendar.
const unreal = 1e-4

// unstated is the same for a day, month or year that is printed as fillers.
const unstated = 1e-3

// part is a way to read two symbols of a date: a number, or -1 for two fillers.
type part struct {
	number    int
	symbols   [2]uint8
	q         float64
	own, comp int
}

// parts lists the ways to read two slots as a number in lo..hi or as fillers, leaving out what is far less probable than
// the best. The list is cut from buf.
func parts(g *group, at, lo, hi int, sights *sights, buf []part) []part {
	first, second := &g.slots[at], &g.slots[at+1]
	a, b := &sights[first.line][first.pos].belief, &sights[second.line][second.pos].belief
	add := func(number, x, y int, q float64) {
		buf = append(buf, part{
			number: number, symbols: [2]uint8{uint8(x), uint8(y)}, q: q,
			own:  value(x)*first.own + value(y)*second.own,
			comp: value(x)*first.comp + value(y)*second.comp,
		})
	}
	for number := lo; number <= hi; number++ {
		x, y := firstDigit+number/10, firstDigit+number%10
		if q := a[x] * b[y]; q > faint {
			add(number, x, y, q)
		}
	}
	if q := a[filler] * b[filler] * unstated; q > faint*unstated {
		add(-1, filler, filler, q)
	}
	return buf
}

// dates fills a table with every real date that six slots can be read as, and with what they show when that is none.
// leap reports whether a year of two digits has a 29 February.
func dates(g *group, sights *sights, leap func(yy int) bool, t *table) {
	var store [3][102]part
	years := parts(g, 0, 0, 99, sights, store[0][:0])
	months := parts(g, 2, 1, 12, sights, store[1][:0])
	days := parts(g, 4, 1, 31, sights, store[2][:0])
	*t = table{}
	for y := range years {
		february := 29
		if n := years[y].number; n >= 0 && !leap(n) {
			february = 28
		}
		for m := range months {
			last := 31
			if n := months[m].number; n == 2 {
				last = february
			} else if n > 0 {
				last = daysIn(0, n)
			}
			for d := range days {
				if days[d].number <= last {
					t.addDate(&years[y], &months[m], &days[d])
				}
			}
		}
	}
	unrealDates(g, sights, t)
}

// addDate enters a date of three parts.
func (t *table) addDate(y, m, d *part) {
	e := &t[(y.own+m.own+d.own)%10*10+(y.comp+m.comp+d.comp)%10]
	if y.number < 0 && m.number < 0 && d.number < 0 {
		e = &t[blankPlace]
	}
	q := y.q * m.q * d.q
	e.mass += q
	if q > e.best {
		e.best = q
		e.word = word{y.symbols[0], y.symbols[1], m.symbols[0], m.symbols[1], d.symbols[0], d.symbols[1]}
	}
}

// unrealDates enters what the six slots show if no date was meant: each slot with its best symbol or its second.
func unrealDates(g *group, sights *sights, t *table) {
	var choice [6][2]int
	for i := range choice {
		b := sights[g.slots[i].line][g.slots[i].pos].belief
		choice[i][0] = b.best()
		b[choice[i][0]] = 0
		choice[i][1] = b.best()
	}
	for bits := range 1 << 6 {
		q, own, comp := unreal, 0, 0
		var w word
		for i := range choice {
			symbol := choice[i][bits>>i&1]
			sl := &g.slots[i]
			q *= sights[sl.line][sl.pos].belief[symbol]
			own += value(symbol) * sl.own
			comp += value(symbol) * sl.comp
			w[i] = uint8(symbol)
		}
		e := &t[own%10*10+comp%10]
		e.mass += q
		if w == e.word {
			e.best += q // the same symbols, already met as a date
		} else if q > e.best {
			e.best, e.word = q, w
		}
	}
}
