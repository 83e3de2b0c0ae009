package field

import "github.com/bawab/bawab/appliance"

// Comparison tells of the values of two fields that say the same in two ways whether they do.
type Comparison struct {
	// Of are the decoders of the two.
	Of [2]string
	// Compare reports whether they say the same, or surely something else.
	Compare func(a, b string) (same, other bool)
}

// Check looks for what is wrong with a value.
type Check struct {
	// Of is the decoder whose values it can judge.
	Of string
	// Malformed is the code of a print that is no value of a field with this check.
	Malformed appliance.Code
	// Fails tells which code a value earns, 0 for none.
	Fails func(value string, known Known) appliance.Code
}
