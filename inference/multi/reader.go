package multi

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/passport"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// MostDocuments is how many documents of one picture are read at most, the largest ones; the contract bounds them so that
// one request cannot occupy the appliance.
const MostDocuments = 8

// Finder finds what is hidden among the documents of a picture, and plates in parts of it; outline.Finder is the one there is.
type Finder interface {
	plate.PartsFinder
	FindHidden(ctx context.Context, p *appliance.Picture, found []outline.Found) ([]outline.Found, error)
}

// Reader reads every document of a picture. It is safe for concurrent use.
type Reader struct {
	documents *reading.Reader
	finder    Finder
	pages     *passport.Pages
	plates    plate.OutlineReader
}

// New makes a reader of pictures with several documents. t reads each; passports and plates that are not seen at first are looked for by
// pages and plates, where they are not nil. All stay the caller's.
func New(t reading.Tools, f Finder, pages *passport.Pages, plates plate.OutlineReader) *Reader {
	return &Reader{reading.NewReader(appliance.Unknown, t), f, pages, plates}
}

// Read finds the documents of the contract and reads each for itself, in the order of an Arabic page: rows of documents
// from top to bottom, each from right to left. Others holds the documents beyond the MostDocuments largest, and the sheets
// that are no document of the contract or lie in a mirror. A picture without anything to read is CodeNoDocument.
func (r *Reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx, s := scene.New(ctx, p, earlier)
	g, err := r.gather(ctx, s)
	if err != nil {
		return appliance.Reading{Stages: s.Stages}, fmt.Errorf("read documents: %w", err)
	}
	if len(g.documents) == 0 {
		return appliance.Reading{Stages: s.Stages}, g.refused
	}
	return appliance.Reading{Documents: g.inOrder(), Others: g.others, Stages: s.Stages}, nil
}

// gathering is the documents of a picture as they are found and read.
type gathering struct {
	*reading.Reader
	s         *scene.Scene
	earlier   []appliance.Document
	documents []appliance.Document
	others    []appliance.Outline
	refused   error // what to say where nothing was read
}

// gather finds and reads the documents of a scene: those that the finder sees, then those that only their text shows.
func (r *Reader) gather(ctx context.Context, s *scene.Scene) (*gathering, error) {
	err := r.documents.Look(ctx, s)
	if err != nil {
		return nil, err
	}
	if s.Found, err = r.finder.FindHidden(ctx, s.Picture, s.Found); err != nil {
		return nil, err
	}
	s.Lap("find")
	if err := r.documents.Face(ctx, s); err != nil {
		return nil, err
	}
	print, err := r.documents.Detector.Detect(ctx, s.Luma)
	s.Lap("detect")
	if err != nil {
		return nil, err
	}
	if r.pages != nil {
		if err := r.pages.Tell(ctx, s, print.Zones()); err != nil {
			return nil, err
		}
	}
	g := &gathering{Reader: r.documents, s: s, earlier: s.Earlier, refused: r.documents.Nothing(s.Picture)}
	if err := g.readSeen(ctx); err != nil {
		return nil, err
	}
	if err := g.readByPrint(ctx, print.Lines()); err != nil {
		return nil, err
	}
	plates, err := plate.Beyond(ctx, r.finder, r.plates, s, g.documents)
	g.add(plates)
	return g, err
}

// readSeen reads the documents that the finder sees.
func (g *gathering) readSeen(ctx context.Context) error {
	found := g.s.Found
	chosen := worthReading(g.s.Picture, found)
	for i, f := range found {
		if !slices.Contains(chosen, i) {
			g.others = append(g.others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	if slices.ContainsFunc(found, func(f outline.Found) bool { return f.Mirrored }) {
		g.refused = reading.Mirrored()
	}
	for _, i := range pageOrder(outlinesOf(found), chosen) {
		d, ok, err := g.readOne(ctx, i)
		switch {
		case appliance.CodeOf(err) == appliance.CodeNoDocument:
			g.refused = err
			g.others = append(g.others, appliance.Outline{Kind: appliance.Unknown, Quad: found[i].Quad})
		case err != nil:
			return err
		case !ok:
			g.refused = g.Strange(g.s.Picture)
			g.others = append(g.others, appliance.Outline{Kind: appliance.Unknown, Quad: d.Quad})
		default:
			g.documents = append(g.documents, d)
		}
	}
	return nil
}

// readOne reads the i-th document of the scene; ok is false where its text tells that it is none.
func (g *gathering) readOne(ctx context.Context, i int) (d appliance.Document, ok bool, err error) {
	g.s.Earlier = g.companions()
	d, named, err := g.ReadFound(ctx, g.s, i)
	none := d.Kind == appliance.Unknown || g.OfClub(d, named) || !reading.AnyValue(d) && !named && !scene.Evident(g.s.Found[i]) ||
		plate.Bare(d)
	return d, err == nil && !none, err
}

// inOrder returns the documents that were read in the order of a page.
func (g *gathering) inOrder() (out []appliance.Document) {
	var all []int
	for i := range g.documents {
		all = append(all, i)
	}
	for _, i := range pageOrder(g.outlines(), all) {
		out = append(out, g.documents[i])
	}
	return out
}

// add adds documents that only parts of the picture show. One takes the place of what was seen around it as the same kind and shows no
// number.
func (g *gathering) add(more []appliance.Document) {
	for _, m := range more {
		g.documents = slices.DeleteFunc(g.documents, func(d appliance.Document) bool {
			return d.Kind == m.Kind && !g.Numbered(d) && sheet.OnePlace(d.Quad, m.Quad)
		})
		g.others = slices.DeleteFunc(g.others, func(o appliance.Outline) bool { return sheet.OnePlace(o.Quad, m.Quad) })
		if len(g.documents) < MostDocuments {
			g.documents = append(g.documents, m)
		} else {
			g.others = append(g.others, appliance.Outline{Kind: m.Kind, Quad: m.Quad})
		}
	}
}

// outlinesOf lists where documents lie that were found.
func outlinesOf(found []outline.Found) (out []appliance.Quad) {
	for _, f := range found {
		out = append(out, f.Quad)
	}
	return out
}

// How many documents of no known look are read at most: of those with a card's shape, and of other sheets, of which more are a heap of
// papers.
const (
	mostStrangeCards  = 4
	mostStrangeSheets = 2
)

// worthReading lists the documents to read: the largest ones of a known kind and, where there is room, a few that look like none or
// like one in a mirror but whose outlines the picture shows, those with a card's shape first. The finder may not know the arrangement
// of a licence; its text tells.
func worthReading(p *appliance.Picture, found []outline.Found) (chosen []int) {
	var cards, sheets []int
	for i, f := range found {
		switch {
		case f.Kind != appliance.Unknown:
			chosen = append(chosen, i)
		case !f.Outlined():
		case sheet.CardShaped(p, f.Quad):
			cards = append(cards, i)
		default:
			sheets = append(sheets, i)
		}
	}
	chosen = append(chosen, cards[:min(len(cards), mostStrangeCards)]...)
	chosen = append(chosen, sheets[:min(len(sheets), mostStrangeSheets)]...)
	return chosen[:min(len(chosen), MostDocuments)]
}

// companions are the documents that the next one may be decoded together with, newest first: those read before in this
// picture and in its transaction. Where the picture shows several cards that look like one kind, nobody knows which belong together, and
// each is decoded alone.
func (g *gathering) companions() []appliance.Document {
	seen := map[appliance.Kind]bool{}
	for _, f := range g.s.Found {
		if seen[f.Kind] {
			return nil
		}
		seen[f.Kind] = g.ByLook(f.Kind)
	}
	all := slices.Clone(g.documents)
	slices.Reverse(all)
	return append(all, g.earlier...)
}

// pageOrder sorts documents as an Arabic page is read: rows from top to bottom, each from right to left. Documents are in
// one row with the topmost of it when the middle of each lies within the height of the other.
func pageOrder(quads []appliance.Quad, chosen []int) []int {
	type box struct {
		index             int
		top, bottom, x, y float64
	}
	boxes := make([]box, len(chosen))
	for n, i := range chosen {
		q := quads[i]
		_, top, _, bottom := vision.Bounds(q[:]...)
		boxes[n] = box{i, top, bottom, vision.Middle(q).X, vision.Middle(q).Y}
	}
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Compare(a.y, b.y) })
	var out []int
	for len(boxes) > 0 {
		first := boxes[0]
		var row, rest []box
		for _, b := range boxes {
			if b.y < first.bottom && b.top < first.y {
				row = append(row, b)
			} else {
				rest = append(rest, b)
			}
		}
		slices.SortStableFunc(row, func(a, b box) int { return cmp.Compare(b.x, a.x) })
		for _, b := range row {
			out = append(out, b.index)
		}
		boxes = rest
	}
	return out
}
