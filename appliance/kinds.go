package appliance

import (
	"bytes"
	_ "embed" // the contract's kinds lie beside this file
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Kind is what a picture shows: the doc_type of the API.
type Kind string

// The kinds of the contract.
const (
	NationalIDFront Kind = "national_id_front"
	NationalIDBack  Kind = "national_id_back"
	CarLicenseFront Kind = "car_license_front"
	CarLicenseBack  Kind = "car_license_back"
	Passport        Kind = "passport"
	DrivingLicense  Kind = "driving_license"
	LicensePlate    Kind = "license_plate"
	Unknown         Kind = "unknown"
)

// kindsFile is what the contract says of its kinds. The training reads it too: bawab_training.draw.kinds. It is made of contract.json and
// the description in the folder of each kind: go generate ./inference/documents.
//
//go:embed kinds.json
var kindsFile []byte

// Size is how large a document is, in millimetres, as its text stands upright.
type Size struct{ Width, Height float64 }

// ID1 is the size of bank cards, ISO/IEC 7810.
var ID1 = Size{85.60, 53.98}

// ID3 is the size of a passport's data page, ISO/IEC 7810.
var ID3 = Size{125, 88}

// Shape is the width by the height.
func (s Size) Shape() float64 { return s.Width / s.Height }

// UnmarshalJSON takes the size as width and height.
func (s *Size) UnmarshalJSON(b []byte) error {
	var sides [2]float64
	if err := json.Unmarshal(b, &sides); err != nil {
		return err
	}
	s.Width, s.Height = sides[0], sides[1]
	return nil
}

// Region is a part of a document laid flat, in shares of its width and height: left, top, right, bottom.
type Region [4]float64

// Facts are what holds of all documents of a kind of the contract. They are shared: nobody changes them.
type Facts struct {
	Kind     Kind     `json:"kind"`
	Endpoint Endpoint `json:"endpoint"`
	// Identity: such a document proves who somebody is, so that face match and liveness may compare a face with its portrait.
	Identity bool `json:"identity"`
	// OtherSide is the kind of the back of a front and of the front of a back, "" for others.
	OtherSide Kind `json:"other_side"`
	// Sizes are those that such a document may have, the likeliest first. That licences have the size of bank cards is what they are
	// taken for; no source says so, nor which way up they are.
	Sizes []Size `json:"sizes"`
	// Portrait is the middle of the portrait where every such document has it at one place, and Beside are two regions of the same
	// document without a portrait; nil and zero for others.
	Portrait *Region   `json:"portrait"`
	Beside   [2]Region `json:"beside"`
	// Cues names the signs of fraud that can be told from such a document, in the order of answers.
	Cues []string `json:"cues"`
	// Fields is the data model in the order of the contract.
	Fields []FieldFacts `json:"fields"`

	model []FieldSpec
	says  map[Meaning][]string
}

// FieldFacts are what the contract says of one field of a kind.
type FieldFacts struct {
	Name string `json:"name"`
	Date bool   `json:"date"` // else it is text
	// Says is what the field shares with fields of other kinds, "" for what no other kind says.
	Says Meaning `json:"says"`
}

// Meaning is what fields of several kinds say of their holder or themselves, whatever each kind calls it.
type Meaning string

// The meanings that rules ask for.
const (
	MeansNumber Meaning = "number"
	MeansName   Meaning = "name" // in Arabic text; it may stand in two fields, its first line and the rest
	MeansSex    Meaning = "sex"
	MeansBirth  Meaning = "birth"
)

// contract reads the file once. It is part of the program, so a fault in it is a mistake of the build.
var contract = sync.OnceValue(func() []Facts {
	var all []Facts
	d := json.NewDecoder(bytes.NewReader(kindsFile))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		panic(fmt.Sprintf("kinds.json: %v", err))
	}
	for i := range all {
		all[i].index()
	}
	return all
})

// index makes of the fields what is asked of them often.
func (f *Facts) index() {
	f.model, f.says = make([]FieldSpec, len(f.Fields)), make(map[Meaning][]string)
	for i, field := range f.Fields {
		f.model[i].Name = field.Name
		if field.Date {
			f.model[i].Type = Date
		}
		if field.Says != "" {
			f.says[field.Says] = append(f.says[field.Says], field.Name)
		}
	}
}

// Contract lists what is known of the kinds of the contract, in its order.
func Contract() []Facts { return contract() }

// Facts returns what is known of a kind; for those that are not of the contract, nothing.
func (k Kind) Facts() Facts {
	all := contract()
	if i := slices.IndexFunc(all, func(f Facts) bool { return f.Kind == k }); i >= 0 {
		return all[i]
	}
	return Facts{}
}

// Identity reports whether a document of this kind proves who somebody is.
func (k Kind) Identity() bool { return k.Facts().Identity }

// Model returns the fields of the kind's data model in the order of the contract; nil for kinds that are not of it. It is shared:
// nobody changes it.
func (k Kind) Model() []FieldSpec { return k.Facts().model }

// Saying names the fields of the kind's data model that say something, in the order of the contract.
func (k Kind) Saying(m Meaning) []string { return k.Facts().says[m] }

// FieldType says how a field travels: text ("" when not read) or date (null when not read).
type FieldType int

// The two field types of the contract.
const (
	Text FieldType = iota
	Date           // Value is YYYY-MM-DD
)

// FieldSpec is one field of a data model.
type FieldSpec struct {
	Name string
	Type FieldType
	// Holder tells, of a kind that a model pack brings, that the value names the holder: two documents that share it are of one person.
	Holder bool `json:",omitempty"`
}
