package wire

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
)

// ReviewHead writes what is no personal datum of a review.
func (w *Writer) ReviewHead(r *review.Review, by string) {
	w.Name("id").Text(r.ID)
	w.Name("kind").Text(string(r.Kind))
	w.Name("asked").Text(string(r.Asked))
	w.Name("at").Time(r.At)
	w.Name("expires").Time(r.Expires)
	w.Name("flagged").Truth(r.Flagged)
	w.Name("state").Text(string(r.State()))
	w.Name("people").Integer(int64(len(r.Decisions)))
	w.Name("mine").Truth(r.DecisionBy(by) != nil)
	w.Name("pictures").Integer(int64(r.Pictures))
	w.Name("transaction_id").Text(r.Transaction)
	w.Name("request_id").Text(r.Request)
}

// ReviewFields writes the fields of a document, those in doubt first; faces have none.
func (w *Writer) ReviewFields(r *review.Review) {
	w.Name("fields").Open()
	defer w.Shut()
	d := r.Document
	if d == nil {
		return
	}
	for _, flagged := range []bool{true, false} {
		for _, f := range r.Fields() {
			if d.Flagged(f.Name) == flagged {
				w.reviewField(d, f)
			}
		}
	}
}

// DocumentCodes are those of a document as a whole.
func DocumentCodes(d *appliance.Document) []appliance.Code {
	if d == nil {
		return nil
	}
	return d.Codes("")
}

// reviewField writes one field with what speaks for and against it; quad is null where it has no place of its own.
func (w *Writer) reviewField(d *appliance.Document, spec appliance.FieldSpec) {
	f := d.Field(spec.Name)
	w.Begin()
	w.Name("name").Text(spec.Name)
	w.Name("type").Text(map[appliance.FieldType]string{appliance.Text: "text", appliance.Date: "date"}[spec.Type])
	w.Name("value").Text(f.Value)
	w.Name("confidence").Number(f.Confidence)
	w.Name("codes").Codes(d.Codes(spec.Name))
	w.Name("derived_from").Texts(f.DerivedFrom)
	w.Name("quad")
	if f.Quad == (appliance.Quad{}) {
		w.Null()
	} else {
		w.quad(f.Quad)
	}
	w.Close()
}

// Codes writes codes with their messages.
func (w *Writer) Codes(list []appliance.Code) {
	w.Open()
	for _, code := range list {
		w.Begin()
		w.Name("code").Integer(int64(code))
		w.Name("message").Text(code.MessageIn(w.Language))
		w.Close()
	}
	w.Shut()
}

// ReviewDecision writes what one person decided.
func (w *Writer) ReviewDecision(d *review.Decision) {
	w.Begin()
	w.Name("by").Text(d.By)
	w.Name("at").Time(d.At)
	w.Name("verdict").Text(string(d.Verdict))
	w.Name("values").Begin()
	for _, name := range sortedNames(d.Values) {
		w.Name(name).Text(d.Values[name])
	}
	w.Close()
	w.Name("unreadable").Texts(d.Unreadable)
	w.Name("same_person").Maybe(d.SamePerson)
	w.Name("living").Maybe(d.Living)
	w.Close()
}

func sortedNames(values map[string]string) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
