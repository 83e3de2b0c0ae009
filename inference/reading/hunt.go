package reading

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
)

// Hunt is how a document is looked for once more in a picture that seems not to show it.
type Hunt struct {
	// Missed reports whether what was read may not be what is sought.
	Missed func(appliance.Document) bool
	// Elsewhere yields where documents may lie that were not found; then the picture is looked at from its other sides.
	Elsewhere func(context.Context, *scene.Scene) iter.Seq2[outline.Found, error]
	// Most is how many outlines are read at most: of cards more are a heap of papers.
	Most int
	// Enough is how surely a number must be read, 0 to 1, to end it.
	Enough float64
	// Partly reports whether what was read is what is sought though its number cannot be read in full; nil where nothing is.
	Partly func(appliance.Document) bool
}

// answer is the document of a scene that is sought, and which one it is; or why there is none.
type answer struct {
	*scene.Scene
	document appliance.Document
	target   int
	err      error
}

// ReadOrHunt reads the document of a scene that is sought and, where that seems to have been missed, looks further.
func (r *Reader) ReadOrHunt(ctx context.Context, s *scene.Scene, h Hunt) (appliance.Reading, error) {
	a := answer{Scene: s}
	a.document, a.target, a.err = r.readScene(ctx, s)
	if appliance.CodeOf(a.err) == appliance.CodeNoDocument || a.err == nil && h.Missed(a.document) {
		a = r.lookFurther(ctx, a, h)
	}
	if a.err != nil {
		return appliance.Reading{Stages: s.Stages}, a.err
	}
	return a.Reading(a.document, a.target), nil
}

// lookFurther looks for the documents of a picture that showed no card with a number once more, and reads what it had not seen or
// outlined otherwise. The first with a number, read more surely than before, is the one that is sought; without one it returns what was
// read before, one of which the number cannot be read in full, or that nothing was.
func (r *Reader) lookFurther(ctx context.Context, best answer, h Hunt) answer {
	var part *answer
	for a := range r.readFurther(ctx, best.Scene, h) {
		if a.err != nil {
			best.err = a.err
			return best
		}
		if part == nil && h.Partly != nil && h.Partly(a.document) {
			part = &a
		}
		if !r.better(a.document, best.document) {
			continue
		}
		best = a
		if r.NumberOf(best.document).Confidence >= h.Enough {
			return best
		}
	}
	if part != nil && (best.err != nil || best.document.Kind != r.kind) {
		return *part
	}
	return best
}

// readFurther yields what can be read where documents of a scene lie that were not found at first, until reading fails.
func (r *Reader) readFurther(ctx context.Context, s *scene.Scene, h Hunt) iter.Seq[answer] {
	return func(yield func(answer) bool) {
		known, rest := slices.Clone(s.Found), h.Most
		for found, err := range r.furtherLooks(ctx, s, h) {
			if err != nil {
				yield(answer{err: fmt.Errorf("read %s: %w", r.kind, err)})
				return
			}
			s.Lap("find")
			in := s.With(found)
			for _, i := range r.unlike(known, found, rest) {
				known, rest = append(known, found[i]), rest-1
				a := answer{Scene: in, target: i}
				a.document, _, a.err = r.ReadFound(ctx, in, i)
				if appliance.CodeOf(a.err) != appliance.CodeNoDocument && !yield(a) {
					return
				}
			}
		}
	}
}

// unlike lists which of the documents that were found may be the one that is sought and lie like none that is known, most at most.
func (r *Reader) unlike(known, found []outline.Found, most int) (out []int) {
	known = slices.Clip(known)
	for i, f := range found {
		seen := func(o outline.Found) bool { return sheet.Alike(f.Quad, o.Quad) }
		if len(out) < most && !f.Mirrored && r.maybe(f.Kind) && !slices.ContainsFunc(known, seen) {
			known, out = append(known, f), append(out, i)
		}
	}
	return out
}

// better reports whether a document is of the kind that is sought and shows a number, and, where what was read before is too, whether the
// number was read more surely, with as many fields: else it may be a part of the card.
func (r *Reader) better(d, before appliance.Document) bool {
	if d.Kind != r.kind || !r.Numbered(d) {
		return false
	}
	return before.Kind != r.kind || r.NumberOf(d).Confidence > r.NumberOf(before).Confidence && valued(d) >= valued(before)
}

// furtherLooks are the ways to look for documents that were not found at first: elsewhere, then with the picture turned.
func (r *Reader) furtherLooks(ctx context.Context, s *scene.Scene, h Hunt) iter.Seq2[[]outline.Found, error] {
	return func(yield func([]outline.Found, error) bool) {
		for f, err := range h.Elsewhere(ctx, s) {
			if !yield([]outline.Found{f}, err) {
				return
			}
		}
		for _, quarters := range []int{2, 1, 3} {
			if !yield(r.Finder.FindTurned(ctx, s.Picture, quarters)) {
				return
			}
		}
	}
}
