package describe

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/form"
)

// field reads: field NAME DECODER, and then in any order: label NAME..., leads NAME..., lines N, at X Y SPREADX SPREADY, follows FIELD,
// drawn ROLE, proves, required, holder, sought.
func (l *loader) field(arguments []string) string {
	if len(arguments) < 2 {
		return "want: field NAME DECODER ..."
	}
	f := form.Field{Name: arguments[0], Decoder: arguments[1], Lines: 1}
	switch {
	case !nameForm.MatchString(f.Name):
		return fmt.Sprintf("the field's name %q is not a letter and then letters, digits and _, 40 at most", f.Name)
	case appliance.AnswerMember(f.Name):
		return fmt.Sprintf("field %s: every answer has a member of this name already", f.Name)
	case l.at[f.Name] > 0:
		return fmt.Sprintf("field %s stands in line %d already", f.Name, l.at[f.Name])
	case l.knowledge.Decoders[f.Decoder] == nil && l.knowledge.Lists[f.Decoder] == nil && l.knowledge.Follows[f.Decoder] == nil:
		return fmt.Sprintf("field %s: there is no decoder %s", f.Name, f.Decoder)
	case len(l.Fields) == mostFields:
		return fmt.Sprintf("more than %d fields", mostFields)
	}
	l.at[f.Name] = l.line
	if reason := l.options(&f, arguments[2:]); reason != "" {
		return "field " + f.Name + ": " + reason
	}
	l.Fields = append(l.Fields, f)
	return ""
}

func (l *loader) options(f *form.Field, rest []string) string {
	for len(rest) > 0 {
		option := rest[0]
		takes, ok := optionWords[option]
		if !ok {
			return fmt.Sprintf("there is no option %q: choose %s", option, strings.Join(slices.Sorted(maps.Keys(optionWords)), ", "))
		}
		n := 1
		for n < len(rest) && n != 1+takes && !isOption(rest[n]) {
			n++
		}
		arguments := rest[1:n]
		rest = rest[n:]
		if reason := l.option(f, option, arguments); reason != "" {
			return reason
		}
	}
	return ""
}

// optionWords is how many words an option of a field takes, anyNumber those up to the next option.
var optionWords = map[string]int{
	"label": anyNumber, "leads": anyNumber, "lines": 1, "at": 4, "follows": 1, "drawn": 1, "proves": 0, "required": 0,
	"holder": 0, "sought": 0,
}

const anyNumber = -1

func isOption(word string) bool {
	_, ok := optionWords[word]
	return ok
}

func (l *loader) option(f *form.Field, option string, arguments []string) string {
	if n := optionWords[option]; n != anyNumber && len(arguments) != n {
		return fmt.Sprintf("%s takes %d words, got %d", option, n, len(arguments))
	}
	if flag := flagOf(f, option); flag != nil {
		*flag = true
		return ""
	}
	switch option {
	case "label":
		return l.name(&f.Labels, option, arguments)
	case "leads":
		return l.name(&f.Leads, option, arguments)
	case "lines":
		n, err := strconv.Atoi(arguments[0])
		if err != nil || n < 1 || n > mostLines {
			return fmt.Sprintf("lines must be 1 to %d, got %q", mostLines, arguments[0])
		}
		f.Lines = n
	case "at":
		return place(f, arguments)
	case "follows":
		f.Follows = arguments[0]
	case "drawn":
		f.Drawn = arguments[0]
	case "holder":
		return l.holder(f)
	}
	return ""
}

// flagOf is what an option without words sets; nil for others.
func flagOf(f *form.Field, option string) *bool {
	return map[string]*bool{"proves": &f.Proves, "required": &f.Required, "sought": &f.Sought}[option]
}

// holder makes a field the one that tells whose the document is.
func (l *loader) holder(f *form.Field) string {
	if i := slices.IndexFunc(l.Fields, func(o form.Field) bool { return o.Holder }); i >= 0 {
		return fmt.Sprintf("field %s names the holder already", l.Fields[i].Name)
	}
	f.Holder = true
	return ""
}

// chooseHolder takes the first field of the surest decoder for the holder where no field was named so.
func (l *loader) chooseHolder() {
	at := slices.IndexFunc(l.Fields, func(f form.Field) bool { return f.Holder })
	for _, decoder := range l.knowledge.Holders {
		if at < 0 {
			at = slices.IndexFunc(l.Fields, func(f form.Field) bool { return f.Decoder == decoder })
		}
	}
	if at >= 0 {
		l.Fields[at].Holder = true
	}
}

// name adds the labels that an option names, or says which of them is not there.
func (l *loader) name(to *[]string, option string, labels []string) string {
	if len(labels) == 0 {
		return option + " names no label"
	}
	for _, name := range labels {
		if l.named[name] == 0 {
			return fmt.Sprintf("there is no label %s", name)
		}
	}
	*to = append(*to, labels...)
	return ""
}

// place reads where a field mostly stands.
func place(f *form.Field, arguments []string) string {
	var v [4]float64
	for i, a := range arguments {
		n, err := strconv.ParseFloat(a, 64)
		if err != nil {
			return fmt.Sprintf("%q is no number", a)
		}
		v[i] = n
	}
	for i := range 2 {
		if !(v[i] >= 0 && v[i] <= 1) {
			return fmt.Sprintf("the place %v, %v lies outside the document, which reaches from 0 to 1", v[0], v[1])
		}
		if !(v[2+i] > 0 && v[2+i] <= 1) {
			return fmt.Sprintf("the spread %v, %v must be above 0 and at most 1", v[2], v[3])
		}
	}
	f.Place = &form.Region{X: v[0], Y: v[1], SpreadX: v[2], SpreadY: v[3]}
	return ""
}
