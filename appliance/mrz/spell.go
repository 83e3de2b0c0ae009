package mrz

// word is a choice of symbols for the slots of a group, as indices of Alphabet.
type word [maxSlots]uint8

// entry is what is known of all words with the same residues: the best of them, its probability, and the sum of the
// probabilities of all.
type entry struct {
	best, mass float64
	word       word
}

// table has an entry for each pair of residues, under the own check digit and under the composite one: place
// own*10+comp. Words of nothing but fillers stand apart at blankPlace, since their check digit may be a filler.
type table [101]entry

const blankPlace = 100

// residues are the own and the composite residue of a place.
func residues(place int) (own, comp int) {
	if place == blankPlace {
		return 0, 0
	}
	return place / 10, place % 10
}

// states is the number of states of the programme that spells: own residue, composite residue, kind of the last symbol.
const states = 10 * 10 * int(kinds)

// trellis is one column of that programme.
type trellis struct {
	best, mass [states]float64
	active     [states]uint16 // the states that hold anything
	n          int
}

// put offers a way into a state and reports whether it is the best so far.
func (t *trellis) put(state int, best, mass float64) bool {
	if t.mass[state] == 0 {
		t.active[t.n] = uint16(state)
		t.n++
	}
	t.mass[state] += mass
	if best > t.best[state] {
		t.best[state] = best
		return true
	}
	return false
}

// clear empties the column.
func (t *trellis) clear() {
	for _, state := range t.active[:t.n] {
		t.best[state], t.mass[state] = 0, 0
	}
	t.n = 0
}

// speller fills tables; it is only working memory.
type speller struct {
	columns [2]trellis
	back    [maxSlots][states]uint8 // symbol*kinds + kind before
}

// spell finds the best word and the mass for every pair of residues, exactly, by dynamic programming over the slots.
func (sp *speller) spell(g *group, sh *shape, sights *sights, t *table) {
	now, next := &sp.columns[0], &sp.columns[1]
	now.clear()
	now.put(int(blank), 1, 1)
	for i := range g.n {
		next.clear()
		sp.step(i, &g.slots[i], sh, &sights[g.slots[i].line][g.slots[i].pos].belief, now, next)
		now, next = next, now
	}
	*t = table{}
	for _, state := range now.active[:now.n] {
		place := int(state) / int(kinds)
		if kind(state)%kinds == blank {
			place = blankPlace
		}
		e := &t[place]
		e.mass += now.mass[state]
		if now.best[state] > e.best {
			e.best = now.best[state]
			e.word = sp.trace(g, int(state))
		}
	}
}

// step extends every state of one column by every symbol of one slot.
func (sp *speller) step(i int, sl *slot, sh *shape, b *belief, now, next *trellis) {
	for symbol, q := range b {
		if q < faint {
			continue
		}
		own, comp := value(symbol)*sl.own%10, value(symbol)*sl.comp%10
		var p [kinds]float64
		var after [kinds]int
		for before := range kinds {
			p[before] = q * sh.prior(before, symbol)
			after[before] = int(kindOf(symbol, before))
		}
		for _, state := range now.active[:now.n] {
			before := state % uint16(kinds)
			place := int(state) / int(kinds)
			to := (addTen(place/10, own)*10+addTen(place%10, comp))*int(kinds) + after[before]
			if next.put(to, now.best[state]*p[before], now.mass[state]*p[before]) {
				sp.back[i][to] = uint8(symbol)*uint8(kinds) + uint8(before)
			}
		}
	}
}

// addTen is the sum of two residues modulo 10.
func addTen(a, b int) int {
	if a += b; a >= 10 {
		a -= 10
	}
	return a
}

// trace walks back from a state of the last column to the word that leads there.
func (sp *speller) trace(g *group, state int) (w word) {
	for i := g.n - 1; i >= 0; i-- {
		b := int(sp.back[i][state])
		symbol, before := b/int(kinds), b%int(kinds)
		w[i] = uint8(symbol)
		place := state / int(kinds)
		own := place/10 - value(symbol)*g.slots[i].own%10 + 10
		comp := place%10 - value(symbol)*g.slots[i].comp%10 + 10
		state = (own%10*10+comp%10)*int(kinds) + before
	}
	return w
}
