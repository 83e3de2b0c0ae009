package egypt

import (
	"cmp"
	"math"
	"slices"
)

// DiplomaticReading is what the signs of a diplomatic plate say: two groups of digits, the mission's and the car's, and no letters.
type DiplomaticReading struct {
	// Value holds the groups as printed, the left one first, with a blank between: "193 16". It is empty where the signs are no such groups.
	Value string
	// Confidence and Characters are as in PlateReading.
	Confidence float64
	Characters []float64
}

// The most digits of one group of a diplomatic plate, and the least probability that a sign is the digit.
const (
	maxDiplomatic   = 4
	diplomaticDigit = 0.5
)

// DecodeDiplomatic reads the two groups of a plate whose band says that it is a diplomat's, each in a view in which it stands where the
// digits of other plates do: there readers know digits. What lies in the right half of a view is left out.
func DecodeDiplomatic(left, right []PlateSign) (r DiplomaticReading) {
	r.Confidence = 1
	var value []byte
	for i, signs := range [2][]PlateSign{left, right} {
		var there []PlateSign
		for _, s := range signs {
			switch {
			case s.X > 1:
			case s.There >= plateThere:
				there = append(there, s)
			default:
				r.Confidence *= 1 - s.There
			}
		}
		if len(there) < 1 || len(there) > maxDiplomatic {
			return DiplomaticReading{}
		}
		slices.SortFunc(there, func(a, b PlateSign) int { return cmp.Compare(a.X, b.X) })
		if i > 0 {
			value, r.Characters = append(value, ' '), append(r.Characters, 1)
		}
		for k := range there {
			s := &there[k]
			at := s.best(0, plateDigits)
			p := math.Exp(s.Cell[at])
			if p < diplomaticDigit {
				return DiplomaticReading{}
			}
			value = append(value, PlateSigns[at])
			r.Characters = append(r.Characters, s.There*p)
			r.Confidence *= s.There * p
		}
	}
	r.Value = string(value)
	return r
}
