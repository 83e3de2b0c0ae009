package appliance

import (
	"slices"
	"strings"
)

// kindPath is where the endpoints of the kinds lie that a model pack brings.
const kindPath = "ocr/kinds/"

// KindEndpoint is the endpoint that asks for a kind that a model pack brings.
func KindEndpoint(k Kind) Endpoint { return Endpoint(kindPath + string(k)) }

// KindModel is a kind of document that a model pack brings.
type KindModel struct {
	Kind Kind
	// Title is what such a document prints as its name, "" where it prints none.
	Title string
	// Fields is its data model, in the order of its description.
	Fields []FieldSpec
}

// Taken reports whether a name stands for something that every appliance knows, so that no model pack may bring a kind of it.
func (k Kind) Taken() bool {
	return k == "" || slices.Contains(append(ReviewKinds(), "multi", "general"), k)
}

// AnswerMember reports whether the data of every answer has a member of this name beside those of its data model.
func AnswerMember(name string) bool {
	return slices.Contains([]string{"transaction_id", "client_transaction_id", "request_id", "reviewed"}, name)
}

// PackKind is the kind that the endpoint of a model pack's kind asks for, "" where it is none.
func (e Endpoint) PackKind() Kind {
	name, ok := strings.CutPrefix(string(e), kindPath)
	if !ok {
		return ""
	}
	return Kind(name)
}

// NoKind is the answer where a kind is asked for that the model set in use does not bring.
func NoKind() error {
	return Errorf(CodeNotFound, "there is no such kind of document here: GET /v1/ocr/kinds lists those that there are")
}

// Specs returns the fields of the document in the data model of a kind: that of the contract, or its own.
func (d *Document) Specs(model Kind) []FieldSpec {
	if specs := model.Model(); specs != nil {
		return specs
	}
	return d.Model
}

// What a review is about beside a kind of document.
const (
	ReviewMatch    Kind = "face_match"
	ReviewLiveness Kind = "liveness"
)

// ReviewKinds lists what may be kept for review: the kinds of documents, and the two face checks, which are kept only where they are
// named.
func ReviewKinds() []Kind { return append(ReviewDocuments(), ReviewMatch, ReviewLiveness) }

// ReviewDocuments lists the kinds of documents that every appliance may keep, beside those that a model pack brings. Unknown are those that
// are answered as no kind: from them it shows when a card comes that the appliance does not know.
func ReviewDocuments() []Kind {
	var all []Kind
	for _, f := range contract() {
		all = append(all, f.Kind)
	}
	return append(all, Unknown)
}
