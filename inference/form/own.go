package form

import (
	"slices"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// Own is what the documents of a kind print at a site beside what its description says, by the field: wordings of its label and whole
// values. Misread is what is misread in their faces.
type Own struct {
	Labels, Terms map[string][]string
	Misread       text.Misread
}

// With is the description of documents that print this as well. A wording that the description knows stays as it is.
func (d *Description) With(own Own) *Description {
	out := *d
	out.Misread = d.Misread.With(own.Misread)
	out.Labels, out.Fields = slices.Clone(d.Labels), slices.Clone(d.Fields)
	for i := range out.Fields {
		f := &out.Fields[i]
		if e, ok := d.decoder(f).(field.Expecting); ok && len(own.Terms[f.Name]) > 0 {
			f.expects = e.Expecting(own.Terms[f.Name])
		}
		if len(f.Labels) > 0 {
			out.word(f.Labels[0], own.Labels[f.Name])
		}
	}
	return &out
}

// word adds wordings to a label.
func (d *Description) word(label string, wordings []string) {
	known := func(w string) bool {
		return slices.ContainsFunc(d.Labels, func(l Label) bool { return slices.Contains(l.Wordings, w) })
	}
	i := slices.IndexFunc(d.Labels, func(l Label) bool { return l.Name == label })
	for _, w := range wordings {
		if i >= 0 && !known(w) {
			d.Labels[i].Wordings = append(slices.Clone(d.Labels[i].Wordings), w)
		}
	}
}
