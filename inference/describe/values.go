package describe

import (
	"fmt"
	"strings"
)

// mostValues is how many values the fields of a description may list together.
const mostValues = 1000

// values reads: values FIELD VALUE | VALUE | ... with all values that there are, or the same with often, beside which there are others. A
// field may have several such lines.
func (l *loader) values(line string) string {
	statement, rest := nextWord(line)
	name, list := nextWord(rest)
	if list == "" {
		return fmt.Sprintf("want: %s FIELD VALUE | VALUE ...", statement)
	}
	if reason := l.fields([]string{name}); reason != "" {
		return reason
	}
	f := l.find(name)
	to := &f.Values
	switch {
	case statement == "often" && l.knowledge.Open[f.Decoder] == nil || statement == "values" && l.knowledge.Lists[f.Decoder] == nil:
		return fmt.Sprintf("field %s is a %s, which has no list of values", name, f.Decoder)
	case statement == "often":
		to = &f.Often
	}
	for _, v := range strings.Split(list, "|") {
		v = strings.Join(strings.Fields(v), " ")
		if reason := l.value(*to, v); reason != "" {
			return fmt.Sprintf("field %s: %s", name, reason)
		}
		*to = append(*to, v)
		l.listed++
	}
	return ""
}

// value says what is wrong with one more value of a list.
func (l *loader) value(list []string, v string) string {
	folded := l.fold(v)
	switch {
	case folded == "":
		return fmt.Sprintf("the value %q has no letter or digit", v)
	case len([]rune(v)) > mostSigns:
		return fmt.Sprintf("a value of more than %d signs", mostSigns)
	case l.listed == mostValues:
		return fmt.Sprintf("more than %d values", mostValues)
	}
	for _, o := range list {
		if l.fold(o) == folded {
			return fmt.Sprintf("the value %q is spelled like %q", v, o)
		}
	}
	return ""
}

// nextWord parts the first word of a line from what stands behind it.
func nextWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

// listless says which field's values are to be listed and are not.
func (l *loader) listless() error {
	for _, f := range l.Fields {
		if l.knowledge.Lists[f.Decoder] != nil && len(f.Values) == 0 {
			return Fault{"description", l.at[f.Name], fmt.Sprintf("field %s: a %s needs its values: values %s VALUE | VALUE ...",
				f.Name, f.Decoder, f.Name)}
		}
	}
	return nil
}
