package outline

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// The parts in which a picture is looked at for what is small in it, as shares of its sides. A document that is up to half
// as wide as a part lies whole in one of them, and the network knows it from a quarter on: beginParts hold plates from an
// eighth to a quarter of the picture's width, smallParts from a twelfth to a seventh, smallestParts smaller ones.
const (
	beginParts    = 0.5
	smallParts    = 0.3
	smallestParts = 0.25
)

// Judgement is what is known of an outline in a part of a picture once it was read.
type Judgement int

// What an outline may show: something that a smaller part may show better, what is sought and surely so, or nothing.
const (
	Doubtful Judgement = iota
	Sure
	Nothing
)

// FindInParts finds documents of kind k that are too small to be seen in the whole picture: the network sees it in parts
// of half its sides and less, each of which shares half of itself with the next. found is what looks much like k there,
// the likeliest first: of the larger parts that which judge takes for Sure or Nothing, neither of which is looked at again, then
// the others. Nothing is looked for in smaller parts where a Sure one lies. Windows and walls seen so look like documents, too.
// rest goes on where found was not enough, in smaller parts, then with the few outlines that the network is surest of, whatever sides
// they show. It looks at parts, and from near at each document, only when it is asked for more; an error ends it.
func (f *Finder) FindInParts(
	ctx context.Context,
	p *appliance.Picture,
	k appliance.Kind,
	judge func(Found) (Judgement, error),
) (found []Found, rest iter.Seq2[Found, error], err error) {
	search := &smallSearch{finder: f, picture: p, kind: k}
	if found, err = search.inLargeParts(ctx, judge); err != nil {
		return nil, nil, err
	}
	if err := search.lookAtParts(ctx, smallParts); err != nil {
		return nil, nil, err
	}
	for d, err := range search.fresh(ctx, muchLike) {
		if err != nil {
			return nil, nil, err
		}
		found = append(found, d)
	}
	return found, search.rest(ctx), nil
}

// inLargeParts looks at the larger parts, and returns what lies there without a doubt.
func (s *smallSearch) inLargeParts(ctx context.Context, judge func(Found) (Judgement, error)) (found []Found, err error) {
	if err := s.lookAtParts(ctx, beginParts); err != nil {
		return nil, err
	}
	var open []candidate
	for d, err := range s.fresh(ctx, muchLike) {
		if err != nil {
			return nil, err
		}
		j, err := judge(d)
		if err != nil {
			return nil, err
		}
		switch j {
		case Sure:
			s.settled.addQuad(vision.Grown(d.Quad, grown), s.picture)
			found = append(found, d)
		case Nothing:
			found = append(found, d)
		case Doubtful:
			open = append(open, s.known[len(s.known)-1])
		}
	}
	s.known = slices.DeleteFunc(s.known, func(c candidate) bool { return slices.Contains(open, c) })
	return found, nil
}

// smallSearch is a search for documents in parts of a picture.
type smallSearch struct {
	finder  *Finder
	picture *appliance.Picture
	kind    appliance.Kind
	seen    []likely
	known   []candidate // those that were looked at from near
	// warm is where something was seen in the larger parts, and settled where nothing more is looked for.
	warm, settled spots
}

// lookAtParts adds what is of a known kind and whole in the parts of a picture that are so large a share of its sides.
func (s *smallSearch) lookAtParts(ctx context.Context, share float64) error {
	scratch := s.finder.scratch.Get().(*finderScratch)
	defer s.finder.scratch.Put(scratch)
	all := parts(s.picture, share)
	scaled := scale(s.picture, all[0])
	var within *spots
	if share == smallParts {
		within = &s.warm
	}
	shown := strokesOf(scaled, within, &s.settled)
	for _, view := range all {
		if !shown.in(view) {
			continue
		}
		toView := scaled.show(scratch, view)
		candidates, err := s.finder.firstLook(ctx, scratch, view, toView)
		if err != nil {
			return fmt.Errorf("find small documents: %w", err)
		}
		if share == beginParts {
			scratch.warm(s.picture, view, toView, &s.warm)
		}
		for _, c := range candidates {
			if c.known() && probability(c.odds, s.kind) >= hardlyLike && !view.cuts(s.picture, c.quad) {
				s.seen = append(s.seen, likely{candidate: c, like: mostVisible * c.merit(s.kind)})
			}
		}
	}
	return nil
}

// fresh looks from near at the foremost of what was seen and is at least so likely, each once, and yields those whose sides can be seen.
func (s *smallSearch) fresh(ctx context.Context, least float64) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		scratch := s.finder.scratch.Get().(*finderScratch)
		defer s.finder.scratch.Put(scratch)
		for i := range s.seen {
			s.seen[i].measure(s.picture, s.kind, least)
		}
		for _, c := range foremost(s.seen, func(c likely) float64 { return c.like }, least, smallDocuments) {
			if slices.ContainsFunc(s.known, func(o candidate) bool { return oneSpot(c.quad, o.quad) }) {
				continue
			}
			s.known = append(s.known, c)
			found, err := s.finder.fromNear(ctx, scratch, s.picture, []candidate{c})
			if err != nil {
				yield(Found{}, err)
				return
			}
			if len(found) == 1 && found[0].Outlined() && !yield(found[0], nil) {
				return
			}
		}
	}
}

// rest yields what is seen in the smallest parts, then the outlines that the network is surest of.
func (s *smallSearch) rest(ctx context.Context) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		if err := s.lookAtParts(ctx, smallestParts); err != nil {
			yield(Found{}, err)
			return
		}
		for d, err := range s.fresh(ctx, math.Inf(-1)) {
			if !yield(d, err) || err != nil {
				return
			}
		}
		sure := func(c likely) float64 { return c.merit(s.kind) }
		for _, c := range foremost(s.seen, sure, clearlyKnown, clearDocuments) {
			if !yield(Found{Kind: s.kind, Score: c.core * c.odds[c.class()], odds: c.odds, Quad: c.quad}, nil) {
				return
			}
		}
	}
}

const (
	// smallDocuments is how many of the outlines in parts of a picture are looked at from near.
	smallDocuments = 8
	// muchLike is the likeness, of at most 6, of a plate whose outline and sides are clear. Of 64 plates found in halves
	// of street pictures 41 reach it, of the windows and signboards beside them 6 (26 November 2026).
	muchLike = 3
	// hardlyLike is the belief in the kind under which an outline is not followed.
	hardlyLike = 0.05
	// clearDocuments is how many of the outlines of which the network is surest are taken as they are in the end, and
	// clearlyKnown how sure it must be: small plates in frames show the sides of these as well (26 November 2026: 141
	// plates, two of which are read so).
	clearDocuments = 3
	clearlyKnown   = 0.85
)

// likely is a candidate and how much it looks like what is sought.
type likely struct {
	candidate
	// like is how much it looks like a whole document of the kind with sides that the picture shows, up to mostVisible; until that is
	// measured, the most that it can be.
	like     float64
	measured bool
}

// visibleWeight is what a document is worth of which the picture shows no side, in visible sides, and mostVisible one with all four.
const visibleWeight, mostVisible = 2, 6

// measure looks for the sides of a candidate where it can be so likely, as long as it can.
func (c *likely) measure(p *appliance.Picture, k appliance.Kind, least float64) {
	if c.measured || c.like < least {
		return
	}
	m := c.merit(k)
	visible, _ := sheet.VisibleAbove(p, c.quad, shapesOf(c.class()), least/m-visibleWeight, nil)
	if c.measured = !math.IsInf(visible, -1); c.measured {
		c.like = m * (visibleWeight + visible)
	} else {
		c.like = math.Nextafter(least, math.Inf(-1))
	}
}

// merit says how sure the network is that a candidate is a whole document of kind k, 0 to 1.
func (c *candidate) merit(k appliance.Kind) float64 { return probability(c.odds, k) * c.core * c.fill }

// foremost returns the few candidates with the most merit, at least so much, each place once.
func foremost(all []likely, merit func(likely) float64, least float64, most int) (out []candidate) {
	order := slices.DeleteFunc(slices.Clone(all), func(c likely) bool { return merit(c) < least })
	slices.SortStableFunc(order, func(a, b likely) int { return cmp.Compare(merit(b), merit(a)) })
	for _, c := range order {
		if len(out) < most && !slices.ContainsFunc(out, func(o candidate) bool { return oneSpot(c.quad, o.quad) }) {
			out = append(out, c.candidate)
		}
	}
	return out
}

// oneSpot reports whether two outlines mean one document, not one and what it hangs on.
func oneSpot(a, b appliance.Quad) bool {
	const larger = 3
	return onEachOther(a, b) && max(sheet.Area(a), sheet.Area(b)) < larger*min(sheet.Area(a), sheet.Area(b))
}

// part is a part of a picture, in its pixels.
type part struct{ x, y, width, height int }

func whole(p *appliance.Picture) part { return part{0, 0, p.Width, p.Height} }

// parts are the parts of a picture that are so large a share of its sides, from its left to its right and its top to its
// bottom. Each shares half of itself with the next one beside it; above each other, where plates are half as high, as much
// as a plate as wide as half of the part needs.
func parts(p *appliance.Picture, share float64) (out []part) {
	const slack = 1.25 // of the height of a plate that hangs askew
	w, h := max(1, int(share*float64(p.Width))), max(1, int(share*float64(p.Height)))
	shared := min(0.5, slack*float64(w)/4/float64(h))
	across, down := steps(p.Width-w, float64(w)/2), steps(p.Height-h, (1-shared)*float64(h))
	for y := range down + 1 {
		for x := range across + 1 {
			out = append(out, part{(p.Width - w) * x / max(across, 1), (p.Height - h) * y / max(down, 1), w, h})
		}
	}
	return out
}

// steps is how many steps of at most a length it takes to get so far.
func steps(far int, length float64) int { return int(math.Ceil(float64(far) / length)) }

// cuts reports whether what q outlines in a part goes on beyond it, in another part of p.
func (v part) cuts(p *appliance.Picture, q appliance.Quad) bool {
	const near = 0.02 // of the part's sides
	across, up := near*float64(v.width), near*float64(v.height)
	for _, c := range q {
		if v.x > 0 && c.X < float64(v.x)+across || v.x+v.width < p.Width && c.X > float64(v.x+v.width)-across ||
			v.y > 0 && c.Y < float64(v.y)+up || v.y+v.height < p.Height && c.Y > float64(v.y+v.height)-up {
			return true
		}
	}
	return false
}
