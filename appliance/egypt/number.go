package egypt

import (
	"errors"
	"strings"
	"time"
)

// NumberLength is how many digits a national number has.
const NumberLength = 14

// What can be wrong with a national number. ParseNumber joins all that apply; errors.Is tells them apart.
var (
	ErrNumberForm        = errors.New("not fourteen digits that begin with 2 or 3")
	ErrNumberBirth       = errors.New("digits 2 to 7 are no past day of the calendar")
	ErrNumberGovernorate = errors.New("digits 8 and 9 are no governorate")
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

// ParseNumber takes a national number apart. Arabic-Indic and Persian digits count as Western, blanks between groups are
// skipped; nothing else is repaired. The number is returned with what could be read even when the error, a join of the
// ErrNumber values, is not nil. now gives the day after which no birth can lie, in its own location.
func ParseNumber(text string, now time.Time) (Parts, error) {
	n := Parts{Digits: strings.Join(strings.Fields(FoldDigits(text)), "")}
	if len(n.Digits) != NumberLength || strings.Trim(n.Digits, "0123456789") != "" {
		return n, ErrNumberForm
	}
	var faults []error
	century := 0
	switch n.Digits[0] {
	case '2':
		century = 1900
	case '3':
		century = 2000
	default:
		faults = append(faults, ErrNumberForm)
	}
	var ok bool
	if century != 0 {
		if n.Birth, ok = birthDay(century, n.Digits[1:7], now); !ok {
			faults = append(faults, ErrNumberBirth)
		}
	}
	if n.Governorate, ok = GovernorateOf(n.Digits[7:9]); !ok {
		faults = append(faults, ErrNumberGovernorate)
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
	if len(body) != NumberLength-1 {
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
	want, ok := CheckDigit(digits[:NumberLength-1])
	switch {
	case !ok:
		return CheckUnknown
	case want == digits[NumberLength-1]:
		return CheckAgrees
	}
	return CheckDisagrees
}
