package plate

import (
	"cmp"
	"math"
	"slices"
)

// Diplomatic is what the signs of a diplomatic plate say: two groups of digits, the mission's and the car's, and no letters.
type Diplomatic struct {
	// Value holds the groups as printed, the left one first, with a blank between: "193 16". It is empty where the signs are no such groups.
	Value string
	// Confidence and Characters are as in Reading.
	Confidence float64
	Characters []float64
	// LeftX and LeftY are the middle of the left group, RightX and RightY of the right one, in the units of Sign.
	LeftX, LeftY, RightX, RightY float64
}

const (
	// maxDiplomatic is the most digits of one group, and diplomaticDigit the least probability that a sign is the digit.
	maxDiplomatic   = 4
	diplomaticDigit = 0.5
	// halfRoom is how far beyond its half a view's signs count, where the other view does not see them, and halfSame how far apart both
	// may see one sign, in the units of X.
	halfRoom, halfSame = 0.06, 0.13
	// viewSame is how far apart one view may see one large digit twice, one half above the other.
	viewSame = 0.07
	// farGap is how far from the middle of the plate the gap between the groups may lie, and groupMiddle how much a gap between the
	// groups must be wider than another, with what it lies nearer to the middle of the plate, to be e times as likely.
	farGap      = 0.35
	groupMiddle = 0.05
	// groupAside is how far the middle of a group may lie from that of its half; beyond, a sign of it was not seen, or its first is the
	// other's last.
	groupAside = 0.4
)

// DecodeDiplomatic reads the two groups of a plate whose band says that it is a diplomat's, from two views of it, in each of which one
// half stands where the digits of other plates do: there readers know digits. In right, places are counted from the middle of the plate on.
// What lies in the other half of a view is left out, and what both see at the middle counts once.
func DecodeDiplomatic(left, right []Sign) (r Diplomatic) {
	signs, doubt := halves(left, right)
	cut, sure := betweenGroups(signs)
	if cut == 0 || cut > maxDiplomatic || len(signs)-cut > maxDiplomatic {
		return Diplomatic{}
	}
	r.Confidence = doubt * sure
	left, right = signs[:cut], signs[cut:]
	if math.Abs(middle(left)-0.5) > groupAside || math.Abs(middle(right)-1.5) > groupAside {
		r.Confidence /= 2
	}
	var value []byte
	for k := range signs {
		if k == cut {
			value, r.Characters = append(value, ' '), append(r.Characters, 1)
		}
		s := &signs[k]
		at := s.best(0, digitSigns)
		p := math.Exp(s.Cell[at])
		if p < diplomaticDigit {
			return Diplomatic{}
		}
		value = append(value, Signs[at])
		r.Characters = append(r.Characters, s.There*p)
		r.Confidence *= s.There * p
	}
	r.Value = string(value)
	r.LeftX, r.LeftY = middle(left), height(left)
	r.RightX, r.RightY = middle(right), height(right)
	return r
}

// halves puts the signs of both views together, from left to right with the plate's places, and returns the probability that what was
// left out as hardly there is none. A view knows its own half best.
func halves(left, right []Sign) (signs []Sign, none float64) {
	type seen struct {
		Sign
		view int
		own  bool
	}
	var all []seen
	for view, half := range [2][]Sign{left, right} {
		for _, s := range half {
			s.X += float64(view)
			beyond := s.X - 1 // into the other half
			if view == 1 {
				beyond = 1 - s.X
			}
			if beyond <= halfRoom && s.X <= 2 {
				all = append(all, seen{s, view, beyond <= 0})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b seen) int {
		if a.own != b.own {
			return map[bool]int{true: -1, false: 1}[a.own]
		}
		return cmp.Compare(b.There*b.digit(), a.There*a.digit())
	})
	none = 1
	var kept []seen
	for _, s := range all {
		twice := slices.ContainsFunc(kept, func(o seen) bool {
			return math.Abs(o.X-s.X) < map[bool]float64{true: viewSame, false: halfSame}[o.view == s.view]
		})
		switch {
		case twice:
		case s.There >= leastThere:
			kept, signs = append(kept, s), append(signs, s.Sign)
		default:
			none *= 1 - s.There
		}
	}
	slices.SortFunc(signs, func(a, b Sign) int { return cmp.Compare(a.X, b.X) })
	return signs, none
}

// digit is how probably a sign is a digit, the likeliest one.
func (s *Sign) digit() float64 { return math.Exp(s.Cell[s.best(0, digitSigns)]) }

// middle is where the middle of a row of signs lies.
func middle(signs []Sign) float64 { return (signs[0].X + signs[len(signs)-1].X) / 2 }

// height is how high the middle of a row of signs lies.
func height(signs []Sign) float64 { return (signs[0].Y + signs[len(signs)-1].Y) / 2 }

// betweenGroups returns before which of the signs the second group begins, 0 for none, and how sure that is: the gap there is wide, and
// near the middle of the plate.
func betweenGroups(signs []Sign) (cut int, sure float64) {
	merit := func(i int) float64 {
		a, b := signs[i-1].X, signs[i].X
		away := math.Abs((a+b)/2 - 1)
		if away > farGap {
			return math.Inf(-1)
		}
		return b - a - away
	}
	for i := 1; i < len(signs); i++ {
		if m := merit(i); m > math.Inf(-1) && (cut == 0 || m > merit(cut)) {
			cut = i
		}
	}
	if cut == 0 {
		return 0, 0
	}
	sum := 0.0
	for i := 1; i < len(signs); i++ {
		sum += math.Exp((merit(i) - merit(cut)) / groupMiddle)
	}
	return cut, 1 / sum
}
