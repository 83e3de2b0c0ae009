package card

import (
	"context"
	"iter"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
)

// readByPrint reads the documents that only their text shows: a card of the tone of the table, or one of which the finder saw a part or
// something else. lines is the print of the whole picture.
func (g *gathering) readByPrint(ctx context.Context, lines []text.Line) error {
	for _, print := range block.Groups(lines, g.outlines()) {
		if len(g.documents) == MostDocuments {
			break
		}
		f, ok, err := g.findAbout(ctx, g.s.Picture, print, g.outlines())
		g.watch.Lap("find")
		if err != nil {
			return err
		}
		refused := func(o appliance.Outline) bool { return outline.Alike(o.Quad, f.Quad) }
		if !ok || f.Kind == appliance.Unknown && slices.ContainsFunc(g.others, refused) {
			continue
		}
		before := g.s.found
		g.s.found = append(slices.Clip(before), f)
		d, ok, err := g.readOne(ctx, len(before))
		switch {
		case err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument:
			return err
		case ok:
			g.documents = append(g.documents, d)
			g.others = slices.DeleteFunc(g.others, func(o appliance.Outline) bool { return outline.Overlap(o.Quad, d.Quad) > block.Mostly })
		default:
			g.s.found = before
		}
	}
	return nil
}

// findAbout looks for the document whose text lines are, beside those that are known.
func (r *Reader) findAbout(
	ctx context.Context, p *appliance.Picture, print block.Lines, known []appliance.Quad,
) (f outline.Found, ok bool, err error) {
	f, ok, err = r.Finder.FindAt(ctx, p, print.Places(), known)
	return f, ok && print.HeldBy(f.Quad) >= block.Mostly, err
}

// findByPrint yields the documents that the text of a scene shows.
func (r *Reader) findByPrint(ctx context.Context, s *scene) iter.Seq2[outline.Found, error] {
	return func(yield func(outline.Found, error) bool) {
		m, err := r.Detector.Detect(ctx, s.luma)
		if err != nil {
			yield(outline.Found{}, err)
			return
		}
		for _, print := range block.Groups(m.Lines(), nil) {
			if f, ok, err := r.findAbout(ctx, s.Picture, print, nil); (err != nil || ok) && !yield(f, err) {
				return
			}
		}
	}
}

// outlines lists where the documents lie that were read.
func (g *gathering) outlines() (out []appliance.Quad) {
	for _, d := range g.documents {
		out = append(out, d.Quad)
	}
	return out
}
