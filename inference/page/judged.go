package page

// Judged are the numbers by which print is told from what is none, put into rows and looked at. They were judged by measuring and come from
// the calibration, where WordGap is "word gap". Heights are those of letters.
type Judged struct {
	// The heights of print in the view: 0.6 to 7 mm. Lower print counts as RaisedGlyph high: words of low letters look lower than they are.
	LeastGlyph, RaisedGlyph, GreatestGlyph float64
	// How long print is at least, from which length on it tells its direction, and up to which gap two pieces are one line, in heights.
	LeastLength, Directed, WordGap float64
	// The slope up to which it is print of an upright document, and that which its letters explain.
	Steepest, LevelSlope float64 `most:"1"`
	// How far two pieces of one row may lie apart, in heights, and how much of the shorter may lie over the other, as a share.
	RowLevel, RowOverlap float64 `most:"1"`
	SameHeight           float64 // how many times as high as the other one of two pieces of one line is at most
	// How long single signs beside a stretch are at most, and the room left to what else stands there, and about what is read between two.
	LoneSign, SignRoom, BetweenRoom float64
	// How much higher than they are words are cut, so that the dots and hamzas below them lie well within the strip.
	WordsHigher float64
	// The confidence from which on a stretch is not looked at again, and the heights of further looks, as factors.
	SureLook              float64 `most:"1"`
	LowerLook, HigherLook float64
	// Where a value is in doubt its print is cut anew: lower, as a factor of its height, and so many heights further down.
	AnewLower, AnewDown float64
	MissedLook          float64 // nats from which on one look does not speak against a text that the others show: it may have missed it
	// How many signs were fairly read, and how surely, on print that does not lie upside down.
	FairlySigns int
	FairlyRead  float64 `most:"1"`
	// The heights, as factors of what the signs take from the highest to the lowest, in which signs moved together are looked at.
	ClosedUp, ClosedLower, ClosedHigher float64
	// The shares from which on digits are not looked at again, and from which on a look counts beside others.
	SureDigits, CountedDigits float64 `most:"1"`
	// Further looks at digits: the heights, as factors, and the room at the ends, in heights; and how far beyond its ends short numbers are
	// looked for: a zero in Arabic digits is a dot.
	LowDigits, LetterDigits, HighDigits float64
	DigitsRoom, DigitsWide, DigitsReach float64
	// How far beyond its ends a sign is no longer of the line, and the heights of looks at words that are no phrase of their list: the
	// detector sees a short word without tall letters lower than it is, and its last letter then hangs out of the strip.
	SignBeyond, TallWord, TallestWord float64
}
