package number

import "time"

// firstYear and lastCentury bound the years that a century digit of 2 or 3 can say.
const (
	firstYear   = 1900
	lastCentury = 2099
)

// Years are of three kinds: common, leap, and the one that is not over.
const (
	commonYear = iota
	leapYear
	openYear
	yearKinds
)

// calendar is the days on which a holder may be born: those from 1900 that are not in the future.
type calendar struct {
	year, month, day int     // today
	count            int     // days
	weight           float64 // what their age priors sum to
}

// newCalendar ends with a day in its own location.
func newCalendar(today time.Time) calendar {
	c := calendar{year: today.Year(), month: int(today.Month()), day: today.Day()}
	for year := firstYear; year <= c.finalYear(); year++ {
		for month := 1; month <= 12; month++ {
			n := c.daysOfKind(c.kind(year), month)
			c.count += n
			c.weight += float64(n) * agePrior(c.year-year)
		}
	}
	return c
}

// finalYear is the last year of birth.
func (c *calendar) finalYear() int { return min(c.year, lastCentury) }

// century is 0 for years before 2000 and 1 from then on.
func (c *calendar) century(year int) int { return (year - firstYear) / 100 }

func (c *calendar) kind(year int) int {
	switch {
	case year == c.year:
		return openYear
	case daysOf(year, 2) == 29:
		return leapYear
	}
	return commonYear
}

// daysOfKind is how many days of a month have come in a year of a kind.
func (c *calendar) daysOfKind(kind, month int) int {
	switch {
	case kind == leapYear:
		return daysOf(2000, month)
	case kind == commonYear:
		return daysOf(1900, month)
	case month > c.month:
		return 0
	case month == c.month:
		return c.day
	}
	return daysOf(c.year, month)
}

// yearPrior is the prior of each day of a year.
func (c *calendar) yearPrior(year int) float64 { return agePrior(c.year-year) / c.weight }

// holds reports whether a date is a day of the calendar.
func (c *calendar) holds(year, month, day int) bool {
	return year >= firstYear && year <= c.finalYear() && day >= 1 && month >= 1 && month <= 12 && day <= c.daysOfKind(c.kind(year), month)
}

// daysOf is how many days a month of the calendar has; 0 for a month outside of 1 to 12.
func daysOf(year, month int) int {
	switch month {
	case 1, 3, 5, 7, 8, 10, 12:
		return 31
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 0
}
