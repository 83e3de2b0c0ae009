package number

import (
	"errors"
	"fmt"
)

// judge takes the value apart and names what is wrong with it.
func (n *Reading) judge(e *Evidence) {
	var err error
	n.Parts, err = Parse(n.Value, e.Today)
	for _, fault := range []struct {
		wrong bool
		code  Code
	}{
		{errors.Is(err, ErrForm), CodeIDNumber},
		{errors.Is(err, ErrBirth), CodeBirthDate},
		{errors.Is(err, ErrGovernorate), CodeGovernorate},
		{e.Sex != "" && n.Parts.Sex != "" && e.Sex != n.Parts.Sex, CodeGenderMismatch},
		{n.Parts.Check == CheckDisagrees, CodeCheckDigit},
	} {
		if fault.wrong {
			n.Codes = append(n.Codes, fault.code)
		}
	}
}

// birthDiffers reports whether the printed birth date is rather another one than the number's.
func (d *decoder) birthDiffers(n *Reading) bool {
	if d.birth == nil || n.Parts.Birth == "" {
		return false
	}
	odds, at := birthAgrees, 0
	for _, r := range n.Parts.Birth {
		if r != '-' {
			b := &d.birth[at]
			odds *= b[r-'0'] / b[b.best()]
			at++
		}
	}
	return odds < 1-birthAgrees
}

// explain says in words where the value differs from the ink; text is the reading of whatever length.
func (d *decoder) explain(n *Reading, text string) {
	if len(n.Value) != Length {
		return
	}
	if text != "" && len(text) != Length && n.Value != n.Raw {
		n.Repairs = []string{explainLength(text, n.Value)}
		return
	}
	_, err := Parse(n.Raw, d.today)
	for i := range n.Value {
		if n.Value[i] != n.Raw[i] {
			n.Repairs = append(n.Repairs, fmt.Sprintf("digit %d: %c read as %c, %s", i+1, n.Raw[i], n.Value[i], d.why(n, i, err)))
		}
	}
}

// why is what asked for a digit that is not the best of its cell; fault is what is wrong with the raw reading.
func (d *decoder) why(n *Reading, i int, fault error) string {
	digit, raw := n.Value[i]-'0', n.Raw[i]-'0'
	inDate, inPlace := i < 7, i == 7 || i == 8
	switch {
	case i == 0 && raw != 2 && raw != 3:
		return "century"
	case inDate && errors.Is(fault, ErrBirth):
		return "date"
	case inPlace && errors.Is(fault, ErrGovernorate):
		return "governorate"
	case d.other != nil && d.other[i][digit] > d.other[i][raw]:
		return "other side"
	case inDate && d.birth != nil && birthWeights(d.birth)[i][digit] > birthWeights(d.birth)[i][raw]:
		return "printed birth date"
	case i == 12 && d.sexed && digit%2 != raw%2:
		return "printed sex"
	}
	return "check digit and priors"
}
