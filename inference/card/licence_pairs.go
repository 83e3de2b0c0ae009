package card

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// Which value belongs to which label is settled for all of a card at once: each label may have one value, each value one
// label, and of all ways to pair them the one counts in which places and contents agree best. So a label whose value was
// overlooked does not take the value of its neighbour, and the values of a crooked card find their own rows.

// What it costs, set by judgement, to pair a label with a value: 1 is a small disagreement. A label that finds nothing for
// lonely stays alone.
const (
	lonely   = 6.0
	unlike   = 4.0 // the value is of another kind than the label announces
	never    = 8.0 // it is a number where words stand
	otherWay = 2.5 // the card's other values do not stand below their labels, or do
	notNext  = 3.0 // another value stands between
)

// vocabulary holds the lists of phrases that the values of labels hold.
type vocabulary map[egypt.Label]*egypt.Terms

// newVocabulary makes the lists, which are read only and may be shared.
func newVocabulary() vocabulary {
	return vocabulary{
		egypt.LabelColour: egypt.Colours(), egypt.LabelFuel: egypt.Fuels(), egypt.LabelMake: egypt.Makes(), egypt.LabelBody: egypt.Bodies(),
		egypt.LabelNationality: egypt.Nationalities(), egypt.LabelUse: egypt.Uses(),
	}
}

// holds reports whether a text is a phrase that values hold.
func (v vocabulary) holds(text string) bool {
	const known = 0.75
	for _, terms := range v {
		if terms.Likeness(text) > known {
			return true
		}
	}
	return false
}

// way is where the values of a card stand: nearly all of one card stand alike.
type way int

// The ways, the usual ones first.
const (
	besideLabel way = iota // left of it
	belowLabel
	aboveLabel // as on forms whose lines say below them what belongs there
	afterLabel // right of it, as on cards laid out from left to right
)

// unusualWay is what it costs that all values stand above or after their labels.
const unusualWay = 3.0

// pair settles the values of all labels, and returns where they stand.
func (a cells) pair(known vocabulary) (where way) {
	best, least := []int(nil), math.Inf(1)
	var labels []int
	for i := range a {
		a[i].values = nil
		if a[i].introduces() {
			labels = append(labels, i)
		}
	}
	contents, standings := a.contents(labels, known), a.standings()
	for _, w := range []way{besideLabel, belowLabel, aboveLabel, afterLabel} {
		chosen, sum := a.pairAll(labels, w, contents, standings)
		if w == aboveLabel || w == afterLabel {
			sum += unusualWay
		}
		if sum < least-1e-9 {
			best, least, where = chosen, sum, w
		}
	}
	for n, i := range labels {
		if best == nil || best[n] < 0 {
			continue
		}
		if where == aboveLabel {
			best[n] = a.firstAbove(i, best[n], best, known)
		}
		a[i].values = a.withRest(i, best[n], best)
	}
	return where
}

// firstAbove is the first line of a name or an address of which the last one stands above its label.
func (a cells) firstAbove(label, last int, chosen []int, known vocabulary) int {
	most := map[egypt.Label]int{egypt.LabelName: 2, egypt.LabelAddress: 3}[a[label].label]
	first := last
	for range most - 1 {
		next := -1
		for k := range a {
			c := &a[k]
			gap := (a[first].y() - c.y()) * viewHeight / max(c.height(), a[first].height(), 1)
			if c.label != "" || slices.Contains(chosen, k) || gap < 0.8 || gap > nextLine || !c.under(&a[first]) || known.unlikeness(a[label].label, c) > 0 ||
				math.IsInf(a.amid(first, k), 1) {
				continue
			}
			if next < 0 || c.y() > a[next].y() {
				next = k
			}
		}
		if next < 0 {
			break
		}
		first = next
	}
	return first
}

// nextLine is how far apart, in glyph heights, two lines of one value are at the most.
const nextLine = 3.4

// contents is what it costs each label that a cell near it is not of the kind that it announces.
func (a cells) contents(labels []int, known vocabulary) [][]float64 {
	out := make([][]float64, len(labels))
	for n, i := range labels {
		out[n] = make([]float64, len(a))
		for k := range a {
			if v := &a[k]; v.label == "" && math.Abs(v.y()-a[i].y())*viewHeight < (columnDrop+2)*max(a[i].height(), smallLabel*v.height()) {
				out[n][k] = known.unlikeness(a[i].label, v)
			}
		}
	}
	return out
}

// pairAll gives labels their values for one of the ways in which values may stand; -1 where there is none.
func (a cells) pairAll(labels []int, w way, contents [][]float64, standings []standing) (chosen []int, sum float64) {
	drift, drop, columns := 0.0, 0.0, map[int]float64{}
	for range 3 { // from the second time on it is known where the values of the card mostly stand
		cost := make([][]float64, len(labels))
		for n, i := range labels {
			cost[n] = make([]float64, len(a))
			for k := range a {
				cost[n][k] = a.pairCost(i, k, w, drift, drop, standings[i].ranked(standings[k])) + contents[n][k]
				if right, ok := columns[i]; ok {
					cost[n][k] += min(mostAside, 0.5*math.Abs(a[k].right()-right)*viewWidth/max(a[i].height(), 1))
				}
			}
		}
		chosen, sum = cheapest(cost, lonely)
		drift, drop, columns = a.driftOf(labels, chosen), a.dropOf(labels, chosen, w), a.columnsOf(labels, chosen)
		if drift == 0 && drop == 0 && len(columns) == 0 {
			break
		}
	}
	return chosen, sum
}

// mostAside is the most that it costs that a value stands beside the column of the others.
const mostAside = 4.0

// columnsOf is where the values of the labels that stand in one column with a label end, at the right, for each label for which
// that is one place.
func (a cells) columnsOf(labels, chosen []int) map[int]float64 {
	out := map[int]float64{}
	for _, i := range labels {
		var ends []float64
		for n, o := range labels {
			if k := chosen[n]; o != i && k >= 0 && math.Abs(a[o].right()-a[i].right()) < 0.03 {
				ends = append(ends, a[k].right())
			}
		}
		slices.Sort(ends)
		if n := len(ends); n >= 3 && ends[(n-1)*3/4]-ends[n/4] < 0.02 {
			out[i] = ends[n/2]
		}
	}
	return out
}

// titleLabel reports whether a label announces no value.
func titleLabel(l egypt.Label) bool {
	return slices.Contains([]egypt.Label{egypt.LabelRepublic, egypt.LabelIdentityCard, egypt.LabelInterior, egypt.LabelVehicle, egypt.LabelVehicleData, egypt.LabelHeading, egypt.LabelEnglish}, l)
}

// introduces reports whether a cell is a label that has a value.
func (c *cell) introduces() bool { return c.label != "" && !titleLabel(c.label) }

// driftOf is by how much, as a share of the card's height, the values beside their labels stand lower than these, where most of
// them do.
func (a cells) driftOf(labels, chosen []int) float64 {
	var drops []float64
	for n, i := range labels {
		if k := chosen[n]; k >= 0 && a[k].right() < a[i].left()+0.03 {
			drops = append(drops, a[k].y()-a[i].y())
		}
	}
	if len(drops) < 4 {
		return 0
	}
	slices.Sort(drops)
	if quarter := len(drops) / 4; drops[quarter]*drops[len(drops)-1-quarter] <= 0 {
		return 0
	}
	return drops[len(drops)/2]
}

// dropOf is how far, in view pixels, values stand below their labels, or above them, where most of a card stand alike; 0 where that is not known.
func (a cells) dropOf(labels, chosen []int, w way) float64 {
	if w != belowLabel && w != aboveLabel {
		return 0
	}
	var drops []float64
	for n, i := range labels {
		if k := chosen[n]; k >= 0 && !a[k].level(&a[i]) && a[k].y() > a[i].y() == (w == belowLabel) {
			drops = append(drops, math.Abs(a[k].y()-a[i].y())*viewHeight)
		}
	}
	if len(drops) < 4 {
		return 0
	}
	slices.Sort(drops)
	if n := len(drops); drops[n-1-n/4] > 1.2*drops[n/4] {
		return 0
	}
	return drops[len(drops)/2]
}

// pairCost is what it costs to take the k-th cell as the value of the i-th, which is a label; drift and usual are those of the card, 0 where unknown; ranked tells
// that it has the label's rank in its row.
func (a cells) pairCost(i, k int, w way, drift, usual float64, ranked bool) float64 {
	l, v := &a[i], &a[k]
	if v.label != "" || k == i {
		return math.Inf(1)
	}
	height := max(l.height(), 1)
	drop := (v.y() - l.y()) * viewHeight / height
	off := drop - drift*viewHeight/height
	switch {
	case w == aboveLabel:
		return a.stackedCost(i, k, -drop, usual, false)
	case w == afterLabel && math.Abs(off) < 1.3 && v.centre() > l.right() && v.left() > max(l.right()-0.03, l.centre()):
		return 4*off*off + 0.02*(v.left()-l.right())*viewWidth/height + a.between(i, k)
	case w == afterLabel:
		return math.Inf(1)
	case v.centre() < l.left() && v.right() < min(l.left()+0.03, l.centre()) && math.Abs(off) < 1.3:
		return 4*off*off + 0.02*(l.left()-v.right())*viewWidth/height + a.between(i, k) + w.other(besideLabel)
	case w == besideLabel && v.left() > max(l.right()-0.03, l.centre()) && math.Abs(off) < 1.3 && len(a.leftOf(i)) == 0: // a column that mirrors the other one
		return 4*off*off + 0.02*(v.left()-l.right())*viewWidth/height + a.between(i, k) + w.other(afterLabel)
	case drop < -0.8 && vehicleNumber(l.label) && codeLike(v.text): // where they head a card, their labels stand below them
		return a.stackedCost(i, k, -drop, 0, true) + w.other(aboveLabel)
	}
	cost := a.stackedCost(i, k, drop, usual, ranked) + w.other(belowLabel)
	if a.announcesBeside(i) {
		cost += unlike
	}
	return cost
}

// announcesBeside reports whether a colon ends a label and print follows close behind it.
func (a cells) announcesBeside(i int) bool {
	const close = 2.5 // heights
	c := &a[i]
	return strings.HasSuffix(c.text, ":") && slices.ContainsFunc(a, func(o cell) bool {
		gap := (c.left() - o.right()) * viewWidth / max(c.height(), 1)
		return o.label == "" && o.text != "" && o.level(c) && gap > -1 && gap < close
	})
}

// vehicleNumber reports whether a label announces the number of a chassis or an engine.
func vehicleNumber(l egypt.Label) bool { return l == egypt.LabelChassis || l == egypt.LabelMotor }

// codeLike reports whether a text is such a number.
func codeLike(text string) bool {
	digits := digitsIn(text)
	return digits >= 4 && arabicLetters(text) == 0 && !dateLike(text)
}

// other is what it costs that a value stands otherwise than the others of its card.
func (w way) other(than way) float64 {
	if w == than {
		return 0
	}
	return otherWay
}

// stackedCost is what it costs that a value stands drop heights of its label below it, or above it; usual is how far the card's values do, in view pixels, 0 where
// that is not known.
func (a cells) stackedCost(i, k int, drop, usual float64, ranked bool) float64 {
	l, v := &a[i], &a[k]
	height := max(l.height(), 1)
	off := drop - 1.8
	if usual > 0 && !vehicleNumber(l.label) { // which may stand apart from the others
		off = drop - usual/height
	}
	far := drop*height >= rowDrop*max(height, smallLabel*v.height()) && (usual == 0 || math.Abs(off) > 1)
	if drop <= 0.8 || far {
		return math.Inf(1)
	}
	left, right := a.span(i)
	shared := min(v.right(), right) - max(v.left(), left)
	if lies := shared > 0.3*min(v.right()-v.left(), right-left); !lies && !ranked {
		return math.Inf(1)
	}
	aside := math.Abs(v.right() - right)
	if right-left > l.right()-l.left() || vehicleNumber(l.label) { // beside an English one, it may be set from left to right, or about the middle of their box, as long numbers are
		aside = min(aside, math.Abs(v.left()-left), math.Abs(v.centre()-(left+right)/2))
	}
	return 1 + 0.5*off*off + min(mostAside, aside*viewWidth/height/3) + a.amid(i, k)
}

// span is where a label begins and ends, with the same in English beside it: close to it, or at the left end of its box.
func (a cells) span(i int) (left, right float64) {
	const apart = 2.0 // heights
	l := &a[i]
	left, right = l.left(), l.right()
	for k := range a {
		c := &a[k]
		if c.label != egypt.LabelEnglish || !c.level(l) || c.right() < left && a.anyBetween(c.right(), left, l) {
			continue
		}
		if c.left() < right+apart*l.height()/viewWidth {
			left, right = min(left, c.left()), max(right, c.right())
		}
	}
	return left, right
}

// anyBetween reports whether text stands between two places, level with a cell.
func (a cells) anyBetween(from, to float64, l *cell) bool {
	return slices.ContainsFunc(a, func(o cell) bool { return o.level(l) && o.centre() > from && o.centre() < to })
}

// columnDrop is how far below its label, in heights of the label, the value of a column may stand: with the rules of a table between them more
// than labelDrop.
const columnDrop = 4.2

// rowDrop is how far the value of a label in a table may: the rows of some are high.
const rowDrop = 5.0

// standing is where a cell is among those level with it: how many are right of it, how many they are with itself, and whether a label is
// among them.
type standing struct {
	rank, count int
	labelled    bool
}

// standings are those of all cells.
func (a cells) standings() []standing {
	out := make([]standing, len(a))
	for i := range a {
		for k := range a {
			if k != i && !a[k].level(&a[i]) {
				continue
			}
			out[i].count++
			out[i].labelled = out[i].labelled || a[k].label != ""
			if a[k].right() > a[i].right() {
				out[i].rank++
			}
		}
	}
	return out
}

// ranked reports whether the cell at v takes the place among the values of its row that the one at p takes in a row of as many labels above it,
// as in a table, where text may stand at any place of its box.
func (p standing) ranked(v standing) bool {
	return p.count == v.count && p.rank == v.rank && !v.labelled
}

// smallLabel is how high a label is beside the value below it, as a share, from which on the value's height tells how far below it may stand.
const smallLabel = 0.8

// between is what it costs that text stands between a label and a value beside it: another label forbids the pair.
func (a cells) between(i, k int) (cost float64) {
	l, v := &a[i], &a[k]
	from, to := v.right(), l.left()
	if v.centre() > l.centre() {
		from, to = l.right(), v.left()
	}
	for o := range a {
		c := &a[o]
		if o == i || o == k || c.label == egypt.LabelEnglish || c.centre() > to || c.centre() < from {
			continue
		}
		nearer := math.Abs(c.y()-v.y()) <= math.Abs(l.y()-v.y())+0.01
		switch {
		case c.label != "" && (nearer || c.level(l) || c.level(v)):
			return math.Inf(1)
		case c.label == "" && c.text != "" && c.level(v):
			cost = notNext
		}
	}
	return cost
}

// amid is what it costs that text stands between a label and a value below or above it: another label of the column forbids the pair.
func (a cells) amid(i, k int) (cost float64) {
	l, v := &a[i], &a[k]
	from, to := min(l.y(), v.y())+0.01, max(l.y(), v.y())-0.01
	for o := range a {
		c := &a[o]
		if o == i || o == k || c.label == egypt.LabelEnglish || c.y() <= from || c.y() >= to || !c.under(l) {
			continue
		}
		if c.label != "" {
			return math.Inf(1)
		}
		cost = notNext
	}
	return cost
}

// unlikeness is what it costs that a value is not of the kind that a label announces.
func (known vocabulary) unlikeness(label egypt.Label, v *cell) float64 {
	share, digits := digitShare(v.text)
	arabic := arabicLetters(v.text)
	if v.unit != "" && v.unit != label {
		return never
	}
	switch label {
	case egypt.LabelModelYear, egypt.LabelCylinders, egypt.LabelVolume:
		switch {
		case v.text == "":
			return 1
		case arabic > 2 && !known.shortPrint(v.text) || dateLike(v.text):
			return unlike
		case arabic > 2: // digits may be read as letters
			return 2
		case label == egypt.LabelCylinders && digits > 2, label == egypt.LabelModelYear && digits != 4, label == egypt.LabelVolume && digits < 3:
			return 1.5
		}
	case egypt.LabelSerial:
		if digits < 4 || arabic > 2 || dateLike(v.text) {
			return unlike
		}
	case egypt.LabelBlood:
		if arabic > 0 || len([]rune(v.text)) > 4 {
			return unlike
		}
	case egypt.LabelGovernorate:
		if !egypt.EndsInPlace(v.text) || len(strings.Fields(v.text)) > 2 {
			return unlike
		}
	case egypt.LabelLatinName, egypt.LabelLatinNation:
		if latinShare(v.text) < 0.6 {
			return unlike
		}
	case egypt.LabelInspection, egypt.LabelIssued, egypt.LabelExpires, egypt.LabelValidUntil, egypt.LabelBirth:
		switch {
		case dateLike(v.text):
			return 0
		case arabic > 3 && digits < monthDigits: // an address may stand level with the label of a date below the portrait
			return never
		case digits >= 3 || strings.ContainsAny(v.text, "-/"):
			return 1
		}
		return unlike
	case egypt.LabelChassis, egypt.LabelMotor:
		vin := len(strings.ReplaceAll(v.text, " ", "")) == egypt.VINLength && latinShare(v.text) > 0.7
		switch {
		case arabic > 2 || dateLike(v.text) && !strings.ContainsFunc(v.text, latinLetter):
			return unlike
		case vin && label == egypt.LabelMotor:
			return 2
		}
	case egypt.LabelNumber:
		if digits < dayDigits {
			return unlike
		}
	case egypt.LabelPlate, egypt.LabelModel, egypt.LabelOther, egypt.LabelIllegible:
	default:
		if label == egypt.LabelMake && digits == 0 && latinShare(v.text) > latinLine { // as the maker writes it
			return 0
		}
		switch {
		case share > 0.9 && digits > 0:
			return never
		case v.text == "" || share > 0.7 && digits > 1 || latinShare(v.text) > 0.6:
			return unlike
		}
		return known.worth(label, v.text)
	}
	if v.text == "" {
		return unlike
	}
	return 0
}

// shortPrint reports whether a text is one short word that no list holds: it may be a number that was read as letters.
func (known vocabulary) shortPrint(text string) bool {
	return len([]rune(text)) <= 5 && !strings.Contains(text, " ") && !known.holds(text)
}

// worth is what the vocabulary of a label adds to the cost of a value: less than nothing where it is a phrase of it, more where
// it is one of another label's.
func (known vocabulary) worth(label egypt.Label, text string) float64 {
	const good, strange = 1.0, 2.0
	own, ok := known[label]
	if !ok {
		return 0
	}
	like := own.Likeness(text)
	for other, terms := range known {
		if other != label && terms.Likeness(text) > max(like+0.2, 0.85) {
			return strange
		}
	}
	if like > 0.75 {
		return -good
	}
	return 0
}

// withRest adds to a value of a label the further pieces of its line, up to the value of another label.
func (a cells) withRest(label, value int, chosen []int) []int {
	out := []int{value}
	edge := a[value].left()
	for _, i := range a.leftOf(value) {
		gap := (edge - a[i].right()) * viewWidth / max(a[label].height(), 1)
		if a[i].label != "" || gap > sameLine || slices.Contains(chosen, i) {
			break
		}
		if latinShare(a[i].text) > 0.6 && arabicLetters(a[value].text) >= shortWord { // the same name in Latin letters
			break
		}
		if a[i].right() > edge+0.03 { // the same text, seen twice
			continue
		}
		out, edge = append(out, i), a[i].left()
	}
	return out
}

// cheapest gives each row of costs one column at the most, each column one row at the most, so that the sum is least; a row
// without a column, -1, costs alone. It is the Hungarian method, with potentials of rows and columns.
func cheapest(cost [][]float64, alone float64) (chosen []int, sum float64) {
	rows := len(cost)
	if rows == 0 {
		return nil, 0
	}
	columns := len(cost[0]) + rows // the last ones stand for being alone
	at := func(i, k int) float64 {
		if k >= len(cost[i]) {
			return alone
		}
		return min(cost[i][k], 1e6)
	}
	u, v := make([]float64, rows+1), make([]float64, columns+1)
	owner, way := make([]int, columns+1), make([]int, columns+1) // counted from 1; 0 is none
	for i := 1; i <= rows; i++ {
		owner[0] = i
		least, seen := make([]float64, columns+1), make([]bool, columns+1)
		for k := range least {
			least[k] = math.Inf(1)
		}
		last := 0
		for owner[last] != 0 {
			seen[last] = true
			row, step, next := owner[last], math.Inf(1), 0
			for k := 1; k <= columns; k++ {
				if seen[k] {
					continue
				}
				if c := at(row-1, k-1) - u[row] - v[k]; c < least[k] {
					least[k], way[k] = c, last
				}
				if least[k] < step {
					step, next = least[k], k
				}
			}
			for k := 0; k <= columns; k++ {
				if seen[k] {
					u[owner[k]] += step
					v[k] -= step
				} else {
					least[k] -= step
				}
			}
			last = next
		}
		for ; last != 0; last = way[last] {
			owner[last] = owner[way[last]]
		}
	}
	return ownedBy(owner, cost, at)
}

// ownedBy is the column of each row, -1 where that stands for being alone, and what they cost together.
func ownedBy(owner []int, cost [][]float64, at func(row, column int) float64) (chosen []int, sum float64) {
	chosen = make([]int, len(cost))
	for k := 1; k < len(owner); k++ {
		i := owner[k] - 1
		if i < 0 {
			continue
		}
		sum += at(i, k-1)
		if chosen[i] = k - 1; k > len(cost[i]) {
			chosen[i] = -1
		}
	}
	return chosen, sum
}
