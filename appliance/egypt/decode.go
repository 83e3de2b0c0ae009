package egypt

import "errors"

// DecodeNumber finds the number that the cells, the grammar and the other evidence support best.
func DecodeNumber(cells []Cell, e Evidence) Number {
	n := Number{Raw: printed(believeAll(cells))}
	n.Value = n.Raw
	n.judge(e)
	return n
}

// judge takes the value apart and names what is wrong with it.
func (n *Number) judge(e Evidence) {
	var err error
	n.Parts, err = ParseNumber(n.Value, e.Today)
	for _, fault := range []struct {
		err  error
		code Code
	}{{ErrNumberForm, CodeIDNumber}, {ErrNumberBirth, CodeBirthDate}, {ErrNumberGovernorate, CodeGovernorate}} {
		if errors.Is(err, fault.err) {
			n.Codes = append(n.Codes, fault.code)
		}
	}
}
