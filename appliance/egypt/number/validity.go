package number

import "time"

// How the two dates of a card belong together. Set by judgement on 20 November 2026: the reference knows cards of seven
// years only, and one month of tolerance is decided.
const (
	// ValidityYears is how long a national ID is valid.
	ValidityYears = 7
	// spanKept is how often the printed dates keep that span; it bounds what one date may do for the other.
	spanKept = 0.98
	// monthOff is the weight of a span that is one month off, against one that fits exactly.
	monthOff = 0.2
)

// DecodeExpiry reads the expiry of a card, released on a day YYYY-MM-DD that was read so surely, "" where it was not: where its ink leaves
// a choice, the date seven years later is preferred.
func DecodeExpiry(ink Digits, release string, sure float64, today time.Time) Date {
	if release == "" {
		return DecodeDate(ink, ExpiryRules(today))
	}
	return newDateChart(ink, ExpiryRules(today)).date(func(year, month int) float64 {
		kept := 0.0
		switch off := 12*year + month - monthsOf(release) - 12*ValidityYears; off {
		case 0:
			kept = sure
		case -1, 1:
			kept = monthOff * sure
		}
		return spanKept*kept + 1 - spanKept
	})
}

// KeepsValidity reports whether two dates of a card are seven years apart, but for a month.
func KeepsValidity(release, expiry string) bool {
	off := monthsOf(expiry) - monthsOf(release) - 12*ValidityYears
	return off >= -1 && off <= 1
}

// monthsOf counts the months of a date YYYY-MM-DD from the year 0.
func monthsOf(date string) int {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0
	}
	return 12*t.Year() + int(t.Month())
}
