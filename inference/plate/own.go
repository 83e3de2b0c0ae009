package plate

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/scene"
)

// Own is how plates are read among the documents of a picture.
func Own(plates OutlineReader) reading.Own {
	read := func(ctx context.Context, s *scene.Scene, c scene.Card) (appliance.Document, error) {
		d, err := plates.ReadIn(ctx, s.Picture, c.Quad)
		s.Lap("plate")
		return d, err
	}
	// A sheet of no known look is a plate where its signs are clear.
	clearly := func(ctx context.Context, s *scene.Scene, c scene.Card) (appliance.Document, error) {
		d, err := read(ctx, s, c)
		if Number(d).Confidence < Clear {
			return appliance.Document{}, err
		}
		return d, err
	}
	return reading.Own{Kind: appliance.LicensePlate, Number: field, Nothing: nothing, Read: read, Last: clearly, Blank: Blank}
}

// nothing says what to do about a picture without plates.
func nothing() error {
	return appliance.Errorf(appliance.CodeNoDocument, "no plate was found in the image: show it whole, sharp and not from the side")
}

// Beyond returns the plates that only parts of a picture show, where it shows one or nothing else that can be read; read is what was read
// of it. Beside plates that can be read there may be some that cannot.
func Beyond(
	ctx context.Context, f PartsFinder, plates OutlineReader, s *scene.Scene, read []appliance.Document,
) ([]appliance.Document, error) {
	street := func(k appliance.Kind, q appliance.Quad) bool {
		return k == appliance.LicensePlate && InStreet(s.Picture, q)
	}
	if slices.ContainsFunc(read, reading.AnyValue) &&
		!slices.ContainsFunc(s.Found, func(f outline.Found) bool { return street(f.Kind, f.Quad) }) &&
		!slices.ContainsFunc(read, func(d appliance.Document) bool { return street(d.Kind, d.Quad) }) { // a sheet that reads as a plate
		return nil, nil
	}
	var known []appliance.Quad
	for _, d := range read {
		if d.Kind != appliance.LicensePlate || Number(d).Value != "" {
			known = append(known, d.Quad)
		}
	}
	found, unread, err := NewStreet(f, plates, s.Picture, s.Watch).Further(ctx, known)
	if len(found) == 0 && !slices.ContainsFunc(read, func(d appliance.Document) bool { return d.Kind == appliance.LicensePlate }) {
		return nil, err // where no plate can be read, signs are those of something else rather
	}
	return append(found, unread...), err
}
