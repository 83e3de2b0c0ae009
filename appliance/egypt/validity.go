package egypt

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

// Validity is the two dates of a card's back.
type Validity struct {
	Release, Expiry Date
}

// DecodeValidity reads release and expiry together: where the ink of one leaves a choice, the date seven years from the
// other is preferred. CodeExpirySpan on the expiry says that they are further than a month from that, CodeExpired that it
// lies before today, which is the day in today's location, Cairo's. Either may be nil.
func DecodeValidity(release, expiry Digits, today time.Time) Validity {
	r, x := newDateChart(release, ReleaseRules(today)), newDateChart(expiry, ExpiryRules(today))
	span := 12 * ValidityYears
	v := Validity{Release: r.date(x.near(-span)), Expiry: x.date(r.near(span))}
	if v.Release.Form == MonthShortAlone && v.Expiry.Value == "" { // nothing says that no digit of it is covered
		v.Release.Confidence = min(v.Release.Confidence, DateDoubtBelow-0.01)
	}
	if v.Release.Value != "" && v.Expiry.Value != "" {
		if off := monthsOf(v.Expiry.Value) - monthsOf(v.Release.Value) - span; off < -1 || off > 1 {
			v.Expiry.Codes = append(v.Expiry.Codes, CodeExpirySpan)
		}
	}
	if Expired(v.Expiry.Value, today) {
		v.Expiry.Codes = append([]Code{CodeExpired}, v.Expiry.Codes...)
	}
	return v
}

// near weighs a month by how likely this chart's date lies the given months away from it; nil where nothing was read.
func (c *dateChart) near(span int) func(year, month int) float64 {
	if c.length < knownLength {
		return nil
	}
	weights := map[int]float64{}
	total := c.broken
	c.each(func(_ *inkForm, year, month, _ int, w float64) {
		weights[12*year+month] += w
		total += w
	})
	return func(year, month int) float64 {
		at := 12*year + month - span
		kept := weights[at] + monthOff*(weights[at-1]+weights[at+1])
		return spanKept*kept/total + 1 - spanKept
	}
}

// monthsOf counts the months of a date YYYY-MM-DD from the year 0.
func monthsOf(date string) int {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0
	}
	return 12*t.Year() + int(t.Month())
}
