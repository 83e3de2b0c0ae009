package describe

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/bawab/bawab/inference/tell"
)

// The limits of what marks say: how much a label speaks for a kind, and how many signs a value has.
const (
	mostWeight = 10
	mostCount  = 40
)

// marks reads a statement of what tells the kind; ok is false where it is none.
func (l *loader) marks(statement string, arguments []string) (reason string, ok bool) {
	m := &l.Marks
	switch statement {
	case "tells":
		return l.tells(arguments), true
	case "shows":
		return l.shows(arguments), true
	case "own":
		return l.name(&m.Own, statement, arguments), true
	case "plain":
		return l.name(&m.Plain, statement, arguments), true
	case "against":
		return l.name(&m.Against, statement, arguments), true
	case "number":
		return l.number(arguments), true
	case "vital":
		m.Vital = append(m.Vital, arguments...)
		return l.someFields(statement, arguments), true
	case "head":
		m.Heads = append(m.Heads, arguments)
		return l.someFields(statement, arguments), true
	case "only":
		return l.only(arguments), true
	case "instead":
		return l.instead(arguments), true
	}
	return "", false
}

// someFields says which of the fields that a statement names is not described above, of which there is at least one.
func (l *loader) someFields(statement string, names []string) string {
	if len(names) == 0 {
		return fmt.Sprintf("want: %s FIELD...", statement)
	}
	return l.fields(names)
}

// tells reads: tells WEIGHT LABEL...
func (l *loader) tells(arguments []string) string {
	if len(arguments) < 2 {
		return "want: tells WEIGHT LABEL..."
	}
	weight, err := strconv.ParseFloat(arguments[0], 64)
	if err != nil || !(weight > 0 && weight <= mostWeight) {
		return fmt.Sprintf("a weight is above 0 and at most %d, got %q", mostWeight, arguments[0])
	}
	for _, name := range arguments[1:] {
		if l.Marks.Weights[name] > 0 {
			return fmt.Sprintf("label %s has a weight already", name)
		}
		if l.Marks.Weights == nil {
			l.Marks.Weights = map[string]float64{}
		}
		l.Marks.Weights[name] = weight
	}
	return l.name(new([]string), "tells", arguments[1:])
}

// shows reads: shows LABEL DECODER
func (l *loader) shows(arguments []string) string {
	if len(arguments) != 2 {
		return "want: shows LABEL DECODER"
	}
	decoder := l.knowledge.Decoders[arguments[1]]
	if decoder == nil {
		return fmt.Sprintf("there is no decoder %s that needs no list of values", arguments[1])
	}
	l.Marks.Shows = append(l.Marks.Shows, tell.Show{Label: arguments[0], Match: decoder.Match})
	return l.name(new([]string), "shows", arguments[:1])
}

// number reads: number FIELD
func (l *loader) number(arguments []string) string {
	switch {
	case len(arguments) != 1:
		return "want: number FIELD"
	case l.Marks.Number != "":
		return fmt.Sprintf("field %s is the number already", l.Marks.Number)
	}
	l.Marks.Number = arguments[0]
	return l.fields(arguments)
}

// only reads: only FIELD... and then, if anything, one of: with WORD..., signs N, covered.
func (l *loader) only(arguments []string) string {
	const want = "want: only FIELD... [with WORD... | signs N | covered]"
	var o tell.Only
	n := len(arguments)
	if i := slices.IndexFunc(arguments, func(a string) bool { return a == "with" || a == "signs" || a == "covered" }); i >= 0 {
		n = i
	}
	o.Fields = arguments[:n]
	if rest := arguments[n:]; len(rest) > 0 {
		switch count, err := strconv.Atoi(rest[len(rest)-1]); {
		case rest[0] == "with" && len(rest) > 1:
			o.With = rest[1:]
		case rest[0] == "covered" && len(rest) == 1:
			o.Covered = true
		case rest[0] == "signs" && len(rest) == 2:
			if err != nil || count < 1 || count > mostCount {
				return fmt.Sprintf("signs must be 1 to %d, got %q", mostCount, rest[1])
			}
			o.Signs = count
		default:
			return want
		}
	}
	if len(o.Fields) == 0 {
		return want
	}
	l.Marks.Only = append(l.Marks.Only, o)
	return l.fields(o.Fields)
}

// instead reads: instead FIELD... [surely]
func (l *loader) instead(arguments []string) string {
	g := tell.Group{Fields: arguments}
	if n := len(arguments); n > 0 && arguments[n-1] == "surely" {
		g.Fields, g.Surely = arguments[:n-1], true
	}
	l.Marks.Instead = append(l.Marks.Instead, g)
	return l.someFields("instead", g.Fields)
}
