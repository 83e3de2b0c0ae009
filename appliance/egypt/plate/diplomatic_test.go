package plate

import (
	"math"
	"testing"
)

// group is a row of signs, each surely the digit, from left to right.
func group(digits string, from float64) (out []Sign) {
	for i, d := range digits {
		s := Sign{X: from + 0.2*float64(i), Y: 0.6, There: 0.99}
		for c := range s.Cell {
			s.Cell[c] = math.Log(0.001)
		}
		s.Cell[d-'1'] = math.Log(0.98)
		out = append(out, s)
	}
	return out
}

// Property: a diplomat's plate is its two groups of digits, the left one first, as sure as all of its signs; what stands in the right half of
// a view belongs to the other, what both see at the middle counts once, and without two groups of surely digits there is none.
func TestDecodeDiplomatic(t *testing.T) {
	unsure := group("12", 0.3)
	unsure[1].Cell[1], unsure[1].Cell[20] = math.Log(0.3), math.Log(0.6)
	hidden := append(group("12", 0.3), Sign{X: 0.9, There: 0.3})
	large := append(group("5", 0.5), group("9", 0.51)...) // one half above the other, of which the lower is a letter's
	large[1].Cell[8], large[1].Cell[20], large[1].Y = math.Log(0.3), math.Log(0.69), 0.7
	for name, c := range map[string]struct {
		left, right []Sign
		want        string
		least, most float64
	}{
		"two groups":         {group("193", 0.2), group("16", 0.4), "193 16", 0.8, 0.9},
		"others beside":      {append(group("7", 0.5), group("88", 1.2)...), append(group("6", 0.4), group("9", 1.4)...), "7 6", 0.9, 1},
		"a sign half hidden": {hidden, group("16", 0.4), "12 16", 0.55, 0.65},
		"seen twice, right":  {append(group("19", 0.3), group("3", 0.85)...), append(group("3", -0.09), group("16", 0.4)...), "193 16", 0.8, 0.9},
		"seen twice, left":   {append(group("19", 0.3), group("3", 1.04)...), group("316", 0.05), "19 316", 0.8, 0.9},
		"beyond the middle":  {group("36", 0.2), group("628", -0.05), "36 628", 0.5, 0.9},
		"its last, not seen": {group("33", 0.3), group("4", -0.03), "33 4", 0.2, 0.5},
		"one seen as two":    {group("87", 0.3), large, "87 5", 0.8, 1},
		"a letter":           {unsure, group("16", 0.4), "", 0, 0},
		"one group":          {group("193", 0.2), nil, "", 0, 0},
		"too many":           {group("12345", 0.05), group("16", 0.4), "", 0, 0},
		"nothing":            {nil, nil, "", 0, 0},
	} {
		got := DecodeDiplomatic(c.left, c.right)
		if got.Value != c.want || got.Confidence < c.least || got.Confidence > c.most || len(got.Characters) != len(c.want) {
			t.Errorf("%s: %q %.2f %v", name, got.Value, got.Confidence, got.Characters)
		}
	}
}
