package site

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
)

// announced reports whether a label alone tells a field: its place does not.
func announced(f form.Field) bool { return len(f.Labels) > 0 && f.Place == nil }

// fieldsOf are the fields of a kind in the program; none where it is not described.
func fieldsOf(kind appliance.Kind) []form.Field {
	if d := documents.Of(kind); d != nil {
		return d.Fields
	}
	return nil
}

// LinesOf is the kind of lines that a field of a kind in the program is made of, of those that a site's words stand in; "" where it is of
// none.
func LinesOf(kind appliance.Kind, name string) string {
	for _, f := range fieldsOf(kind) {
		if f.Name != name {
			continue
		}
		for in, decoders := range egypt.Lines() {
			if slices.Contains(decoders, f.Decoder) {
				return in
			}
		}
	}
	return ""
}

// labelled is a field of a kind that its label alone tells; nil where there is none.
func labelled(kind appliance.Kind, name string) *form.Field {
	fields := fieldsOf(kind)
	i := slices.IndexFunc(fields, func(f form.Field) bool { return f.Name == name && announced(f) })
	if i < 0 {
		return nil
	}
	return &fields[i]
}

// HasLabels reports whether documents of a kind in the program are read by their labels.
func HasLabels(kind appliance.Kind) bool { return slices.ContainsFunc(fieldsOf(kind), announced) }

// LabelOf is the label that announces a field; "" where a site can add no wording of one.
func LabelOf(kind appliance.Kind, name string) string {
	if f := labelled(kind, name); f != nil {
		return f.Labels[0]
	}
	return ""
}

// HasTerms reports whether a site can add to the values that are expected in a field.
func HasTerms(kind appliance.Kind, name string) bool {
	f := labelled(kind, name)
	if f == nil {
		return false
	}
	_, ok := egypt.Knowledge().Decoders[f.Decoder].(field.Expecting)
	return ok
}
