package form

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/tell"
	"github.com/bawab/bawab/inference/text"
)

// Description says what a kind of document prints. Package describe reads one from files, and New makes it usable; it is read only then
// and may be shared.
type Description struct {
	Kind appliance.Kind
	// Size is how large its documents are.
	Size   page.Size
	Fields []Field
	// Titles are the labels that name the kind. Headed tells that none of its values stands above one.
	Titles []string
	Headed bool
	// Scripts tells that a line may hold values in two scripts beside each other, so that it is cut where the script changes.
	Scripts bool
	Agrees  []Agreement
	Orders  []Order
	Begins  []Begin
	// Series are fields of which each holds a line of print, in the order of reading; what is left is all the last one's.
	Series [][]string
	// Rows are fields whose values, of one word each, stand beside each other.
	Rows  [][]string
	Rules []Rule
	// Labels are the wordings that may stand on the document, of fields and of what is none.
	Labels []Label
	// Misread is what is misread in the faces of its words, nil where that is not known.
	Misread text.Misread
	// Marks are what tells the kind.
	Marks     tell.Marks
	knowledge field.Knowledge
	readers   []reader
}

// Field is one value of a document.
type Field struct {
	Name    string
	Decoder string
	// Labels are those that announce it. Leads are those with which its value begins, as a street begins with the word for one.
	Labels, Leads []string
	// Lines is how many lines the value may take.
	Lines int
	// Place is where it mostly stands; nil where that is not known.
	Place *Region
	// Follows is the field below which, or after which, it stands; "" where that is not known.
	Follows string
	// Drawn is what generators of pictures call it; its name where that is "".
	Drawn string
	// Values are all that it can hold, where its decoder reads a list of a description.
	Values []string
	// Often are values that it mostly holds, and others may be printed.
	Often []string
	// Sought tells that print is looked for behind its label where the detector saw none: a sign may stand alone there.
	Sought bool
	// Proves tells that its value, surely read or of a form of its own, shows that the document is one of its kind. Required fields are on
	// every one. The value of Holder tells whose the document is.
	Proves, Required, Holder bool
	reader                   int           // which of the description's
	expects                  field.Decoder // reads it where a site prints values of its own there; nil where it does not
	head                     int           // the field that takes its print: the first of its series, or itself; -1 where nothing is
	series                   []int         // of a first one all the fields, else none
}

// reader is a decoder as fields use it: one for all fields that name it, and one for each field with a list of its own.
type reader struct {
	name    string
	decoder field.Decoder
	own     bool // of one field
}

// Region is a place as shares of the width and height of the document: the mean and the spread of the middle of a value.
type Region struct{ X, Y, SpreadX, SpreadY float64 }

// Agreement says that two fields say the same in two ways.
type Agreement struct{ A, B, By string }

// Order says that of two fields without labels the lesser value is that of the first.
type Order struct{ First, Second string }

// Begin says that a value of which the two fields are the first line and the rest begins in the first.
type Begin struct{ First, Rest string }

// Rule is a check on a field, which flags it with a code where it fails.
type Rule struct{ Field, Check string }

// Label is what announces a field or names a document, in its wordings.
type Label struct {
	Name     string
	Wordings []string
}

// New is a description whose fields are read by what is known. Their decoders must be known, and values listed where a decoder needs them.
func New(d Description, k field.Knowledge) *Description {
	d.knowledge, d.readers = k, nil
	for i := range d.Fields {
		d.Fields[i].head, d.Fields[i].series = i, nil
		d.addReader(&d.Fields[i])
	}
	for _, names := range d.Series {
		first := d.field(names[0])
		for _, name := range names {
			i := d.field(name)
			d.Fields[i].head, d.Fields[first].series = first, append(d.Fields[first].series, i)
		}
	}
	return &d
}

// Model lists the fields as answers hold them.
func (d *Description) Model() []appliance.FieldSpec {
	out := make([]appliance.FieldSpec, len(d.Fields))
	for i, f := range d.Fields {
		out[i] = appliance.FieldSpec{Name: f.Name, Type: d.knowledge.Types[f.Decoder], Holder: f.Holder}
	}
	return out
}

// field is the index of a field; -1 where there is none of the name.
func (d *Description) field(name string) int {
	return slices.IndexFunc(d.Fields, func(f Field) bool { return f.Name == name })
}

// Expects reports whether a decoder can be told what it will often see.
func (d *Description) Expects(decoder string) bool { return d.knowledge.Open[decoder] != nil }

// decoder is that of a field that may be printed.
func (d *Description) decoder(f *Field) field.Decoder {
	if f.expects != nil {
		return f.expects
	}
	return d.readers[f.reader].decoder
}

// addReader gives a field its reader, one that another field has where it can be the same.
func (d *Description) addReader(f *Field) {
	r := reader{name: f.Decoder, decoder: d.knowledge.Decoders[f.Decoder], own: true}
	list := d.knowledge.Lists[f.Decoder]
	switch {
	case list != nil:
		r.decoder = list(f.Values)
	case len(f.Often) > 0:
		r.decoder = d.knowledge.Open[f.Decoder](f.Often)
	case r.decoder == nil:
		f.head = -1
		return
	default:
		r.own = false
		if f.reader = slices.IndexFunc(d.readers, func(o reader) bool { return !o.own && o.name == f.Decoder }); f.reader >= 0 {
			return
		}
	}
	f.reader, d.readers = len(d.readers), append(d.readers, r)
}

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
	i := slices.IndexFunc(d.Labels, func(l Label) bool { return l.Name == label })
	for _, w := range wordings {
		known := slices.ContainsFunc(d.Labels, func(l Label) bool { return slices.Contains(l.Wordings, w) })
		if i >= 0 && !known {
			d.Labels[i].Wordings = append(slices.Clone(d.Labels[i].Wordings), w)
		}
	}
}
