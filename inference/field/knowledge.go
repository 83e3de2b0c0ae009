package field

import "github.com/bawab/bawab/appliance"

// Knowledge is what descriptions may name: the engine has none of its own.
type Knowledge struct {
	Decoders map[string]Decoder
	// Lists are decoders of values that the description lists.
	Lists map[string]func(values []string) Decoder
	// Open are decoders that expect some values, and read others as well, by the names of those that expect none.
	Open map[string]func(values []string) Decoder
	// Types are those of the values of decoders; a decoder that is not named gives text.
	Types map[string]appliance.FieldType
	// Holders are the decoders whose values tell whose a document is, the surest first.
	Holders []string
	// Follows completes what was read by what follows from other fields, by the decoder; without print what was read is empty. What is in
	// no other map is printed nowhere.
	Follows map[string]func(read Value, known Known) Value
	// Taken reports whether a kind's name stands for something else; nil takes none.
	Taken func(appliance.Kind) bool
	// Variants are the signs that may be printed for a sign, itself among them.
	Variants   func(sign rune) []rune
	Agreements map[string]Comparison
	Checks     map[string]Check
}

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
