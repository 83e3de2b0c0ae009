package outline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// voteCore is how much a block must look like a document, 0 to 1, for the place to count that it points to.
	voteCore = 0.3
	// leastVotes is how many blocks must point to a place, and mostPlaces how many places are looked at in each turn of the picture.
	leastVotes = 8
	mostPlaces = 12
	// hiddenLooks is how often a place is looked at from near at most, until its outline moves by less than hiddenSettled of its size.
	hiddenLooks   = 4
	hiddenSettled = 0.08
	// hiddenReach is how far from the outline that is pointed to its sides are looked for, as a share of their mean length: what is hidden is pointed to roughly.
	hiddenReach = 0.08
	// A document is sure where the network believes as much in it and in its kind, and its shape is no odder.
	sureCore  = 0.85
	sureOdds  = 0.7
	sureShape = 0.05
	// rivalOverlap is the share of one outline on another from which on only one of them can be a document, and cardOnSheet the size of a
	// card, in that of a sheet of no known look, up to which it may lie on it.
	rivalOverlap = 0.5
	cardOnSheet  = 0.75
	// What a document is a part of takes its place: mostly if the part is not sure, wholly, and of the same kind, if it is as large as partSize at most. What
	// is not sure and hardly seen gives way in any case.
	partMostly, partWholly, partSize = 0.7, 0.85, 0.8
	hardlySeen                       = 2.4 // of four sides
	// coverRoom is how much larger than its outline, as a share of its size, a document hides what lies under it: the edge seen there is its own.
	coverRoom = 0.04
)

// FindHidden returns found, which Find has returned for p, with the documents that others hide in part, largest first; these take the place of
// outlines of the part that can be seen. Where documents lie on each other the core of the lower one is torn, but the blocks in it still
// point to the corners of the whole: what many point to is looked at from near, and if that shows a document of the right shape, it is
// one. The picture is seen in all four turns, since the network errs elsewhere in each, and in two of them lightened as well.
func (f *Finder) FindHidden(ctx context.Context, p *appliance.Picture, found []Found) ([]Found, error) {
	s := f.scratch.Get().(*finderScratch)
	defer f.scratch.Put(s)
	h := hiddenSearch{finder: f, s: s, p: p, found: slices.Clone(found)}
	for _, look := range hiddenTurns {
		if err := h.lookTurned(ctx, look.quarters, look.lightened); err != nil {
			return nil, fmt.Errorf("find hidden documents: %w", err)
		}
	}
	if err := h.settle(ctx); err != nil {
		return nil, fmt.Errorf("find hidden documents: %w", err)
	}
	slices.SortStableFunc(h.found, func(a, b Found) int { return cmp.Compare(sheet.Area(b.Quad), sheet.Area(a.Quad)) })
	return h.found, nil
}

// FindAt looks from near at places of p where one document may lie, such as about text that belongs to none of all the outlines, and returns the first that shows itself there
// and is no rival of these; ok is false where none does. Its kind may be in doubt.
func (f *Finder) FindAt(ctx context.Context, p *appliance.Picture, places, all []appliance.Quad) (d Found, ok bool, err error) {
	s := f.scratch.Get().(*finderScratch)
	defer f.scratch.Put(s)
	h := hiddenSearch{finder: f, s: s, p: p}
	for _, place := range places {
		d, ok, err := h.follow(ctx, place, all)
		if err != nil {
			return d, false, fmt.Errorf("find document at a place: %w", err)
		}
		if ok && !slices.ContainsFunc(all, func(q appliance.Quad) bool { return rivals(d.Quad, q) }) {
			return d, true, nil
		}
	}
	return d, false, nil
}

// hiddenTurns are the ways in which the whole picture is seen: turned clockwise by so many quarters, as it is or lightened.
var hiddenTurns = [...]struct {
	quarters  int
	lightened bool
}{{0, false}, {1, false}, {2, false}, {3, false}, {1, true}, {3, true}}

// hiddenSearch is a search for documents that others hide in part.
type hiddenSearch struct {
	finder *Finder
	s      *finderScratch
	p      *appliance.Picture
	found  []Found
	tried  []appliance.Quad // the places that were looked at
}

// lookTurned looks at the places that the blocks point to in the picture turned clockwise by so many quarters.
func (h *hiddenSearch) lookTurned(ctx context.Context, quarters int, lightened bool) error {
	toPicture := h.s.showWhole(h.p, quarters)
	if lightened {
		h.s.lighten()
	}
	if err := h.finder.look(ctx, h.s); err != nil {
		return err
	}
	for _, place := range h.places(toPicture) {
		if known(h.sure(), place) || slices.ContainsFunc(h.tried, func(q appliance.Quad) bool { return cornersApart(q, place) < alike/2 }) {
			continue
		}
		h.tried = append(h.tried, place)
		d, ok, err := h.follow(ctx, place, h.sure())
		if err != nil {
			return err
		}
		if ok && sure(h.p, d) {
			h.add(d)
		}
	}
	return nil
}

// shadowGamma is the exponent with which dark parts are lightened. In 930 pictures of four generators (25 November 2026) 2,343 of 2,364 documents were found with it, 2,338 without.
const shadowGamma = 0.45

// lighten makes what lies in the shadow of what is before the network stand out: a card there may look like the ground beside those in the light.
func (s *finderScratch) lighten() {
	for i, v := range s.planes[0] {
		s.planes[0][i] = s.light[v]
	}
}

// places returns the outlines, in the picture, that groups of blocks point to, other than those of documents that are sure.
func (h *hiddenSearch) places(toPicture vision.Homography) (out []appliance.Quad) {
	h.s.show(toPicture, float64(h.p.Width), float64(h.p.Height))
	h.s.collectVotes(h.s.stack)
	all := h.sure()
	votes := slices.DeleteFunc(slices.Clone(h.s.votes), func(v vote) bool {
		return v.core < voteCore || !sheet.Convex(v.corners) || known(all, toPicture.ApplyQuad(v.corners))
	})
	for _, group := range agreeing(votes, leastVotes, mostPlaces) {
		h.s.votes = group
		if q := h.s.medianQuad(); sheet.Convex(q) {
			out = append(out, toPicture.ApplyQuad(q))
		}
	}
	return out
}

// follow looks from near at a place, and again where that leads, until the outline stays; false where none does, or at one of all, the documents that are
// sure already.
func (h *hiddenSearch) follow(ctx context.Context, q appliance.Quad, all []appliance.Quad) (d Found, ok bool, err error) {
	for range hiddenLooks {
		near, toPicture, ok, err := h.finder.closeLook(ctx, h.s, h.p, q)
		if err != nil || !ok {
			return d, false, err
		}
		before, class := q, near.class()
		seen, pointed := toPicture.ApplyQuad(near.quad), toPicture.ApplyQuad(near.pointed)
		covers := coversOf(pointed, all)
		far, _ := sheet.RefineWithin(vision.Luma(h.p), pointed, hiddenReach, covers)
		q = sheet.Best(h.p, shapesOf(class), covers, before, seen, toPicture.ApplyQuad(near.fitted), pointed, far)
		if !sheet.Convex(q) || known(all, q) {
			return d, false, nil
		}
		if sheet.Farthest(before, q) < hiddenSettled*math.Sqrt(sheet.Area(before)) {
			d = Found{Kind: classKind(class), Mirrored: class == classMirrored, Score: near.core * near.odds[class], odds: near.odds}
			d.Quad, d.Edges = sheet.Refine(vision.Luma(h.p), q, coversOf(q, all)...)
			return d, near.core >= sureCore, nil
		}
	}
	return d, false, nil
}

// settle looks again at the documents of which a side is not seen clearly and others may lie on them, now that these are known: the
// edge of another document may have been taken for their side.
func (h *hiddenSearch) settle(ctx context.Context) error {
	for i, d := range h.found {
		others := hiddenSearch{finder: h.finder, s: h.s, p: h.p, found: slices.Concat(h.found[:i], h.found[i+1:])}
		all := others.sure()
		covers := coversOf(d.Quad, all)
		covered := slices.ContainsFunc(covers, func(q appliance.Quad) bool { return sheet.Overlap(d.Quad, q) > 0 })
		if slices.Min(d.Edges[:]) >= sheet.ClearlySeen || !covered {
			continue
		}
		again, ok, err := others.follow(ctx, d.Quad, all)
		if err != nil {
			return err
		}
		if !ok || again.Kind != d.Kind || !sure(h.p, again) {
			continue
		}
		shapes := shapesOf(likeliest(again.odds))
		before, _ := sheet.Visible(h.p, d.Quad, shapes, covers...)
		after, _ := sheet.Visible(h.p, again.Quad, shapes, covers...)
		if after > before {
			h.found[i] = again
		}
	}
	return nil
}

// add enters a sure document in the place of its parts, unless a rival for its place is no part of it.
func (h *hiddenSearch) add(d Found) {
	rival := func(o Found) bool {
		onSheet := o.Kind == appliance.Unknown && sheet.Area(d.Quad) < cardOnSheet*sheet.Area(o.Quad)
		return rivals(o.Quad, d.Quad) && !onSheet
	}
	sureParts := 0
	for _, o := range h.found {
		within := sheet.Overlap(o.Quad, d.Quad)
		switch {
		case !rival(o):
		case !sure(h.p, o) && (within > partMostly || o.Visible() < hardlySeen):
		case within > partWholly && sheet.Area(o.Quad) < partSize*sheet.Area(d.Quad) && o.Kind == d.Kind && sureParts == 0:
			sureParts++
		default:
			return
		}
	}
	h.found = append(slices.DeleteFunc(slices.Clone(h.found), rival), d)
}

// sure returns the outlines of the documents that are sure.
func (h *hiddenSearch) sure() (all []appliance.Quad) {
	for _, d := range h.found {
		if sure(h.p, d) {
			all = append(all, d.Quad)
		}
	}
	return all
}

// coversOf returns those of all, outlines of sure documents, that may lie on what q outlines, each with the room that its own edge takes.
func coversOf(q appliance.Quad, all []appliance.Quad) (out []appliance.Quad) {
	for _, o := range all {
		if !rivals(o, q) {
			out = append(out, vision.Grown(o, coverRoom))
		}
	}
	return out
}

// known reports whether one of the outlines is about at a place.
func known(all []appliance.Quad, place appliance.Quad) bool {
	return slices.ContainsFunc(all, func(q appliance.Quad) bool { return cornersApart(place, q) < alike })
}

// rivals reports whether so much of one outline lies on the other that only one can be that of a document.
func rivals(a, b appliance.Quad) bool {
	return max(sheet.Overlap(a, b), sheet.Overlap(b, a)) > rivalOverlap
}

// sure reports whether a document is of a known kind without much doubt, and has the shape of it.
func sure(p *appliance.Picture, d Found) bool {
	class := likeliest(d.odds)
	return class < classUnknown && d.odds[class] > sureOdds && sheet.Misshapen(p, d.Quad, shapesOf(class)) < sureShape
}
