package card

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/form"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/passport"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/tell"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Described is a kind of document as the document engine reads it.
type Described struct {
	*form.Description
	form.Weights
}

// Kinds are those that the document engine reads, in the order of their folders.
type Kinds []Described

// of is how a kind is described; nil where it is not.
func (k Kinds) of(kind appliance.Kind) *Described {
	if i := slices.IndexFunc(k, func(d Described) bool { return d.Kind == kind }); i >= 0 {
		return &k[i]
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

// byPrint reports whether a kind is one, as licences are, that only its print tells.
func (k Kinds) byPrint(kind appliance.Kind) bool { return k.marks(kind).ByPrint() }

// byLook reports whether a kind is one, as the sides of the national ID are, that its look tells.
func (k Kinds) byLook(kind appliance.Kind) bool { return k.of(kind) != nil && !k.byPrint(kind) }

// looks lists the kinds that their look tells, the one that is asked for first.
func (k Kinds) looks(asked appliance.Kind) (out []appliance.Kind) {
	for _, by := range k {
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
// print does not tell, it is that. named tells that the print says it alone. It may be a passport whose zone is covered; on licences a
// passport's number may stand as well.
func (k Kinds) told(all []form.Survey, looks appliance.Kind) (kind appliance.Kind, named bool) {
	var seen tell.Print
	titled := false
	for _, of := range all {
		seen.Labels, seen.Beside = append(seen.Labels, of.Said...), append(seen.Beside, of.Print...)
		titled = titled || of.Named
	}
	if !titled && slices.ContainsFunc(seen.Beside, passport.Says) {
		return appliance.Passport, true
	}
	var kinds []tell.Kind
	for i := range k {
		if k[i].Marks.ByPrint() {
			kinds = append(kinds, tell.Kind{Name: k[i].Kind, Marks: &k[i].Marks})
		}
	}
	return tell.Among(kinds, seen, looks)
}

// lacking reports whether none of the vital fields of a document was read.
func (k Kinds) lacking(d appliance.Document) bool { return k.marks(d.Kind).Lacking(d) }

// ofClub reports whether a document, whose print says what it is where it is named, may be the card of a club, a school or a business.
func (k Kinds) ofClub(d appliance.Document, named bool) bool {
	return !named && k.marks(d.Kind).OfAnyone(d)
}

// numbered reports whether the number by which a document is known was read.
func (k Kinds) numbered(d appliance.Document) bool { return k.numberOf(d).Value != "" }

// numberOf is the number by which a document is known.
func (k Kinds) numberOf(d appliance.Document) appliance.Field {
	if d.Kind == appliance.LicensePlate {
		return plate.Number(d)
	}
	return d.Field(k.marks(d.Kind).Number)
}

// surelyNumbered reports whether the number of a card that its look tells was surely read, which no other way of lying shows.
func (k Kinds) surelyNumbered(d appliance.Document) bool {
	return k.byLook(d.Kind) && k.numberOf(d).Confidence >= surelyRead
}

// usualMagnification is how large the detector sees a card when it looks for its lines, in pixels for one of the view. The print of
// licences is about two thirds as high as that of an ID, and what stands close above each other on them hangs together unless it is seen
// larger; four lower windows are as much as this takes. On 210 drawn licences two looks, at 2.5 and at 1.58, gained 20 of 2,660 values over
// it and lost 24 for three times the arithmetic (23 November 2026).
const usualMagnification = 1.75

// magnification is how large the lines of a card are looked for.
func (k Kinds) magnification(v flatCard) float64 {
	m := usualMagnification
	if by := k.of(v.Kind); by != nil {
		m /= max(1, by.Size.Print)
	}
	if v.left > 0 {
		m *= viewWidth / float64(viewHeight)
	}
	return m
}

// readable reports whether the lines of a kind are known. What looks like nothing known is read where a kind is asked for that only its
// print tells, or all there is: no look of theirs is confirmed.
func (r *Reader) readable(k appliance.Kind) bool {
	return r.of(k) != nil || k == appliance.Unknown && (r.byPrint(r.kind) || r.kind == appliance.Unknown)
}

// detect finds the lines of a card, in view pixels.
func (r *Reader) detect(ctx context.Context, luma vision.Plane, toPicture vision.Homography, magnification float64) ([]text.Line, error) {
	seen, err := r.Detector.DetectAt(ctx, luma, toPicture, viewWidth, viewHeight, magnification)
	if err != nil {
		return nil, err
	}
	return seen.Lines(), nil
}

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read, and whether the print says what
// it is.
func (r *Reader) readSide(
	ctx context.Context, page *laid.Page, d *appliance.Document, earlier []appliance.Document,
) (legible float64, named bool, err error) {
	if r.byLook(d.Kind) {
		return r.readByDescription(ctx, page, d, earlier)
	}
	return r.readDescribed(ctx, page, d, earlier)
}
