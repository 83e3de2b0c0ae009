package card

import (
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
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

// torn is a reading of which the fourth digit may as well be another, and the text says which.
type torn struct {
	sure
	other rune
}

func (h torn) Cells(n int) []egypt.Cell {
	cells := h.sure.Cells(n)
	cells[3][h.other-'0'] = -0.01
	return cells
}

func (h torn) Score(digits string) float64 {
	shown := []byte(strings.Map(digit, h.Text()))
	if digits[3] == byte(h.other) {
		shown[3] = byte(h.other)
	}
	if digits == string(shown) {
		return -0.01
	}
	return -20
}

// Property: a number that the rules put right is flagged unless something else tells it, too, since text under a finger looks like
// another digit; one that was read as it is returned is not.
func TestNumberPutRightIsFlagged(t *testing.T) {
	read := func(digits string) appliance.Document {
		var signs sure
		for _, r := range digits {
			signs = append(signs, text.Symbol{Rune: r, Prob: 1})
		}
		d := appliance.Document{Kind: appliance.NationalIDBack}
		e := editor{Document: &d, sheet: &sheet{}, now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}
		e.number("idNumber", datedNumber{numberRow: row{{}}, number: torn{signs, '0'}}, nil, "", 0)
		return d
	}
	const value = "27405011289004"
	if d := read(value); d.Field("idNumber").Value != value || flagged(d, "idNumber") {
		t.Errorf("as printed: %+v, %+v", d.Field("idNumber"), d.Validations)
	}
	if d := read("27465011289004"); d.Field("idNumber").Value != value || !flagged(d, "idNumber") {
		t.Errorf("put right: %+v, %+v", d.Field("idNumber"), d.Validations)
	}
}
