// Package bidi puts the signs of one line into the order in which they are printed, from left to right, and back into the order
// in which they are read and typed.
//
// A network sees signs in visual order, from left to right as printed; text is kept in logical order. Visual carries out the
// Unicode bidirectional algorithm (UAX 9, rules W2 to L4) for one line without embeddings; Logical undoes it. The base direction
// is right to left when a line has more Arabic letters than Latin ones.
//
// The algorithm has no exact inverse: "Apt 12" between Arabic words looks the same typed as "12 Apt". Logical prefers
// what a reader would: digits after a Latin word belong to it.
package bidi

import (
	"slices"
	"unicode"
)

// direction is a bidirectional class of UAX 9, as far as text on a line needs them.
type direction byte

const (
	neutral   direction = iota
	latin               // L, and every other script from left to right
	arabic              // AL, R
	european            // EN: Western digits
	indic               // AN: Arabic-Indic digits
	separator           // CS: between the parts of a number
	sign                // ES: + and -
	terminal            // ET: beside a number, such as %
	mark                // NSM: a diacritic, which goes with the sign before it
)

func directionOf(r rune) direction {
	switch {
	case r >= '0' && r <= '9' || r >= '۰' && r <= '۹':
		return european
	case r >= '٠' && r <= '٩' || r == '٫' || r == '٬':
		return indic
	case r == '+' || r == '-':
		return sign
	case r == '/' || r == '.' || r == ',' || r == ':' || r == '،':
		return separator
	case r == '%' || r == '#' || r == '$' || r == '°' || r == '٪':
		return terminal
	case unicode.Is(unicode.Mn, r):
		return mark
	case unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r), unicode.Is(unicode.Hebrew, r), r == '؟', r == '؛', r == 'ـ':
		return arabic
	case unicode.IsLetter(r):
		return latin
	}
	return neutral
}

// Arabic reports whether a sign is a letter of a script that runs from right to left.
func Arabic(r rune) bool { return directionOf(r) == arabic }

// Latin reports whether a sign is a letter of a script that runs from left to right.
func Latin(r rune) bool { return directionOf(r) == latin }

// rightToLeft reports whether a line runs from right to left as a whole.
func rightToLeft(line []rune) bool {
	letters, indics := 0, 0
	for _, r := range line {
		switch directionOf(r) {
		case arabic:
			letters++
		case latin:
			letters--
		case indic:
			indics++
		}
	}
	return letters > 0 || letters == 0 && indics > 0
}

// mirrored returns what a sign looks like in a run from right to left.
func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»‹›"
	signs := []rune(pairs)
	if i := slices.Index(signs, r); i >= 0 {
		return signs[i^1]
	}
	return r
}

// Visual returns a line in logical order as it is printed, from left to right.
func Visual(line []rune) []rune { return visualFrom(line, rightToLeft(line)) }

// visualFrom is Visual for a line whose base direction is known.
func visualFrom(line []rune, rtl bool) []rune {
	base := 0
	if rtl {
		base = 1
	}
	return reorder(line, levels(line, base))
}

// levels returns the embedding level of each rune: even ones run from left to right.
func levels(line []rune, base int) []int {
	class := make([]direction, len(line))
	for i, r := range line {
		class[i] = directionOf(r)
		if class[i] == mark {
			class[i] = neutral
			if i > 0 {
				class[i] = class[i-1]
			}
		}
	}
	start := latin
	if base == 1 {
		start = arabic
	}
	resolveNumbers(class, base)
	resolveBrackets(line, class, start)
	resolveNeutrals(class, start)
	out := make([]int, len(line))
	for i, c := range class {
		switch {
		case c == arabic:
			out[i] = 1
		case c == latin:
			out[i] = 2 * base
		default:
			out[i] = 2
		}
	}
	return out
}

// resolveNumbers is W2 to W7: what belongs to a number, and to which script a number belongs.
func resolveNumbers(class []direction, base int) {
	strong := neutral
	for i, c := range class { // W2
		switch {
		case c == latin || c == arabic:
			strong = c
		case c == european && strong == arabic:
			class[i] = indic
		}
	}
	for i := 1; i+1 < len(class); i++ { // W4
		before, after := class[i-1], class[i+1]
		if before == after && (class[i] == separator && (before == european || before == indic) || class[i] == sign && before == european) {
			class[i] = before
		}
	}
	for i, c := range class { // W5, forwards and backwards
		if c == terminal && i > 0 && class[i-1] == european {
			class[i] = european
		}
	}
	for i := len(class) - 2; i >= 0; i-- {
		if class[i] == terminal && class[i+1] == european {
			class[i] = european
		}
	}
	strong = latin
	if base == 1 {
		strong = arabic
	}
	for i, c := range class { // W6, W7
		switch c {
		case separator, sign, terminal:
			class[i] = neutral
		case latin, arabic:
			strong = c
		case european:
			if strong == latin {
				class[i] = latin
			}
		}
	}
}

// side is the direction that a sign lends to neutrals beside it: numbers count as Arabic.
func side(c direction) direction {
	if c == european || c == indic {
		return arabic
	}
	return c
}

// resolveBrackets is N0: both brackets of a pair take one direction, that of what they hold.
func resolveBrackets(line []rune, class []direction, base direction) {
	for _, pair := range brackets(line, class) {
		inside := neutral
		for _, c := range class[pair[0]+1 : pair[1]] {
			if c := side(c); c == base || c != neutral && inside == neutral {
				inside = c
			}
		}
		if inside == neutral {
			continue
		}
		if inside != base {
			before := base
			for _, c := range slices.Backward(class[:pair[0]]) {
				if c := side(c); c != neutral {
					before = c
					break
				}
			}
			if before != inside {
				inside = base
			}
		}
		class[pair[0]], class[pair[1]] = inside, inside
	}
}

// brackets returns the places of the pairs of brackets in the order of the opening ones (BD16).
func brackets(line []rune, class []direction) [][2]int {
	var open []int
	var pairs [][2]int
	for i, r := range line {
		switch {
		case class[i] != neutral:
		case r == '(' || r == '[' || r == '{':
			open = append(open, i)
		case r == ')' || r == ']' || r == '}':
			for j, o := range slices.Backward(open) {
				if line[o] == mirrored(r) {
					pairs = append(pairs, [2]int{o, i})
					open = open[:j]
					break
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return a[0] - b[0] })
	return pairs
}

// resolveNeutrals is N1 and N2: neutrals between two sides of one direction take it, others that of the line.
func resolveNeutrals(class []direction, base direction) {
	before := base
	for i := 0; i < len(class); i++ {
		if class[i] != neutral {
			before = side(class[i])
			continue
		}
		end := i
		for end < len(class) && class[end] == neutral {
			end++
		}
		after := base
		if end < len(class) {
			after = side(class[end])
		}
		if before != after {
			after = base
		}
		for ; i < end; i++ {
			class[i] = after
		}
		i--
	}
}

// reorder is L2 and L4: it turns round, from the highest level down, each run of at least that level.
func reorder(line []rune, level []int) []rune {
	out, level := slices.Clone(line), slices.Clone(level)
	for i, l := range level {
		if l%2 == 1 {
			out[i] = mirrored(out[i])
		}
	}
	for at := 2; at >= 1; at-- {
		for start := 0; start < len(out); start++ {
			end := start
			for end < len(out) && level[end] >= at {
				end++
			}
			slices.Reverse(out[start:end])
			slices.Reverse(level[start:end])
			start = max(start, end-1)
		}
	}
	return out
}

// Logical returns the logical order of a line that is given as printed: the first of a few likely ones that is
// printed like this, or else the likeliest.
func Logical(line []rune) []rune { return LogicalFrom(line, rightToLeft(line)) }

// LogicalFrom is Logical for a line whose base direction is known.
func LogicalFrom(line []rune, rtl bool) []rune {
	first := unorder(line, rtl, true)
	for _, candidate := range [][]rune{first, unorder(line, rtl, false)} {
		if slices.Equal(visualFrom(candidate, rtl), line) {
			return candidate
		}
	}
	return first
}

// unorder undoes reorder by the runs that a reader would see. follow says that a number after a Latin word belongs to it.
func unorder(line []rune, rtl, follow bool) []rune {
	if rtl {
		return backwards(line, follow)
	}
	out := slices.Clone(line)
	oriental := func(r rune) bool { return directionOf(r) == arabic || directionOf(r) == indic }
	for start := 0; start < len(out); start++ {
		if !oriental(out[start]) {
			continue
		}
		end := start + 1 // behind the last Arabic sign before the next Latin one
		for i := end; i < len(out) && directionOf(out[i]) != latin; i++ {
			if oriental(out[i]) {
				end = i + 1
			}
		}
		copy(out[start:end], backwards(out[start:end], follow))
		start = end
	}
	return out
}

// backwards turns a line from right to left into logical order: everything is turned round but the runs of Latin and
// of digits.
func backwards(line []rune, follow bool) []rune {
	out := make([]rune, 0, len(line))
	for end := len(line); end > 0; {
		start := runBefore(line, end, follow)
		if start < end {
			out = append(out, line[start:end]...)
		} else {
			start--
			out = append(out, mirrored(line[start]))
		}
		end = start
	}
	return out
}

// runBefore returns where the run from left to right that ends before end begins; end when there is none.
func runBefore(line []rune, end int, follow bool) int {
	switch last := line[end-1]; directionOf(last) {
	case latin:
		return latinRun(line, end, follow)
	case european, indic:
		if start := latinRun(line, end, follow); start < end {
			return start
		}
		return numberRun(line, end)
	case terminal:
		if start := numberRun(line, end-1); start < end-1 && plainNumber(line, end) && directionOf(line[start]) == european {
			return start
		}
	case neutral:
		closes := last == ')' || last == ']' || last == '}'
		if closes && end > 1 {
			start := latinRun(line, end-1, follow)
			if slices.Contains(line[start:end-1], mirrored(last)) {
				return start
			}
		}
	}
	return end
}

// latinRun returns where the run from left to right that ends before end begins: it begins with a Latin letter and
// holds no Arabic sign. It returns end when there is none.
func latinRun(line []rune, end int, follow bool) int {
	start := end
	if !follow && directionOf(line[end-1]) != latin {
		return end
	}
	for i := end - 1; i >= 0; i-- {
		d := directionOf(line[i])
		if d == arabic || d == indic {
			break
		}
		if d == latin {
			start = i
		}
	}
	return start
}

// numberRun returns where the number that ends before end begins. Colons, slashes and the like hold its parts
// together; a sign does so only in Western digits that no Arabic word precedes.
func numberRun(line []rune, end int) int {
	if end == 0 {
		return end
	}
	kind := directionOf(line[end-1])
	if kind != european && kind != indic {
		return end
	}
	plain := kind == european && plainNumber(line, end)
	start := end - 1
	for start > 0 {
		d := directionOf(line[start-1])
		switch {
		case d == kind:
			start--
		case start > 1 && directionOf(line[start-2]) == kind && (d == separator || d == sign && plain):
			start -= 2
		case plain && d == terminal:
			start--
		default:
			return start
		}
	}
	return start
}

// plainNumber reports whether a number that ends before end keeps its signs as in Latin text: no Arabic word precedes it.
func plainNumber(line []rune, end int) bool {
	return !slices.ContainsFunc(line[end:], func(r rune) bool { return directionOf(r) == arabic })
}
