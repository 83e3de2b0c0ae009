package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// leastVisible is how much of the sides of a card the picture must show, all four together, where nothing can be read on it: patterns
// Look like the ground of cards, too. Of a pattern of rings 1.2 and 1.4 are seen, of cards 2.5 and more (23 November 2026).
const leastVisible = 1.5

// unseen reports whether what was taken for a document is none: nothing on it could be read, and the picture hardly shows its sides, or
// nobody asked for its kind and it shows no number by which one is known.
func (r *Reader) unseen(d appliance.Document, f outline.Found) bool {
	own := r.own(d.Kind)
	unread := own != nil && own.Number != "" && !r.Numbered(d)
	return d.Kind != r.kind && unread || r.readable(f.Kind) && !AnyValue(d) && f.Visible() < leastVisible
}

// Refuse says that what was taken for a document is none, as where a wall has the sides of a sheet: nothing on it could be read, it
// holds no words, and neither does the finder know its kind for sure nor does the picture show the sides of what was asked for. nil where
// it may be one.
func (r *Reader) Refuse(ctx context.Context, s *scene.Scene, d appliance.Document, f outline.Found) error {
	asked, own := d.Kind == r.kind, r.own(d.Kind)
	switch {
	case r.unseen(d, f), asked && own != nil && own.Blank != nil && own.Blank(d):
		return r.Nothing(s.Picture)
	case own != nil && own.wordless(), AnyValue(d), asked && scene.EvidentSides(f), d.Kind != appliance.Unknown && scene.Evident(f):
		return nil
	}
	worded, err := r.worded(ctx, s, f.Quad)
	s.Lap("detect")
	if err == nil && !worded {
		err = r.Nothing(s.Picture)
	}
	return err
}

// Words are what reads as at least wordSigns signs, with a legibility of at least wordLegible, on at least wordLines lines. Of 40 drawn
// walls and streets one reads as one such line, of 28 committed photographs of documents 27 as two or more (28 November 2026).
const (
	wordSigns   = 3
	wordLegible = 0.6
	wordLines   = 2
	// mostWords is how many lines are read for them.
	mostWords = 12
)

// worded reports whether there are words within an outline.
func (r *Reader) worded(ctx context.Context, s *scene.Scene, q appliance.Quad) (bool, error) {
	m, err := r.Detector.Detect(ctx, s.Luma)
	if err != nil {
		return false, err
	}
	lines := slices.DeleteFunc(slices.Clone(m.Lines()), func(l text.Line) bool {
		return l.Length() < 2*l.Height || !q.Contains(vision.Between(l.Start, l.End, 0.5))
	})
	slices.SortStableFunc(lines, func(a, b text.Line) int { return cmp.Compare(b.Length(), a.Length()) })
	words := 0
	for _, l := range lines[:min(len(lines), mostWords)] {
		w, err := r.Words.Read(ctx, s.Luma, l)
		if err != nil {
			return false, fmt.Errorf("read words: %w", err)
		}
		if len(w.Symbols()) >= wordSigns && text.Legibility(w) >= wordLegible {
			words++
		}
		if words == wordLines {
			return true, nil
		}
	}
	return false, nil
}
