package egypt

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
)

// Serial is the number of a chassis or an engine.
type Serial struct {
	Value string
	// Confidence is the probability in 0..1 that Value is what is printed.
	Confidence float64
	// Repairs says in words what the grammar changed.
	Repairs []string
	// VIN reports whether it has the form of a vehicle identification number.
	VIN bool
}

// A vehicle identification number (ISO 3779) has seventeen signs, without letters that look like digits.
const (
	VINLength = 17
	vinSigns  = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"
	allSigns  = vinSigns + "IOQ"
)

const (
	// otherSerial is the weight of a print that is no VIN against one that is, where about as many signs were read. Set by
	// judgement on 20 November 2026.
	otherSerial = 0.2
	// lookalike is the most confidence of a number in which a letter became the digit that it looks like: it is flagged.
	lookalike = 0.8
	// longestOther is how many signs the chassis numbers have at the most that are no VINs and have no dash. A VIN of which a few signs are hidden has more.
	longestOther = 12
	// evenOdds is the probability of a string than which no other one can be likelier.
	evenOdds = 0.5
	// certainly is the probability of a string from which on others are not looked at: all of them together have less than is left.
	certainly = 0.95
	// serialRounds is how many signs the search may change.
	serialRounds = 3
)

// DecodeChassis finds the chassis number that the ink supports best: a VIN where about seventeen signs were read, else what
// is printed. score is the log-probability that the ink gives to a text; nil: text stands alone.
func DecodeChassis(text string, confidence float64, score func(string) float64) Serial {
	if label, number := cutVIN(text); label != "" {
		text = number
		if whole := score; whole != nil {
			score = func(number string) float64 { return whole(label + number) }
		}
	}
	s := DecodeMotor(text, confidence, score)
	n := len(s.Value)
	if n > VINLength || n > longestOther && n < VINLength && !strings.Contains(s.Value, "-") {
		s.Confidence = min(s.Confidence, lookalike)
		s.Repairs = append(s.Repairs, "doubtful: a part of a VIN, or more than a number")
	}
	start := strings.NewReplacer("I", "1", "O", "0", "Q", "0").Replace(s.Value)
	if n < VINLength-1 || n > VINLength+1 {
		if start != s.Value {
			s.Repairs = append(s.Repairs, fmt.Sprintf("%s read as %s, chassis numbers hardly ever hold I, O and Q", s.Value, start))
			s.Value, s.Confidence = start, min(s.Confidence, lookalike)
		}
		return s
	}
	if score == nil {
		s.Value, s.VIN = start, n == VINLength
		return s
	}
	vin, top, mass := climb(start, vinSigns, sameShapes(s.Value, score), func(v string) bool { return len(v) == VINLength })
	if vin == "" || n != VINLength && top < otherSerial*s.Confidence {
		return s
	}
	out := Serial{Value: vin, Confidence: top / (mass + otherSerial*max(0, 1-mass)), VIN: true, Repairs: s.Repairs}
	if vin != s.Value {
		out.Repairs = append(out.Repairs, fmt.Sprintf("%s read as %s, a VIN has 17 signs without I, O and Q", s.Value, vin))
	}
	return out
}

// cutVIN cuts off the label VIN where it was read as the first signs of a number, which then are too many or hold a letter that none has.
func cutVIN(text string) (label, number string) {
	const signs = 3
	if len(text) <= signs || !strings.EqualFold(strings.NewReplacer("1", "I", "l", "I").Replace(text[:signs]), "VIN") {
		return "", text
	}
	number = strings.TrimLeft(text[signs:], " :")
	if len(SerialOf(text)) == VINLength && text[1] == '1' { // as some makers' numbers begin
		return "", text
	}
	return text[:len(text)-len(number)], number
}

// sameShapes is the log-probability of a VIN of which the digits 0 and 1 may have been read as the letters that look like them,
// as in read: since no VIN holds these, they are the digits, however clearly they look like letters.
func sameShapes(read string, score func(string) float64) func(string) float64 {
	if !strings.ContainsAny(read, "IOQ") {
		return score
	}
	return func(vin string) float64 {
		v := score(vin)
		if len(vin) != len(read) {
			return v
		}
		shown := []byte(vin)
		for i := range shown {
			if zero, one := strings.ContainsRune("OQ", rune(read[i])), read[i] == 'I'; shown[i] == '0' && zero || shown[i] == '1' && one {
				shown[i] = read[i]
			}
		}
		return max(v, score(string(shown)))
	}
}

// DecodeMotor finds the engine number that the ink supports best: capitals and digits.
func DecodeMotor(text string, confidence float64, score func(string) float64) Serial {
	if whole := strings.ToUpper(arabic.FoldDigits(strings.TrimSpace(text))); familyNumber.MatchString(whole) {
		return Serial{Value: whole, Confidence: confidence}
	}
	start := SerialOf(text)
	s := Serial{Value: start, Confidence: confidence}
	if start == "" || score == nil {
		return s
	}
	best, top := start, math.Exp(min(0, score(start)))
	if top < evenOdds {
		best, top, _ = climb(start, allSigns, score, func(v string) bool { return v != "" })
	}
	if best != "" {
		s.Value, s.Confidence = best, top
	}
	if plain := strings.ReplaceAll(text, " ", ""); s.Value != plain {
		s.Repairs = []string{fmt.Sprintf("%s read as %s, a number of capitals and digits", plain, s.Value)}
	}
	return s
}

// familyNumber is the number of an engine behind the code of its family, which a dot parts from it: OM651.46582633.
var familyNumber = regexp.MustCompile(`^[A-Z]{1,3}[0-9]{2,3}\.[0-9]{5,8}$`)

// Grouped is a number of capitals and digits with the blanks that its text has in text, where that parts it in two or three groups of several signs;
// others are the gaps of wide text.
func Grouped(number, text string) string {
	const most, shortest = 3, 2
	groups, rest := strings.Fields(text), number
	if len(groups) < 2 || len(groups) > most {
		return number
	}
	for i, g := range groups {
		n := len(SerialOf(g))
		if n < shortest || n > len(rest) {
			return number
		}
		groups[i], rest = rest[:n], rest[n:]
	}
	if rest != "" {
		return number
	}
	return strings.Join(groups, " ")
}

// SerialOf keeps what of a text may be part of a number: capitals, digits and dashes; other signs become those that they are mistaken for.
func SerialOf(text string) string {
	mistaken := strings.NewReplacer("ا", "1", "أ", "1", "ه", "5", "ة", "5", "و", "9", "ر", "1", "د", "2", "ك", "5")
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r == '-' {
			return r
		}
		return -1
	}, strings.ToUpper(mistaken.Replace(arabic.FoldDigits(text))))
}

// climb changes a string sign by sign, and by a sign more or less, as long as the ink supports the change; allowed says
// which strings count. It returns the best one with its probability, and that of all that differ from it in one sign.
func climb(start, alphabet string, score func(string) float64, allowed func(string) bool) (best string, top, mass float64) {
	p := func(s string) float64 { return math.Exp(min(0, score(s))) }
	from := start
	if allowed(start) {
		if best, top = start, p(start); top > certainly {
			return best, top, top
		}
	}
	for range serialRounds {
		mass = 0
		if allowed(from) {
			mass = p(from)
		}
		next, most := "", top
		for _, v := range arabic.Edits([]rune(from), []rune(alphabet)) {
			if s := string(v); allowed(s) {
				q := p(s)
				mass += q
				if q > most {
					next, most = s, q
				}
			}
		}
		if next == "" {
			break
		}
		best, top, from = next, most, next
	}
	return best, top, mass
}
