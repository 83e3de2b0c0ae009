// Package mrz reads machine readable zones of travel documents as ICAO Doc 9303 lays them out: TD1 and TD2 cards, TD3
// passports, and the visas MRV-A and MRV-B; and of the old French identity card.
//
// Two doors lead in. Parse takes text and says what it means, changing nothing. Decode takes, for every printed position,
// how probable each symbol is in the eyes of a recogniser, and finds the reading that the ink and the grammar support
// best: the class of each position, real dates, known states and the check digits. What differs from the ink is listed
// as a repair with its reason; where the check digits could be met only by overruling clear ink, the ink stays and the
// check is reported as failed.
//
// All values are plain data owned by the caller. Nothing here keeps state, reads a clock or depends on a time zone.
package mrz

import "strings"

// Alphabet is every symbol that a machine readable zone can hold, in the order of the entries of a Cell.
const Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"

// symbols is the number of symbols in Alphabet.
const symbols = len(Alphabet)

// filler is the index of '<' in Alphabet, firstDigit that of '0'.
const (
	firstDigit = 26
	filler     = 36
)

// Index is the place of a symbol in Alphabet, -1 for a byte that is not in it.
func Index(symbol byte) int {
	switch {
	case symbol >= 'A' && symbol <= 'Z':
		return int(symbol - 'A')
	case symbol >= '0' && symbol <= '9':
		return firstDigit + int(symbol-'0')
	case symbol == '<':
		return filler
	}
	return -1
}

// Class is a set of symbols: bit i stands for Alphabet[i].
type Class uint64

// The classes that positions have. Fillers are part of most of them, because 9303 fills what is unknown or unused.
const (
	digits       Class = 0x3FF << firstDigit
	fillerOnly   Class = 1 << filler
	letters      Class = 1<<firstDigit - 1
	digitsFill         = digits | fillerOnly
	lettersFill        = letters | fillerOnly
	alphanumeric       = letters | digits | fillerOnly
	sexes        Class = 1<<('F'-'A') | 1<<('M'-'A') | 1<<('X'-'A') | fillerOnly
)

// Has reports whether the class holds a symbol; a byte outside Alphabet is in no class.
func (c Class) Has(symbol byte) bool {
	i := Index(symbol)
	return i >= 0 && c.Bit(i)
}

// Bit reports whether the class holds Alphabet[i]; i must be in 0..36.
func (c Class) Bit(i int) bool { return c>>uint(i)&1 == 1 }

// Format is the size and layout of a zone.
type Format int

// The formats of Doc 9303.
const (
	TD1  Format = iota // card, 3 lines of 30
	TD2                // card, 2 lines of 36
	TD3                // passport, 2 lines of 44
	MRVA               // visa, 2 lines of 44
	MRVB               // visa, 2 lines of 36
	// FrenchID is no format of 9303: the French identity card of 1988 to 2021, 2 lines of 36. Its given names stand in the second line, and
	// it has neither a nationality nor an expiry date.
	FrenchID
)

// frenchCard is how the zone of a FrenchID begins.
const frenchCard = "IDFRA"

// String is the name that Doc 9303 uses.
func (f Format) String() string {
	switch f {
	case TD1:
		return "TD1"
	case TD2:
		return "TD2"
	case TD3:
		return "TD3"
	case MRVA:
		return "MRV-A"
	case MRVB:
		return "MRV-B"
	case FrenchID:
		return "French ID"
	}
	return "unknown"
}

// Lines is the number of lines of the format, 0 for a value that is no format.
func (f Format) Lines() int { return f.layout().lines }

// Width is the number of symbols in each line, 0 for a value that is no format.
func (f Format) Width() int { return f.layout().width }

// Class says which symbols the grammar allows at a position (both counted from 0). It is 0, the empty class, outside of
// the zone. Classes are wide where documents differ: they name what may be printed, not what is likely.
func (f Format) Class(line, pos int) Class {
	l := f.layout()
	if line < 0 || line >= l.lines || pos < 0 || pos >= l.width {
		return 0
	}
	grid := l.classes()
	return grid[line][pos]
}

// Grammar is the class of every position of one line, in order: what a decoder of known length needs. It is nil for a
// line that the format does not have.
func (f Format) Grammar(line int) []Class {
	if line < 0 || line >= f.Lines() {
		return nil
	}
	l := f.layout()
	grid := l.classes()
	return append([]Class(nil), grid[line][:l.width]...)
}

// formatOf finds the format with these lines; how the first begins tells a visa and a FrenchID from a document of the same size.
func formatOf(lines []string) (Format, bool) {
	for _, f := range []Format{TD1, TD2, TD3} {
		if len(lines) != f.Lines() || len(lines[0]) != f.Width() {
			continue
		}
		for _, line := range lines {
			if len(line) != f.Width() {
				return 0, false
			}
		}
		if f == TD2 && strings.HasPrefix(lines[0], frenchCard) {
			return FrenchID, true
		}
		return f.variant(strings.HasPrefix(lines[0], "V")), true
	}
	return 0, false
}

// variant is the format of the same size that is, or is not, a visa.
func (f Format) variant(visa bool) Format {
	switch {
	case visa && f == TD3:
		return MRVA
	case visa && f == TD2:
		return MRVB
	case !visa && f == MRVA:
		return TD3
	case !visa && f == MRVB:
		return TD2
	}
	return f
}
