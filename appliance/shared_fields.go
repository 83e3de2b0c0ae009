package appliance

import (
	"slices"
	"strings"
)

// sharedFields lists what several kinds of documents say of their holder or themselves, and in which fields each says it. A name may stand in two, its first
// line and the rest. A passport's name is in Latin letters, and its nationality a code.
var sharedFields = []map[Kind][]string{
	numberFields,
	nameFields,
	{Passport: {"name"}, DrivingLicense: {"nameEnglish"}},
	sexFields,
	bornFields,
	{NationalIDFront: {"address"}, CarLicenseFront: {"address"}, DrivingLicense: {"address"}},
	{NationalIDBack: {"job"}, DrivingLicense: {"job"}},
	{CarLicenseFront: {"nationality"}, DrivingLicense: {"nationalityArabic"}},
	{CarLicenseFront: {"license_number"}, LicensePlate: {"result"}},
	{CarLicenseFront: {"traffic_unit"}, DrivingLicense: {"trafficUnit1"}},
	{NationalIDBack: {"releaseDate"}, CarLicenseFront: {"issuance"}, DrivingLicense: {"issuenceDate"}},
	{NationalIDBack: {"idExpiry"}, CarLicenseFront: {"expiry"}, Passport: {"Date_of_Expiry"}, DrivingLicense: {"expiryDate"}},
}

// The fields that say the national number, the sex and the day of birth. A passport has its national number, if any, in the zone: see
// Document.PersonalNumber.
var (
	numberFields = map[Kind][]string{NationalIDFront: {numberField}, NationalIDBack: {numberField}, DrivingLicense: {"nationalID"}}
	sexFields    = map[Kind][]string{NationalIDFront: {"gender"}, NationalIDBack: {"gender"}, Passport: {"gender"}}
	bornFields   = map[Kind][]string{NationalIDFront: {"dateOfBirth"}, Passport: {"Date_of_Birth"}}
)

// As returns the document in the data model of another kind: the fields in which that says the same, under their names there, with what is wrong with
// them and with the document as a whole. A document of an unknown kind has its fields under the names of the model that it was read for. The receiver
// stays as it is and shares its memory.
func (d *Document) As(model Kind) Document {
	out := *d
	if d.Kind == model || d.Kind == Unknown {
		return out
	}
	out.Fields, out.Validations = nil, nil
	for _, v := range d.Validations {
		if v.Field == "" {
			out.Validations = append(out.Validations, v)
		}
	}
	for _, shared := range sharedFields {
		from, to := shared[d.Kind], shared[model]
		if len(from) == 0 || len(to) == 0 {
			continue
		}
		f := d.joined(from)
		f.Name = to[0]
		f.DerivedFrom = renamed(f.DerivedFrom, d.Kind, model)
		out.Fields = append(out.Fields, f)
		for _, v := range d.Validations {
			if slices.Contains(from, v.Field) {
				for _, code := range v.Errors {
					out.Flag(f.Name, f.Value, code)
				}
			}
		}
	}
	return out
}

// joined is the value of fields that follow each other, as sure as the least sure of those that are not empty.
func (d *Document) joined(names []string) Field {
	out := d.Field(names[0])
	for _, name := range names[1:] {
		f := d.Field(name)
		if f.Value == "" {
			continue
		}
		if out.Value != "" {
			f.Confidence = min(f.Confidence, out.Confidence)
		}
		out = Field{
			Value:       strings.TrimSpace(out.Value + " " + f.Value),
			Confidence:  f.Confidence,
			Quad:        out.Quad,
			Raw:         strings.TrimSpace(out.Raw + " " + f.Raw),
			DerivedFrom: slices.Concat(out.DerivedFrom, f.DerivedFrom),
			Repairs:     slices.Concat(out.Repairs, f.Repairs),
			Checks:      slices.Concat(out.Checks, f.Checks),
		}
	}
	return out
}

// renamed are fields of one kind under their names in the model of another; those that it lacks are left out.
func renamed(fields []string, from, to Kind) (out []string) {
	for _, name := range fields {
		for _, shared := range sharedFields {
			if slices.Contains(shared[from], name) && len(shared[to]) > 0 {
				out = append(out, shared[to][0])
			}
		}
	}
	return out
}
