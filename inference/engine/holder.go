package engine

import (
	"time"

	"github.com/bawab/bawab/appliance/egypt/names"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/appliance/holder"
)

// HolderRules say by what Egypt's documents show that two of them are one holder's.
func HolderRules() holder.Rules {
	return holder.Rules{SameName: names.Same, InLatin: names.InLatin, OfNumber: ofNumber}
}

// ofNumber returns the day of birth and the sex that a national number states, "" where it is not valid.
func ofNumber(digits string) (born, sex string) {
	parts, err := number.Parse(digits, time.Now())
	if err != nil {
		return "", ""
	}
	return parts.Birth, string(parts.Sex)
}
