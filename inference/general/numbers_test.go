package general

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: a number reaches over its separators, its blanks and what its digits may have been misread as; what stands apart beside it, the
// number of a footnote, words, and serial numbers with Latin letters are none of it.
func TestNumbersIn(t *testing.T) {
	for line, want := range map[string][]string{
		"ةدام ١٢.٥ نم ٪٨": {"١٢.٥", "٪٨"}, "ةدام ١٢ ٣٤ نم": {"١٢ ٣٤"}, "ةنس٢٠١٠ةدام": {"٢٠١٠"}, "٥V٥O لوط": {"٥V٥O"},
		"ع.٢ طرش":      {"ع.٢"},
		"12:30 at 2,5": {"12:30", "2,5"}, "A12-3": nil,
		"، : (٤)اثيدح": nil, "،لاق : (٤)": nil, "- ٥": nil, "٥ % نم": {"٥ %"}, "بلط": nil, "": nil,
	} {
		symbols := printedSigns(line)
		var got []string
		for _, n := range numbersIn(symbols) {
			got = append(got, written(symbols[n.first:n.end]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// Property: the number of an item that was read as a Latin letter is found where a line of Arabic begins with one that looks like a digit;
// other letters, words, letters in brackets or elsewhere and lines without Arabic hold none.
func TestItemIn(t *testing.T) {
	for line, want := range map[string]string{
		"دنبلا .Y": ".Y", "دنبلا V": "V", "دنبلا (I": "", "دنبلا B": "", "دنبلا VY": "",
		"Y دنبلا": "", "Total Y": "", "Y": "", "": "",
	} {
		symbols := printedSigns(line)
		if n, ok := itemIn(symbols); ok != (want != "") || written(symbols[n.first:n.end]) != want {
			t.Errorf("%q: %q, want %q", line, written(symbols[n.first:n.end]), want)
		}
	}
}

// Property: where two networks read a number alike it is as sure as the surer of them says of each sign; where they do not, the likelier
// one counts, and is no surer than the choice.
func TestLikelierNumber(t *testing.T) {
	sure := func(line string, prob float64) []text.Symbol {
		out := printedSigns(line)
		for i := range out {
			out[i].Prob = prob
		}
		return out
	}
	least := func(symbols []text.Symbol) float64 {
		least := 1.0
		for _, s := range symbols {
			least = min(least, s.Prob)
		}
		return least
	}
	if got := agreed(sure("١٢", 0.5), sure("١٢", 0.9)); written(got) != "١٢" || least(got) != 0.9 {
		t.Errorf("alike: %v", got)
	}
	if got := agreed(sure("١ ٢", 0.5), sure("١٢", 0.9)); got != nil {
		t.Errorf("with a blank: %v", got)
	}
	n := number{from: 0.5, to: 1}
	for surer, want := range map[float64]string{2: "١٣", -2: "١٢"} {
		got := n.likelier(sure("١٢", 0.99), sure("١٣", 0.99), surer, 0.95)
		if written(got) != want || math.Abs(least(got)-vision.Sigmoid(2)) > 1e-9 {
			t.Errorf("surer by %v: %q, as sure as %v", surer, written(got), least(got))
		}
	}
	if got := n.likelier(sure("١٢", 0.99), sure("١٣", 0.99), 9, 0.6); least(got) != 0.6 {
		t.Errorf("a doubtful number is as sure as %v", least(got))
	}
}

// Property: a part of a line that sags lies where the line does there, and says on which sides more of the line goes on.
func TestPartOfLine(t *testing.T) {
	l := text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 300, Y: 50}, Height: 20, Sag: 8}
	part := partOf(l, 0.25, 0.75)
	if part.Start != (appliance.Point{X: 150, Y: 56}) || part.End != (appliance.Point{X: 250, Y: 56}) || part.Sag != 2 {
		t.Errorf("the middle lies at %v to %v and sags by %v", part.Start, part.End, part.Sag)
	}
	if !part.CutStart || !part.CutEnd || part.Height != l.Height {
		t.Errorf("the middle is %+v", part)
	}
	if all := partOf(l, 0, 1); all != l {
		t.Errorf("all of it is %+v", all)
	}
}
