package appliance

import (
	"slices"
)

// Flag adds a code to the validation of a field, once; field "" is the document as a whole.
func (d *Document) Flag(field, value string, code Code) {
	for i := range d.Validations {
		if v := &d.Validations[i]; v.Field == field {
			if !slices.Contains(v.Errors, code) {
				v.Errors = append(v.Errors, code)
			}
			return
		}
	}
	d.Validations = append(d.Validations, Validation{Field: field, Value: value, Errors: []Code{code}})
}

// Unflag takes a code from a field.
func (d *Document) Unflag(field string, code Code) {
	for i := range d.Validations {
		if v := &d.Validations[i]; v.Field == field {
			v.Errors = slices.DeleteFunc(v.Errors, func(c Code) bool { return c == code })
		}
	}
	d.Validations = slices.DeleteFunc(d.Validations, func(v Validation) bool { return len(v.Errors) == 0 })
}

// Flagged reports whether the field carries one of the codes, or with no codes any at all.
func (d *Document) Flagged(field string, codes ...Code) bool {
	return slices.ContainsFunc(d.Validations, func(v Validation) bool {
		return v.Field == field && slices.ContainsFunc(v.Errors, func(c Code) bool { return len(codes) == 0 || slices.Contains(codes, c) })
	})
}

// Codes lists the codes that the field carries.
func (d *Document) Codes(field string) (codes []Code) {
	for _, v := range d.Validations {
		if v.Field == field {
			codes = append(codes, v.Errors...)
		}
	}
	return codes
}

// AllCodes are the codes of all fields and of the document as a whole, in rising order and each once.
func (d *Document) AllCodes() []Code {
	var codes []Code
	for _, v := range d.Validations {
		codes = append(codes, v.Errors...)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
