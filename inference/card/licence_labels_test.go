package card

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: a cell that reads the same however it is cut, such as a sign that the recogniser sees again and again, comes to an
// end.
func TestCuttingEnds(t *testing.T) {
	looks := 0
	shown := script{text: ": مصر", confidence: 0.9, symbols: []text.Symbol{
		{Rune: 'ر', Prob: 0.9, Start: 0, End: 0.3},
		{Rune: 'ص', Prob: 0.9, Start: 0.3, End: 0.6},
		{Rune: 'م', Prob: 0.9, Start: 0.6, End: 0.99},
		{Rune: ' ', Prob: 0.9, Start: 0.99, End: 0.995},
		{Rune: ':', Prob: 0.9, Start: 0.995, End: 1},
	}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	s := &sheet{level: asSeen, words: func(ctx context.Context, _ text.Line) (script, error) {
		looks++
		return shown, ctx.Err()
	}}
	l := text.Line{Start: appliance.Point{X: 100, Y: 100}, End: appliance.Point{X: 300, Y: 100}, Height: 12}
	c := cell{entry: entry{row: row{{l}}, script: shown}}
	c.parts = []script{shown}
	if _, err := s.cutAtLabels(ctx, c, []egypt.Phrase{}); err != nil {
		t.Errorf("%v after %d looks", err, looks)
	}
}

// cellOf is a cell at a place in which a text was read, each sign as surely.
func cellOf(shown string, sure, left, right, y, height float64) cell {
	c := cell{entry: entry{row: row{{text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: height}}}}}
	c.text = shown
	for _, r := range shown {
		c.symbols = append(c.symbols, text.Symbol{Rune: r, Prob: sure})
	}
	return c
}

func labelOf(l egypt.Label, c cell) cell {
	c.label = l
	return c
}

// Property: of text that was seen twice, the reading stays of which more is sure: a name rather than one of its words, and what was
// read well rather than what was not.
func TestTwins(t *testing.T) {
	tests := map[string]struct {
		twins cells
		want  string
	}{
		"a word of a name":   {cells{cellOf("علي", 1, 480, 502, 95, 9), cellOf("علي ياسر زيدان", 0.98, 280, 500, 96, 12)}, "علي ياسر زيدان"},
		"two lines as one":   {cells{cellOf("مصري", 0.98, 440, 500, 95, 9), cellOf("٢مصقوكعيى٤٥", 0.6, 430, 500, 96, 12)}, "مصري"},
		"the end of a line":  {cells{cellOf("- قسم المحلة الكبرى", 0.9, 50, 200, 90, 12), cellOf("119 ش 26 يوليو - قسم المحلة الكبرى", 0.95, 68, 297, 98, 14)}, "119 ش 26 يوليو - قسم المحلة الكبرى"},
		"its beginning":      {cells{cellOf("إيتاى البارود -", 0.9, 271, 379, 67, 11), cellOf("إيتاى البارود - البحيرة", 0.95, 233, 325, 72, 12)}, "إيتاى البارود - البحيرة"},
		"a word of a label":  {cells{labelOf(egypt.LabelName, cellOf("الاسم", 1, 440, 470, 95, 9)), labelOf(egypt.LabelRest, cellOf("باقى الاسم", 0.9, 440, 500, 95, 9))}, "باقى الاسم"},
		"the surer of alike": {cells{cellOf("طبيب", 0.8, 440, 500, 95, 9), cellOf("طبيت", 0.9, 440, 500, 95, 9)}, "طبيت"},
	}
	for name, test := range tests {
		if got := test.twins.withoutTwins(); len(got) != 1 || got[0].text != test.want {
			t.Errorf("%s: %d cells, %q", name, len(got), got[0].text)
		}
	}
}

// Property: a number that was read as one with the label right of it is a word of its own, and so is what follows the colon of a label without a blank, be it a letter of a
// plate; two digits at a word are none.
func TestJoinedScripts(t *testing.T) {
	for visual, want := range map[string][]string{
		"21077988روتوم":   {"موتور", "21077988"},
		"A40278979 روتوم": {"موتور", "A40278979"},
		"JTX4هيساش":       {"شاسيه", "JTX4"},
		"12روتوم":         {"موتور21"},
		"21077988:روتوم":  {"موتور", "21077988:"},
		"رر ط:ةحوللا":     {"اللوحة:", "ط", "رر"},
		"نيدلا فيس:هل":    {"له:", "سيف", "الدين"},
		"يرصم:ةيسنجلا":    {"الجنسية:", "مصري"},
		"12:30":           {"12:30"},
	} {
		w := script{}
		for i, r := range []rune(visual) {
			w.symbols = append(w.symbols, text.Symbol{Rune: r, Start: float64(i), End: float64(i + 1)})
		}
		var got []string
		for _, word := range wordsOf(w) {
			got = append(got, word.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", visual, got, want)
		}
	}
}

// Property: what stands between a label and its value is neither: a stroke, or a colon whose dots look like a zero. A number is.
func TestWithoutSeparators(t *testing.T) {
	for shown, kept := range map[string]bool{"/": false, "٠/": false, ":": false, "٠": true, "8": true, "٤": true, "ل": true, "٠/٠١": true} {
		if got := len(cells{cellOf(shown, 1, 440, 450, 95, 9)}.withoutSeparators()) == 1; got != kept {
			t.Errorf("%q: kept %v, want %v", shown, got, kept)
		}
	}
}

// Property: labels without the article, اسم and عنوان, are cut off a line of a national ID; names that come near to them stay.
func TestLabelsWithoutArticle(t *testing.T) {
	labels := egypt.CardPhrasesOf(egypt.LabelName, egypt.LabelAddress)
	for line, want := range map[string]int{
		"اسم دينا": 1, "اسم : توفيق": 2, "عنوان 19 شارع التحرير": 1, "علوان رضا": 0, "باسم محمود": 0, "الاسم دينا": 1,
		"أر- محل الإقامة شارع التحرير": 3, "دينا الاسم محمود": 0,
	} {
		var words []word
		for _, w := range strings.Fields(line) {
			words = append(words, word{text: w})
		}
		if _, got := labelWords(words, labels); got != want {
			t.Errorf("%q: %d words of a label, want %d", line, got, want)
		}
	}
}

// Property: what follows the label of a name is none of its words, however short, unless it is the rest of a longer wording, whole, misread or in two pieces.
func TestFurtherWordsOfLabels(t *testing.T) {
	for line, want := range map[string]int{"الاسم بالكامل/ طه": 2, "الاسم باكامل عماد": 2, "الاسم بالكا مل": 3, "الاسم كامل حسن": 1, "الاسم طه": 1} {
		var words []word
		for _, w := range strings.Fields(line) {
			words = append(words, word{text: w})
		}
		if _, got := labelWords(words, egypt.FrontPhrases()); got != want {
			t.Errorf("%q: %d words of a label, want %d", line, got, want)
		}
	}
}

// Property: behind a value of a list the label of the next column ends the line that the detector saw both as; a remark about seats, and a value like none, stay whole.
func TestLabelAfterValue(t *testing.T) {
	s := &sheet{known: newVocabulary()}
	labels := egypt.PhrasesOf(egypt.LabelMotor, egypt.LabelFuel, egypt.LabelColour, egypt.LabelOther)
	for line, want := range map[string]egypt.Label{
		"سيدان عدد الركاب": egypt.LabelOther, "ذهبي الحمولة": egypt.LabelOther, "فورد موتور": egypt.LabelMotor, "بنزين وزن المركبة": egypt.LabelOther,
		"سيدان عدد الركاب ٥": "", "عدد الركاب": "", "بدون مقطورة حمولة": "", "فورد": "",
	} {
		if at, ok := s.labelAfterValue(strings.Fields(line), labels); ok != (want != "") || ok && at.Phrase.Label != want {
			t.Errorf("%s: %q, %t", line, at.Phrase.Label, ok)
		}
	}
}

// Property: a ministry's name is a title whatever follows, so that the kind of licence behind it in the band is found; the beginning
// of a department's name is none.
func TestTitlesBeforeTheKind(t *testing.T) {
	for line, want := range map[string]bool{
		"وزارة الداخلية رخصة قيادة درجة أولى": true, "وزارة الداخلية درجة ثانية": true, "الإدارة العامة للمرور رخصة قيادة خاصة": true,
		"الإدارة العامة للمرور - رخصة تسيير": true, "الإدارة العامة للمرور القاهرة": false, "الإدارة العامة لمرور الجيزة": false,
	} {
		words := strings.Fields(line)
		at, ok := egypt.LocateLabel(words, egypt.PhrasesOf(egypt.LabelInterior))
		if !ok || announces(at, words) != want {
			t.Errorf("%s: %+v, a title: %t", line, at, !want)
		}
	}
}
