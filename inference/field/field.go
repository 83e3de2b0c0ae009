package field

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/page"
)

// Decoder reads one kind of value. It is safe for concurrent use.
type Decoder interface {
	// Match says, 0 to 1, how much a text is like such a value. It runs no network.
	Match(what string) float64
	// Decode reads the value that stretches hold, line by line from the top and in the order of reading. There is at least one.
	Decode(ctx context.Context, ink []*page.Ink, known Known) (Value, error)
}

// Expecting is a decoder of listed values that can expect further ones.
type Expecting interface {
	Decoder
	Expecting(values []string) Decoder
}

// Telling is a decoder of values in a form that no other print has: such print shows what a document is though a sign of it is in doubt.
type Telling interface {
	Decoder
	// Tells reports whether a text, as it was read, has the form.
	Tells(what string) bool
}

// Known is what is known beside the ink.
type Known struct {
	// Now is the moment of reading, in the zone in which documents expire.
	Now time.Time
	// Earlier are the documents that were read in the same transaction, newest first.
	Earlier []appliance.Document
	// Values are those of the document's fields that were read before this one, by name.
	Values map[string]Value
	// Kind is that of the document at hand.
	Kind appliance.Kind
}

// Value is what a decoder read.
type Value struct {
	// Text is the value as answers hold it, "" where none can be read.
	Text string
	// Raw is what the ink says, before any knowledge.
	Raw string
	// Share is the decoder's probability of Text among all that it allows, 0 to 1, uncalibrated.
	Share float64
	// Ink is the natural logarithm of the probability of Text by the ink alone.
	Ink float64
	// Strange is what speaks against the value by what is known: words of no list, a phrase of no vocabulary; 0 where nothing does.
	Strange float64
	// Odd is what speaks against the value as a whole, such as an address that ends in no place.
	Odd float64
	// Spelled reports whether the reader of words reads the same number: 1 where it does, -1 where it reads another, 0 where it reads none.
	Spelled float64
	// Characters holds the probability of each sign of Text, where the decoder knows it.
	Characters []float64
	// Malformed tells that what is printed is not in a form that the decoder expects; Text may still be what it says.
	Malformed bool
	// From are the fields from which it follows, where no print of its own tells it.
	From []string
	// Codes, Checks and Repairs are those of appliance.Field and its validation.
	Codes   []appliance.Code
	Checks  []appliance.FieldCheck
	Repairs []string
}

// joined is what stretches say one after the other, and the probability of all of it.
func joined(ink []*page.Ink) (text string, confidence float64) {
	texts := make([]string, len(ink))
	confidence = 1
	for i, k := range ink {
		texts[i] = k.Text()
		confidence *= k.Confidence()
	}
	return strings.Join(texts, " "), confidence
}

// lookAgain looks once more at what is in doubt.
func lookAgain(ctx context.Context, ink []*page.Ink) error {
	for _, k := range ink {
		if err := k.LookAgain(ctx); err != nil {
			return err
		}
	}
	return nil
}

// logOf is the natural logarithm of a probability, never that of 0.
func logOf(p float64) float64 { return math.Log(max(p, 1e-30)) }
