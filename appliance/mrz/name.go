package mrz

import "strings"

// names is the name field taken apart. The offsets bound the parts within the field.
type names struct {
	surname, given                   string
	surnameEnd, givenStart, givenEnd int
	truncated                        bool
}

// splitName takes a name field apart: the primary identifier ends at the first double filler, the rest are given names.
// Apostrophes and hyphens of the printed name are fillers here, so they come back as single spaces. Without a double
// filler everything is the primary identifier, as 9303 has it for people with one name.
func splitName(field string) names {
	n := names{truncated: field[len(field)-1] != '<'}
	n.givenEnd = len(strings.TrimRight(field, "<"))
	n.surnameEnd, n.givenStart = n.givenEnd, n.givenEnd
	if i := strings.Index(field[:n.givenEnd], "<<"); i >= 0 {
		n.surnameEnd = i
		n.givenStart = n.givenEnd - len(strings.TrimLeft(field[i:n.givenEnd], "<"))
	}
	n.surname = spaced(field[:n.surnameEnd])
	n.given = spaced(field[n.givenStart:n.givenEnd])
	return n
}

// spaced turns runs of fillers into single spaces and trims the ends.
func spaced(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '<' }), " ")
}
