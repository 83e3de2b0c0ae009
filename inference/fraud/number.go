package fraud

import (
	"strings"

	"github.com/bawab/bawab/appliance"
)

// Both were set by judgement on 20 November 2026: no forged card was at hand, and hand-made readings alone were tried.
const (
	// lonely is what remains of the score where one digit alone of the printed date differs: that is how small print is
	// misread, more often than how it is forged. The document still carries 3303.
	lonely = 0.7
	// doubtful is what remains where the reader itself doubts the number, or the printed date cannot be one.
	doubtful = 0.5
)

// numberInconsistent scores a number that disagrees with the birth date or the gender printed beside it, by how sure its
// reading is. Whether it agrees with the other side of the card is for the one who knows the transaction. It is for
// kinds that print something beside the number that this repeats, or that have another side which does: a driving licence has the
// number alone.
func numberInconsistent(doc *appliance.Document) float64 {
	number, birth := doc.Saying(appliance.MeansNumber), doc.Saying(appliance.MeansBirth)
	score := number.Confidence
	if doc.Flagged(number.Name, appliance.CodeLowConfidence, appliance.CodeUnreadable) {
		score *= doubtful
	}
	switch sex := doc.Saying(appliance.MeansSex); {
	case doc.Flagged(sex.Name, appliance.CodeGenderMismatch):
		return score
	case !doc.Flagged(birth.Name, appliance.CodeBirthMismatch):
		return 0
	case !birthDate(digits(birth.Raw)):
		return score * doubtful
	case differences(digits(birth.Raw), digits(birth.Value)) < 2:
		return score * lonely
	}
	return score
}

// digits are the digits of a date.
func digits(date string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, date)
}

// birthDate reports whether YYYYMMDD may be when somebody was born.
func birthDate(d string) bool {
	return len(d) == 8 && (d[:2] == "19" || d[:2] == "20") && d[4:6] >= "01" && d[4:6] <= "12" && d[6:] >= "01" && d[6:] <= "31"
}

// differences counts the places in which two dates of equal length differ.
func differences(a, b string) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
