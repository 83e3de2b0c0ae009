package egypt

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// serial reads the number of a chassis or an engine: capitals and digits.
type serial struct {
	decode func(read string, confidence float64, score func(string) float64) egypt.Serial
	// like is how much a number of so many signs is like one.
	like func(signs int) float64
	// vin tells that most are vehicle identification numbers.
	vin bool
}

// chassis and motor are the two.
func chassis() serial {
	return serial{egypt.DecodeChassis, func(n int) float64 {
		switch {
		case n == egypt.VINLength:
			return 1
		case n > egypt.VINLength-3 && n < egypt.VINLength+3:
			return 0.9
		case n > 5 && n < 14:
			return 0.7
		}
		return 0.2
	}, true}
}

func motor() serial {
	return serial{egypt.DecodeMotor, func(n int) float64 {
		switch {
		case n > 4 && n < 14:
			return 0.95
		case n > 3 && n < 19:
			return 0.5
		}
		return 0.2
	}, false}
}

// Match is the share of signs that such numbers hold, less where they are none of digits.
func (s serial) Match(what string) float64 {
	what = arabic.FoldDigits(strings.ReplaceAll(what, " ", ""))
	of, numbers := 0, 0
	for _, r := range what {
		switch {
		case r >= '0' && r <= '9':
			of, numbers = of+1, numbers+1
		case r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-':
			of++
		}
	}
	n := utf8.RuneCountInString(what)
	if numbers == 0 || n == 0 {
		return 0
	}
	share := float64(of) / float64(n)
	return share * share * s.like(n)
}

// The heights, as factors, in which a number in doubt is looked at: the detector sees small capitals higher than they are.
var serialHeights = [...]float64{0.92, 0.75, 0.65}

// clearSerial is the probability of a number from which on it is not looked at again.
const clearSerial = 0.7

// Decode implements field.Decoder.
func (s serial) Decode(ctx context.Context, all []*page.Ink, _ field.Known) (field.Value, error) {
	k := latin(all[0])
	for _, height := range serialHeights {
		if k.Confidence() >= clearSerial {
			break
		}
		if err := k.Look(ctx, height); err != nil {
			return field.Value{}, err
		}
	}
	looks, pooled := serialScores(k.Looks())
	best := slices.Index(k.Looks(), k.Reading())
	n := agreed(s.decode(arabic.Clean(k.Text()), k.Confidence(), looks[best]), k.Looks(), pooled)
	v := field.Value{Text: n.Value, Raw: k.Text(), Share: n.Confidence, Ink: pooled(n.Value), Repairs: n.Repairs}
	if digits := betweenDigits(n.Value); !n.VIN && digits != n.Value {
		v.Text, v.Repairs = digits, append(v.Repairs, n.Value+" read as "+digits+", whose letters look like digits")
		n.Value = digits
		v.Strange = 1
	}
	if s.vin {
		v.Checks = []appliance.FieldCheck{{Name: "vin", Passed: n.VIN}}
	}
	if groups := egypt.Grouped(v.Text, k.Text()); !n.VIN && groups != v.Text {
		v.Odd, v.Malformed = 1, s.vin // no chassis number has blanks: something may hide a sign
		if !s.vin {
			v.Text = groups
		}
	}
	if strings.ContainsAny(n.Value, likeDigits) {
		v.Strange++
	}
	if struckZero(n.Value, pooled, struckNats) {
		v.Share = min(v.Share, half)
	}
	return v, nil
}

// serialScores are the log-probabilities that some looks give to a number, small letters as capitals, and their mean.
func serialScores(looks []*text.Reading) (each []func(number string) float64, pooled func(number string) float64) {
	for _, r := range looks {
		each = append(each, r.ScoreSerial())
	}
	return each, func(number string) (sum float64) {
		for _, score := range each {
			sum += max(leastLook, score(number)) / float64(len(each))
		}
		return sum
	}
}

// struckNats is by how much an 8 is read surely, against a 0 in its place. Judged on 557 numbers of chassis and engines of five drawers
// of backs of vehicle licences, 30 November 2026: two 8 that are zeros with a stroke or a dot were read with 4.1 and 5.6 and no flag, and
// of 511 right numbers without a flag two hold an 8 read with less than 7.
const struckNats = 7

// struckZero reports whether an 8 of a number, read so many nats surer than a 0 in its place or less, may be a zero with a stroke or a dot
// in it, as faces for numbers have.
func struckZero(number string, score func(string) float64, nats float64) bool {
	for i := range number {
		if number[i] == '8' && score(number)-score(number[:i]+"0"+number[i+1:]) < nats {
			return true
		}
	}
	return false
}

// latin is what stands beside the Arabic words of a stretch: what is left of a label.
func latin(k *page.Ink) *page.Ink {
	from, to := besideLabel(k.Reading().Symbols())
	if from == 0 && to == 1 {
		return k
	}
	return new(k.Part(from, to))
}

// besideLabel is where the number of a stretch stands: left of the Arabic words at its right end or, where another number stands there,
// right of the words, since its own label is farther right. The words are the label of the number on their left then.
func besideLabel(symbols []text.Symbol) (from, to float64) {
	letter := func(x text.Symbol) bool { return unicode.Is(unicode.Arabic, x.Rune) && unicode.IsLetter(x.Rune) }
	last, end := -1, 0
	for i, x := range symbols {
		if letter(x) {
			last = i
		}
	}
	if last >= 0 && len(symbols)-1-last > shortestSerial {
		return (symbols[last].End + symbols[last+1].Start) / 2, 1
	}
	for i, x := range symbols {
		switch {
		case letter(x) && end > 0:
			return 0, (symbols[end-1].End + symbols[end].Start) / 2
		case letter(x):
			return 0, 1
		case x.Rune == ' ' && i > shortestSerial:
			end = i
		}
	}
	return 0, 1
}

// shortestSerial is how many signs a number has at least.
const shortestSerial = 4

// leastLook is the log-probability below which one look does not speak against a number that the others show.
const leastLook = -12.0

// likeDigits are the letters that look like digits, which hardly any number holds.
const likeDigits = "IOQ"

// betweenDigits is a number with the letters between digits that look like digits as these: letters stand together.
func betweenDigits(number string) string {
	digit := func(i int) bool { return i >= 0 && i < len(number) && number[i] >= '0' && number[i] <= '9' }
	out := []byte(number)
	for i := range out {
		if k := strings.IndexByte(likeDigits, out[i]); k >= 0 && digit(i-1) && digit(i+1) {
			out[i] = "100"[k]
		}
	}
	return string(out)
}

// agreed is the number that the looks support best together: the one that the best look gave, or what another one read in the same form.
func agreed(s egypt.Serial, looks []*text.Reading, pooled func(string) float64) egypt.Serial {
	const either = 0.8
	if strings.Contains(s.Value, ".") { // of numbers without dots alone is known what the ink says
		return s
	}
	most := pooled(s.Value)
	for _, look := range looks {
		other := egypt.SerialOf(look.Text())
		if len(other) != len(s.Value) || strings.ContainsAny(other, likeDigits) && !strings.ContainsAny(s.Value, likeDigits) {
			continue
		}
		if p := pooled(other); p > most {
			most, s.Value, s.Confidence = p, other, math.Min(s.Confidence, either)
		}
	}
	return s
}
