package multi

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
)

// readByPrint reads the documents that only their text shows: a card of the tone of the table, or one of which the finder saw a part or
// something else. lines is the print of the whole picture.
func (g *gathering) readByPrint(ctx context.Context, lines []text.Line) error {
	for _, print := range block.Groups(lines, g.outlines()) {
		if len(g.documents) == MostDocuments {
			break
		}
		f, ok, err := g.FindAbout(ctx, g.s.Picture, print, g.outlines())
		g.s.Lap("find")
		if err != nil {
			return err
		}
		refused := func(o appliance.Outline) bool { return sheet.Alike(o.Quad, f.Quad) }
		if !ok || f.Kind == appliance.Unknown && slices.ContainsFunc(g.others, refused) {
			continue
		}
		before := g.s.Found
		g.s.Found = append(slices.Clip(before), f)
		d, ok, err := g.readOne(ctx, len(before))
		switch {
		case err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument:
			return err
		case ok:
			g.documents = append(g.documents, d)
			g.others = slices.DeleteFunc(g.others, func(o appliance.Outline) bool { return sheet.Overlap(o.Quad, d.Quad) > block.Mostly })
		default:
			g.s.Found = before
		}
	}
	return nil
}

// outlines lists where the documents lie that were read.
func (g *gathering) outlines() (out []appliance.Quad) {
	for _, d := range g.documents {
		out = append(out, d.Quad)
	}
	return out
}
