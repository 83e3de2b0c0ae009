package egypt

import (
	"testing"

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

// Property: a plate surely lacks a letter that has fewer than two, and may lack one that has two.
func TestPlateLacks(t *testing.T) {
	for what, want := range map[string][2]bool{"": {true, true}, "س 123": {true, true}, "س ن 1234": {true, false}, "س ن ب 123": {}} {
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
		if got := diplomatic(signs); got != want {
			t.Errorf("%q: %q, want %q", row, got, want)
		}
		if like := (plateLine{}).Match(row) > 0; want != "" && !like {
			t.Errorf("%q is not like a plate", row)
		}
	}
}
