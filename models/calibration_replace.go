package models

import (
	"maps"
	"slices"
	"strings"
)

// furthest is how far from 0 a number of a calibration that a set brings may lie: those of the program stay below 50, and what is
// further off is a slip.
const furthest = 1000

// limitName is how the names end of the numbers that are shares: the confidences from which on values are not flagged.
const limitName = " limit"

// Replaces checks that a calibration can take the place of the program's: it has each of its numbers, groups of its names or of learned
// numbers, and no other number but of a decoder for which the program's has none. What is wrong is told with its line, the first alone.
func (c Calibration) Replaces(program Calibration, decoders map[string]bool) error {
	groups, alike := map[string]bool{}, map[string]bool{}
	for _, g := range program.Groups {
		groups[g.Name] = true
		for name := range g.Values {
			alike[ofAnyDecoder(name, decoders)] = true
		}
	}
	var f firstFault
	for _, g := range c.Groups {
		if !groups[g.Name] && !isLearned(g.Name) {
			f.add(c.begun[g.Name], "there is no group %s", g.Name)
		}
		for name, v := range g.Values {
			if !alike[ofAnyDecoder(name, decoders)] {
				f.add(c.lines[name], "there is no number %q", name)
			}
			if least, most := bounds(name); !(v >= least && v <= most) {
				f.add(c.lines[name], "%q is %v, it must be from %v to %v", name, v, least, most)
			}
		}
	}
	if f.fault != nil {
		return f.fault // a name that is misspelled is missing as well
	}
	return c.lacks(program)
}

// lacks says which number of the program's a calibration lacks.
func (c Calibration) lacks(program Calibration) error {
	var f firstFault
	for _, g := range program.Groups {
		for _, name := range slices.Sorted(maps.Keys(g.Values)) {
			if _, is := c.lines[name]; !is {
				f.add(c.lineOfGroup(g.Name), "the number %q of group %s is missing", name, g.Name)
			}
		}
	}
	return f.fault
}

// firstFault keeps what is wrong in the first line of those in which something is.
type firstFault struct {
	line  int
	fault error
}

func (f *firstFault) add(line int, format string, args ...any) {
	if f.fault == nil || line < f.line {
		f.line, f.fault = line, faultAt(line, format, args...)
	}
}

// bounds are those of a number that is learned; those that people judge have narrower ones, which Fill knows.
func bounds(name string) (least, most float64) {
	if strings.HasSuffix(name, limitName) {
		return 0, 1
	}
	return -furthest, furthest
}

// lineOfGroup is where a number of a group is looked for: the group's line, where there is none the last one of the file.
func (c Calibration) lineOfGroup(name string) int {
	if line, ok := c.begun[name]; ok {
		return line
	}
	return c.last
}

// isLearned reports whether a group is of numbers that are learned for some kinds, of which a calibration may have any number.
func isLearned(group string) bool {
	return strings.HasSuffix(group, "roles") || strings.HasSuffix(group, "doubt")
}

// ofAnyDecoder is the name of a number without the decoder that it is for, the second word, and the one that this is held against, the
// last of several: what the engine can ask for one decoder it can ask for each.
func ofAnyDecoder(name string, decoders map[string]bool) string {
	words := strings.Fields(name)
	if n := len(words); n > 2 && decoders[words[1]] {
		if words[1] = "*"; n > 3 && decoders[words[n-1]] {
			words[n-1] = "*"
		}
	}
	return strings.Join(words, " ")
}
