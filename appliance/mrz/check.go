package mrz

import "strings"

// value is what a symbol of Alphabet counts in a check digit: digits themselves, letters 10 to 35, the filler 0.
func value(index int) int {
	switch {
	case index == filler:
		return 0
	case index >= firstDigit:
		return index - firstDigit
	}
	return index + 10
}

// weight is the weight of the i-th symbol under a check digit: 7, 3, 1, repeating.
func weight(i int) int { return [3]int{7, 3, 1}[i%3] }

// residue is the weighted sum modulo 10 of symbols whose first one stands at offset in the weights.
func residue(text string, offset int) int {
	sum := 0
	for i := 0; i < len(text); i++ {
		if index := Index(text[i]); index >= 0 {
			sum += value(index) * weight(offset+i)
		}
	}
	return sum % 10
}

// CheckDigit is the digit, '0' to '9', that Doc 9303 prints for a text. Bytes outside Alphabet count nothing.
func CheckDigit(text string) byte { return '0' + byte(residue(text, 0)) }

// verify compares a printed check digit with what it covers. A filler stands for zero over an empty field.
func verify(name, covered string, printed byte) Check {
	c := Check{Name: name, Printed: printed, Computed: CheckDigit(covered)}
	c.OK = printed == c.Computed || printed == '<' && isEmpty(covered)
	return c
}

// isEmpty reports whether a text holds nothing but fillers.
func isEmpty(text string) bool { return strings.Trim(text, "<") == "" }

// checks computes every check digit of a zone.
func (l layout) checks(lines []string) []Check {
	list := make([]Check, 0, 5)
	for _, c := range []struct {
		name    string
		digit   span
		covered string
	}{
		{CheckDocumentNumber, l.numberCheck, l.number.text(lines) + l.continuation.text(lines)},
		{CheckBirthDate, l.birthCheck, l.birth.text(lines)},
		{CheckExpiryDate, l.expiryCheck, l.expiry.text(lines)},
		{CheckPersonalNumber, l.optionalCheck, l.optional.text(lines)},
		{CheckComposite, l.compositeCheck, l.compositeText(lines)},
	} {
		if c.digit.present() {
			list = append(list, verify(c.name, c.covered, c.digit.text(lines)[0]))
		}
	}
	return list
}

// compositeText joins what the composite check digit covers.
func (l layout) compositeText(lines []string) string {
	var b strings.Builder
	for _, part := range l.composite[:l.compositeParts] {
		b.WriteString(part.text(lines))
	}
	return b.String()
}

// resolve moves the document number's check digit to where a long number has it: the digit's own place holds a filler,
// the number goes on at the start of the optional data, and its last symbol there is the check digit.
func (l layout) resolve(lines []string) layout {
	if !l.longNumber || l.numberCheck.text(lines) != "<" {
		return l
	}
	optional := l.optional.text(lines)
	run := strings.IndexByte(optional, '<')
	if run < 0 {
		run = len(optional)
	}
	return l.long(run)
}

// long is the layout with run symbols of the optional data given to the document number and its check digit. Fewer than
// two leave the layout as it is.
func (l layout) long(run int) layout {
	if run < 2 {
		return l
	}
	l.continuation = l.optional.from(0, run-1)
	l.numberCheck = l.optional.from(run-1, run)
	l.optional = l.optional.from(run, l.optional.size())
	return l
}
