package card

import (
	"slices"

	"github.com/bawab/bawab/appliance/egypt"
)

// labelledCard is from how many labels on a card labels its values.
const labelledCard = 4

// labels counts the labels that have values.
func (a cells) labels() (n int) {
	for i := range a {
		if len(a[i].values) > 0 {
			n++
		}
	}
	return n
}

// printedDate is a date as it was read; figures are nil where none was found.
type printedDate struct {
	figures
	row
	spelled egypt.Digits // the same, as the reader of words read it; nil where that saw no number
	named   bool         // its month is, so that the reader of digits does not know it
}

// drivingLabels are the labels of driving licences.
func drivingLabels() []egypt.Phrase {
	country := func(p egypt.Phrase) bool { return p.Text == "Egypt" } // here it is the nationality
	return slices.DeleteFunc(slices.Concat(kindAs(egypt.LabelLicenceType), egypt.PhrasesOf(egypt.LabelRepublic, egypt.LabelInterior, egypt.LabelHeading, egypt.LabelDriving, egypt.LabelLicenceType, egypt.LabelNumber, egypt.LabelName,
		egypt.LabelAddress, egypt.LabelNationality, egypt.LabelJob, egypt.LabelIssued, egypt.LabelExpires, egypt.LabelValidUntil, egypt.LabelCondition,
		egypt.LabelUse, egypt.LabelOffice, egypt.LabelLatinName, egypt.LabelLatinNation, egypt.LabelSerial, egypt.LabelBlood, egypt.LabelBirth, egypt.LabelRemarks, egypt.LabelOther, egypt.LabelEnglish)), country)
}

// kindAs is the label النوع, which on the back of a vehicle's licence announces the make, as the label of what it announces on another side.
func kindAs(label egypt.Label) []egypt.Phrase {
	kind := slices.DeleteFunc(egypt.PhrasesOf(egypt.LabelMake), func(p egypt.Phrase) bool { return p.Text != "النوع" })
	for i := range kind {
		kind[i].Label = label
	}
	return kind
}
