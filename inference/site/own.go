package site

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// printedField says of a field of a licence which label announces it, and whether the values that a site prints there are few.
type printedField struct {
	name  string
	label egypt.Label
	terms bool
}

// printedFields are the fields of a kind whose labels, and lists of values, a site can add to.
func printedFields(kind appliance.Kind) []printedField {
	switch kind {
	case appliance.DrivingLicense:
		return []printedField{
			{"nationalID", egypt.LabelNumber, false},
			{"nameArabic", egypt.LabelName, false},
			{"nameEnglish", egypt.LabelLatinName, false},
			{"address", egypt.LabelAddress, false},
			{"job", egypt.LabelJob, false},
			{"licenseType", egypt.LabelLicenceType, true},
			{"nationalityArabic", egypt.LabelNationality, true},
			{"nationalityEnglish", egypt.LabelLatinNation, true},
			{"trafficUnit1", egypt.LabelOffice, true},
			{"trafficUnit2", egypt.LabelOffice, true},
			{"special1", egypt.LabelCondition, true},
			{"issuenceDate", egypt.LabelIssued, false},
			{"expiryDate", egypt.LabelExpires, false},
		}
	case appliance.CarLicenseFront:
		return []printedField{
			{"license_number", egypt.LabelPlate, false},
			{"license_type", egypt.LabelUse, true},
			{"name", egypt.LabelName, false},
			{"name_2", egypt.LabelRest, false},
			{"nationality", egypt.LabelNationality, true},
			{"address", egypt.LabelAddress, false},
			{"traffic_unit", egypt.LabelOffice, true},
			{"issuance", egypt.LabelIssued, false},
			{"expiry", egypt.LabelExpires, false},
		}
	case appliance.CarLicenseBack:
		return []printedField{
			{"model_year", egypt.LabelModelYear, false},
			{"cylinder", egypt.LabelCylinders, false},
			{"volume", egypt.LabelVolume, false},
			{"chasis", egypt.LabelChassis, false},
			{"motor", egypt.LabelMotor, false},
			{"type", egypt.LabelMake, true},
			{"sub_type", egypt.LabelModel, true},
			{"sub_type_2", egypt.LabelBody, true},
			{"color", egypt.LabelColour, true},
			{"fuel", egypt.LabelFuel, true},
			{"examination_dt", egypt.LabelInspection, false},
		}
	}
	return nil
}

// HasLabels reports whether documents of a kind are read by their labels.
func HasLabels(kind appliance.Kind) bool { return len(printedFields(kind)) > 0 }

// LabelOf is the label that announces a field; "" where a site can add no wording of one.
func LabelOf(kind appliance.Kind, field string) egypt.Label {
	f := printedFields(kind)
	if i := slices.IndexFunc(f, func(p printedField) bool { return p.name == field }); i >= 0 {
		return f[i].label
	}
	return ""
}

// HasTerms reports whether a site can add to the values that are expected in a field.
func HasTerms(kind appliance.Kind, field string) bool {
	return slices.ContainsFunc(printedFields(kind), func(p printedField) bool { return p.name == field && p.terms })
}

// KnownLabel reports whether a text is like a wording of a licence's label that the program knows, by least or more: 0 to 1.
func KnownLabel(text string, least float64) bool {
	return slices.ContainsFunc(egypt.Phrases(), func(p egypt.Phrase) bool { return egypt.Likeness(p.Text, text) >= least })
}
