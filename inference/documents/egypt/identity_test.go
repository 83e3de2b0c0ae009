package egypt

import (
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
)

// Property: the birth date of a front is that of its number, and the printed one is held against it; without a number it is the printed
// one, in doubt, and without either it could not be read.
func TestBirthOfNumber(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	number := field.Value{Text: "28706191701921", Share: 1}
	unsure := field.Value{Text: number.Text, Share: 0.6}
	for name, test := range map[string]struct {
		number, printed field.Value
		want            string
		code            appliance.Code
		checked         bool
	}{
		"both say it":       {number, field.Value{Text: "1987-06-19", Share: 1}, "1987-06-19", 0, true},
		"they differ":       {number, field.Value{Text: "1987-06-18", Share: 1}, "1987-06-19", appliance.CodeBirthMismatch, true},
		"hardly printed":    {number, field.Value{Text: "1987-06-18", Share: 0.2}, "1987-06-19", 0, false},
		"a number in doubt": {unsure, field.Value{}, "1987-06-19", appliance.CodeLowConfidence, false},
		"no number":         {field.Value{}, field.Value{Text: "1987-06-19", Share: 1}, "1987-06-19", appliance.CodeLowConfidence, false},
		"neither":           {field.Value{}, field.Value{}, "", appliance.CodeUnreadable, false},
	} {
		v := birthOf(test.printed, field.Known{Now: now, Values: map[string]field.Value{numberField: test.number}})
		coded := slices.Contains(v.Codes, test.code) || test.code == 0 && len(v.Codes) == 0
		if v.Text != test.want || !coded || len(v.Checks) > 0 != test.checked {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Property: fields that are printed nowhere follow from those that are, and are as sure as these are together; what follows from a number
// that breaks its grammar is in doubt.
func TestFollowing(t *testing.T) {
	known := field.Known{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Values: map[string]field.Value{
		givenField: {Text: "رجب", Share: 0.9}, familyField: {Text: "أحمد دياب", Share: 0.5}, streetField: {Text: "١٢ ش النصر", Share: 1},
		numberField: {Text: "28706191701921", Share: 0.8},
	}}
	for decoder, want := range map[string]field.Value{
		"whole_name":           {Text: "رجب أحمد دياب", Share: 0.45},
		"whole_address":        {Text: "١٢ ش النصر"},
		"given_name_english":   {Text: "Ragab", Share: 0.9},
		"family_names_english": {Text: "Ahmed Diab", Share: 0.5},
		"holders_sex":          {Text: "Female", Share: 0.8},
		"governorate":          {Text: "المنوفية", Share: 0.8},
	} {
		v := follows()[decoder](field.Value{}, known)
		if v.Text != want.Text || v.Share != want.Share || len(v.From) == 0 || len(v.Codes) > 0 {
			t.Errorf("%s: %+v, want %+v", decoder, v, want)
		}
	}
	broken := field.Known{Now: known.Now, Values: map[string]field.Value{numberField: {Text: "46267029009302", Share: 0.99}}}
	for _, decoder := range []string{"holders_sex", "governorate"} {
		if v := follows()[decoder](field.Value{}, broken); !slices.Equal(v.Codes, []appliance.Code{appliance.CodeLowConfidence}) {
			t.Errorf("%s of a broken number: %+v", decoder, v)
		}
	}
	if v := follows()["governorate"](field.Value{}, field.Known{}); v.Text != "" {
		t.Errorf("without a number: %+v", v)
	}
	if v := follows()["sex"](field.Value{Text: "Male", Raw: "ذكر"}, known); v.Text != "Male" {
		t.Errorf("what is printed became %+v", v)
	}
}

// Property: print is like a serial by its letters and digits, each in its place, and little else is.
func TestLikeACardSerial(t *testing.T) {
	for said, want := range map[string][2]float64{
		"LJ2436507": {1, 1}, "lj 2436507": {1, 1}, "0A2436507": {0.9, 0.99}, "LJ243650": {0.8, 0.9}, "٢٨٧٠٦١٩١٧٠١٩٢١": {0, 0.3},
		"REPUBLIC OF EGYPT": {0, 0.3}, "قسم": {0, 0}, "": {0, 0},
	} {
		if m := (cardSerial{}).Match(said); m < want[0] || m > want[1] {
			t.Errorf("%q is like a serial by %.2f, want %v", said, m, want)
		}
	}
}

// Property: the serial and the number of a card have forms of their own, whatever their signs; what lacks one or has another too many has
// not.
func TestTellingForms(t *testing.T) {
	for said, want := range map[string]struct{ serial, number bool }{
		"LJ2436507": {serial: true}, "zL 4019285": {serial: true}, "٢٨٧٠٦١٩١٧٠١٩٢١": {number: true}, "٠١٩٢١ ١٧ ٨٧٠٦١٩ ٢": {number: true},
		"LJ243650": {}, "0A2436507": {}, "A24365071": {}, "٢٨٧٠٦١٩١٧٠١٩٢": {}, "٢٨٧٠٦١٩١٧٠١٩٢١م": {}, "": {},
	} {
		if got := (cardSerial{}).Tells(said); got != want.serial {
			t.Errorf("%q has the form of a serial: %v", said, got)
		}
		if got := (cardNumber{field.Number{Grammar: nationalNumber{}}}).Tells(said); got != want.number {
			t.Errorf("%q has the form of a number: %v", said, got)
		}
	}
}

// Property: a line begins an address where it begins with the number of a house or a word of streets, and not where it is a name.
func TestBeginsStreet(t *testing.T) {
	for line, want := range map[string]bool{
		"١٢ ش النصر": true, "شارع النصر": true, "عزبة النخل": true, "رجب أحمد دياب": false, "شارع": false, "": false,
	} {
		if got := beginsStreet(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a number that holds the printed birth date is rarer misread than one alone, and one that breaks its check digit more often,
// whatever date it holds.
func TestMisreadOdds(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	printed := field.Known{Now: now, Values: map[string]field.Value{birthField: {Text: "1985-06-15", Share: 0.9}}}
	for digits, want := range map[string]float64{"28506152101232": withBirth, "28506152101239": against, "20001010100014": 1} {
		parts, err := number.Parse(digits, now)
		if got := misreadOdds(parts, printed); err != nil || got != want {
			t.Errorf("%s: %v, want %v: %v", digits, got, want, err)
		}
	}
}

// Property: a number whose birth date is printed beside it is surer than one alone, and one of another date is not.
func TestBirthBesideNumber(t *testing.T) {
	values := func(date string, share float64) field.Known {
		return field.Known{Values: map[string]field.Value{birthField: {Text: date, Share: share}}}
	}
	if cells := birthCells(values("1987-06-19", 0.9)); len(cells) != birthDigits {
		t.Errorf("%d digits of a date", len(cells))
	}
	if cells := birthCells(values("1987-06-19", 0.3)); cells != nil {
		t.Errorf("a date that is hardly read tells %d digits", len(cells))
	}
	if cells := birthCells(values("", 1)); cells != nil {
		t.Errorf("no date tells %d digits", len(cells))
	}
}
