package httpapi

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
)

// kindDocument reads a picture as a document of a kind that the model set in use brings.
func (s *Server) kindDocument(c *fiber.Ctx, x *exchange) error {
	kind := appliance.Kind(c.Params("kind"))
	e := appliance.KindEndpoint(kind)
	return s.readPicture(c, x, e, func() error {
		if !slices.ContainsFunc(s.deps.Appliance.Kinds(), func(k appliance.KindModel) bool { return k.Kind == kind }) {
			return appliance.NoKind()
		}
		x.decision.Endpoint = e // not before: what a client invents is not noted
		return nil
	})
}

// kinds lists the kinds of documents that the model set in use brings, with their data models.
func (s *Server) kinds(c *fiber.Ctx, x *exchange) error {
	if err := s.authorize(c, x, appliance.ScopeOCR); err != nil {
		return err
	}
	x.noted = true // nothing was decided
	w := newWriter()
	w.begin()
	w.name("data").begin()
	w.name("kinds").open()
	for _, k := range s.deps.Appliance.Kinds() {
		w.begin()
		w.name("kind").text(string(k.Kind))
		w.name("title").text(k.Title)
		w.name("fields").open()
		for _, f := range k.Fields {
			w.begin()
			w.name("name").text(f.Name)
			w.name("type").text(typeNames[f.Type])
			w.close()
		}
		w.shut()
		w.close()
	}
	w.shut()
	w.close()
	return Succeed(c, w.plain())
}

// typeNames are the names of the types of fields.
var typeNames = [...]string{appliance.Text: "string", appliance.Date: "date"}
