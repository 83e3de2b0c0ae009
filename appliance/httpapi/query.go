package httpapi

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/bawab/bawab/appliance"
)

// asked is the value that the query has for a name, and a fallback where it has none. One that is empty or there twice is refused: a
// caller who filters by nothing or by two things at once is not answered as if nothing was asked.
func asked(c *fiber.Ctx, name, fallback string) (string, error) {
	values := c.Context().QueryArgs().PeekMulti(name)
	switch {
	case len(values) == 0:
		return fallback, nil
	case len(values) == 1 && len(values[0]) > 0:
		return string(values[0]), nil
	}
	return "", appliance.Errorf(appliance.CodeBadRequest, "%s in the query must have one value: leave it out, or name one", name)
}

// askedNumber is asked for a number from 1 to most.
func askedNumber(c *fiber.Ctx, name string, fallback, most int) (int, error) {
	text, err := asked(c, name, strconv.Itoa(fallback))
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, appliance.Errorf(appliance.CodeBadRequest, "%s must be from 1 to %d", name, most)
	}
	return n, nil
}
