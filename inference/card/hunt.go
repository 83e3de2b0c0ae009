package card

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/stopwatch"
)

// hunt is how a document is looked for once more in a picture that seems not to show it.
type hunt struct {
	// missed reports whether what was read may not be what is sought.
	missed func(appliance.Document) bool
	// elsewhere yields where documents may lie that were not found; then the picture is looked at from its other sides.
	elsewhere func(context.Context, *scene) iter.Seq2[outline.Found, error]
	// most is how many outlines are read at most: of cards more are a heap of papers.
	most int
	// enough is how surely a number must be read, 0 to 1, to end it.
	enough float64
}

// answer is the document of a scene that is sought, and which one it is; or why there is none.
type answer struct {
	*scene
	document appliance.Document
	target   int
	err      error
}

// readOrHunt reads the document of a scene that is sought and, where that seems to have been missed, looks further.
func (r *Reader) readOrHunt(
	ctx context.Context, s *scene, h hunt, earlier []appliance.Document, watch *stopwatch.Watch,
) (appliance.Reading, error) {
	a := answer{scene: s}
	a.document, a.target, a.err = r.readScene(ctx, s, earlier, watch)
	if appliance.CodeOf(a.err) == appliance.CodeNoDocument || a.err == nil && h.missed(a.document) {
		a = r.lookFurther(ctx, a, h, earlier, watch)
	}
	if a.err != nil {
		return appliance.Reading{Stages: watch.Stages}, a.err
	}
	return a.reading(a.document, a.target, watch), nil
}

// lookFurther looks for the documents of a picture that showed no card with a number once more, and reads what it had not seen or
// outlined otherwise. The first with a number, read more surely than before, is the one that is sought; without one it returns what was
// read before, a plate of which a sign cannot be named, or that nothing was.
func (r *Reader) lookFurther(
	ctx context.Context, best answer, h hunt, earlier []appliance.Document, watch *stopwatch.Watch,
) answer {
	var unnamed *answer
	known, rest := slices.Clone(best.found), h.most
	for found, err := range r.furtherLooks(ctx, best.scene, h) {
		if err != nil {
			best.err = fmt.Errorf("read %s: %w", r.kind, err)
			return best
		}
		watch.Lap("find")
		s := *best.scene
		s.found = found
		for i, f := range found {
			seen := func(o outline.Found) bool { return outline.Alike(f.Quad, o.Quad) }
			if rest == 0 || f.Mirrored || !r.maybe(f.Kind) || slices.ContainsFunc(known, seen) {
				continue
			}
			known, rest = append(known, f), rest-1
			d, _, err := r.readFound(ctx, &s, i, earlier, watch)
			switch {
			case appliance.CodeOf(err) == appliance.CodeNoDocument:
				continue
			case err != nil:
				best.err = err
				return best
			case unnamed == nil && d.Kind == r.kind && plate.OneUnnamed(d):
				unnamed = &answer{scene: &s, document: d, target: i}
			}
			if d.Kind != r.kind || !r.numbered(d) || best.document.Kind == r.kind && !r.better(d, best.document) {
				continue
			}
			best = answer{scene: &s, document: d, target: i}
			if r.numberOf(d).Confidence >= h.enough {
				return best
			}
		}
	}
	if unnamed != nil && (best.err != nil || best.document.Kind != r.kind) {
		return *unnamed
	}
	return best
}

// better reports whether the number of a card was read more surely than before, and as many fields: else it may be a part of the card.
func (k Kinds) better(d, before appliance.Document) bool {
	return k.numberOf(d).Confidence > k.numberOf(before).Confidence && valued(d) >= valued(before)
}

// furtherLooks are the ways to look for documents that were not found at first: elsewhere, then with the picture turned.
func (r *Reader) furtherLooks(ctx context.Context, s *scene, h hunt) iter.Seq2[[]outline.Found, error] {
	return func(yield func([]outline.Found, error) bool) {
		for f, err := range h.elsewhere(ctx, s) {
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
