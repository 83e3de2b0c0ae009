package number

import "time"

// Evidence is what is known about a number beside its own ink. The zero value of everything but Today means that nothing
// is known.
type Evidence struct {
	// Length is the natural logarithm of the probability that exactly fourteen digits are printed.
	Length float64
	// Text is the best reading of whatever length, digits only; "" where that is the best digit of each cell. It is the
	// value of a print that is clearly not fourteen digits.
	Text string
	// Score gives the natural logarithm of the probability that exactly these digits are printed, however many. nil: only
	// the cells are asked. It is called some hundred times where the number of digits is in doubt, else not at all.
	Score func(digits string) float64
	// Birth holds the eight digits of the printed birth date in the order YYYYMMDD, nil when it was not read.
	Birth []Cell
	// Sex is the printed sex, "" when it was not read.
	Sex Sex
	// SexConfidence is the probability that Sex is what is printed; 0 counts as 0.99.
	SexConfidence float64
	// Other holds the fourteen digits of the number as it was read on the other side of the card, nil when it was not.
	Other []Cell
	// Today is the day, in its own location, after which no birth can lie.
	Today time.Time
}

// Reading is a national number as it was decoded.
type Reading struct {
	// Value is the number: fourteen Western digits under the grammar, or, where the ink clearly shows something else, the
	// printed digits as they are; then Codes says what is wrong. "" when there was nothing to read.
	Value string
	// Raw is the best digit of each cell, before any knowledge.
	Raw string
	// Confidence is the probability in 0..1 that Value is what is printed, judged against all other strings.
	Confidence float64
	// Digits is that probability for each digit of Value by itself; zero where Value is not fourteen digits.
	Digits [Length]float64
	// Birth, Place and Sex are the probability of the parts that follow from Value: its date, governorate and sex.
	Birth, Place, Sex float64
	// Repairs says in words where Value differs from Raw, and what asked for it.
	Repairs []string
	// Codes holds what is wrong with Value, each code once, in ascending order.
	Codes []Code
	// Parts is Value taken apart.
	Parts Parts
}
