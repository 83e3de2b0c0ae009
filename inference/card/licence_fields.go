package card

import (
	"math"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// filled is a list of the entry, or of nothing where it is empty.
func filled(e entry) []entry {
	if len(e.row) == 0 {
		return nil
	}
	return []entry{e}
}

// trimmed is a value without the signs around it: separators, and what a frame or an ornament beside it was read as.
func trimmed(value string) string { return strings.Trim(value, " "+signs+ornaments) }

// betweenLetters is a name without what stands before or behind it and holds no letter: a picture in the place of a label, or the card's
// pattern, is read as a sign.
func betweenLetters(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
}

// printed flags a field that every card of its kind has and that was not read.
func (e *editor) printed(name string) {
	if e.Field(name).Value == "" {
		e.Flag(name, "", appliance.CodeUnreadable)
	}
}

// term makes a field of a line that mostly holds a phrase of a list.
func (e *editor) term(name string, terms *egypt.Terms, l entry) appliance.Field {
	f := e.words(name, nil, filled(l)...)
	if f.Value = strings.Trim(f.Value, " "+signs); f.Value == "" {
		return f
	}
	t := e.sheet.expected(e.Kind, name, terms).Choose(f.Value, math.Log(max(l.confidence, 1e-30)), l.pooled())
	if t.Value != f.Value {
		f.Repairs = append(f.Repairs, f.Value+" read as "+t.Value+", which such a field holds")
	}
	f.Value, f.Confidence = t.Value, t.Confidence
	f.Checks = append(f.Checks, appliance.FieldCheck{Name: "vocabulary", Passed: t.Listed})
	return f
}

// sureLabel is the likeness from which on a label is told from another one that begins alike.
const sureLabel = 0.85

// eitherDate is the most confidence of a date of which it is not clear which of the two it is: one that is flagged.
const eitherDate = 0.8
