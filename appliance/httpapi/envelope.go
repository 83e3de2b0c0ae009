package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/go-json-experiment/json/jsontext"
)

// Answer is a successful reading on its way out.
type Answer struct {
	Endpoint            appliance.Endpoint
	RequestID           string
	TransactionID       string
	ClientTransactionID *string
	Reading             appliance.Reading
	// Reviewed says that the picture is kept for a person to look at.
	Reviewed bool
	// Evidence adds Services.evidence.
	Evidence bool
	// Language is that of messages and advice; English unless another is set.
	Language appliance.Language
}

// HTTPStatus maps a code of a whole answer to the status of the HTTP answer.
func HTTPStatus(code appliance.Code) int {
	switch code {
	case 0:
		return 200
	case appliance.CodeUnauthorized, appliance.CodeForbidden, appliance.CodeNotFound, appliance.CodeMethodNotAllowed,
		appliance.CodeTooLarge, appliance.CodeMediaType, appliance.CodeTooMany, appliance.CodeInternal,
		appliance.CodeNotBuilt, appliance.CodeUnavailable:
		return int(code)
	case appliance.CodeTooManyAttempts:
		return 429
	}
	return 400
}

// ErrorEnvelope writes the v1 envelope of a failure in English: the code and message of the appliance.Error in err's chain, and
// for every other error code 500 with the request id as the whole message.
func ErrorEnvelope(requestID string, err error) []byte {
	return ErrorEnvelopeIn(appliance.English, requestID, err)
}

// ErrorEnvelopeIn is ErrorEnvelope in a language.
func ErrorEnvelopeIn(l appliance.Language, requestID string, err error) []byte {
	code, msg := appliance.CodeInternal, requestID
	var e *appliance.Error
	if errors.As(err, &e) && e.Code != appliance.CodeInternal {
		code, msg = e.Code, e.In(l)
	}
	w := newWriter()
	w.begin()
	w.name("data").null()
	w.name("Services").null()
	w.end(code, msg)
	return w.bytes()
}

// Envelope writes the v1 envelope of a successful reading, without a line break at the end. The data model is that of
// the endpoint, also when the picture shows another document; for EndpointMulti it is that of each document.
func Envelope(a Answer) []byte {
	w := newWriter()
	w.language = a.Language
	w.begin()
	switch a.Endpoint {
	case appliance.EndpointGeneral:
		w.name("data").begin()
		w.lines(a.Reading.Lines)
		w.ids(a)
		w.close()
		w.name("Services").begin()
		w.validations(lineDoubts(a.Reading.Lines))
		if a.Evidence {
			w.lineEvidence(a.Reading.Lines)
		}
		w.close()
	case appliance.EndpointMulti:
		w.name("data").begin()
		w.name("results").open()
		for i := range a.Reading.Documents {
			w.begin()
			w.document(a, &a.Reading.Documents[i], a.Reading.Documents[i].Kind, nil)
			w.close()
		}
		w.shut()
		w.ids(a)
		w.close()
		w.name("Services").begin()
		w.validations(nil)
		if a.Evidence || leftOut(a.Reading.Others) {
			w.othersEvidence(a.Reading.Others)
		}
		w.close()
	default:
		d := appliance.Document{Kind: appliance.Unknown}
		if len(a.Reading.Documents) > 0 {
			d = a.Reading.Documents[0]
		}
		w.document(a, &d, a.Endpoint.Kind(), a.Reading.Others)
	}
	w.end(0, "")
	return w.bytes()
}

// lineDoubts are the codes of the lines of general text: the field is lines[n], counted from 0.
func lineDoubts(lines []appliance.Line) (out []appliance.Validation) {
	for i, l := range lines {
		if l.Code != 0 {
			out = append(out, appliance.Validation{Field: fmt.Sprintf("lines[%d]", i), Value: l.Text, Errors: []appliance.Code{l.Code}})
		}
	}
	return out
}

// leftOut reports whether a picture shows documents of the contract beyond those that were read. Callers of EndpointMulti
// are told so unasked: otherwise the answer would look complete.
func leftOut(others []appliance.Outline) bool {
	return slices.ContainsFunc(others, func(o appliance.Outline) bool { return o.Kind != appliance.Unknown })
}

// writer writes JSON member by member, in the order of the contract.
type writer struct {
	buf bytes.Buffer
	enc *jsontext.Encoder
	// language is that of messages and advice.
	language appliance.Language
}

func newWriter() *writer {
	w := &writer{}
	w.enc = jsontext.NewEncoder(&w.buf, jsontext.AllowInvalidUTF8(true))
	return w
}

// put writes a token. It fails only when the calls do not form JSON, which is a mistake in this file.
func (w *writer) put(t jsontext.Token) {
	if err := w.enc.WriteToken(t); err != nil {
		panic(err)
	}
}

func (w *writer) name(s string) *writer {
	w.put(jsontext.String(s))
	return w
}

func (w *writer) begin()          { w.put(jsontext.BeginObject) }
func (w *writer) close()          { w.put(jsontext.EndObject) }
func (w *writer) open()           { w.put(jsontext.BeginArray) }
func (w *writer) shut()           { w.put(jsontext.EndArray) }
func (w *writer) null()           { w.put(jsontext.Null) }
func (w *writer) text(s string)   { w.put(jsontext.String(s)) }
func (w *writer) truth(b bool)    { w.put(jsontext.Bool(b)) }
func (w *writer) integer(n int64) { w.put(jsontext.Int(n)) }

func (w *writer) texts(list []string) {
	w.open()
	for _, s := range list {
		w.text(s)
	}
	w.shut()
}

// number writes a number with at most four decimals; what is not finite becomes 0.
func (w *writer) number(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	w.put(jsontext.Float(math.Round(f*1e4) / 1e4))
}

// end closes the envelope.
func (w *writer) end(code appliance.Code, msg string) {
	w.name("error_code").integer(int64(code))
	w.name("error_message").text(msg)
	w.close()
}

// plain closes the envelope of an answer that has no Services, and returns it.
func (w *writer) plain() []byte {
	w.name("Services").null()
	w.end(0, "")
	return w.bytes()
}

func (w *writer) bytes() []byte { return bytes.TrimSuffix(w.buf.Bytes(), []byte("\n")) }

func (w *writer) ids(a Answer) {
	w.name("transaction_id").text(a.TransactionID)
	w.name("client_transaction_id")
	if a.ClientTransactionID == nil {
		w.null()
	} else {
		w.text(*a.ClientTransactionID)
	}
	w.name("request_id").text(a.RequestID)
	if a.Reviewed {
		w.name("reviewed").truth(true)
	}
}

// document writes the members data and Services of one document in a data model. Of another kind of document, the
// fields in which both models say the same are given, and what is wrong with those.
func (w *writer) document(a Answer, read *appliance.Document, model appliance.Kind, others []appliance.Outline) {
	d := read.As(model)
	w.name("data").begin()
	for _, f := range read.Specs(model) {
		value := d.Field(f.Name).Value
		w.name(f.Name)
		if f.Type == appliance.Date && value == "" {
			w.null()
		} else {
			w.text(value)
		}
	}
	w.ids(a)
	w.close()
	w.name("Services").begin()
	w.validations(d.Validations)
	w.name("spoofing").begin()
	w.name("fake").truth(d.Fake)
	w.close()
	w.name("classification").begin()
	w.name("doc_type").text(string(d.Kind))
	w.close()
	if a.Evidence {
		w.evidence(&d, model, others)
	}
	w.close()
}

func (w *writer) validations(list []appliance.Validation) {
	w.name("Validations").begin()
	w.name("validation_errors").open()
	for _, v := range list {
		w.begin()
		w.name("field").text(v.Field)
		w.name("value").text(v.Value)
		w.name("errors").open()
		for _, code := range v.Errors {
			w.begin()
			w.name("code").integer(int64(code))
			w.name("message").text(code.MessageIn(w.language))
			w.close()
		}
		w.shut()
		w.close()
	}
	w.shut()
	w.close()
}

func (w *writer) lines(lines []appliance.Line) {
	w.name("lines").open()
	for _, l := range lines {
		w.begin()
		w.name("text").text(l.Text)
		w.close()
	}
	w.shut()
}
