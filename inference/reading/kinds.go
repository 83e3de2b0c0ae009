package reading

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/form"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/tell"
)

// Kinds are those that are read: by their descriptions, in the order of their folders, and in ways of their own.
type Kinds struct {
	Described []*form.Description
	Own       []Own
}

// of is how a kind is described; nil where it is not.
func (k Kinds) of(kind appliance.Kind) *form.Description {
	if i := slices.IndexFunc(k.Described, func(d *form.Description) bool { return d.Kind == kind }); i >= 0 {
		return k.Described[i]
	}
	return nil
}

// marks are what tells a kind; none where it is not described.
func (k Kinds) marks(kind appliance.Kind) *tell.Marks {
	if by := k.of(kind); by != nil {
		return &by.Marks
	}
	return &tell.Marks{}
}

// ByPrint reports whether a kind is one, as licences are, that only its print tells.
func (k Kinds) ByPrint(kind appliance.Kind) bool { return k.marks(kind).ByPrint() }

// ByLook reports whether a kind is one, as the sides of the national ID are, that its look tells.
func (k Kinds) ByLook(kind appliance.Kind) bool { return k.of(kind) != nil && !k.ByPrint(kind) }

// PrintSize is how large the print of a kind is, in that of licences; at least 1.
func (k Kinds) PrintSize(kind appliance.Kind) float64 {
	if by := k.of(kind); by != nil {
		return max(1, by.Size.Print)
	}
	return 1
}

// looks lists the kinds that their look tells, the one that is asked for first.
func (k Kinds) looks(asked appliance.Kind) (out []appliance.Kind) {
	for _, by := range k.Described {
		switch {
		case by.Marks.ByPrint():
		case by.Kind == asked:
			out = slices.Insert(out, 0, asked)
		default:
			out = append(out, by.Kind)
		}
	}
	return out
}

// told tells the kind of a card by what the descriptions of all kinds that print alone tells make of it, looking like a kind: where its
// print does not tell, it is that. named tells that the print says it alone. It may be a kind that is read in its own way, such as a
// passport whose zone is covered; on licences a passport's number may stand as well.
func (k Kinds) told(all []form.Survey, looks appliance.Kind) (kind appliance.Kind, named bool) {
	var seen tell.Print
	titled := false
	for _, of := range all {
		seen.Labels, seen.Beside = append(seen.Labels, of.Said...), append(seen.Beside, of.Print...)
		titled = titled || of.Named
	}
	for _, own := range k.Own {
		if !titled && !own.wordless() && slices.ContainsFunc(seen.Beside, own.Says) {
			return own.Kind, true
		}
	}
	var kinds []tell.Kind
	for _, by := range k.Described {
		if by.Marks.ByPrint() {
			kinds = append(kinds, tell.Kind{Name: by.Kind, Marks: &by.Marks})
		}
	}
	return tell.Among(kinds, seen, looks)
}

// lacking reports whether none of the vital fields of a document was read.
func (k Kinds) lacking(d appliance.Document) bool { return k.marks(d.Kind).Lacking(d) }

// OfClub reports whether a document, whose print says what it is where it is named, may be the card of a club, a school or a business.
func (k Kinds) OfClub(d appliance.Document, named bool) bool {
	return !named && k.marks(d.Kind).OfAnyone(d)
}

// Numbered reports whether the number by which a document is known was read.
func (k Kinds) Numbered(d appliance.Document) bool { return k.NumberOf(d).Value != "" }

// NumberOf is the number by which a document is known.
func (k Kinds) NumberOf(d appliance.Document) appliance.Field {
	if own := k.own(d.Kind); own != nil {
		return d.Field(own.Number)
	}
	return d.Field(k.marks(d.Kind).Number)
}

// surelyNumbered reports whether the number of a card that its look tells was surely read, which no other way of lying shows.
func (k Kinds) surelyNumbered(d appliance.Document) bool {
	return k.ByLook(d.Kind) && k.NumberOf(d).Confidence >= surelyRead
}

// readable reports whether the lines of a kind are known. What looks like nothing known is read where a kind is asked for that only its
// print tells, or all there is: no look of theirs is confirmed.
func (r *Reader) readable(k appliance.Kind) bool {
	return r.of(k) != nil || k == appliance.Unknown && (r.ByPrint(r.kind) || r.kind == appliance.Unknown)
}

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read, and whether the print says what
// it is.
func (r *Reader) readSide(
	ctx context.Context, page *laid.Page, d *appliance.Document, earlier []appliance.Document,
) (legible float64, named bool, err error) {
	if r.ByLook(d.Kind) {
		return r.readByDescription(ctx, page, d, earlier)
	}
	return r.readDescribed(ctx, page, d, earlier)
}
