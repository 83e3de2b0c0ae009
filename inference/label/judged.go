package label

// Judged are the numbers by which labels are told from other words. They were judged by measuring and come from the calibration, where
// LongSigns is "long signs". Lengths are in heights of the print, costs in nats.
type Judged struct {
	// What a sign costs that is not as the wording of a label has it, at most, and one of the wording that is not printed, one too many, a
	// blank too many or too few, and punctuation that is not printed: where it is, it is part of the label.
	WrongSign, MissingSign, SurplusSign, AnyBlank, NoMark float64
	// What a sign of a label costs at most on average, and one of so few signs that no letter may be wrong.
	MostCost, ShortCost float64
	ShortSigns          int
	// What is like a wording of LongSigns or more and stands where a label does is one up to BegunCost, unless it is a value: in a face
	// that the network does not know it takes several letters for others. So is what is like one of FairSigns if a colon stands behind it, or
	// a wide blank.
	LongSigns, FairSigns int
	BegunCost            float64
	// How many signs of a label a nat of its cost outweighs where two share print.
	CostMerit float64
	// How far a label of one word that begins no line stands from what is before it: words of values are labels, too.
	Apart float64
	// A blank parts a label from its value that is so many times wider than those behind it, of which each counts as so wide at least.
	Wider, UsualBlank float64
}
