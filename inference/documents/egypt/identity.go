package egypt

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/names"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// Fields of the front of an ID that others follow from.
const (
	numberField = "idNumber"
	birthField  = "dateOfBirth"
	givenField  = "first_name"
	familyField = "last_names"
	streetField = "address_1"
	placeField  = "address_2"
)

// The digits and strokes of a printed birth date, the share from which on it counts as read, and that of a number from which on what
// follows from it is beyond doubt.
const (
	birthDigits, birthStrokes = 8, 2
	certainDate, certainPart  = 0.5, 0.98
)

// frontWords are the fields of a front that are read as words: one hand typed them all.
func frontWords() []string { return []string{familyField, givenField, placeField, streetField} }

// follows are the rules by which fields follow from others.
func follows() map[string]func(read field.Value, known field.Known) field.Value {
	absent := func(otherwise func(field.Known) field.Value) func(field.Value, field.Known) field.Value {
		return func(read field.Value, known field.Known) field.Value {
			if read.Raw != "" {
				return read
			}
			return otherwise(known)
		}
	}
	english := func(of string) func(field.Value, field.Known) field.Value {
		return func(_ field.Value, known field.Known) field.Value {
			v := known.Values[of]
			return field.Value{Text: names.Transliterate(v.Text), Share: v.Share, From: []string{of}}
		}
	}
	whole := func(first, rest string) func(field.Value, field.Known) field.Value {
		return func(_ field.Value, known field.Known) field.Value {
			a, b := known.Values[first], known.Values[rest]
			return field.Value{Text: strings.TrimSpace(a.Text + " " + b.Text), Share: a.Share * b.Share, From: []string{first, rest}}
		}
	}
	ofNumber := func(part func(number.Parts) string) func(field.Value, field.Known) field.Value {
		return func(_ field.Value, known field.Known) field.Value {
			n := known.Values[numberField]
			v := field.Value{Share: n.Share, From: []string{numberField}}
			if n.Text == "" {
				return v
			}
			parts, err := number.Parse(n.Text, known.Now)
			if v.Text = part(parts); err != nil { // it says nothing of its holder
				v.Codes = []appliance.Code{appliance.CodeLowConfidence}
			}
			return v
		}
	}
	return map[string]func(field.Value, field.Known) field.Value{
		"sex":                  absent(sexOfNumber),
		"religion":             absent(withoutReligion),
		"card_expiry":          absent(withoutExpiry),
		"birth_date":           birthOf,
		"whole_name":           whole(givenField, familyField),
		"whole_address":        whole(streetField, placeField),
		"given_name_english":   english(givenField),
		"family_names_english": english(familyField),
		"governorate":          ofNumber(func(p number.Parts) string { return p.Governorate.Arabic }),
		"holders_sex":          ofNumber(func(p number.Parts) string { return string(p.Sex) }),
	}
}

// birthDate is the grammar of a printed birth date.
func birthDate() cardDate {
	return cardDate{birthDigits, birthStrokes, func(digits number.Digits, known field.Known) field.Value {
		return valueOf(number.DecodeDate(digits, number.BirthRules(known.Now)))
	}}
}

// birthCells is the printed birth date as evidence of a number; nil where none was surely read: it shares its place with an image that
// depends on the angle.
func birthCells(known field.Known) []number.Cell {
	v := known.Values[birthField]
	if date := digits(v.Text); len(date) == birthDigits && v.Share >= certainDate {
		return number.CellsOf(date, v.Share, nil)
	}
	return nil
}

// frontNumber is the grammar of the number of a front, beside which the birth date in it is printed once more.
type frontNumber struct{ nationalNumber }

// withBirth is how much rarer a misread number is that holds the printed birth date, and against how much commoner one that breaks its
// check digit.
const (
	withBirth = 0.05
	against   = 20
)

// Spell implements field.Grammar. Of 460 numbers that the reader of words reads as fourteen digits on 410 pictures of development
// (29 November 2026), 243 of 243 are right that it is surer of than 0.7.
func (f frontNumber) Spell(r *text.Reading, known field.Known) field.Value {
	v := f.nationalNumber.Spell(r, known)
	if parts, err := number.Parse(v.Text, known.Now); err == nil {
		v.Share /= v.Share + misreadOdds(parts, known)*(1-v.Share)
	}
	return v
}

// misreadOdds is how much commoner a number like this one is among the misread ones than among all.
func misreadOdds(n number.Parts, known field.Known) float64 {
	switch {
	case n.Check == number.CheckDisagrees:
		return against
	case n.Birth == known.Values[birthField].Text && birthCells(known) != nil:
		return withBirth
	}
	return 1
}

// birthOf is the birth date that the number tells, checked against the printed one; without a number the printed one, in doubt.
func birthOf(read field.Value, known field.Known) field.Value {
	n := known.Values[numberField]
	parts, _ := number.Parse(n.Text, known.Now)
	if parts.Birth == "" {
		if read.Codes = append(read.Codes, appliance.CodeLowConfidence); read.Text == "" {
			read.Codes = []appliance.Code{appliance.CodeUnreadable}
		}
		return read
	}
	v := field.Value{Text: parts.Birth, Share: n.Share, Raw: read.Raw, Ink: read.Ink, From: []string{numberField}}
	if read.Text != "" && read.Share >= certainDate {
		same := read.Text == v.Text
		if v.Checks = []appliance.FieldCheck{{Name: "printed_date", Passed: same}}; !same {
			v.Codes = append(v.Codes, appliance.CodeBirthMismatch)
		}
	}
	if n.Share < certainPart {
		v.Codes = append(v.Codes, appliance.CodeLowConfidence)
	}
	return v
}

// fathersLines are the lines of a name behind the first one: of the father and of men before him.
type fathersLines struct{ nameLines }

// Witness implements field.Language.
func (f fathersLines) Witness(said, whole string, line int, known field.Known) float64 {
	return f.nameLines.Witness(said, whole, line+1, known)
}

// streetLines are the first lines of addresses: house and street.
type streetLines struct{ addressLines }

// Knows implements field.Language: letters alone stand for words, as in م طنطا.
func (s streetLines) Knows(word string) bool { return letterAlone(word) || s.wording.Knows(word) }

// letterAlone reports whether a word is one letter.
func letterAlone(word string) bool { return utf8.RuneCountInString(word) == 1 }

// Match is the share of the words that are listed, more where the line begins as such lines do.
func (s streetLines) Match(what string) float64 {
	return s.likeness(what, beginsStreet(what))
}

// beginsStreet reports whether a line begins with the number of a house, or with a word that names begin with as seldom.
func beginsStreet(what string) bool {
	first, _, several := strings.Cut(arabic.Fold(what), " ")
	return several && (strings.ContainsFunc(first, unicode.IsDigit) || slices.Contains(streetWords(), first))
}

// streetWords are the folded words with which lines of addresses begin, and none of names.
var streetWords = sync.OnceValue(func() []string {
	return strings.Fields("شارع ش ش. حاره عطفه ميدان عزبه كفر قريه ناحيه عماره برج بلوك مساكن حي مركز قسم طريق منشاه نجع درب كورنيش " +
		"مدينه اولاد بني فيلا قطعه منزل شقه ميت محله شبرا زقاق تقسيم جزيره المنطقه الدور بجوار خلف امام مدخل")
})

// Odd implements field.Language.
func (s streetLines) Odd(value string, lines int) float64 {
	odd := s.wording.Odd(value, lines)
	if egypt.LetterOrOne(value) {
		odd++
	}
	return odd
}

// districtLines are the last lines of addresses, which end in a governorate.
type districtLines struct{ addressLines }

// Match is the share of the words that are listed, more where the line ends in a governorate.
func (d districtLines) Match(what string) float64 {
	return d.likeness(what, egypt.EndsInPlace(what))
}

// Knows implements field.Language.
func (d districtLines) Knows(word string) bool { return letterAlone(word) || d.wording.Knows(word) }

// Odd implements field.Language.
func (d districtLines) Odd(value string, lines int) float64 {
	odd := d.wording.Odd(value, lines)
	if !egypt.EndsInListedPlace(value) {
		odd++
	}
	return odd
}

// cardSerial reads the serial of a card: letters and digits, so many of each.
type cardSerial struct{}

// Match falls with each sign that no serial has in its place.
func (cardSerial) Match(what string) float64 {
	signs := []rune(strings.ToUpper(arabic.FoldDigits(strings.ReplaceAll(what, " ", ""))))
	const all = egypt.IDKeyLetters + egypt.IDKeyDigits
	like := 0.0
	for i, r := range signs {
		capital, digit := r >= 'A' && r <= 'Z', r >= '0' && r <= '9'
		switch {
		case i < egypt.IDKeyLetters && capital, i >= egypt.IDKeyLetters && digit:
			like++
		case i < egypt.IDKeyLetters && digit: // letters are rarely misread as digits
			like += 0.25
		case capital:
			like += 0.5
		}
	}
	return max(0, like/float64(max(len(signs), 1))-0.15*math.Abs(float64(len(signs)-all)))
}

// Tells implements field.Telling: clubs and offices number their cards otherwise.
func (k cardSerial) Tells(what string) bool { return k.Match(what) == 1 }

// The heights, as factors, in which serials are looked at: the detector sees small capitals higher than they are. One read with the share
// clearKey is not looked at again.
var keyHeights = [...]float64{0.75, 0.85}

const clearKey = 0.95

// struckKey is struckNats of serials. Judged on 199 of four drawers of fronts, 30 November 2026: of six in which struck zeros were read as
// 8 the least sure 8 has 0.1 to 3.2, and of the right ones without a flag one has less than 3.5.
const struckKey = 3.5

// Decode implements field.Decoder.
func (cardSerial) Decode(ctx context.Context, ink []*page.Ink, _ field.Known) (field.Value, error) {
	k := ink[0]
	v := keyOf(k.Looks())
	for _, height := range keyHeights {
		if v.Share >= clearKey {
			break
		}
		if err := k.Look(ctx, height); err != nil {
			return v, err
		}
		v = keyOf(k.Looks())
	}
	v.Raw = k.Text()
	_, score := serialScores(k.Looks())
	v.Ink = score(v.Text)
	if struckZero(v.Text, score, struckKey) {
		v.Share = min(v.Share, half)
	}
	return v, nil
}

// keyOf is the likeliest serial that some looks show.
func keyOf(looks []*text.Reading) (v field.Value) {
	for _, look := range looks {
		if said, share := egypt.DecodeIDKey(look.Formed); share > v.Share {
			v.Text, v.Share = said, share
		}
	}
	if v.Text != "" && strings.ContainsFunc(v.Text[:egypt.IDKeyLetters], unicode.IsDigit) {
		v.Strange, v.Codes = 1, []appliance.Code{appliance.CodeIDKey}
	}
	v.Checks = []appliance.FieldCheck{{Name: "form", Passed: v.Text != "" && v.Strange == 0}}
	return v
}
