package egypt

import (
	"context"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
)

// holder reads whose a document is: a person, or a company, whose name no list holds.
type holder struct {
	person field.Decoder
	// firm reports whether a line is one of the name of a company.
	firm func(line string) bool
}

// Match implements field.Decoder.
func (h holder) Match(what string) float64 {
	if h.firm(what) {
		return 1
	}
	return h.person.Match(what)
}

// Decode implements field.Decoder.
func (h holder) Decode(ctx context.Context, ink []*page.Ink, known field.Known) (field.Value, error) {
	if h.firm(ink[0].Text()) {
		return field.Plain{Spelling: line{}}.Decode(ctx, ink, known)
	}
	return h.person.Decode(ctx, ink, known)
}
