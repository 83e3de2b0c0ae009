package number

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// ink writes digits as clear cells.
func ink(digits string) []Cell {
	cells := make([]Cell, len(digits))
	for i := range digits {
		for d := range cells[i] {
			cells[i][d] = -14
		}
		cells[i][digits[i]-'0'] = 0
	}
	return cells
}

// doubt gives a digit of cells a probability, out of what the best one has.
func doubt(cells []Cell, at, digit int, p float64) []Cell {
	out := slices.Clone(cells)
	for d := range out[at] {
		if out[at][d] == 0 {
			out[at][d] = math.Log(1 - p)
		}
	}
	out[at][digit] = math.Log(p)
	return out
}

// A clear number comes back as it is, sure in every part and without a repair; what is wrong with it is named. The check
// digit is advice: it alone makes no clear number doubtful.
func TestDecodeNumberClear(t *testing.T) {
	for _, test := range []struct {
		number string
		codes  []Code
	}{
		{"20001010100014", nil},
		{"28506152101239", []Code{CodeCheckDigit}},
		{"20001010100013", []Code{CodeCheckDigit}},
		{"20001010100090", nil},
		{"30502292101231", []Code{CodeBirthDate, CodeCheckDigit}},
		{"48506152101238", []Code{CodeIDNumber, CodeCheckDigit}},
		{"28513152101238", []Code{CodeBirthDate, CodeCheckDigit}},
		{"28506152001239", []Code{CodeGovernorate, CodeCheckDigit}},
		{"32611212101239", []Code{CodeBirthDate, CodeCheckDigit}}, // tomorrow
		{"98513152001239", []Code{CodeIDNumber, CodeGovernorate, CodeCheckDigit}},
	} {
		n := Decode(ink(test.number), Evidence{Today: today})
		if n.Value != test.number || n.Raw != test.number || len(n.Repairs) > 0 || !slices.Equal(n.Codes, test.codes) {
			t.Errorf("%s: %+v, want codes %v", test.number, n, test.codes)
		}
		broken := len(test.codes) > 0 && test.codes[0] < CodeBirthMismatch
		if !broken && (n.doubtful() || slices.Min(n.Digits[:]) < n.Confidence) || n.Confidence > 1 {
			t.Errorf("%s: confidence %v, of digits %v", test.number, n.Confidence, n.Digits)
		}
	}
}

// Unclear ink follows the grammar and the other evidence, and the repair is said in words; clear ink is left alone.
func TestDecodeNumberRepairs(t *testing.T) {
	right := "28506152101235"
	k, _ := CheckDigit(right[:13])
	right = right[:13] + string(k)
	for _, test := range []struct {
		name   string
		cells  []Cell
		e      Evidence
		want   string
		repair string
	}{
		{"month", doubt(ink("28596152101235"[:13]+string(k)), 3, 0, 0.2), Evidence{}, right, "digit 4: 9 read as 0, date"},
		{"century", doubt(ink("48506152101235"[:13]+string(k)), 0, 2, 0.1), Evidence{}, right, "digit 1: 4 read as 2, century"},
		{"governorate", doubt(ink("28506152001235"[:13]+string(k)), 8, 1, 0.1), Evidence{}, right, "digit 9: 0 read as 1, governorate"},
		{"birth", doubt(ink("28506162101235"[:13]+string(k)), 6, 5, 0.1), Evidence{Birth: ink("19850615")}, right, "digit 7: 6 read as 5, printed birth date"},
		{"century by birth", doubt(ink("30506152101235"), 0, 2, 0.3), Evidence{Birth: ink("19050615")}, "20506152101235", "digit 1: 3 read as 2, printed birth date"},
		{"other", doubt(ink("28506152101835"[:13]+string(k)), 11, 2, 0.1), Evidence{Other: ink(right)}, right, "digit 12: 8 read as 2, other side"},
		{"sex", doubt(ink(right[:12]+"2"+right[13:]), 12, 3, 0.2), Evidence{Sex: Male}, right, "digit 13: 2 read as 3, printed sex"},
		{"check", doubt(ink(right[:11]+"83"+right[13:]), 11, 2, 0.4), Evidence{}, right, "digit 12: 8 read as 2, check digit and priors"},
		{"clear month", ink("28513152101235"), Evidence{}, "28513152101235", ""},
		{"clear month and birth", ink("28513152101235"), Evidence{Birth: ink("19851215")}, "28513152101235", ""},
		{"clear month and other", ink("28513152101235"), Evidence{Other: ink("28512152101235")}, "28513152101235", ""},
		{"clear number and other", ink("28512152101235"), Evidence{Other: ink("28511152101235")}, "28512152101235", ""},
		{"clear number and sex", ink("28512152101235"), Evidence{Sex: Female, SexConfidence: 1}, "28512152101235", ""},
		{"nearly clear month", doubt(ink("28513152101235"), 4, 2, 5e-4), Evidence{}, "28513152101235", ""},
	} {
		test.e.Today = today
		n := Decode(test.cells, test.e)
		if n.Value != test.want || strings.Join(n.Repairs, "; ") != test.repair {
			t.Errorf("%s: %s %q, want %s %q", test.name, n.Value, n.Repairs, test.want, test.repair)
		}
	}
}

// What disagrees with a clear number is named and moves nothing.
func TestDecodeNumberDisagreements(t *testing.T) {
	const number = "28506152101235"
	for _, test := range []struct {
		e    Evidence
		want Code
		has  bool
	}{
		{Evidence{Birth: ink("19850615")}, CodeBirthMismatch, false},
		{Evidence{Birth: ink("19850616")}, CodeBirthMismatch, true},
		{Evidence{Birth: ink("19851316")}, CodeBirthMismatch, true},
		{Evidence{Birth: make([]Cell, 8)}, CodeBirthMismatch, false}, // unreadable
		{Evidence{Sex: Male}, CodeGenderMismatch, false},
		{Evidence{Sex: Female}, CodeGenderMismatch, true},
	} {
		test.e.Today = today
		n := Decode(ink(number), test.e)
		if n.Value != number || slices.Contains(n.Codes, test.want) != test.has {
			t.Errorf("%v %v: %s %v", test.e, test.want, n.Value, n.Codes)
		}
	}
}

// A print of another length comes back as it is read, and a doubt about the length lowers the confidence.
func TestDecodeNumberLength(t *testing.T) {
	cells := ink("20001010100014")
	sure := Decode(cells, Evidence{Today: today})
	for _, test := range []struct {
		length float64
		text   string
		want   string
		doubt  bool
	}{
		{0, "2000101010001", "20001010100014", false},
		{math.Log(0.5), "2000101010001", "20001010100014", false},
		{math.Log(0.02), "2000101010001", "20001010100014", true},
		{math.Log(1e-6), "2000101010001", "2000101010001", true},
		{math.Inf(-1), "2000101010001", "2000101010001", true},
		{math.Inf(-1), "", "20001010100014", true},
		{math.NaN(), "2000101010001", "2000101010001", true},
	} {
		n := Decode(cells, Evidence{Length: test.length, Text: test.text, Today: today})
		if n.Value != test.want || n.doubtful() != test.doubt && len(n.Value) == 14 || n.Confidence > sure.Confidence && len(n.Value) == 14 && test.text != "" {
			t.Errorf("%+v: %s %v", test, n.Value, n.Confidence)
		}
		if len(n.Value) != 14 && (!slices.Contains(n.Codes, CodeIDNumber) || n.Digits != [14]float64{}) {
			t.Errorf("%+v: %+v", test, n)
		}
	}
	// A number that the priors favour needs more doubt about its length to be given up.
	favoured := obey("28506152101230")
	for length, want := range map[float64]string{4e-5: "2850615210123", 1e-3: favoured} {
		n := Decode(ink(favoured), Evidence{Length: math.Log(length), Text: "2850615210123", Today: today})
		if n.Value != want {
			t.Errorf("%v: %s", length, n.Value)
		}
	}
	for _, digits := range []string{"", "2", "2000101010001", "200010101000144"} {
		n := Decode(ink(digits), Evidence{Today: today})
		if n.Value != digits || n.Confidence != 0 || (digits != "") != slices.Contains(n.Codes, CodeIDNumber) {
			t.Errorf("%q: %+v", digits, n)
		}
	}
	if n := Decode(nil, Evidence{Text: "123", Today: today}); n.Value != "123" {
		t.Errorf("%+v", n)
	}
}

// Cells of nothing, of rubbish and of no day at all give an answer that is doubtful, never a sure one.
func TestDecodeNumberRubbish(t *testing.T) {
	rubbish := make([]Cell, 14)
	for i := range rubbish {
		rubbish[i] = Cell{math.NaN(), math.Inf(1), math.Inf(-1), -1e308, 1e308}
	}
	silent := make([]Cell, 14)
	for i := range silent {
		for d := range silent[i] {
			silent[i][d] = math.Inf(-1)
		}
	}
	for _, cells := range [][]Cell{make([]Cell, 14), rubbish, silent} {
		n := Decode(cells, Evidence{Today: today, Birth: rubbish[:8], Other: silent})
		if !n.doubtful() || len(n.Value) != 14 {
			t.Errorf("%+v", n)
		}
	}
	if n := Decode(ink("20001010100014"), Evidence{}); n.Value != "20001010100014" || !slices.Equal(n.Codes, []Code{CodeBirthDate}) {
		t.Errorf("before all time: %+v", n)
	}
}

// A number takes less than a millisecond; the benchmark has all evidence.
func BenchmarkDecodeNumber(b *testing.B) {
	e := Evidence{Today: today, Birth: ink("19850615"), Other: ink("28506152101235"), Sex: Male}
	cells := doubt(ink("28506152101235"), 4, 8, 0.3)
	for b.Loop() {
		Decode(cells, e)
	}
}
