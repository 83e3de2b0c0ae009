package egypt

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
)

// Property: letters that stand alone and a number are like a plate, also set so wide that each sign was seen for itself, the letters then
// misread as digits; dates, names, addresses and long numbers are not, and a number alone is hardly.
func TestPlateMatch(t *testing.T) {
	for _, s := range []string{
		"س ن ب ١٢٣٤", "س ن ١٢٣٤", "سنب ١٢٣", "هـ و ى 1234", "(د س ٧٤٦٧", "ب /ر/ و / 1269", "[هدى س][١٢٧٤]", "٤ 9 ل ٨١٦", "ى ط ه ٩",
	} {
		if v := (plateLine{}).Match(s); v < 0.3 {
			t.Errorf("%q: %.2f", s, v)
		}
	}
	for _, s := range []string{"محمد أحمد", "٢٠٢٤/٠١/٠٢", "١٢ شارع النصر", "رخصة تسيير", "٢٥٣١١٠٢٢٤٧٧٤١٢", "ش ٥", ""} {
		if v := (plateLine{}).Match(s); v > 0 {
			t.Errorf("%q: %.2f", s, v)
		}
	}
	if v := (plateLine{}).Match("٢٠٢٤"); v > 0.2 {
		t.Errorf("a number alone: %.2f", v)
	}
}

// Property: two letters and a number, as most governorates have them, are as much like a plate as three; where one of two is no letter of
// plates, as in an address, they are less so.
func TestPlatesOfTwoLetters(t *testing.T) {
	const surely = 0.85
	for said, want := range map[string]bool{"س ن ١٢٣٤": true, "ر هـ ٧٧٨٨": true, "س ن ب ١٢٣": true, "ش ن ١٢٣٤": false, "س ن ١٢": false} {
		if like := (plateLine{}).Match(said); like >= surely != want {
			t.Errorf("%q: %.2f", said, like)
		}
	}
}

// Property: the parts of a plate, however few, are together so much like one that they are put together: letters and one digit, letters
// that were read as one word, two groups of digits; short words of an address with a number are not.
func TestPlateMatchTogether(t *testing.T) {
	const likely = 0.5 // what signs that stand apart are put together for
	for said, want := range map[string]bool{
		"ط س ٥": true, "ول ٥": true, "هـل ٥": true, "رأن ٩٢٢٧": true,
		"ب ف ٢٥": true, "ص ٩٣": true, "٢١ ٢٩": true, "٨ ٩٨٦": true,
		"شقة ٥": false, "م ٥د": false, "م ٥ د": false, "حي ٥ شارع ٦": false, "٢٠٢٤ ١٠٠٠": false, "ش ٢٥": false,
	} {
		if like := (plateLine{}).Match(said); like >= likely != want {
			t.Errorf("%q: %.2f", said, like)
		}
	}
}

// Property: a plate surely lacks a letter that has fewer than two, and may lack one that has two; a diplomat's has none.
func TestPlateLacks(t *testing.T) {
	for what, want := range map[string][2]bool{
		"453 75": {true, false}, "453": {true, true},
		"": {true, true}, "س 123": {true, true}, "س ن 1234": {true, false}, "س ن ب 123": {},
	} {
		if maybe, surely := (plateLine{}).Lacks(what); [2]bool{maybe, surely} != want {
			t.Errorf("%q: %v and %v", what, maybe, surely)
		}
	}
}

// Property: of a row the words about a plate are left out, with what stands beyond them; its letters stay, however close they stand.
func TestPlateSpan(t *testing.T) {
	for row, want := range map[string]string{ // from the left
		"١٢٣٤ ب ن س":                "١٢٣٤ ب ن س",
		"٨٤٤٨ ٥ أ ر ةحوللا مقر":     "٨٤٤٨ ٥ أ ر",
		"٦٩٨٤ سنب":                  "٦٩٨٤ سنب",
		"رورملا ١٢٣ ب ن":            "١٢٣ ب ن",
		"ةحوللا ١٢٣ ب ن ةحوللا مقر": "١٢٣ ب ن",
		"": "",
	} {
		var symbols []text.Symbol
		for _, r := range row {
			symbols = append(symbols, text.Symbol{Rune: r})
		}
		first, end := plateSpan(symbols)
		if got := string([]rune(row)[first:end]); got != want {
			t.Errorf("%q: %q, want %q", row, got, want)
		}
	}
}

// Property: two groups of up to four digits and nothing else are a diplomat's plate, the left group first, in either digits; and such print
// is like a plate.
func TestDiplomaticGroups(t *testing.T) {
	for row, want := range map[string]string{ // from the left
		"٧٦٢ ٣٨": "762 38", "195 842": "195 842", "١٩٥ ٨٤٢": "195 842", "٧٦٢٣٨": "", "٧٦٢ ٣٨ ١": "", "٧٦٢ ب ٣٨": "", "٧٦٢٣٨ ١": "", "": "",
	} {
		var signs []text.Symbol
		for _, r := range row {
			signs = append(signs, text.Symbol{Rune: r})
		}
		if got := diplomatic(signs, nil); got != want {
			t.Errorf("%q: %q, want %q", row, got, want)
		}
		if like := (plateLine{}).Match(row) > 0; want != "" && !like {
			t.Errorf("%q is not like a plate", row)
		}
	}
}

// Property: digits that were read as one number are two groups where their ink shows one gap much wider than the others, also with the line
// between two boxes in it; digits set evenly, and more signs than that, are no groups.
func TestDiplomaticGroupsByInk(t *testing.T) {
	const digit, high = 10, 20
	at := func(lefts ...int) (out []ink.Extent) {
		for _, x := range lefts {
			out = append(out, ink.Extent{Left: x, Right: x + digit, Bottom: high})
		}
		return out
	}
	line := func(signs []ink.Extent, left int) []ink.Extent {
		signs = append(signs, ink.Extent{Left: left, Right: left + 1, Bottom: 2 * high})
		slices.SortFunc(signs, func(a, b ink.Extent) int { return a.Left - b.Left })
		return signs
	}
	for name, test := range map[string]struct {
		signs []ink.Extent
		want  string
	}{
		"two groups":       {at(0, 15, 30, 120), "986 8"},
		"with a line":      {line(at(0, 15, 30, 120), 80), "986 8"},
		"right group":      {at(0, 80, 95, 110), "9 868"},
		"set close":        {at(0, 15, 30, 45), ""},
		"set apart evenly": {at(0, 60, 120, 180), ""},
		"a narrow gap":     {at(0, 15, 30, 62), ""},
		"a sign too few":   {at(0, 15, 120), ""},
		"two too many":     {at(0, 15, 30, 120, 135, 150), ""},
		"no ink":           {nil, ""},
	} {
		var signs []text.Symbol
		for _, r := range "٩٨٦٨" {
			signs = append(signs, text.Symbol{Rune: r})
		}
		if got := diplomatic(signs, test.signs); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
