package mrz

import "time"

// expiryWindow is how many years ahead of now an expiry date may lie before its two digits mean the century before.
const expiryWindow = 50

// daysIn is the length of a month in a year of the Gregorian calendar.
func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// isDate reports whether the three numbers are a day of the calendar.
func isDate(year, month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

// today is the calendar day of an instant in its own location, as one comparable number YYYYMMDD.
func today(now time.Time) int {
	year, month, day := now.Date()
	return year*10000 + int(month)*100 + day
}

// birthYear is the latest year with these last two digits in which the day is not in the future.
func birthYear(yy, month, day int, now time.Time) int {
	year := now.Year() - now.Year()%100 + yy
	for year*10000+month*100+day > today(now) {
		year -= 100
	}
	return year
}

// expiryYear is the year with these last two digits in the hundred years that end expiryWindow years from now.
func expiryYear(yy int, now time.Time) int {
	last := now.Year() + expiryWindow
	return last - ((last-yy)%100+100)%100
}

// pair reads two symbols of a date: a number, or unknown when both are fillers.
func pair(text string) (n int, unknown, ok bool) {
	if text == "<<" {
		return 0, true, true
	}
	if text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9' {
		return 0, false, false
	}
	return int(text[0]-'0')*10 + int(text[1]-'0'), false, true
}

// parseDate turns YYMMDD into YYYY-MM-DD; century chooses the year from two digits, month and day. A date with unknown
// parts has no value, and its known parts must still be possible.
func parseDate(text string, century func(yy, month, day int) int) (string, Reason) {
	if text == "" {
		return "", ReasonEmpty
	}
	yy, noYear, ok1 := pair(text[0:2])
	mm, noMonth, ok2 := pair(text[2:4])
	dd, noDay, ok3 := pair(text[4:6])
	if !ok1 || !ok2 || !ok3 {
		return "", ReasonImpossibleDate
	}
	if noYear || noMonth || noDay {
		if !noMonth && (mm < 1 || mm > 12) || !noDay && (dd < 1 || dd > 31) {
			return "", ReasonImpossibleDate
		}
		if noYear && noMonth && noDay {
			return "", ReasonEmpty
		}
		return "", ReasonUnknownDate
	}
	year := century(yy, mm, dd)
	if !isDate(year, mm, dd) {
		return "", ReasonImpossibleDate
	}
	return iso(year, mm, dd), ""
}

// iso writes a date as YYYY-MM-DD; the year must have four digits.
func iso(year, month, day int) string {
	b := [10]byte{4: '-', 7: '-'}
	for i, n := range [10]int{year / 1000, year / 100, year / 10, year, 0, month / 10, month, 0, day / 10, day} {
		if i != 4 && i != 7 {
			b[i] = '0' + byte(n%10)
		}
	}
	return string(b[:])
}

// centuryOf is the century (19 or 20) that the holder's Egyptian national number gives, 0 where the personal number is
// none: fourteen digits, the first of them 2 or 3, the next six the birth date.
func centuryOf(personal, birth string) int {
	if len(personal) != 14 || personal[1:7] != birth {
		return 0
	}
	for i := 0; i < len(personal); i++ {
		if personal[i] < '0' || personal[i] > '9' {
			return 0
		}
	}
	switch personal[0] {
	case '2':
		return 19
	case '3':
		return 20
	}
	return 0
}

// oldest is the age in years up to which a holder may be the older of the two that two digits of a year allow. Set by judgement on 27
// November 2026: fewer than one person in ten million is older.
const oldest = 110

// parseBirth reads a birth date, and the one a century earlier where that is possible as well. A national number in the personal number
// of an Egyptian passport settles the century, unless that would put the birth into the future.
func parseBirth(text, issuer, personal string, now time.Time) (value, other string, reason Reason) {
	settled := false
	value, reason = parseDate(text, func(yy, month, day int) int {
		latest := birthYear(yy, month, day, now)
		if issuer == "EGY" {
			if c := centuryOf(personal, text); c != 0 && c*100+yy <= latest {
				settled = true
				return c*100 + yy
			}
		}
		return latest
	})
	if settled || value == "" {
		return value, "", reason
	}
	earlier, _ := parseDate(text, func(yy, month, day int) int { return birthYear(yy, month, day, now) - 100 })
	if earlier >= now.AddDate(-oldest, 0, 0).Format(time.DateOnly) {
		other = earlier
	}
	return value, other, reason
}

// parseExpiry reads an expiry date.
func parseExpiry(text string, now time.Time) (string, Reason) {
	return parseDate(text, func(yy, _, _ int) int { return expiryYear(yy, now) })
}
