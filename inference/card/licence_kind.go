package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// licence tells whether a kind is a licence: their looks are not known well enough to tell them apart without reading.
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
	return phrasesOfAny(egypt.LabelDriving, egypt.LabelVehicle, egypt.LabelChassis, egypt.LabelMotor, egypt.LabelColour, egypt.LabelFuel, egypt.LabelCylinders)
}

// readLicence reads the print of a licence, d.Kind being what it looks like, and corrects that where the print is clearly
// another one's.
func (s *sheet) readLicence(ctx context.Context, d *appliance.Document) (cells, error) {
	all, err := s.readCells(ctx, labelsOf(d.Kind))
	if err != nil {
		return nil, err
	}
	told := all.kind(d.Kind)
	if told == d.Kind {
		return all, nil
	}
	d.Kind = told
	return s.readCells(ctx, labelsOf(told))
}

// How much print must speak for a kind to count, and how much more than for what the card looks like.
const (
	tellingPrint = 3
	clearlyMore  = 2
)

// kind tells the kind of licence by its labels; looks where they do not tell.
func (a cells) kind(looks appliance.Kind) appliance.Kind {
	weights := map[egypt.Label]struct {
		kind   appliance.Kind
		weight float64
	}{
		egypt.LabelDriving: {appliance.DrivingLicense, 3}, egypt.LabelLicenceType: {appliance.DrivingLicense, 0.5}, egypt.LabelNumber: {appliance.DrivingLicense, 1},
		egypt.LabelDepartment: {appliance.DrivingLicense, 1}, egypt.LabelJob: {appliance.DrivingLicense, 1},
		egypt.LabelVehicle: {appliance.CarLicenseFront, 3}, egypt.LabelPlate: {appliance.CarLicenseFront, 2}, egypt.LabelUse: {appliance.CarLicenseFront, 1},
		egypt.LabelChassis: {appliance.CarLicenseBack, 1.5}, egypt.LabelMotor: {appliance.CarLicenseBack, 1.5}, egypt.LabelColour: {appliance.CarLicenseBack, 1},
		egypt.LabelFuel: {appliance.CarLicenseBack, 1}, egypt.LabelCylinders: {appliance.CarLicenseBack, 1.5}, egypt.LabelVolume: {appliance.CarLicenseBack, 1},
		egypt.LabelModelYear: {appliance.CarLicenseBack, 1}, egypt.LabelInspection: {appliance.CarLicenseBack, 1},
	}
	phrases := egypt.Phrases()
	seen := map[egypt.Label]bool{}
	votes := map[appliance.Kind]float64{}
	for i := range a {
		f, ok := egypt.FindLabel(a[i].text, phrases)
		if !ok || f.Score < 0.8 || seen[f.Phrase.Label] {
			continue
		}
		seen[f.Phrase.Label] = true
		w := weights[f.Phrase.Label]
		votes[w.kind] += w.weight
	}
	best, most := looks, max(tellingPrint, votes[looks]+clearlyMore)
	for _, k := range []appliance.Kind{appliance.DrivingLicense, appliance.CarLicenseFront, appliance.CarLicenseBack} {
		if votes[k] >= most {
			best, most = k, votes[k]
		}
	}
	return best
}
