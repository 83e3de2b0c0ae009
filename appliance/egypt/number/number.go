// Package number reads what lines of digits on Egyptian documents say: the national number under its grammar, printed dates under theirs,
// and small counts. It weighs the evidence of a recogniser for each digit against what the number may be, and says how sure the result is.
//
// # Unconfirmed facts
//
// Taken from public sources that are weak or disagree, as those of package egypt are:
//
//   - Check digit: weights 2 to 7 from the right, 11 less the sum modulo 11 ([CheckDigit]; checkWeight in the decoder). Where that is 10
//     or 11 the sources disagree, and the digit says nothing. How many numbers obey is a guess: obeys1900, obeys2000.
//   - The codes of governorates are sure, but no code of its own is known for 6th of October and Helwan of 2008 to 2011
//     ([Governorates]). Their shares of births, and the ages of holders, are rounded guesses: governoratePrior, agePrior.
//   - The birth date is printed as YYYY/MM/DD, the release as YYYY/MM, the expiry as YYYY/MM/DD; cards of before 2009 may
//     lack the expiry ([BirthRules], [ReleaseRules], [ExpiryRules]); the card is valid for seven years ([ValidityYears]).
//
// # Fitted constants
//
// Temperature and floor of a [Cell] were judged on the project's own photographs with early networks, to be fitted again when these
// change. The priors are set by judgement alone.
package number

import (
	"errors"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance/arabic"
)

// Length is how many digits a national number has.
const Length = 14

// What can be wrong with a national number. Parse joins all that apply; errors.Is tells them apart.
var (
	ErrForm        = errors.New("not fourteen digits that begin with 2 or 3")
	ErrBirth       = errors.New("digits 2 to 7 are no past day of the calendar")
	ErrGovernorate = errors.New("digits 8 and 9 are no governorate")
)

// Sex is the holder's sex as the service's answers spell it.
type Sex string

// Sexes.
const (
	Male   Sex = "Male"
	Female Sex = "Female"
)

// CheckState says whether the last digit of a number fits the others. The rule was never published: it is advice for
// ranking readings, never a ground to refuse one.
type CheckState int8

// Check states. CheckUnknown is for the two cases in eleven in which sources disagree about the digit.
const (
	CheckUnknown CheckState = iota
	CheckAgrees
	CheckDisagrees
)

// Parts is a national number taken apart. Parts that could not be read are empty.
type Parts struct {
	// Digits are the printed digits, Western; never an integer, and never repaired.
	Digits string
	// Birth is the day of birth as YYYY-MM-DD.
	Birth string
	// Governorate is where the birth was registered.
	Governorate Governorate
	// Sequence is digits 10 to 13, counted per day, governorate and sex.
	Sequence string
	// Sex follows from the last digit of Sequence: odd is male.
	Sex Sex
	// Check is advisory.
	Check CheckState
}

// Parse takes a national number apart. Arabic-Indic and Persian digits count as Western, blanks between groups are
// skipped; nothing else is repaired. The number is returned with what could be read even when the error, a join of the
// ErrNumber values, is not nil. now gives the day after which no birth can lie, in its own location.
func Parse(text string, now time.Time) (Parts, error) {
	n := Parts{Digits: strings.Join(strings.Fields(arabic.FoldDigits(text)), "")}
	if len(n.Digits) != Length || strings.Trim(n.Digits, "0123456789") != "" {
		return n, ErrForm
	}
	var faults []error
	century := 0
	switch n.Digits[0] {
	case '2':
		century = 1900
	case '3':
		century = 2000
	default:
		faults = append(faults, ErrForm)
	}
	var ok bool
	if century != 0 {
		if n.Birth, ok = birthDay(century, n.Digits[1:7], now); !ok {
			faults = append(faults, ErrBirth)
		}
	}
	if n.Governorate, ok = GovernorateOf(n.Digits[7:9]); !ok {
		faults = append(faults, ErrGovernorate)
	}
	n.Sequence = n.Digits[9:13]
	n.Sex = Female
	if (n.Digits[12]-'0')%2 == 1 {
		n.Sex = Male
	}
	n.Check = checkState(n.Digits)
	return n, errors.Join(faults...)
}

// birthDay reads YYMMDD of a century as a day that exists and is not in the future.
func birthDay(century int, digits string, now time.Time) (string, bool) {
	two := func(i int) int { return int(digits[i]-'0')*10 + int(digits[i+1]-'0') }
	year, month, day := century+two(0), two(2), two(4)
	// Both days are taken to UTC: in Cairo some days have no midnight.
	birth := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	if month < 1 || month > 12 || day < 1 || birth.Day() != day || birth.After(today) {
		return "", false
	}
	return birth.Format(time.DateOnly), true
}

// CheckDigit is the last digit that thirteen digits ask for, by the one of the public rules that the known worked example
// fits: weights 2 to 7 cycling from the right, 11 less the sum modulo 11. It is not ok where that gives 10 or 11, for
// which the sources disagree, and for a body that is not thirteen Western digits.
func CheckDigit(body string) (digit byte, ok bool) {
	if len(body) != Length-1 {
		return 0, false
	}
	sum := 0
	for i := range len(body) {
		if body[i] < '0' || body[i] > '9' {
			return 0, false
		}
		sum += int(body[i]-'0') * (2 + (len(body)-1-i)%6)
	}
	k := 11 - sum%11
	if k > 9 {
		return 0, false
	}
	return '0' + byte(k), true
}

// checkState compares the printed last digit with the one that the others ask for.
func checkState(digits string) CheckState {
	want, ok := CheckDigit(digits[:Length-1])
	switch {
	case !ok:
		return CheckUnknown
	case want == digits[Length-1]:
		return CheckAgrees
	}
	return CheckDisagrees
}
