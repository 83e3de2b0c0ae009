package egypt

// The serial of a card (idKey) is capital Latin letters and then digits, so many of each, as two public projects have it.
const (
	IDKeyLetters = 2
	IDKeyDigits  = 7
)
