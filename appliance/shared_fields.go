package appliance

import (
	"slices"
	"strings"
)

// As returns the document in the data model of another kind: the fields in which that says the same, under
// their names and in the order there, with what is wrong with them and with the document as a whole. A document of an unknown kind has
// its fields under the names of the model that it was read for. The receiver stays as it is and shares its memory.
func (d *Document) As(model Kind) Document {
	out := *d
	if d.Kind == model || d.Kind == Unknown {
		return out
	}
	out.Fields, out.Validations = nil, nil
	for _, v := range d.Validations {
		if v.Field == "" {
			out.Validations = append(out.Validations, v)
		}
	}
	for _, spec := range model.Facts().Fields {
		from, to := d.Kind.Saying(spec.Says), model.Saying(spec.Says)
		if len(from) == 0 || to[0] != spec.Name {
			continue
		}
		f := d.joined(from)
		f.Name = spec.Name
		f.DerivedFrom = renamed(f.DerivedFrom, d.Kind, model)
		out.Fields = append(out.Fields, f)
		for _, v := range d.Validations {
			if slices.Contains(from, v.Field) {
				for _, code := range v.Errors {
					out.Flag(f.Name, f.Value, code)
				}
			}
		}
	}
	return out
}

// joined is the value of fields that follow each other, as sure as the least sure of those that are not empty.
func (d *Document) joined(names []string) Field {
	out := d.Field(names[0])
	for _, name := range names[1:] {
		f := d.Field(name)
		if f.Value == "" {
			continue
		}
		if out.Value != "" {
			f.Confidence = min(f.Confidence, out.Confidence)
		}
		out = Field{
			Value:       strings.TrimSpace(out.Value + " " + f.Value),
			Confidence:  f.Confidence,
			Quad:        out.Quad,
			Raw:         strings.TrimSpace(out.Raw + " " + f.Raw),
			DerivedFrom: slices.Concat(out.DerivedFrom, f.DerivedFrom),
			Repairs:     slices.Concat(out.Repairs, f.Repairs),
			Checks:      slices.Concat(out.Checks, f.Checks),
		}
	}
	return out
}

// renamed are fields of one kind under their names in the model of another; those that it lacks are left out.
func renamed(fields []string, from, to Kind) (out []string) {
	model := from.Facts().Fields
	for _, name := range fields {
		i := slices.IndexFunc(model, func(f FieldFacts) bool { return f.Name == name })
		if i < 0 {
			continue
		}
		if names := to.Saying(model[i].Says); len(names) > 0 {
			out = append(out, names[0])
		}
	}
	return out
}
