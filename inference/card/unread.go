package card

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// mostUnread is how many places with text of no document are followed, the one of most text first, and fewestUnread how many lines of text a card has at least.
	mostUnread   = 4
	fewestUnread = 3
	// mostlyHeld is the share of such text that the outline of its card must hold.
	mostlyHeld = 0.6
)

// readByPrint reads the documents that only their text shows: a card of the tone of the table, or one of which the finder saw a part or something else. lines is the
// print of the whole picture.
func (g *gathering) readByPrint(ctx context.Context, lines []text.Line) error {
	for _, print := range unread(lines, g.outlines()) {
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
			g.others = slices.DeleteFunc(g.others, func(o appliance.Outline) bool { return outline.Overlap(o.Quad, d.Quad) > mostlyHeld })
		default:
			g.s.found = before
		}
	}
	return nil
}

// findAbout looks for the document whose text a run is, beside those that are known.
func (r *Reader) findAbout(ctx context.Context, p *appliance.Picture, print run, known []appliance.Quad) (f outline.Found, ok bool, err error) {
	f, ok, err = r.Finder.FindAt(ctx, p, print.places(), known)
	return f, ok && print.heldBy(f.Quad) >= mostlyHeld, err
}

// findByPrint yields the documents that the text of a picture shows.
func (r *Reader) findByPrint(ctx context.Context, p *appliance.Picture) iter.Seq2[outline.Found, error] {
	return func(yield func(outline.Found, error) bool) {
		m, err := r.Detector.Detect(ctx, vision.Luma(p))
		if err != nil {
			yield(outline.Found{}, err)
			return
		}
		for _, print := range unread(m.Lines(), nil) {
			if f, ok, err := r.findAbout(ctx, p, print, nil); (err != nil || ok) && !yield(f, err) {
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

// unread groups the text of a picture that lies in none of the outlines taken, most text first.
func unread(lines []text.Line, taken []appliance.Quad) (out []run) {
	rest := slices.DeleteFunc(slices.Clone(lines), func(l text.Line) bool {
		return vision.InAny(taken, vision.Between(l.Start, l.End, 0.5)) || l.Length() < 2*l.Height
	})
	for len(rest) > 0 {
		var group run
		group, rest = run(rest).gathered()
		if len(group) >= fewestUnread {
			out = append(out, group)
		}
	}
	slices.SortStableFunc(out, func(a, b run) int { return cmp.Compare(b.length(), a.length()) })
	return out[:min(len(out), mostUnread)]
}

// gathered returns the lines that the first one belongs with, since each runs along and close by another of them, and the rest.
func (r run) gathered() (group, rest run) {
	group, rest = r[:1:1], slices.Clone(r[1:])
	for i := 0; i < len(group); i++ {
		rest = slices.DeleteFunc(rest, func(l text.Line) bool {
			if !neighbours(group[i], l) {
				return false
			}
			group = append(group, l)
			return true
		})
	}
	return group, rest
}

// neighbours reports whether two lines may be text of one card: they run alike, and little more than a few lines would fit between them.
func neighbours(a, b text.Line) bool {
	const (
		along, roughly = 0.97, 0.85 // cosines of how far they may turn against each other; short text hardly tells its direction
		apart, beside  = 5.0, 8.0   // of their heights
	)
	ax, ay := (a.End.X-a.Start.X)/a.Length(), (a.End.Y-a.Start.Y)/a.Length()
	bx, by := (b.End.X-b.Start.X)/b.Length(), (b.End.Y-b.Start.Y)/b.Length()
	least := along
	if min(a.Length()/a.Height, b.Length()/b.Height) < directed {
		least = roughly
	}
	if math.Abs(ax*bx+ay*by) < least {
		return false
	}
	height := max(a.Height, b.Height)
	from, to := math.Inf(1), math.Inf(-1)
	down := 0.0
	for _, p := range []appliance.Point{b.Start, b.End} {
		x, y := p.X-a.Start.X, p.Y-a.Start.Y
		from, to = min(from, x*ax+y*ay), max(to, x*ax+y*ay)
		down += (y*ax - x*ay) / 2
	}
	gap := max(0, from-a.Length(), -to)
	return math.Abs(down) < apart*height && gap < beside*height
}

// places are where in the picture the card may lie whose text a run is, the likeliest first: print fills a card to its sides, or keeps to one of them.
func (r run) places() (out []appliance.Quad) {
	identity := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	for _, room := range []float64{1.25, 1.7} {
		q := r.card(identity, room)
		for _, shift := range []appliance.Point{{}, {X: -0.25}, {X: 0.25}, {Y: 0.2}, {Y: -0.2}} {
			var moved appliance.Quad
			for i, p := range q {
				moved[i] = appliance.Point{
					X: p.X + shift.X*(q[1].X-q[0].X) + shift.Y*(q[3].X-q[0].X),
					Y: p.Y + shift.X*(q[1].Y-q[0].Y) + shift.Y*(q[3].Y-q[0].Y),
				}
			}
			if r.heldBy(moved) >= mostlyHeld {
				out = append(out, moved)
			}
		}
	}
	return out
}

// heldBy is the share of text, by its length, that has its middle in an outline.
func (r run) heldBy(q appliance.Quad) float64 {
	held := slices.DeleteFunc(slices.Clone(r), func(l text.Line) bool { return !vision.Contains(q, vision.Between(l.Start, l.End, 0.5)) })
	return held.length() / max(r.length(), 1)
}
