package mrz

// span is a run of positions in one line, end excluded. The zero span is absent.
type span struct{ line, start, end int }

func (s span) size() int     { return s.end - s.start }
func (s span) present() bool { return s.end > s.start }

// from is the part of the span between two offsets.
func (s span) from(start, end int) span { return span{s.line, s.start + start, s.start + end} }

// text cuts the span out of the lines.
func (s span) text(lines []string) string {
	if !s.present() {
		return ""
	}
	return lines[s.line][s.start:s.end]
}

// layout places the fields of a format, or of one zone once a long document number has moved its check digit.
type layout struct {
	lines, width int

	code, state, name, number, nationality, birth, sex, expiry span

	// given holds the given names where they stand apart from the surname, which name is then.
	given span
	// continuation holds the rest of a document number of more than nine symbols (TD1, TD2); absent otherwise.
	continuation span
	// optional is the personal number of a passport or other optional data; optional2 exists on TD1 only.
	optional, optional2 span

	numberCheck, birthCheck, expiryCheck, optionalCheck, compositeCheck span

	// composite is what the composite check digit covers, in the order of its weights; its length is compositeParts.
	composite      [4]span
	compositeParts int

	// longNumber says that the format lets a document number run over into optional.
	longNumber bool
}

// layout is the layout of a format as printed for document numbers of up to nine symbols.
func (f Format) layout() layout {
	switch f {
	case TD1:
		return td1()
	case TD2:
		l := twoLines(36)
		l.optional = span{1, 28, 35}
		l.compositeCheck = span{1, 35, 36}
		l.composite = [4]span{{1, 0, 10}, {1, 13, 20}, {1, 21, 35}}
		l.compositeParts = 3
		l.longNumber = true
		return l
	case TD3:
		l := twoLines(44)
		l.optional = span{1, 28, 42}
		l.optionalCheck = span{1, 42, 43}
		l.compositeCheck = span{1, 43, 44}
		l.composite = [4]span{{1, 0, 10}, {1, 13, 20}, {1, 21, 43}}
		l.compositeParts = 3
		return l
	case MRVA:
		l := twoLines(44)
		l.optional = span{1, 28, 44}
		return l
	case MRVB:
		l := twoLines(36)
		l.optional = span{1, 28, 36}
		return l
	case FrenchID:
		return french()
	}
	return layout{}
}

// twoLines is what all two-line formats share.
func twoLines(width int) layout {
	return layout{
		lines: 2, width: width,
		code: span{0, 0, 2}, state: span{0, 2, 5}, name: span{0, 5, width},
		number: span{1, 0, 9}, numberCheck: span{1, 9, 10}, nationality: span{1, 10, 13},
		birth: span{1, 13, 19}, birthCheck: span{1, 19, 20}, sex: span{1, 20, 21},
		expiry: span{1, 21, 27}, expiryCheck: span{1, 27, 28},
	}
}

// french is the layout of the old French card: the number is the month of issue, the department and a count; optional is the office.
func french() layout {
	return layout{
		lines: 2, width: 36,
		code: span{0, 0, 2}, state: span{0, 2, 5}, name: span{0, 5, 30}, optional: span{0, 30, 36},
		number: span{1, 0, 12}, numberCheck: span{1, 12, 13}, given: span{1, 13, 27},
		birth: span{1, 27, 33}, birthCheck: span{1, 33, 34}, sex: span{1, 34, 35}, compositeCheck: span{1, 35, 36},
		composite: [4]span{{0, 0, 36}, {1, 0, 35}}, compositeParts: 2,
	}
}

func td1() layout {
	return layout{
		lines: 3, width: 30,
		code: span{0, 0, 2}, state: span{0, 2, 5}, name: span{2, 0, 30},
		number: span{0, 5, 14}, numberCheck: span{0, 14, 15}, optional: span{0, 15, 30},
		birth: span{1, 0, 6}, birthCheck: span{1, 6, 7}, sex: span{1, 7, 8},
		expiry: span{1, 8, 14}, expiryCheck: span{1, 14, 15}, nationality: span{1, 15, 18},
		optional2: span{1, 18, 29}, compositeCheck: span{1, 29, 30},
		composite:      [4]span{{0, 5, 30}, {1, 0, 7}, {1, 8, 15}, {1, 18, 29}},
		compositeParts: 4,
		longNumber:     true,
	}
}

// classes is the class of every position. Positions that no field with a class of its own covers take letters, digits
// and fillers.
func (l *layout) classes() (grid [3][44]Class) {
	for line := range l.lines {
		for pos := range l.width {
			grid[line][pos] = alphanumeric
		}
	}
	numberCheck := digits
	if l.longNumber {
		numberCheck = digitsFill
	}
	for _, rule := range [...]struct {
		span
		class Class
	}{
		{l.code, lettersFill},
		{l.code.from(0, 1), letters},
		{l.state, lettersFill},
		{l.state.from(0, 1), letters},
		{l.nationality, lettersFill},
		{l.nationality.from(0, 1), letters},
		{l.name, lettersFill},
		{l.given, lettersFill},
		{l.birth, digitsFill},
		{l.expiry, digitsFill},
		{l.sex, sexes},
		{l.numberCheck, numberCheck},
		{l.optionalCheck, digitsFill},
		{l.birthCheck, digits},
		{l.expiryCheck, digits},
		{l.compositeCheck, digits},
	} {
		for pos := rule.start; pos < rule.end; pos++ {
			grid[rule.line][pos] = rule.class
		}
	}
	return grid
}
