package httpapi

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

// kindDocument reads a picture as a document of a kind that the model set in use brings.
func (s *Server) kindDocument(c *fiber.Ctx, x *route.Exchange) error {
	kind := appliance.Kind(c.Params("kind"))
	e := appliance.KindEndpoint(kind)
	return s.readPicture(c, x, e, func() error {
		if !slices.ContainsFunc(s.deps.Appliance.Kinds(), func(k appliance.KindModel) bool { return k.Kind == kind }) {
			return appliance.NoKind()
		}
		x.Decision.Endpoint = e // not before: what a client invents is not noted
		return nil
	})
}

// kinds lists the kinds of documents that the model set in use brings, with their data models.
func (s *Server) kinds(c *fiber.Ctx, x *route.Exchange) error {
	if err := s.gate.Authorize(c, &x.Visitor, appliance.ScopeOCR); err != nil {
		return err
	}
	x.Noted = true // nothing was decided
	w := wire.NewWriter()
	w.Begin()
	w.Name("data").Begin()
	w.Name("kinds").Open()
	for _, k := range s.deps.Appliance.Kinds() {
		w.Begin()
		w.Name("kind").Text(string(k.Kind))
		w.Name("title").Text(k.Title)
		w.Name("fields").Open()
		for _, f := range k.Fields {
			w.Begin()
			w.Name("name").Text(f.Name)
			w.Name("type").Text(typeNames[f.Type])
			w.Close()
		}
		w.Shut()
		w.Close()
	}
	w.Shut()
	w.Close()
	return route.Succeed(c, w.Plain())
}

// typeNames are the names of the types of fields.
var typeNames = [...]string{appliance.Text: "string", appliance.Date: "date"}
