package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// Measure is what a series is the share of.
type Measure string

// The measures. Empty and Doubted are of a field, Coded of a code or of AnyCode, Refused and NotPassed of an error code or a reason.
const (
	Empty     Measure = "empty"   // documents on which the field was not read
	Doubted   Measure = "doubted" // documents on which the field carries a code of doubt
	Coded     Measure = "code"    // documents that carry the code
	Refused   Measure = "refused" // pictures that were refused with the code
	NotPassed Measure = "reason"  // face checks that did not pass, for the reason
)

const (
	// AnyCode stands for any code of doubt.
	AnyCode = "any"
	// NotMatched stands for a face that is not the document's.
	NotMatched = "not_matched"
	// Pictures of no one kind, and of any text, are streams of these kinds.
	anyKind, anyText = "multi", "general"
	// The routes of the appliance's own camera name no kind.
	ownDocument, ownLiveness appliance.Endpoint = "camera/document", "camera/liveness"

	other = "other"
)

// Streams begin with what their documents are.
const (
	readOf, askedOf = "read", "asked"
	checkOf         = "check"
)

// ID names a series: its stream, its measure and what of, parted by dots.
type ID string

func idOf(stream, of string) ID { return ID(stream + "." + of) }

// Parts are what an ID says: the kind of document, or face_match, liveness, multi and general; the measure; and of what.
func (id ID) Parts() (kind string, m Measure, of string) {
	p := strings.SplitN(string(id), ".", 4)
	if len(p) < 4 {
		return "", "", ""
	}
	return p[1], Measure(p[2]), p[3]
}

// stream is the part of an ID before the measure.
func (id ID) stream() string {
	p := strings.SplitN(string(id), ".", 3)
	if len(p) < 3 {
		return ""
	}
	return p[0] + "." + p[1]
}

// family is how many series of its measure the stream of a series has: fields of the model, or codes and reasons that occur.
func (id ID) family() int {
	kind, m, _ := id.Parts()
	switch m {
	case Empty, Doubted:
		if fields := len(appliance.Kind(kind).Model()); fields > 0 {
			return fields
		}
		return manyFields
	case Coded:
		return 24
	}
	return 12
}

// manyFields is how many fields a kind is taken to have that a model set brings.
const manyFields = 16

// observation is one document, picture or check of a stream, with what held of it.
type observation struct {
	stream string
	hits   []string // measure and of what, parted by a dot
}

func hit(m Measure, of string) string { return string(m) + "." + of }

func hitCode(m Measure, c appliance.Code) string { return hit(m, strconv.Itoa(int(c))) }

// pictureCodes are the refusals that say something about pictures, lens or light, and nothing about callers and their keys.
func pictureCodes() []appliance.Code {
	return []appliance.Code{
		appliance.CodeNoDocument, appliance.CodeManyFaces, appliance.CodeNoFace, appliance.CodeNoPortrait, appliance.CodeFaceUnclear,
		appliance.CodePictureKind, appliance.CodePictureBytes, appliance.CodePicturePixels, appliance.CodePictureBroken,
		appliance.CodePictureTooThin,
	}
}

// observed takes a decision apart. One that says nothing about a picture gives nothing.
func observed(d *appliance.Decision) (out []observation) {
	if d.Code != 0 && !slices.Contains(pictureCodes(), d.Code) {
		return nil
	}
	stream := streamOf(d)
	if stream == "" {
		return nil
	}
	o := observation{stream: stream}
	switch {
	case d.Code != 0:
		o.hits = []string{hitCode(Refused, d.Code)}
	case strings.HasPrefix(stream, checkOf):
		for _, r := range d.Reasons {
			o.hits = append(o.hits, hit(NotPassed, string(r)))
		}
		if d.Matched != nil && !*d.Matched {
			o.hits = append(o.hits, hit(NotPassed, NotMatched))
		}
	}
	for i := range d.Documents {
		if d.Documents[i].Flagged("", appliance.CodeOtherDocument) {
			o.hits = append(o.hits, hitCode(Refused, appliance.CodeOtherDocument))
			continue // it was read for what it shares with the kind that was asked for
		}
		if d.Documents[i].Kind != appliance.Unknown {
			out = append(out, document(&d.Documents[i]))
		}
	}
	slices.Sort(o.hits)
	o.hits = slices.Compact(o.hits)
	return append(out, o)
}

// streamOf is the stream of the pictures of a decision; "" where it is about none.
func streamOf(d *appliance.Decision) string {
	kind := d.Endpoint.Kind()
	switch {
	case d.Endpoint == appliance.EndpointFaceMatch:
		return checkOf + "." + string(appliance.ReviewMatch)
	case d.Endpoint == appliance.EndpointLiveness || d.Endpoint == ownLiveness:
		return checkOf + "." + string(appliance.ReviewLiveness)
	case kind != appliance.Unknown:
		return askedOf + "." + string(kind)
	case d.Endpoint == appliance.EndpointGeneral:
		return askedOf + "." + anyText
	case d.Endpoint == appliance.EndpointMulti || d.Endpoint == ownDocument:
		return askedOf + "." + anyKind
	}
	return ""
}

// document is the observation of a document that was read.
func document(d *appliance.Document) observation {
	o := observation{stream: readOf + "." + string(d.Kind)}
	for _, f := range d.Specs(d.Kind) {
		if d.Field(f.Name).Value == "" {
			o.hits = append(o.hits, hit(Empty, f.Name))
		}
		if slices.ContainsFunc(d.Codes(f.Name), appliance.Code.Doubts) {
			o.hits = append(o.hits, hit(Doubted, f.Name))
		}
	}
	codes := d.AllCodes()
	for _, c := range codes {
		o.hits = append(o.hits, hitCode(Coded, c))
	}
	if slices.ContainsFunc(codes, appliance.Code.Doubts) {
		o.hits = append(o.hits, hit(Coded, AnyCode))
	}
	return o
}
