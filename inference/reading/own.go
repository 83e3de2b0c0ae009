package reading

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/scene"
)

// Sheet reads a card, or a sheet, of a scene.
type Sheet func(ctx context.Context, s *scene.Scene, c scene.Card) (appliance.Document, error)

// Own is a kind that no description describes and that is read in a way of its own. What does not hold of the kind is left empty.
type Own struct {
	Kind appliance.Kind
	// Number names the field by which a document of the kind is known. What nobody asked for and shows none is no document.
	Number string
	// Nothing says what to do about a picture that shows none.
	Nothing func() error
	// Read reads what was found to be one.
	Read Sheet
	// First reads a sheet of no known look before its print is taken for a card's, Last one whose print is no card's. Without values it
	// is not of the kind.
	First, Last Sheet
	// Says reports whether a line of print says of a card that it is one. Of a kind that shows no such print words tell nothing.
	Says func(line string) bool
	// Unread is one of which nothing was read but that.
	Unread func(q appliance.Quad) appliance.Document
	// Blank reports whether what was asked for and read shows nothing of one.
	Blank func(d appliance.Document) bool
}

// own is how a kind is read that has a way of its own; nil where it has none.
func (k Kinds) own(kind appliance.Kind) *Own {
	if i := slices.IndexFunc(k.Own, func(o Own) bool { return o.Kind == kind }); i >= 0 {
		return &k.Own[i]
	}
	return nil
}

// wordless reports whether words tell nothing of a kind.
func (o *Own) wordless() bool { return o.Says == nil }

// readOwn reads what was found to be of a kind that is read in its own way. Without values it may be a licence, if its print tells.
func (r *Reader) readOwn(ctx context.Context, s *scene.Scene, c scene.Card, own *Own) (d appliance.Document, named bool, err error) {
	d, err = own.Read(ctx, s, c)
	if err == nil && !own.wordless() && !AnyValue(d) && (r.ByPrint(r.kind) || r.kind == appliance.Unknown) {
		return r.readAsLicence(ctx, s, c, d)
	}
	return d, false, err
}

// readFirst reads a sheet, before its print is taken for a card's, as the kinds of which the looks differ.
func (r *Reader) readFirst(ctx context.Context, s *scene.Scene, c scene.Card) (d appliance.Document, err error) {
	if !r.readable(appliance.Unknown) {
		return d, nil
	}
	for _, own := range r.Own {
		if own.First == nil {
			continue
		}
		if d, err = own.First(ctx, s, c); err != nil || AnyValue(d) {
			return d, err
		}
	}
	return d, nil
}

// readLast reads a sheet whose print is no card's as the kinds that show none, and one that only says what it is as that.
func (r *Reader) readLast(ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document) (appliance.Document, error) {
	if own := r.own(read.Kind); own != nil && own.Unread != nil && c.Kind != read.Kind && !AnyValue(read) {
		d := own.Unread(read.Quad)
		d.Capture = read.Capture
		return d, nil
	}
	c.Quad = read.Quad
	for _, own := range r.Own {
		if own.Last == nil || read.Kind != appliance.Unknown {
			continue
		}
		d, err := own.Last(ctx, s, c)
		if err != nil {
			return read, err
		}
		if AnyValue(d) {
			return d, nil
		}
	}
	return read, nil
}
