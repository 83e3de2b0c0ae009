package mrz

import (
	"strings"
	"testing"
)

// The formats have the sizes of Doc 9303, every position of them has a class, and nothing outside has one.
func TestFormatSizes(t *testing.T) {
	for _, test := range []struct {
		format       Format
		lines, width int
		name         string
	}{
		{TD1, 3, 30, "TD1"},
		{TD2, 2, 36, "TD2"},
		{TD3, 2, 44, "TD3"},
		{MRVA, 2, 44, "MRV-A"},
		{MRVB, 2, 36, "MRV-B"},
		{Format(-1), 0, 0, "unknown"},
		{Format(9), 0, 0, "unknown"},
	} {
		f := test.format
		if f.Lines() != test.lines || f.Width() != test.width || f.String() != test.name {
			t.Errorf("%v: %d lines of %d", f, f.Lines(), f.Width())
		}
		for line := -1; line <= test.lines; line++ {
			grammar := f.Grammar(line)
			if line < 0 || line >= test.lines {
				if grammar != nil {
					t.Errorf("%v has a grammar for line %d", f, line)
				}
				continue
			}
			for pos := -1; pos <= test.width; pos++ {
				class := f.Class(line, pos)
				if inside := pos >= 0 && pos < test.width; inside != (class != 0) {
					t.Errorf("%v: class of line %d, position %d is %b", f, line, pos, class)
				} else if inside && class != grammar[pos] {
					t.Errorf("%v: grammar and class differ at line %d, position %d", f, line, pos)
				}
			}
		}
	}
}

// Classes admit what Doc 9303 prints in a position and exclude the look-alikes that cannot stand there.
func TestClasses(t *testing.T) {
	for _, test := range []struct {
		format    Format
		line, pos int
		has, not  string
	}{
		{TD3, 0, 0, "PV", "0<"},
		{TD3, 0, 1, "<DN", "01"},
		{TD3, 0, 2, "DE", "<0"},
		{TD3, 0, 4, "<Y", "0"},
		{TD3, 0, 43, "AZ<", "09"},
		{TD3, 1, 0, "A0<", ""},
		{TD3, 1, 9, "09", "O<"},
		{TD3, 1, 13, "09<", "O"},
		{TD3, 1, 20, "MF<X", "N0"},
		{TD3, 1, 28, "A0<", ""},
		{TD3, 1, 42, "09<", "O"},
		{TD3, 1, 43, "09", "O<"},
		{TD1, 0, 14, "09<", "O"},
		{TD1, 1, 7, "MF<", "0"},
		{TD1, 1, 15, "UD", "0<"},
		{TD1, 1, 29, "09", "O<"},
		{TD1, 2, 0, "EK<", "0"},
		{TD2, 1, 9, "09<", "O"},
		{TD2, 1, 35, "09", "<O"},
		{MRVA, 1, 43, "A0<", ""},
		{MRVB, 1, 35, "A0<", ""},
	} {
		class := test.format.Class(test.line, test.pos)
		for _, symbol := range []byte(test.has) {
			if !class.Has(symbol) {
				t.Errorf("%v %d/%d excludes %q", test.format, test.line, test.pos, symbol)
			}
		}
		for _, symbol := range []byte(test.not) {
			if class.Has(symbol) {
				t.Errorf("%v %d/%d admits %q", test.format, test.line, test.pos, symbol)
			}
		}
	}
	if digits.Has('?') || Index(' ') != -1 || Index('a') != -1 {
		t.Error("a byte outside the alphabet is taken for a symbol")
	}
}

// Index and Alphabet agree for every symbol.
func TestIndex(t *testing.T) {
	for i := range symbols {
		if Index(Alphabet[i]) != i {
			t.Errorf("Index(%q) = %d", Alphabet[i], Index(Alphabet[i]))
		}
	}
}

// Every specimen is in the classes of its format: the grammar excludes no document that 9303 allows.
func TestSpecimensInClass(t *testing.T) {
	for _, s := range specimens() {
		for i, line := range s.lines {
			for pos := range line {
				if !s.format.Class(i, pos).Has(line[pos]) {
					t.Errorf("%v %d/%d excludes %q", s.format, i, pos, line[pos])
				}
			}
		}
	}
}

// The list of states is complete, sorted within its two parts, free of doubles, and knows how codes are printed.
func TestStates(t *testing.T) {
	seen := map[string]bool{}
	for i := range stateCount {
		code := stateCode(i)
		if seen[code] {
			t.Errorf("%s twice", code)
		}
		seen[code] = true
		if i > 0 && i != 249 && code < stateCode(i-1) {
			t.Errorf("%s out of order", code)
		}
		if !KnownState(strings.TrimRight(code, "<")) {
			t.Errorf("%s is not known", code)
		}
	}
	if got := strings.Index(stateCodes, "D<<") / 4; got != 249 {
		t.Errorf("%d ISO codes, want 249", got)
	}
	for _, code := range strings.Fields("D DEU EGY RKS GBD GBN GBO GBP GBS XXA XXB XXC XXX EUE UNO UNA UNK XBA XIM XCC XCE " +
		"XCO XEC XPO XES XMP XOM XDC UTO ROU ZWE ABW SSD") {
		if !KnownState(code) {
			t.Errorf("%s is not known", code)
		}
	}
	for _, code := range []string{"", "DE", "XYZ", "EGYP", "GY ", "egy", "BW AF"} {
		if KnownState(code) {
			t.Errorf("%q is known", code)
		}
	}
}
