package httpapi

import (
	"context"
	"slices"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/lookalike"
	"github.com/bawab/bawab/appliance/review"
)

// printsAtOnce is how many pictures one list of cards reads that were not read before; the rest is read by the next ones.
const printsAtOnce = 8

// prints is what stands on the unknown documents that wait for review. It is in memory alone, and goes with the review.
type prints struct {
	mu    sync.Mutex
	cards map[string]lookalike.Card // by review; one without lines could not be read
}

// update reads the documents that were not read before, some of them, and forgets those that are not there any more. It returns the
// cards, and how many wait.
func (p *prints) update(
	ctx context.Context,
	ids []string,
	read func(context.Context, string) (lookalike.Card, error),
) (cards []lookalike.Card, waiting int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := map[string]lookalike.Card{}
	for _, id := range ids {
		if c, known := p.cards[id]; known {
			kept[id] = c
		}
	}
	p.cards = kept
	left := printsAtOnce
	for _, id := range ids {
		if _, known := kept[id]; !known && left > 0 {
			left--
			if kept[id], err = read(ctx, id); err != nil {
				delete(kept, id)
				return nil, 0, err
			}
		}
		if c, known := kept[id]; !known {
			waiting++
		} else if c.Review != "" {
			cards = append(cards, c)
		}
	}
	return cards, waiting, nil
}

// unknownCards reads and compares the unknown documents of the queue.
func (s *Server) unknownCards(ctx context.Context) (groups []lookalike.Group, all, waiting int, err error) {
	store := s.deps.Review.Store
	reviews, err := store.Reviews(ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	ids := lookalike.Candidates(reviews)
	read := lookalike.Reader(func(ctx context.Context, id string) (review.Review, []appliance.Line, error) {
		return s.deps.Appliance.ReviewLines(ctx, store, id)
	})
	cards, waiting, err := s.prints.update(ctx, ids, read.Card)
	return lookalike.Groups(cards), len(ids), waiting, err
}

// reviewCards lists unknown documents that look alike. It says nothing of what a person's card holds: of words those alone that several
// cards print, and for pictures the ids of the reviews, whose every look is noted.
func (s *Server) reviewCards(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	groups, all, waiting, err := s.unknownCards(ctx)
	if err != nil {
		return err
	}
	x.Noted = true
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("documents").Integer(int64(all))
	w.Name("waiting").Integer(int64(waiting))
	w.Name("groups").Open()
	for i := range groups {
		g := &groups[i]
		w.Begin()
		w.Name("id").Text(g.ID)
		w.Name("cards").Integer(int64(len(g.Reviews)))
		w.Name("different").Integer(int64(g.Different))
		w.Name("aspect").Number(g.Aspect)
		w.Name("words").Texts(g.Words)
		w.Name("reviews").Texts(g.Reviews)
		w.Close()
	}
	w.Shut()
	w.Close()
	return route.Succeed(c, w.Plain())
}

// draftCard sends the begin of a description of the cards of a group.
func (s *Server) draftCard(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.reviewer(c, x); err != nil {
		return err
	}
	ctx, stop := s.frame.Watch(c, x)
	defer stop()
	groups, _, _, err := s.unknownCards(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(groups, func(g lookalike.Group) bool { return g.ID == c.Params("id") })
	if i < 0 {
		return appliance.Errorf(appliance.CodeNotFound, "there are no such cards: GET /v1/review/cards lists them")
	}
	draft, ok := groups[i].Draft()
	if !ok {
		return appliance.Errorf(
			appliance.CodeNotFound,
			"of these cards nothing may be told yet: it takes %d different ones",
			lookalike.LeastCards,
		)
	}
	first, err := s.deps.Review.Store.Review(ctx, groups[i].ID)
	if err != nil {
		return err
	}
	if err := s.look(x, &first, "draft"); err != nil {
		return err
	}
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("kind").Text(draft.Kind)
	w.Name("different").Integer(int64(groups[i].Different))
	w.Name("description").Text(draft.Description)
	w.Name("labels").Text(draft.Labels)
	w.Close()
	return route.Succeed(c, w.Plain())
}
