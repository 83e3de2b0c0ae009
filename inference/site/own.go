package site

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
)

// labelled is a field of a kind in the program that its label announces; nil where nothing does, or its place tells it as well.
func labelled(kind appliance.Kind, name string) *form.Field {
	d := documents.Of(kind)
	if d == nil {
		return nil
	}
	i := slices.IndexFunc(d.Fields, func(f form.Field) bool { return f.Name == name && len(f.Labels) > 0 && f.Place == nil })
	if i < 0 {
		return nil
	}
	return &d.Fields[i]
}

// HasLabels reports whether documents of a kind in the program are read by their labels.
func HasLabels(kind appliance.Kind) bool {
	d := documents.Of(kind)
	return d != nil && slices.ContainsFunc(d.Fields, func(f form.Field) bool { return labelled(kind, f.Name) != nil })
}

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
