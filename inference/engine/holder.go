package engine

import (
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// HolderRules say by what Egypt's documents show that two of them are one holder's.
func HolderRules() appliance.HolderRules {
	return appliance.HolderRules{SameName: egypt.SameName, InLatin: egypt.InLatin, OfNumber: ofNumber}
}

// ofNumber returns the day of birth and the sex that a national number states, "" where it is not valid.
func ofNumber(number string) (born, sex string) {
	parts, err := egypt.ParseNumber(number, time.Now())
	if err != nil {
		return "", ""
	}
	return parts.Birth, string(parts.Sex)
}
