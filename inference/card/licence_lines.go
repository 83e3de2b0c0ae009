package card

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// role is what a line of free text on a licence may be.
type role int

// The roles of free lines. roleNone is text that is no field.
const (
	roleNone role = iota
	roleFirst
	roleName
	roleAddress
	roleJob
	roleRemark
	roles
)

// mostLines is how many lines a role may have.
func (r role) mostLines() int {
	switch r {
	case roleName:
		return 2
	case roleAddress:
		return 3
	case roleRemark:
		return 4
	}
	return 1
}

// freeLine is a line of free text: the text of one row, or the value of a label.
type freeLine struct {
	entry
	bound  role    // by its label; roleNone where it has none
	label  float64 // where that stands, as a share of the card's height
	owner  role    // of the label whose value stands above it, with no label between them; roleNone where there is none
	begins bool    // a field: it goes on with no other line
	words  []string
	pitch  float64 // from row to row of its card, in view pixels; 0 where that is not known
	// likes are the log-odds, set by judgement, of each role but for the lines around it.
	likes [roles]float64
}

// freeRoles are the roles that a kind of licence has, in their usual order.
type freeRoles []role

// assign gives the lines, from the top, their roles: those that they are most like, in the usual order rather than in
// another one.
func (f freeRoles) assign(lines []freeLine) []role {
	best, current := make([]role, len(lines)), make([]role, len(lines))
	most := math.Inf(-1)
	var counts, ends [roles]int // how many lines each role has, and the last of them
	var try func(i int, last role, sum float64)
	try = func(i int, last role, sum float64) {
		if i == len(lines) {
			for _, r := range f {
				if counts[r] == 0 && r != roleRemark && (r != roleName || !namesCompany(lines, current)) {
					sum -= missing
				}
			}
			if sum > most {
				most = sum
				copy(best, current)
			}
			return
		}
		for _, r := range append(slices.Clone(f), roleNone) {
			v, ok := f.step(lines, i, last, r, counts[r], ends[r])
			if !ok {
				continue
			}
			current[i] = r
			before := ends[r]
			counts[r], ends[r] = counts[r]+1, i
			next := last
			if r != roleNone {
				next = r
			}
			try(i+1, next, sum+v)
			counts[r], ends[r] = counts[r]-1, before
		}
	}
	try(0, roleNone, 0)
	return best
}

// missing is what it costs, in nats, that a field is not there which every card has.
const missing = 3.0

// outOfOrder is what it costs, in nats, that a field stands above one that it usually follows.
const outOfOrder = 1.5

// step is what it brings to give the i-th line a role, the line before it that has one having last. There are count lines of the role
// already, the last of them that at end.
func (f freeRoles) step(lines []freeLine, i int, last, r role, count, end int) (value float64, ok bool) {
	l := &lines[i]
	switch {
	case r == roleNone && l.bound != roleNone:
		return -10, true
	case r == roleNone:
		return 0, true
	case count > 0 && l.begins || count >= r.mostLines() || l.bound != roleNone && r != l.bound:
		return 0, false
	case l.bound == roleNone && slices.ContainsFunc(lines[i:], func(o freeLine) bool { return o.bound == r && !l.beforeLabelOf(&o) }):
		return 0, false // a label stands before all of its lines, or beside their middle
	case l.bound != roleNone:
		return 10, true
	}
	value = l.likes[r]
	if r == roleName && l.owner == roleFirst && value > 0 {
		value = max(value, owned)
	}
	if count > 0 {
		above := &lines[end]
		if last != r && (r == roleRemark || !l.below(above)) {
			return 0, false
		}
		if r != roleRemark {
			value += l.continues(above)
			if l.spacedAfter(above) {
				value = max(value, l.likes[r]/2-0.5)
				if r == roleName && min(l.likes[r], above.likes[r]) > surelyName { // a first name in a line of its own
					value = max(value, l.likes[r]-1)
				}
			}
			if r == roleAddress && l.placeAfter(above) {
				value = max(value, 1, l.likes[r])
			}
			if l.owner == r && l.goesOn(r, above) {
				value = max(value, owned)
				if r == roleAddress && l.endsInPlace() {
					value = max(value, owned+missing)
				}
			}
		}
		return value, true
	}
	if slices.Index(f, r) < slices.Index(f, last) {
		value -= outOfOrder
	}
	return value, true
}

// surelyName is the log-odds from which on all words of a line are names.
const surelyName = 2.0

// owned is what speaks, in nats, for a line that it goes on with the value of the label above it.
const owned = 2.0

// goesOn reports whether what a line says may go on with the line above: names with names, an address as long as it has not come to its place.
func (l *freeLine) goesOn(r role, above *freeLine) bool {
	if r == roleAddress {
		return l.endsInPlace() || !above.endsInPlace()
	}
	return l.likes[r] > 0 || r == roleName && egypt.NamesCompany(above.text)
}

// namesCompany reports whether the first line of a name is that of a company, which has no further names.
func namesCompany(lines []freeLine, given []role) bool {
	i := slices.Index(given, roleFirst)
	return i >= 0 && egypt.NamesCompany(lines[i].text)
}

// partners reports whether folded words are all that follows a name to say that there are partners: وشركاه, ش م م.
func partners(words []string) bool {
	return slices.Contains([]string{"وشركاه", "وشركاوه", "وشركاهم", "وشريكه", "وشركاها", "واخوته", "واخواته", "واخوانه", "واخوه", "واولاده", "وابناوه", "شمم", "شذمم", "ذمم"}, strings.ReplaceAll(strings.Join(words, ""), ".", ""))
}

// markCompany makes the line that goes on with a company's name, or that of partners, one of the name, whatever it says.
func markCompany(lines []freeLine) {
	for i := range lines {
		if l := &lines[i]; partners(l.words) && l.bound == roleNone {
			l.likes[roleName], l.likes[roleFirst] = surelyName, -surelyName
		}
	}
	for i := range lines {
		if lines[i].bound != roleFirst || !egypt.NamesCompany(lines[i].text) {
			continue
		}
		for k := range lines {
			if l := &lines[k]; l.bound == roleNone && l.owner == roleFirst && !anyDigit(l.text) {
				l.likes[roleName] = max(l.likes[roleName], surelyName)
				return
			}
		}
	}
}

// continues is what the gap between it and the line above says for one that goes on.
func (l *freeLine) continues(above *freeLine) float64 {
	gap := (l.y() - above.y()) * viewHeight / max(l.height(), above.height(), 1)
	return max(-4, min(4, 5*(1.85-gap))) - 1
}

// below reports whether a line stands under another one in its box of a table: print of other boxes comes between the two in the order of
// the lines.
func (l *freeLine) below(above *freeLine) bool {
	c, o := &cell{entry: l.entry}, &cell{entry: above.entry}
	return c.y() > o.y() && !c.level(o) && c.under(o)
}

// beforeLabelOf reports whether a line and the one close below it, whose label stands beside the middle of both, are one value.
func (l *freeLine) beforeLabelOf(o *freeLine) bool {
	const middle = 0.3 // as a share of their distance
	nearest := 2.5     // in heights
	if o.bound == roleFirst {
		nearest = nextLine
	}
	gap := o.y() - l.y()
	return (o.bound.mostLines() > 1 || o.bound == roleFirst) && o.bound != roleRemark && o.below(l) && math.Abs(o.label-l.y()-gap/2) < middle*gap &&
		gap*viewHeight < nearest*max(l.height(), o.height())
}

// firstAtMiddle binds the upper of two lines of a name to its label where that stands beside the middle of both.
func firstAtMiddle(lines []freeLine) {
	for i := range lines {
		if lines[i].bound != roleFirst {
			continue
		}
		for k := range lines {
			if l := &lines[k]; l.bound == roleNone && (l.likes[roleName] > 0 || egypt.NamesCompany(l.text)) && l.beforeLabelOf(&lines[i]) {
				l.bound, l.label, lines[i].bound, lines[i].owner = roleFirst, lines[i].label, roleNone, roleFirst
				return
			}
		}
	}
}

// placeAfter reports whether a line is the place of an address whose street is the line above.
func (l *freeLine) placeAfter(above *freeLine) bool {
	const farthest = 4.0 // heights
	near := (l.y()-above.y())*viewHeight < farthest*max(l.height(), above.height())
	return near && l.endsInPlace() && !above.endsInPlace() && !anyDigit(l.text)
}

// endsInPlace reports whether a line ends as addresses do.
func (l *freeLine) endsInPlace() bool { return egypt.EndsInPlace(strings.Join(l.words, " ")) }

// spacedAfter reports whether a line stands below another one as all rows of the card do: there the gap says nothing.
func (l *freeLine) spacedAfter(above *freeLine) bool {
	const alike, farthest = 0.15, 4.0 // as a share of the pitch, and in heights
	gap := (l.y() - above.y()) * viewHeight
	return l.pitch > 0 && math.Abs(gap-l.pitch) < alike*l.pitch && gap < farthest*max(l.height(), above.height())
}

// pitch is how far apart the rows of a card are, in view pixels: the median, or 0 where they are not equally far.
func (a cells) pitch() float64 {
	var rows, gaps []float64
	for i := range a {
		rows = append(rows, a[i].y()*viewHeight)
	}
	slices.Sort(rows)
	const apart = 8 // view pixels; less is one row
	for i := 1; i < len(rows); i++ {
		if gap := rows[i] - rows[i-1]; gap > apart {
			gaps = append(gaps, gap)
		}
	}
	const fewest = 4
	if len(gaps) < fewest {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// newFreeLine weighs what a line says.
func newFreeLine(e entry, names *egypt.Wording) freeLine {
	l := freeLine{entry: e, words: strings.Fields(egypt.Fold(e.text))}
	known, digits := 0.0, 0.0
	for _, w := range l.words {
		if names.Knows(w) {
			known++
		}
		if strings.ContainsAny(w, "0123456789") {
			digits++
		}
	}
	n := float64(max(len(l.words), 1))
	share := known / n
	dashed := strings.ContainsAny(e.text, "-/,،–")
	street := len(l.words) > 0 && ofAddress(l.words[0]) || len(l.words) > 1 && anyDigit(l.words[0]) && ofAddress(l.words[1])
	place := egypt.EndsInPlace(strings.Join(l.words, " "))
	l.likes[roleName] = 4*share - 0.5 - 4*digits
	l.likes[roleFirst] = 4*share + 0.3 - 4*digits
	if len(l.words) > 2 {
		l.likes[roleFirst] -= 3
	}
	if len(l.words) >= 3 && digits == 0 && !dashed {
		l.likes[roleName]++
	}
	l.likes[roleAddress] = 2*min(digits, 2) - 1
	for _, sign := range []bool{dashed, street, place} {
		if sign {
			l.likes[roleAddress] += 2.5
			l.likes[roleName] -= 2
			l.likes[roleFirst] -= 2
		}
	}
	if len(l.words) >= 4 {
		l.likes[roleAddress]++
	}
	l.likes[roleJob] = 1 - 2*digits - 0.5*max(0, n-2)
	switch {
	case place && dashed:
		l.likes[roleJob] -= 4
	case place:
		l.likes[roleJob]--
	}
	l.likes[roleRemark] = -0.5
	return l
}
