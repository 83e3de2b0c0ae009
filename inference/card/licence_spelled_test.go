package card

import (
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// printed are signs that a recogniser read with one probability.
func readAs(line string, p float64) script {
	w := script{text: line, confidence: p}
	for _, r := range line {
		w.symbols = append(w.symbols, text.Symbol{Rune: r, Prob: p})
	}
	return w
}

// Property: a number counts as sure only where both readings of its place agree; where they do not, the surer one is returned and
// doubtful. Words are no number.
func TestTwoReadingsOfANumber(t *testing.T) {
	digits := func(line string, p float64) figures {
		return figuresOf{spelledOf(readAs(line, p)).(text.Spelled)}
	}
	for name, test := range map[string]struct {
		figures figures
		words   script
		want    string
		doubt   bool
	}{
		"both alike":       {digits("1600", 0.995), readAs("١٦٠٠", 0.9), "1600", false},
		"the words surer":  {digits("6500", 0.6), readAs("1500", 0.97), "1500", true},
		"the digits surer": {digits("1500", 0.99), readAs("6500", 0.3), "1500", true},
		"letters are none": {digits("1500", 0.97), readAs("لون", 0.97), "1500", false},
		"the words alone":  {digits("99999", 0.9), readAs("1500", 0.97), "1500", true},
	} {
		c := printedDate{figures: test.figures, spelled: spelledOf(test.words)}.countOf(40, 30000)
		if c.Value != test.want || (c.Confidence < surePiece+0.11) != test.doubt {
			t.Errorf("%s: %+v, want %q, doubtful %v", name, c, test.want, test.doubt)
		}
	}
}

// Property: of two readings of a date that differ, the surer one is returned and doubtful.
func TestTwoReadingsOfADate(t *testing.T) {
	rules := egypt.LicenceReleaseRules(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	for name, test := range map[string]struct {
		digits, words script
		want          string
		doubt         bool
	}{
		"both alike":  {readAs("2021/08/26", 0.99), readAs("٢٠٢١/٠٨/٢٦", 0.99), "2021-08-26", false},
		"cut short":   {readAs("2021/8/2", 0.97), readAs("2021/8/26", 0.99), "2021-08-26", true},
		"no date":     {readAs("3031/08/26", 0.97), readAs("2021/08/26", 0.99), "2021-08-26", true},
		"a dot as 0":  {readAs("230202023", 0.97), readAs("٢٣.٠٢٠٢٠٢٣", 0.9), "2023-02-23", true},
		"nine digits": {readAs("230212023", 0.97), readAs("٢٣.٠٢١٢٠٢٣", 0.9), "", true},
	} {
		d := printedDate{figures: figuresOf{spelledOf(test.digits).(text.Spelled)}, spelled: spelledOf(test.words)}.dateOf(rules)
		if d.Value != test.want || (d.Confidence <= eitherDate) != test.doubt {
			t.Errorf("%s: %+v, want %q, doubtful %v", name, d, test.want, test.doubt)
		}
	}
}

// figuresOf are spelled digits in the place of those that the reader of digits reads.
type figuresOf struct{ text.Spelled }

func (f figuresOf) Symbols() []text.Symbol { return f.Signs }
func (f figuresOf) Score(string) float64   { return 0 }

// A day of one digit beside a month that is filled up with a zero is doubtful; dates that are written alike throughout are not.
func TestUnevenDates(t *testing.T) {
	for date, want := range map[string]bool{"2027/07/2": true, "2/07/2027": true, "2027/7/2": false, "2027/07/28": false, "2027/7/28": false, "20270728": false, "": false} {
		if uneven(date) != want {
			t.Errorf("%s: uneven %v", date, !want)
		}
	}
}
