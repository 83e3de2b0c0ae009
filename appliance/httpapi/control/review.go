package control

import (
	"context"
	"net/http"
	"net/url"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
	"github.com/gofiber/fiber/v2"
)

// Review is what the control socket reaches of the review queue.
type Review interface {
	Reviews(ctx context.Context) ([]review.Review, error)
	ReviewPictures(ctx context.Context, id string) (review.Review, [][]byte, error)
	// ErasePerson destroys every living transaction and every review that mentions a number.
	ErasePerson(ctx context.Context, number string) (appliance.PersonErasure, error)
	// EraseAllReviews empties the queue.
	EraseAllReviews(ctx context.Context) (review.Erasure, error)
	// NoteExport puts into the journal how many reviews were written to a truth set.
	NoteExport(ctx context.Context, reviews int) error
}

// reviewRoutes names the paths of the review queue; none where the daemon gave none.
func (c *Socket) reviewRoutes() {
	if c.deps.Review == nil {
		return
	}
	c.app.Get("/review", func(ctx *fiber.Ctx) error {
		all, err := c.deps.Review.Reviews(ctx.Context())
		return replyUnless(ctx, all, err)
	})
	c.app.Get("/review/:id", func(ctx *fiber.Ctx) error {
		r, pictures, err := c.deps.Review.ReviewPictures(ctx.Context(), ctx.Params("id"))
		return replyUnless(ctx, reviewPictures{r, pictures}, err)
	})
	c.app.Post("/review/exported", func(ctx *fiber.Ctx) error {
		var n int
		if err := accept(ctx, &n); err != nil {
			return err
		}
		return replyUnless(ctx, true, c.deps.Review.NoteExport(ctx.Context(), n))
	})
	c.app.Post("/review/erase-all", func(ctx *fiber.Ctx) error {
		e, err := c.deps.Review.EraseAllReviews(ctx.Context())
		return replyUnless(ctx, e, err)
	})
	c.app.Post("/review/erase-person", func(ctx *fiber.Ctx) error {
		var number string
		if err := accept(ctx, &number); err != nil {
			return err
		}
		e, err := c.deps.Review.ErasePerson(ctx.Context(), number)
		return replyUnless(ctx, e, err)
	})
}

// reviewPictures is a review on its way through the socket.
type reviewPictures struct {
	Review   review.Review
	Pictures [][]byte
}

// Reviews lists the review queue of the daemon.
func (c *Client) Reviews(ctx context.Context) (all []review.Review, err error) {
	err = c.call(ctx, http.MethodGet, "/review", nil, &all)
	return all, err
}

// ReviewPictures returns a review with its pictures as they were sent.
func (c *Client) ReviewPictures(ctx context.Context, id string) (review.Review, [][]byte, error) {
	var got reviewPictures
	err := c.call(ctx, http.MethodGet, "/review/"+url.PathEscape(id), nil, &got)
	return got.Review, got.Pictures, err
}

// NoteExport lets the journal of the daemon note that reviews were written to a truth set.
func (c *Client) NoteExport(ctx context.Context, reviews int) error {
	var done bool
	return c.call(ctx, http.MethodPost, "/review/exported", reviews, &done)
}

// EraseAllReviews empties the review queue.
func (c *Client) EraseAllReviews(ctx context.Context) (e review.Erasure, err error) {
	err = c.call(ctx, http.MethodPost, "/review/erase-all", nil, &e)
	return e, err
}

// ErasePerson destroys what the appliance holds of a person.
func (c *Client) ErasePerson(ctx context.Context, number string) (e appliance.PersonErasure, err error) {
	err = c.call(ctx, http.MethodPost, "/review/erase-person", number, &e)
	return e, err
}
