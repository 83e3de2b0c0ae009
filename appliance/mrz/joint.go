package mrz

// pick is a choice for a group: a place in its table and a symbol for its check digit.
type pick struct {
	place int
	check int
}

// outcome is what a group offers for each residue that it leaves under the composite check digit, own check digit
// included: the best pick and the mass of all.
type outcome struct {
	best, mass [10]float64
	pick       [10]pick
}

// fits reports whether a check symbol is right for a place of a table.
func fits(place, check int) bool {
	own, _ := residues(place)
	if check == filler {
		return place == blankPlace
	}
	return value(check) == own
}

// trust is the probability that a printed check symbol may be as it is over the words of a place.
func (g *group) trust(place, check int) float64 {
	if !g.checked || fits(place, check) {
		return 1
	}
	return failing
}

// leaves is the composite residue that a place and a check symbol leave.
func (g *group) leaves(place, check int) int {
	_, comp := residues(place)
	if !g.checked {
		return comp
	}
	return (comp + value(check)*g.check.comp) % 10
}

// checkSymbols calls yield for each symbol that a group's check digit may be, with its evidence. A group without a check
// digit has one empty choice. Letters, which the class of a moved check digit allows, are no check digits.
func (g *group) checkSymbols(sights *sights, yield func(check int, q float64)) {
	if !g.checked {
		yield(-1, 1)
		return
	}
	b := &sights[g.check.line][g.check.pos].belief
	for check := firstDigit; check <= filler; check++ {
		if b[check] > 0 {
			yield(check, b[check])
		}
	}
}

// offer joins a table with the evidence for the group's check digit.
func (g *group) offer(t *table, sights *sights) (o outcome) {
	g.checkSymbols(sights, func(check int, q float64) {
		for place := range t {
			e := &t[place]
			if e.mass == 0 {
				continue
			}
			p := q * g.trust(place, check)
			r := g.leaves(place, check)
			o.mass[r] += e.mass * p
			if e.best*p > o.best[r] {
				o.best[r] = e.best * p
				o.pick[r] = pick{place, check}
			}
		}
	})
	return o
}

// ring is a distribution over residues modulo 10.
type ring [10]float64

// sum is the distribution of the sum of two independent residues.
func (a *ring) sum(b *ring) (c ring) {
	for i, p := range a {
		if p == 0 {
			continue
		}
		for j, q := range b {
			c[(i+j)%10] += p * q
		}
	}
	return c
}

// maxGroups is the number of groups of a TD1: number, birth, expiry and two optional fields.
const maxGroups = 5

// composite is what the composite digit's own cell says of each residue: as the mass of all cases, and as the best case
// with the symbol that it prints.
type composite struct {
	mass, best ring
	symbol     [10]int
}

// newComposite weighs the composite digit's evidence. Without such a digit every residue is as good.
func newComposite(at span, sights *sights) (c composite) {
	if !at.present() {
		for r := range c.mass {
			c.mass[r], c.best[r] = 1, 1
		}
		return c
	}
	b := &sights[at.line][at.start].belief
	top := b.best()
	for r := range c.mass {
		right := firstDigit + r
		for check := firstDigit; check < filler; check++ {
			c.mass[r] += failing * b[check]
		}
		c.mass[r] += b[right]
		c.best[r], c.symbol[r] = b[right], right
		if wrong := failing * b[top]; wrong > c.best[r] {
			c.best[r], c.symbol[r] = wrong, top
		}
	}
	return c
}

// shift gives each residue of the groups the case that belongs to it with so much more beside them.
func (c *composite) shift(by int) {
	was := *c
	for r := range c.mass {
		from := (r + by) % 10
		c.mass[r], c.best[r], c.symbol[r] = was.mass[from], was.best[from], was.symbol[from]
	}
}

// choose finds the best joint choice of all groups and the composite digit: the residue that each group leaves.
func choose(offers []outcome, c *composite) (residue [maxGroups]int, symbol int) {
	var best [maxGroups + 1]ring
	var from [maxGroups][10]int
	best[0][0] = 1
	for i := range offers {
		for r, p := range best[i] {
			for s, q := range offers[i].best {
				to := (r + s) % 10
				if p*q > best[i+1][to] {
					best[i+1][to] = p * q
					from[i][to] = s
				}
			}
		}
	}
	end, top := 0, -1.0
	for r, p := range best[len(offers)] {
		if p*c.best[r] > top {
			end, top = r, p*c.best[r]
		}
	}
	symbol = c.symbol[end]
	for i := len(offers) - 1; i >= 0; i-- {
		residue[i] = from[i][end]
		end = (end - residue[i] + 10) % 10
	}
	return residue, symbol
}

// support is, for each residue that group i may leave, the mass of everything else that goes with it.
func support(offers []outcome, c *composite, i int) (s ring) {
	others := ring{1}
	for j := range offers {
		if j != i {
			others = others.sum((*ring)(&offers[j].mass))
		}
	}
	for r := range s {
		for o, p := range others {
			s[r] += p * c.mass[(r+o)%10]
		}
	}
	return s
}
