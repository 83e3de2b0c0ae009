package mrz

import "strings"

// Cell is the evidence for one printed position: the natural logarithm of the probability of each symbol, in the order
// of Alphabet. It need not be normalised. Minus infinity and NaN mean "no evidence for this symbol"; a cell of nothing
// else says nothing and counts as unreadable.
type Cell [symbols]float32

// Zone is what a recogniser saw of a zone: one cell for each position of each line. Missing lines or cells count as
// unreadable, surplus ones are ignored. Decode only reads it.
type Zone struct {
	Format Format
	Cells  [][]Cell
}

// Verdict is the outcome of a check digit.
type Verdict int8

// Verdicts. Unchecked belongs to fields that no check digit of their own covers.
const (
	Unchecked Verdict = iota
	Passed
	Failed
)

// String is the verdict in one lower-case word.
func (v Verdict) String() string {
	switch v {
	case Passed:
		return "passed"
	case Failed:
		return "failed"
	}
	return "unchecked"
}

// Reason says in a few lower-case words why a field has no value, or why its value deserves doubt. Empty is none.
type Reason string

// Reasons of Field.Reason.
const (
	ReasonEmpty          Reason = "empty"                  // nothing but fillers
	ReasonImpossibleDate Reason = "impossible date"        // such as month 13, or 29 February of a common year
	ReasonUnknownDate    Reason = "date partly unknown"    // fillers for day, month or year, as 9303 allows
	ReasonUnknownState   Reason = "unknown state"          // neither ISO 3166 nor a code of 9303
	ReasonSymbol         Reason = "symbol not allowed"     // Parse met a symbol outside the class of its position
	ReasonOverruled      Reason = "clear ink overruled"    // Decode moved a symbol that looked clear
	ReasonAmbiguous      Reason = "other readings as good" // Decode found competing readings
)

// Why a symbol was repaired: the values of Repair.Why.
const (
	WhyClass      = "class"       // the symbol cannot stand in this position
	WhyCheckDigit = "check digit" // the check digits ask for another symbol
	WhyDate       = "date"        // the symbols were no real date
	WhyState      = "state"       // the symbols were no known state or document code
	WhyShape      = "shape"       // fillers, names and numbers of this kind are formed otherwise
)

// Repair is one symbol of a reading that differs from the best symbol of the ink. Line and Pos count from 0.
type Repair struct {
	Line, Pos int
	From, To  byte
	Why       string
}

// The confidences under which a field should be shown to the user as doubtful: of a field with a check digit of its own,
// and of one without. They were set on the simulated documents of this package's tests (20 November 2026): the first so that
// a wrong document number without a flag stays under one in a thousand, the second so that long names, whose many
// symbols add up small risks, are flagged about as often as they are wrong.
const (
	DoubtBelow          = 0.99
	UncheckedDoubtBelow = 0.9
)

// Field is one data element of a zone.
type Field struct {
	// Value is what the field means: without fillers, dates as YYYY-MM-DD. Empty when there is none; Reason says why.
	Value string
	// Other is a second date that the symbols of a birth date may mean, a hundred years earlier; "" where only one is possible.
	Other string
	// Text holds the symbols of the final reading, Raw those of the ink before the grammar; equal length.
	Text, Raw string
	// Line, Start and End place the field in the zone: Lines[Line][Start:End]. A document number of more than nine
	// symbols goes on in the optional data; there these three name its first nine symbols.
	Line, Start, End int
	// Confidence is the probability in 0..1 that Text is what is printed, judged against all other readings.
	Confidence float64
	// CheckOK is the verdict of the field's own check digit.
	CheckOK Verdict
	Reason  Reason
	// Repairs lists where the field, or its check digit, was changed against the ink.
	Repairs []Repair
}

// Doubtful reports whether the field needs a second look: low confidence, a failed check digit, or a reason for doubt.
func (f Field) Doubtful() bool {
	return f.unsure() || f.CheckOK == Failed ||
		f.Reason != "" && f.Reason != ReasonEmpty && f.Reason != ReasonUnknownDate
}

// unsure reports whether the confidence is under the mark for such a field.
func (f Field) unsure() bool {
	if f.CheckOK == Unchecked {
		return f.Confidence < UncheckedDoubtBelow
	}
	return f.Confidence < DoubtBelow
}

// Check is one check digit: what is printed, what the covered symbols ask for. Printed may be '<' where the covered
// field is empty, and that is OK.
type Check struct {
	Name              string
	Printed, Computed byte
	OK                bool
}

// Names of checks.
const (
	CheckDocumentNumber = "document_number"
	CheckBirthDate      = "birth_date"
	CheckExpiryDate     = "expiry_date"
	CheckPersonalNumber = "personal_number"
	CheckComposite      = "composite"
)

// Reading is a zone that was read. Lines has the width and the number that Format asks for.
type Reading struct {
	Format Format
	Lines  []string // final
	Raw    []string // best symbol of each cell, before the grammar

	DocumentCode   Field // such as P, PD, I, V
	IssuingState   Field // without fillers: Germany is D
	DocumentNumber Field
	Nationality    Field
	BirthDate      Field
	Sex            Field // M, F, or X where none is stated
	ExpiryDate     Field
	Optional       Field // personal number of a passport, else optional data
	Optional2      Field // second optional data, TD1 only
	Surname        Field
	GivenNames     Field

	// NameTruncated is true where the name fills its field to the last position, which is how 9303 marks a cut name.
	NameTruncated bool

	Checks  []Check  // in the order document number, birth, expiry, personal number, composite, as far as present
	Repairs []Repair // all of them, in printed order

	// LogProb is the natural logarithm of the probability of Lines under the cells alone, 0 after Parse. Divided by
	// the number of positions it tells a zone from noise, and the right way up from upside down.
	LogProb float64
}

// Name is the holder's name as the passport model wants it: given names, then surname.
func (r *Reading) Name() string {
	return strings.TrimSpace(r.GivenNames.Value + " " + r.Surname.Value)
}

// Check finds a check digit by its name; ok is false where the format has no such digit.
func (r *Reading) Check(name string) (check Check, ok bool) {
	for _, c := range r.Checks {
		if c.Name == name {
			return c, true
		}
	}
	return Check{}, false
}

// ChecksOK reports whether every check digit of the zone holds.
func (r *Reading) ChecksOK() bool {
	for _, c := range r.Checks {
		if !c.OK {
			return false
		}
	}
	return true
}

// fields lists the fields in a fixed order.
func (r *Reading) fields() [11]*Field {
	return [11]*Field{
		&r.DocumentCode, &r.IssuingState, &r.Surname, &r.GivenNames, &r.DocumentNumber, &r.Nationality,
		&r.BirthDate, &r.Sex, &r.ExpiryDate, &r.Optional, &r.Optional2,
	}
}
