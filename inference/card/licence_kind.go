package card

import (
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/outline"
)

// licence reports whether a kind is a licence: their looks are not known well enough to tell them apart without reading.
func licence(k appliance.Kind) bool {
	return k == appliance.DrivingLicense || k == appliance.CarLicenseFront || k == appliance.CarLicenseBack
}

// labelsOf are the labels of a kind of licence; those of Unknown are enough to tell what a card is.
func labelsOf(k appliance.Kind) []egypt.Phrase {
	switch k {
	case appliance.DrivingLicense:
		return drivingLabels()
	case appliance.CarLicenseFront:
		return carFrontLabels()
	case appliance.CarLicenseBack:
		return vehicleLabels()
	}
	return egypt.PhrasesOf(egypt.LabelDriving, egypt.LabelVehicle, egypt.LabelVehicleData, egypt.LabelChassis, egypt.LabelMotor, egypt.LabelColour, egypt.LabelFuel, egypt.LabelCylinders)
}

// readLicence reads the text of a licence, d.Kind being what it looks like, and corrects that where the text is clearly
// another one's.
func (s *sheet) readLicence(ctx context.Context, d *appliance.Document) (cells, error) {
	all, err := s.readCells(ctx, s.labelsOf(d.Kind))
	if err != nil {
		return nil, err
	}
	if all.ofPassport() {
		s.named, d.Kind = true, appliance.Passport
		return all, nil
	}
	said := all.said()
	told := kindOf(said, d.Kind)
	s.named = told == kindOf(said, appliance.Unknown) && ofTrafficOffice(said) && (ofVehicle(said) || !all.ofID())
	if told == d.Kind {
		return all, nil
	}
	d.Kind = told
	return s.readCells(ctx, s.labelsOf(told))
}

// readOther reads the other documents of a picture that may be the licence that is sought, where the largest is none; without
// one it returns what was read.
func (r *Reader) readOther(ctx context.Context, s *scene, target int, read appliance.Document, earlier []appliance.Document, watch *stopwatch) (appliance.Document, int, error) {
	const most = 2 // more of them are a heap of papers
	tried := 0
	for i, f := range s.found {
		if i == target || f.Mirrored || tried == most || f.Kind != appliance.Unknown && !licence(f.Kind) {
			continue
		}
		tried++
		d, _, err := r.readFound(ctx, s, i, earlier, watch)
		if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument || err == nil && d.Kind == r.kind {
			return d, i, err
		}
	}
	return read, target, nil
}

// readAsLicence reads once more what looks like a passport and has no zone that can be read, or like an ID that neither says so nor shows
// a number, and returns that where its text is a licence's: how those look is not confirmed. named tells that its text says what it is.
func (r *Reader) readAsLicence(ctx context.Context, s *scene, f outline.Found, read appliance.Document, covers []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch,
) (d appliance.Document, named bool, err error) {
	f.Kind = appliance.Unknown
	d, named, err = r.readCard(ctx, s, f, covers, earlier, watch)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && !licence(d.Kind) {
		return read, err == nil && named && d.Kind == read.Kind, nil // in the mirror, or no licence
	}
	return d, named, err
}

// anyValue reports whether any field of a document was read.
func anyValue(d appliance.Document) bool { return valued(d) > 0 }

// valued is how many fields of a document were read.
func valued(d appliance.Document) (n int) {
	for _, f := range d.Fields {
		if f.Value != "" {
			n++
		}
	}
	return n
}

// How much text must speak for a kind to count, and how much more than for what the card looks like.
const (
	tellingPrint = 3
	clearlyMore  = 2
)

// kindWeights are what a label says for each kind of licence: driving licence, front and back of a car licence. Set by
// judgement from what the reference says that they print.
func kindWeights(l egypt.Label) (driving, front, back float64) {
	switch l {
	case egypt.LabelDriving:
		return 3, 0, 0
	case egypt.LabelLicenceType:
		return 0.7, 0.4, 0
	case egypt.LabelNumber:
		return 1.5, 0, 0
	case egypt.LabelDepartment, egypt.LabelJob:
		return 1, 0, 0
	case egypt.LabelVehicle:
		return 0, 3, 0
	case egypt.LabelPlate:
		return 0, 2, 0
	case egypt.LabelUse:
		return 0, 1, 0
	case egypt.LabelName, egypt.LabelAddress, egypt.LabelNationality, egypt.LabelUnit, egypt.LabelIssued, egypt.LabelExpires, egypt.LabelValidUntil:
		return 0.6, 0.6, 0 // of a holder, not of a vehicle
	case egypt.LabelVehicleData:
		return 0, 0, 3
	case egypt.LabelChassis, egypt.LabelMotor, egypt.LabelCylinders:
		return 0, 0, 1.5
	case egypt.LabelColour, egypt.LabelFuel, egypt.LabelVolume, egypt.LabelModelYear, egypt.LabelInspection, egypt.LabelMake, egypt.LabelModel, egypt.LabelBody:
		return 0, 0, 1
	}
	return 0, 0, 0
}

// ofPassport reports whether text says that it is a passport's data page, whose zone may be covered; on licences a passport's number may stand as well.
func (a cells) ofPassport() bool {
	licence := func(c cell) bool { return c.label == egypt.LabelDriving || c.label == egypt.LabelVehicle }
	return !slices.ContainsFunc(a, licence) && slices.ContainsFunc(a, func(c cell) bool {
		return slices.ContainsFunc(strings.Fields(c.text), func(w string) bool { return strings.EqualFold(w, "passport") })
	})
}

// ofID reports whether text has a label of the back of a national ID that no licence has.
func (a cells) ofID() bool {
	own := slices.DeleteFunc(egypt.BackPhrases(), func(p egypt.Phrase) bool {
		return p.Label != egypt.LabelReligion && p.Label != egypt.LabelMarital || !articled(p) || p.Text == "الحالة" // vehicles have a state as well
	})
	return slices.ContainsFunc(a, func(c cell) bool {
		f, ok := egypt.FindLabel(c.text, own)
		return ok && f.Score >= sureLabel
	})
}

// said lists the labels that can be read in the text of a licence, each once; the national number counts as its label.
func (a cells) said() (out []egypt.Label) {
	phrases := egypt.Phrases()
	for i := range a {
		f, ok := egypt.FindLabel(a[i].text, phrases)
		label := f.Phrase.Label
		switch {
		case longNumber(strings.ReplaceAll(a[i].text, " ", "")) && !slices.Contains(out, egypt.LabelNumber):
			label = egypt.LabelNumber
		case !ok || f.Score < 0.8:
			continue
		case label == egypt.LabelEnglish:
			label = f.Phrase.Means
		}
		if !slices.Contains(out, label) {
			out = append(out, label)
		}
	}
	return out
}

// kindOf tells the kind of licence by the labels that it says, and by the national number that driving licences print; looks where they do
// not tell.
func kindOf(said []egypt.Label, looks appliance.Kind) appliance.Kind {
	votes := map[appliance.Kind]float64{}
	for _, label := range said {
		driving, front, back := kindWeights(label)
		votes[appliance.DrivingLicense] += driving
		votes[appliance.CarLicenseFront] += front
		votes[appliance.CarLicenseBack] += back
	}
	best, most := looks, max(tellingPrint, votes[looks]+clearlyMore)
	for _, k := range []appliance.Kind{appliance.DrivingLicense, appliance.CarLicenseFront, appliance.CarLicenseBack} {
		if votes[k] >= most {
			best, most = k, votes[k]
		}
	}
	return best
}

// ofVehicle reports whether text says a label of a vehicle's, which no ID has; words of its values may be like labels of one, as الدبابة is like الديانة.
func ofVehicle(said []egypt.Label) bool {
	return saysAny(said, egypt.LabelChassis, egypt.LabelMotor, egypt.LabelCylinders, egypt.LabelFuel)
}

// ofTrafficOffice reports whether text says a label that cards of other offices do not have: all of them name their holder, and number and date themselves.
func ofTrafficOffice(said []egypt.Label) bool {
	return saysAny(said, egypt.LabelDriving, egypt.LabelVehicle, egypt.LabelVehicleData, egypt.LabelDepartment, egypt.LabelUnit, egypt.LabelLicenceType, egypt.LabelUse, egypt.LabelPlate,
		egypt.LabelChassis, egypt.LabelMotor, egypt.LabelCylinders, egypt.LabelFuel, egypt.LabelModelYear, egypt.LabelVolume)
}

// saysAny reports whether one of some labels was said.
func saysAny(said []egypt.Label, own ...egypt.Label) bool {
	return slices.ContainsFunc(said, func(l egypt.Label) bool { return slices.Contains(own, l) })
}
