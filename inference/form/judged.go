package form

import (
	"github.com/bawab/bawab/inference/label"
	"github.com/bawab/bawab/inference/page"
)

// Calibration is what decides how documents are read: weights that were learned, which may be lacking, and numbers that were judged by
// measuring. A calibration of models fills it.
type Calibration struct {
	Weights
	Judged
	Page  page.Judged
	Label label.Judged
}

// Judged are the numbers of taking a page apart that are no weights of features. Lengths are in heights of the print unless said otherwise,
// costs in nats.
type Judged struct {
	// So many labels tell that a face is well read, if at most so much is against each of their signs on average.
	// So many letters of labels that were read as one tell that it is misread all over the page: fewer may be chance.
	TellingLabels, TellingMisread int
	WellRead                      float64
	// The mean probability of the signs from which on a reading is print and no pattern.
	Clear float64 `most:"1"`
	// How much print is like a value: a whole one; enough to put it together before fields are assigned; a word of a row; not both of two.
	Surely, Likely, RowWord, NotBoth float64 `most:"1"`
	// The share of sure signs, and how many signs, from which on print is legible; how sure is sure, of at least so many signs.
	LegibleShare, LegibleSure float64 `most:"1"`
	LegibleSigns, LegibleWord int
	// Labels stand left of their values where so many at an end of their row do, and so many times as many as stand to the right.
	FromLeft float64
	// What stands level; how far under a label a value stands; the share of the shorter of two that they have in common, one under the other.
	OnLevel, FarUnder float64
	LeastOver         float64 `most:"1"`
	// How values under labels beside each other are told from one value: the blank between them is so wide, and the second begins so near
	// to where its label does; the first, whose first sign may have been overlooked; and the second where a blank of any width parts them
	// and it is a whole value of a field of its label. What a word with its blanks takes in a row; what parts two lines there.
	ColumnGap, ColumnNear, ColumnStart, ColumnFlush, RowBlank, LinesApart float64
	// What may be the rest of a value beside it on its row: it is of as many signs, at most so far away, and so much like a value. Fewer
	// signs are the rest where both together are much more like one; they are no value alone and may stand farther from the others.
	LeastRest, FewRest int
	Beside, FewBeside  float64
	RestLike, MuchMore float64 `most:"1"`
	// The same of digits alone; signs that stand apart are so much more like a value together, and hang so far under their row.
	DigitsApart, Gathered, Hanging float64
	// Where print is sought behind a label, as shares of the page's width: how far it may begin and end; how far other values of one column
	// may end apart for print to be sought there.
	SoughtRim, SoughtFar, SameColumn, EvenColumn float64 `most:"1"`
	// The same in heights of the label: how long it is at least, and how much is looked at there, and first.
	SoughtGap, SoughtRoom, LeastSought, MostSought, NearSought float64
	// What is against an assignment: a field without print that every document has, other print between two lines of a value, and print that
	// is none so close above a value, and flush with it.
	Absent, Enclosed, Idle, IdleFlush, IdleNear float64
	// How much likelier the assignment of all print must be than the next one in which a stretch is something else, for its field to be
	// beyond doubt.
	Even float64
	// The confidence under which a likely value is looked at in further cuts; that under which it is not returned, far more likely wrong than
	// right; and that below which values are flagged whose decoder nobody has measured.
	Sure, Unreadable, AnyLimit float64 `most:"1"`
}
