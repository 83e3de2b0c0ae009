package egypt

import (
	"slices"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// spelledOf makes digits of a reading of words; false where it is none of a number alone.
func spelledOf(r *text.Reading) (s text.Spelled, ok bool) {
	s.Confidence = r.Confidence()
	for _, x := range r.Symbols() {
		sign := arabic.FoldDigits(string(x.Rune))
		switch {
		case len(sign) == 1 && sign[0] >= '0' && sign[0] <= '9':
			s.Said, s.Signs = s.Said+sign, append(s.Signs, x)
		case sign == "/" || sign == "-":
			s.Said += sign
		case sign != " " && sign != ".":
			return text.Spelled{}, false
		}
	}
	return s, len(s.Signs) > 0
}

// fromRight are the signs with the groups that blanks part from the right: in a paragraph of Arabic they stand so, unless it is told that
// they are one number.
func fromRight(signs []text.Symbol) (out []text.Symbol) {
	for end := len(signs); end > 0; end-- {
		start := end
		for start > 0 && signs[start-1].Rune != ' ' {
			start--
		}
		out, end = append(out, signs[start:end]...), start
	}
	return out
}

// spelledNumber is the number of one of several lengths that was read, where it has that.
func spelledNumber(s text.Spelled, lengths ...int) field.Value {
	if !slices.Contains(lengths, len(s.Signs)) {
		return field.Value{}
	}
	v := field.Value{Raw: s.Said, Share: s.Confidence}
	for _, x := range s.Signs {
		v.Text += arabic.FoldDigits(string(x.Rune))
	}
	return v
}
