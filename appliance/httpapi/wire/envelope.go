// Package wire reads the JSON of requests and writes that of answers: the envelope, the data models of documents, the evidence.
package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/go-json-experiment/json"
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

// MediaType is that of every envelope.
const MediaType = "application/json; charset=utf-8"

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
	w := NewWriter()
	w.Begin()
	w.Name("data").Null()
	w.Name("Services").Null()
	w.End(code, msg)
	return w.Bytes()
}

// Envelope writes the v1 envelope of a successful reading, without a line break at the end. The data model is that of
// the endpoint, also when the picture shows another document; for EndpointMulti it is that of each document.
func Envelope(a Answer) []byte {
	w := NewWriter()
	w.Language = a.Language
	w.Begin()
	switch a.Endpoint {
	case appliance.EndpointGeneral:
		w.Name("data").Begin()
		w.lines(a.Reading.Lines)
		w.IDs(a)
		w.Close()
		w.Name("Services").Begin()
		w.validations(lineDoubts(a.Reading.Lines))
		if a.Evidence {
			w.lineEvidence(a.Reading.Lines)
		}
		w.Close()
	case appliance.EndpointMulti:
		w.Name("data").Begin()
		w.Name("results").Open()
		for i := range a.Reading.Documents {
			w.Begin()
			w.document(a, &a.Reading.Documents[i], a.Reading.Documents[i].Kind, nil)
			w.Close()
		}
		w.Shut()
		w.IDs(a)
		w.Close()
		w.Name("Services").Begin()
		w.validations(nil)
		if a.Evidence || leftOut(a.Reading.Others) {
			w.othersEvidence(a.Reading.Others)
		}
		w.Close()
	default:
		d := appliance.Document{Kind: appliance.Unknown}
		if len(a.Reading.Documents) > 0 {
			d = a.Reading.Documents[0]
		}
		w.document(a, &d, a.Endpoint.Kind(), a.Reading.Others)
	}
	w.End(0, "")
	return w.Bytes()
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

// Writer writes JSON member by member, in the order of the contract.
type Writer struct {
	buf bytes.Buffer
	enc *jsontext.Encoder
	// Language is that of messages and advice.
	Language appliance.Language
}

// NewWriter makes a writer of one answer, in English.
func NewWriter() *Writer {
	w := &Writer{}
	w.enc = jsontext.NewEncoder(&w.buf, jsontext.AllowInvalidUTF8(true))
	return w
}

// put writes a token. It fails only when the calls do not form JSON, which is a mistake of who calls.
func (w *Writer) put(t jsontext.Token) {
	if err := w.enc.WriteToken(t); err != nil {
		panic(err)
	}
}

// Name writes the name of the next member, whose value the next call writes.
func (w *Writer) Name(s string) *Writer {
	w.put(jsontext.String(s))
	return w
}

// Begin begins an object, which Close ends.
func (w *Writer) Begin() { w.put(jsontext.BeginObject) }

// Close ends an object.
func (w *Writer) Close() { w.put(jsontext.EndObject) }

// Open begins an array, which Shut ends.
func (w *Writer) Open() { w.put(jsontext.BeginArray) }

// Shut ends an array.
func (w *Writer) Shut() { w.put(jsontext.EndArray) }

// Null writes null.
func (w *Writer) Null() { w.put(jsontext.Null) }

// Text writes a string; what is not valid UTF-8 in it is replaced.
func (w *Writer) Text(s string) { w.put(jsontext.String(s)) }

// Truth writes true or false.
func (w *Writer) Truth(b bool) { w.put(jsontext.Bool(b)) }

// Integer writes a whole number.
func (w *Writer) Integer(n int64) { w.put(jsontext.Int(n)) }

// Texts writes an array of strings.
func (w *Writer) Texts(list []string) {
	w.Open()
	for _, s := range list {
		w.Text(s)
	}
	w.Shut()
}

// Number writes a number with at most four decimals; what is not finite becomes 0.
func (w *Writer) Number(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	w.put(jsontext.Float(math.Round(f*1e4) / 1e4))
}

// End closes the envelope.
func (w *Writer) End(code appliance.Code, msg string) {
	w.Name("error_code").Integer(int64(code))
	w.Name("error_message").Text(msg)
	w.Close()
}

// Plain closes the envelope of an answer that has no Services, and returns it.
func (w *Writer) Plain() []byte {
	w.Name("Services").Null()
	w.End(0, "")
	return w.Bytes()
}

// Bytes returns what was written, without a line break at the end. It is the caller's once nothing more is written.
func (w *Writer) Bytes() []byte { return bytes.TrimSuffix(w.buf.Bytes(), []byte("\n")) }

// IDs writes the members that every answer about a transaction ends with.
func (w *Writer) IDs(a Answer) {
	w.Name("transaction_id").Text(a.TransactionID)
	w.Name("client_transaction_id")
	if a.ClientTransactionID == nil {
		w.Null()
	} else {
		w.Text(*a.ClientTransactionID)
	}
	w.Name("request_id").Text(a.RequestID)
	if a.Reviewed {
		w.Name("reviewed").Truth(true)
	}
}

// document writes the members data and Services of one document in a data model. Of another kind of document, the
// fields in which both models say the same are given, and what is wrong with those.
func (w *Writer) document(a Answer, read *appliance.Document, model appliance.Kind, others []appliance.Outline) {
	d := read.As(model)
	w.Name("data").Begin()
	for _, f := range read.Specs(model) {
		value := d.Field(f.Name).Value
		w.Name(f.Name)
		if f.Type == appliance.Date && value == "" {
			w.Null()
		} else {
			w.Text(value)
		}
	}
	w.IDs(a)
	w.Close()
	w.Name("Services").Begin()
	w.validations(d.Validations)
	w.Name("spoofing").Begin()
	w.Name("fake").Truth(d.Fake)
	w.Close()
	w.Name("classification").Begin()
	w.Name("doc_type").Text(string(d.Kind))
	w.Close()
	if a.Evidence {
		w.evidence(&d, model, others)
	}
	w.Close()
}

func (w *Writer) validations(list []appliance.Validation) {
	w.Name("Validations").Begin()
	w.Name("validation_errors").Open()
	for _, v := range list {
		w.Begin()
		w.Name("field").Text(v.Field)
		w.Name("value").Text(v.Value)
		w.Name("errors").Open()
		for _, code := range v.Errors {
			w.Begin()
			w.Name("code").Integer(int64(code))
			w.Name("message").Text(code.MessageIn(w.Language))
			w.Close()
		}
		w.Shut()
		w.Close()
	}
	w.Shut()
	w.Close()
}

func (w *Writer) lines(lines []appliance.Line) {
	w.Name("lines").Open()
	for _, l := range lines {
		w.Begin()
		w.Name("text").Text(l.Text)
		w.Close()
	}
	w.Shut()
}

// Time writes a moment in UTC as RFC 3339 has it.
func (w *Writer) Time(t time.Time) { w.Text(t.UTC().Format(time.RFC3339Nano)) }

// Maybe writes a truth value, or null where there is none.
func (w *Writer) Maybe(b *bool) {
	if b == nil {
		w.Null()
		return
	}
	w.Truth(*b)
}

// Check writes a check of the doctor; what to do is said of one that failed.
func (w *Writer) Check(k appliance.Check, l appliance.Language) {
	detail, hint := k.In(l)
	w.Begin()
	w.Name("name").Text(k.Name)
	w.Name("ok").Truth(k.OK)
	w.Name("detail").Text(detail)
	if k.OK {
		hint = ""
	}
	w.Name("hint").Text(hint)
	w.Close()
}

// Moment writes a moment, null for none.
func (w *Writer) Moment(t time.Time) {
	if t.IsZero() {
		w.Null()
		return
	}
	w.Time(t)
}

// EmptyEnvelope is the answer that has nothing to say.
func EmptyEnvelope() []byte {
	w := NewWriter()
	w.Begin()
	w.Name("data").Null()
	return w.Plain()
}

// Scopes writes the scopes of a key.
func (w *Writer) Scopes(list []appliance.Scope) {
	w.Open()
	for _, s := range list {
		w.Text(string(s))
	}
	w.Shut()
}

// DataEnvelope writes an answer with any data.
func DataEnvelope(data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("write answer: %w", err)
	}
	w := NewWriter()
	w.Begin()
	w.Name("data")
	if err := w.enc.WriteValue(text); err != nil {
		return nil, fmt.Errorf("write answer: %w", err)
	}
	return w.Plain(), nil
}
