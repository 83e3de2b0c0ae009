package card

import (
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Property: of the other side's number each digit counts as much as its reader trusted it, and a side whose number could
// not be read is passed over for an older one.
func TestOtherSide(t *testing.T) {
	const number = "20001010100014"
	side := func(kind appliance.Kind, value string, confidence float64, characters ...float64) appliance.Document {
		return appliance.Document{Kind: kind, Fields: []appliance.Field{{Name: "idNumber", Value: value, Confidence: confidence, Characters: characters}}}
	}
	trusted := make([]float64, len(number))
	for i := range trusted {
		trusted[i] = 1
	}
	trusted[3] = 0.5
	front, back := appliance.NationalIDFront, appliance.NationalIDBack
	for name, test := range map[string]struct {
		earlier []appliance.Document
		digits  bool
		doubted bool // the fourth digit far more than the others
	}{
		"nothing":            {nil, false, false},
		"the same side":      {[]appliance.Document{side(back, number, 0.99)}, false, false},
		"one confidence":     {[]appliance.Document{side(front, number, 0.99)}, true, false},
		"digit by digit":     {[]appliance.Document{side(front, number, 0.5, trusted...)}, true, true},
		"unreadable, older":  {[]appliance.Document{side(front, "", 0), side(front, number, 0.5, trusted...)}, true, true},
		"not fourteen, none": {[]appliance.Document{side(front, number[1:], 0.9)}, false, false},
	} {
		e := editor{Document: &appliance.Document{Kind: back}, earlier: test.earlier}
		cells := e.otherSide()
		if (cells != nil) != test.digits {
			t.Errorf("%s: %d cells", name, len(cells))
			continue
		}
		for i, c := range cells {
			gap := c[number[i]-'0'] - c[9] // no digit of the number is 9
			if gap <= 0 || test.doubted && (gap > 4) == (i == 3) {
				t.Errorf("%s: digit %d stands out by %.1f", name, i+1, gap)
			}
		}
	}
}
