package describe

import (
	"fmt"
	"slices"

	"github.com/bawab/bawab/inference/form"
)

func (l *loader) agree(arguments []string) string {
	switch {
	case len(arguments) != 3 || arguments[0] == arguments[1]:
		return "want: agree FIELD FIELD BY"
	case l.knowledge.Agreements[arguments[2]].Compare == nil:
		return fmt.Sprintf("there is no agreement %s", arguments[2])
	}
	if reason := l.fields(arguments[:2]); reason != "" {
		return reason
	}
	of := l.knowledge.Agreements[arguments[2]].Of
	for i, want := range of {
		if f := l.find(arguments[i]); f.Decoder != want {
			return fmt.Sprintf("%s compares a %s with a %s, and field %s is a %s", arguments[2], of[0], of[1], f.Name, f.Decoder)
		}
	}
	l.Agrees = append(l.Agrees, form.Agreement{A: arguments[0], B: arguments[1], By: arguments[2]})
	return ""
}

func (l *loader) order(arguments []string) string {
	if len(arguments) != 2 || arguments[0] == arguments[1] {
		return "want: order FIELD FIELD"
	}
	l.Orders = append(l.Orders, form.Order{First: arguments[0], Second: arguments[1]})
	later := map[string][]string{}
	for _, o := range l.Orders {
		later[o.First] = append(later[o.First], o.Second)
	}
	if circular(arguments[0], later) {
		return fmt.Sprintf("field %s would come before itself", arguments[0])
	}
	return l.fields(arguments)
}

func (l *loader) begin(arguments []string) string {
	if len(arguments) != 2 || arguments[0] == arguments[1] {
		return "want: begin FIELD FIELD"
	}
	if reason := l.fields(arguments); reason != "" {
		return reason
	}
	if a, b := l.find(arguments[0]), l.find(arguments[1]); l.knowledge.Types[a.Decoder] != l.knowledge.Types[b.Decoder] {
		return fmt.Sprintf("fields %s and %s hold no lines of one value", a.Name, b.Name)
	}
	l.Begins = append(l.Begins, form.Begin{First: arguments[0], Rest: arguments[1]})
	return ""
}

// series reads: series FIELD FIELD ...
func (l *loader) series(names []string) string {
	if len(names) < 2 {
		return "want: series FIELD FIELD ..."
	}
	if reason := l.fields(names); reason != "" {
		return reason
	}
	first := l.find(names[0])
	for i, name := range names {
		taken := slices.Contains(names[:i], name) || slices.ContainsFunc(l.Series, func(s []string) bool { return slices.Contains(s, name) })
		switch f := l.find(name); {
		case taken:
			return fmt.Sprintf("field %s stands in a series already", name)
		case f.Decoder != first.Decoder:
			return fmt.Sprintf("fields %s and %s hold no lines of one kind", first.Name, name)
		}
	}
	l.Series = append(l.Series, names)
	return ""
}

func (l *loader) row(arguments []string) string {
	if len(arguments) < 2 {
		return "want: row FIELD FIELD..."
	}
	l.Rows = append(l.Rows, arguments)
	return l.fields(arguments)
}

// circular reports whether one comes back to a name by going from each to the next ones.
func circular(name string, next map[string][]string) bool {
	seen, open := map[string]bool{}, next[name]
	for len(open) > 0 {
		at := open[0]
		if at == name {
			return true
		}
		if open = open[1:]; !seen[at] {
			seen[at], open = true, append(open, next[at]...)
		}
	}
	return false
}

func (l *loader) rule(arguments []string) string {
	switch {
	case len(arguments) != 2:
		return "want: rule FIELD CHECK"
	case l.knowledge.Checks[arguments[1]].Fails == nil:
		return fmt.Sprintf("there is no check %s", arguments[1])
	}
	if reason := l.fields(arguments[:1]); reason != "" {
		return reason
	}
	decoder := l.find(arguments[0]).Decoder
	if of := l.knowledge.Checks[arguments[1]].Of; decoder != of {
		return fmt.Sprintf("%s looks at a %s, and field %s is a %s", arguments[1], of, arguments[0], decoder)
	}
	l.Rules = append(l.Rules, form.Rule{Field: arguments[0], Check: arguments[1]})
	return ""
}
