package egypt

import (
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// Property: a number beside words that are none is that word; a number alone, two numbers, and words without a number stay as they are.
func TestBesideUnit(t *testing.T) {
	for said, want := range map[string]string{
		"٣مس ٠٠٨": "٠٠٨", "cc 1600": "1600", "1600 cc": "1600", "٠٠٨": "", "12 1600": "", "cc": "", "": "", "٣مس٠٠٨": "",
	} { // as printed, from left to right
		var symbols []text.Symbol
		for _, r := range said {
			symbols = append(symbols, text.Symbol{Rune: r})
		}
		first, end, ok := besideUnit(symbols)
		got := ""
		for _, x := range symbols[first:end] {
			got += string(x.Rune)
		}
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", said, got, ok)
		}
	}
}

// Property: the numbers of vehicles are like those of chassis and engines, dates, words and numbers of few digits are not.
func TestSerialMatch(t *testing.T) {
	for said, want := range map[string][2]bool{ // of a chassis, of an engine
		"KNAFX411BF5123456": {true, false}, "G4FC 508511": {true, true}, "711490": {true, true},
		"B16S1-248916": {true, true},
		"4":            {}, "1600": {}, "٢٠٢٢/٠٥/٢٦": {}, "نيسان": {}, "KIA MOTORS": {}, "": {},
	} {
		const like = 0.65
		if got := [2]bool{chassis().Match(said) > like, motor().Match(said) > like}; got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
}

// Property: letters between digits that look like digits are these; others stay.
func TestBetweenDigits(t *testing.T) {
	for number, want := range map[string]string{
		"58I78529": "58178529", "2O0Q1": "20001", "OM651": "OM651", "B10D1": "B10D1", "12I": "12I", "": "",
	} {
		if got := betweenDigits(number); got != want {
			t.Errorf("%q: %q, want %q", number, got, want)
		}
	}
}

// Property: a number with an 8 is doubtful where that is read little surer than a 0, as a zero with a stroke is, and no other one is.
func TestStruckZeros(t *testing.T) {
	inks := map[string]float64{"8858937": -0.1, "0858937": -5.6, "8058937": -11, "8850937": -9, "1300": 0, "1308": -0.2, "1888": 0}
	score := func(number string) float64 {
		if s, known := inks[number]; known {
			return s
		}
		return -12
	}
	for number, want := range map[string]bool{"8858937": true, "1300": false, "1888": false, "1308": true, "": false} {
		if got := struckZero(number, score, 7); got != want {
			t.Errorf("%q: %v, want %v", number, got, want)
		}
	}
}

// certain are digits that are read surely.
type certain string

func (c certain) Text() string            { return string(c) }
func (c certain) Symbols() []text.Symbol  { return nil }
func (c certain) Score(string) float64    { return 0 }
func (c certain) LogLength(n int) float64 { return map[bool]float64{true: 0, false: -30}[n == len(c)] }

func (c certain) Cells(n int) (out []number.Cell) {
	for i := range n {
		cell := number.Cell{}
		for d := range cell {
			cell[d] = -30
		}
		cell[string(c)[i%len(c)]-'0'] = 0
		out = append(out, cell)
	}
	return out
}

// Property: the number of a stretch stands left of what is left of its label; where the label of another number was not told from the two
// that it stands between, it is the one on the right, which stands next to the label of both.
func TestNumberBesideItsLabel(t *testing.T) {
	for said, want := range map[string]string{
		"4JB1177902":                  "4JB1177902",
		"4JB1177902 : رقم":            "4JB1177902 :",
		"TU549 رمم SJNC6YZNZLU564911": " SJNC6YZNZLU564911",
		"4G18-218802 مدر؛ LSJ819676":  "؛ LSJ819676",
		"رقم 12":                      "رقم 12",
	} {
		var symbols []text.Symbol
		signs := []rune(said)
		for i, r := range signs {
			symbols = append(symbols, text.Symbol{Rune: r, Start: float64(i) / float64(len(signs)), End: float64(i+1) / float64(len(signs))})
		}
		from, to := besideLabel(symbols)
		if got := string(signs[int(from*float64(len(signs))+0.5):int(to*float64(len(signs))+0.5)]); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// Property: a number is like a count within its bounds, and is read within them: a year until the next one.
func TestCounts(t *testing.T) {
	year := count{low: firstModel, high: lastModel, likely: 1, year: true}
	size := count{low: leastVolume, high: mostVolume, likely: 0.95, size: true}
	for said, want := range map[string][2]float64{"2015": {1, 0.95}, "١٦٠٠": {0.5, 0.95}, "1600 cc": {0.2, 0.65}, "سيدان": {}, "": {}} {
		if y, s := year.Match(said), size.Match(said); !near(y, want[0]) || !near(s, want[1]) {
			t.Errorf("%q: %.2f and %.2f, want %v", said, y, s, want)
		}
	}
	now := field.Known{Now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}
	for said, want := range map[string]string{"2015": "2015", "2027": "2027", "1930": "1930"} {
		if v := year.decode(certain(said), said, now); v.Text != want || v.Share < 0.9 {
			t.Errorf("%s: %+v", said, v)
		}
	}
	if v := year.decode(certain("2028"), "2028", now); v.Share > 0.5 {
		t.Errorf("a year to come: %+v", v)
	}
}

// Property: an engine too large or too small for its cylinders is doubtful, and none that is built is.
func TestSizeOfAnEngine(t *testing.T) {
	size := count{low: leastVolume, high: mostVolume, likely: 0.95, size: true}
	for _, c := range []struct {
		volume, cylinders string
		want              bool
	}{{"1598", "4", true}, {"15980", "4", false}, {"16000", "6", true}, {"99", "1", true}, {"120", "3", false}, {"800", "3", true}} {
		v := size.decode(certain(c.volume), c.volume, field.Known{Values: map[string]field.Value{"cylinder": {Text: c.cylinders}}})
		if len(v.Checks) != 1 || v.Checks[0].Passed != c.want {
			t.Errorf("%s cc in %s cylinders: %+v", c.volume, c.cylinders, v.Checks)
		}
	}
	if v := size.decode(certain("15980"), "15980", field.Known{}); len(v.Checks) != 0 {
		t.Errorf("without cylinders: %+v", v.Checks)
	}
}

// Property: a remark that counts, measures or numbers something is odd without its number, one that a label seems to announce is odd, and
// what is left of a label is none.
func TestOddNotes(t *testing.T) {
	notes := noteLines{wording{egypt.NewRemarkWording()}}
	for value, want := range map[string]float64{
		"عدد الركاب ٤": 0, "عدد الركاب": 1, "حمولة ٢ طن": 0, "حمولة طن": 1, "بدون حظر": 0,
		"الفئة الضريبية: خاصة": 1, "رقم الوثيقة": 1, "رقم الوثيقة ٣٤٥": 0,
	} {
		if got := notes.Odd(value, 1); got != want {
			t.Errorf("%s: %v, want %v", value, got, want)
		}
	}
	for said, want := range map[string]bool{"رقم": false, "عدد": false, "رقم الوثيقة ٣٤٥": true} {
		if got := notes.Match(said) > 0; got != want {
			t.Errorf("%s: %v", said, got)
		}
	}
}

// Property: the state alone, which heads the plate that a card shows, is like no remark; it may stand in one.
func TestStateIsNoRemark(t *testing.T) {
	remarks := remarkLines{wording{egypt.NewRemarkWording()}}
	for said, want := range map[string]bool{"مصر": false, "بنك مصر": true, "حظر بيع لصالح بنك مصر": true} {
		if got := remarks.Match(said) > 0; got != want {
			t.Errorf("%s: %v", said, got)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
