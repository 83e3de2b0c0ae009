package route

import (
	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
	"golang.org/x/text/language"
)

// spoken matches what clients prefer with the languages of the catalogue; English stands first and is the answer to all others.
var spoken = func() language.Matcher {
	var tags []language.Tag
	for _, l := range appliance.Languages() {
		tags = append(tags, language.Make(string(l)))
	}
	return language.NewMatcher(tags)
}()

// preferred is the language of the catalogue that a header Accept-Language asks for. One that makes no sense asks for none.
func preferred(accept string) appliance.Language {
	if accept == "" {
		return appliance.English
	}
	tags, _, err := language.ParseAcceptLanguage(accept)
	if err != nil || len(tags) == 0 {
		return appliance.English
	}
	_, i, confidence := spoken.Match(tags...)
	if confidence == language.No {
		return appliance.English
	}
	return appliance.Languages()[i]
}

// speak says in what language an answer is, and that another may be had, which caches must know.
func speak(c *fiber.Ctx, l appliance.Language) {
	c.Set(fiber.HeaderContentLanguage, string(l))
	c.Vary(fiber.HeaderAcceptLanguage)
}
