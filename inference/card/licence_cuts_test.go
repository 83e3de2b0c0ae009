package card

import (
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// wordsIn are the words of a line, from right to left.
func wordsIn(line string) (words []word) {
	fields := strings.Fields(line)
	for i, w := range fields {
		right := 1 - float64(i)/float64(len(fields))
		words = append(words, word{w, right - 0.8/float64(len(fields)), right})
	}
	return words
}

// Property: a plate is found among the words that the detector saw as one line with it; names, companies and addresses hold none.
func TestPlateAmong(t *testing.T) {
	for line, want := range map[string][2]int{
		"ب ى س ٣٨١٩ نقل": {0, 4}, "PateNo ج ج د٦٧٤٢": {1, 4}, "ص ج ه ٦١٨٩ .٥ Pl": {0, 4}, "ر و ١٢٣": {0, 3}, "ش م م": {}, "عمارة ٣ ب": {}, "أ ب ج د ١٢": {}, "بلوك ٤ شقة ٣": {}, "ب ٣٨١٩": {}, "": {},
	} {
		if from, to := plateAmong(wordsIn(line)); from != want[0] || to != want[1] {
			t.Errorf("%q: words %d to %d, want %v", line, from, to, want)
		}
	}
}

// Property: seats before a colon are no cylinders, though the labels are alike, a conversion to gas is no label of the fuel, and a street of King Faisal none of an owner.
func TestMisreadSeats(t *testing.T) {
	s := &sheet{known: newVocabulary()}
	for line, want := range map[string]egypt.Label{"عدد الركاب: 14": egypt.LabelOther, "عدد السلندات: 4": egypt.LabelCylinders, "تعديل وقود غاز طبيعي": "", "نوع الوقد بنزين": egypt.LabelFuel, "الملك فيصل قسم سيدى جابر": ""} {
		if at, _ := s.misread(strings.Fields(line), vehicleLabels()); at.Phrase.Label != want {
			t.Errorf("%q: %+v, want %q", line, at, want)
		}
	}
}

// Property: how an inspection ended is a remark and no label; its date and its term have one.
func TestVerdicts(t *testing.T) {
	for line, want := range map[string]bool{"الفحص الفني سليم": true, "الفحص الفنى سليم": true, "الفحص الفني": false, "الفحص حتى ١٥/٠٧/٢٠٢٦": false, "سليم": false, "أحمد سليم": false, "مطابق للفحص الفني": true} {
		if got := ofVerdict(line); got != want {
			t.Errorf("%s: %t", line, got)
		}
		if want && likeLabel(line) {
			t.Errorf("%s is like a label", line)
		}
	}
	if at, ok := egypt.LocateLabel([]string{"الفحص", "حتى", ":"}, egypt.PhrasesOf(egypt.LabelInspection)); !ok || at.To != 2 {
		t.Errorf("الفحص حتى: %+v", at)
	}
}

// Property: الوحدة is a district in an address, and an office where it announces one.
func TestDistrictIsNoOffice(t *testing.T) {
	labels := egypt.PhrasesOf(egypt.LabelOffice)
	for line, want := range map[string]bool{"بلوك ٣٤ شقة ٣ الوحدة": false, "شقة ٣ الوحدة اسنا": false, "الوحدة : مرور قنا": true} {
		words := strings.Fields(line)
		at, ok := egypt.LocateLabel(words, labels)
		if got := ok && announces(at, words); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}

// Property: print that is mostly tiny, in many lines, is a ground; few small lines and lines of usual height are none.
func TestTinyPrint(t *testing.T) {
	lines := func(n int, height float64) []text.Line {
		out := make([]text.Line, n)
		for i := range out {
			out[i].Height = height
		}
		return out
	}
	for name, test := range map[string]struct {
		lines []text.Line
		want  bool
	}{
		"a ground": {lines(60, 4), true}, "a ground and a card": {append(lines(40, 4), lines(20, 12)...), true}, "a card": {lines(25, 11), false}, "few": {lines(8, 4), false}, "none": {nil, false},
	} {
		if got := tiny(test.lines); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Property: the numbers of a line are found between its words, each with the signs that part it.
func TestNumbersAmongWords(t *testing.T) {
	for line, want := range map[string]string{
		"الرقم القومي - 302 042 5111 9634 تاريخ الإصدار / 2023/12": "30204251119634|2023/12", "2023/12": "2023/12",
		"2970323 1422471 1997-03-23": "29703231422471|1997-03-23", "الرقم القومي": "", "": "",
	} {
		var got []string
		for _, n := range numbersOf(wordsIn(line)) {
			got = append(got, n.text)
			if n.start >= n.end {
				t.Errorf("%q: %+v", line, n)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a line in Latin letters begins where the column of English labels does and loses nothing; one whose first word is a label that was read as digits loses that.
func TestLatinLineInAColumnOfLabels(t *testing.T) {
	labels := []wordsAt{{20, 60, 50, "Name"}, {20, 70, 90, "Address"}, {20, 70, 110, "Expiry"}, {20, 80, 130, "Profession"}}
	for line, want := range map[string]string{"OSAMA AYMAN HEGAZY": "OSAMA AYMAN HEGAZY", "12 شارع البحر 110": "12 شارع البحر"} {
		prints := append(slices.Clone(labels), wordsAt{22, 300, 70, line})
		all, err := sheetShowing(prints...).readCells(t.Context(), drivingLabels())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(all, func(c cell) bool { return c.text == want }) {
			t.Errorf("%q: %+v", line, all)
		}
	}
}

// Property: what is much like an English label in a column of them is one, and no value.
func TestMisreadEnglishLabel(t *testing.T) {
	var labels []wordsAt
	for i, l := range [][2]string{{"الماركة", "Make"}, {"الموديل", "Model"}, {"رقم الشاسيه", "Chassis"}, {"الوقود", "Fuel"}} {
		y := 50 + 20*float64(i)
		labels = append(labels, wordsAt{400, 480, y, l[0]}, wordsAt{20, 70, y, l[1]})
	}
	for line, want := range map[string]egypt.Label{"Colouz": egypt.LabelEnglish, "Nissan": ""} {
		all, err := sheetShowing(append(slices.Clone(labels), wordsAt{400, 480, 150, "اللون"}, wordsAt{22, 70, 150, line})...).readCells(t.Context(), vehicleLabels())
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(all, func(c cell) bool { return c.text == line }); i < 0 || all[i].label != want {
			t.Errorf("%q: cell %d", line, i)
		}
	}
}

// Property: the label of a value that has no other, at the end of the value right of it, is cut off, unless that is an address, which ends with such words.
func TestLabelOfTheNextColumn(t *testing.T) {
	const label = "المهنة"
	for line, want := range map[string]string{
		"إدارة مرور المنيا الوحدة": "إدارة مرور المنيا", "وحدة مرور نجع حمادي رقم اللوحات المعدنية": "وحدة مرور نجع حمادي", "ضابط بالمعاش الجنسية": "ضابط بالمعاش",
		"12 شارع الوحدة": "12 شارع الوحدة", "محاسب قانوني": "محاسب قانوني",
	} {
		all, err := sheetShowing(wordsAt{440, 500, 60, label}, wordsAt{200, 410, 60, line}, wordsAt{30, 140, 60, "سعد محمود"}).readCells(t.Context(), slices.Concat(drivingLabels(), carFrontLabels()))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(all, func(c cell) bool { return c.text == want && c.label == "" }) {
			t.Errorf("%q: no %q among %d cells, the first %q", line, want, len(all), all[0].text)
		}
	}
}

// Property: what is left of a unit in cubes is no part of the number behind it, and a number of one sign is none of those.
func TestCubed(t *testing.T) {
	for line, want := range map[string]bool{"٣: ١٤٠٠": true, "م٣ 1600": true, "3": false, "٤ ١٤٠٠": false, "٣ بنزين": false, "": false} {
		if got := cubed(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a colon or a dash of the label is no part of a number left of it, nor is what stands right of that; a separator between digits is.
func TestSignBesideANumber(t *testing.T) {
	for printed, want := range map[string]string{":4": ":4", "4:": "4", "4-": "4", "4:ت": "4", "2019/08": "2019/08", "1600 CC": "1600 CC", "12-34": "12-34", "ت": "ت", "": ""} {
		l := text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 200, Y: 50}, Height: 10}
		var w script
		for i, r := range []rune(printed) {
			unit := 1 / float64(len([]rune(printed)))
			w.symbols = append(w.symbols, text.Symbol{Rune: r, Prob: 1, Start: float64(i) * unit, End: float64(i+1) * unit})
		}
		w.text = printed
		e := entry{row{{l}}, script{text: w.text, symbols: w.symbols, parts: []script{w}}}
		e.cutAtSign()
		if e.text != want || want != printed && e.right() >= 200.0/viewWidth {
			t.Errorf("%q: %q up to %g", printed, e.text, e.right())
		}
	}
}

// Property: a rule before the label at the end of words is none of it; without a label of their own words that end with one may be one.
func TestLabelBehindARule(t *testing.T) {
	if at, ok := labelAtEnd(strings.Fields("مكتب الترخيص"), drivingLabels(), false); ok {
		t.Errorf("%+v", at)
	}
	if at, ok := labelAtEnd(strings.Fields("ملاكي |الجنسية"), drivingLabels(), true); !ok || at.From != 1 || at.Phrase.Label != egypt.LabelNationality {
		t.Errorf("%+v, %v", at, ok)
	}
}

// Property: a nationality that ends a line of another value, a wider gap before it, is cut off where the card states none elsewhere; one that belongs to the words before is not.
func TestNationAtTheEnd(t *testing.T) {
	nations := newVocabulary()[egypt.LabelNationality]
	at := func(texts []string, gaps ...float64) (words []word) {
		x := 1.0
		for i, w := range texts {
			if i > 0 {
				x -= gaps[i-1]
			}
			words = append(words, word{w, x - 0.1, x})
			x -= 0.1
		}
		return words
	}
	for name, test := range map[string]struct {
		words []word
		want  int
	}{
		"a wider gap": {at([]string{"أستاذ", "جامعي", "مصري"}, 0.05, 0.07), 2}, "none": {at([]string{"أستاذ", "جامعي", "مصري"}, 0.05, 0.05), 0}, "a place": {at([]string{"بنك", "شركة", "مصر"}, 0.05, 0.09), 0},
		"no nation": {at([]string{"أستاذ", "جامعي", "متفرغ"}, 0.05, 0.09), 0}, "alone": {at([]string{"مصري"}), 0},
	} {
		if got := nationLast(test.words, nations); got != test.want {
			t.Errorf("%s: %d words before it", name, got)
		}
	}
}

// Property: a remark on what was changed holds the label of that, and is none: it is neither cut at it nor left out.
func TestRemarkOnAChange(t *testing.T) {
	for line, want := range map[string]string{"استبدال لون المركبة": "استبدال لون المركبة", "لون المركبة": ""} {
		all, err := sheetShowing(wordsAt{300, 480, 250, line}, wordsAt{300, 480, 200, "حظر بيع بنك مصر"}).readCells(t.Context(), vehicleLabels())
		if err != nil {
			t.Fatal(err)
		}
		lines := all.freeLines(egypt.NewNameWording(), nil)
		if found := slices.ContainsFunc(lines, func(l freeLine) bool { return l.text == want }); found != (want != "") {
			t.Errorf("%q: among the remarks %v", line, found)
		}
	}
}

// Property: a count in the place of a remark is one: beside the label of the remarks, below it, in line with another remark, or below the labels of a column whose values end elsewhere. In the
// column of the values, or behind a colon, it is a value of no field.
func TestCountsAmongRemarks(t *testing.T) {
	table := []wordsAt{
		{400, 480, 50, "السلندرات"}, {340, 350, 50, "4"}, {420, 480, 75, "الوقود"}, {310, 350, 75, "بنزين"}, {430, 480, 100, "اللون"}, {320, 350, 100, "أحمر"},
	}
	for name, test := range map[string]struct {
		prints []wordsAt
		want   string
	}{
		"beside the label":        {[]wordsAt{{420, 480, 150, "ملاحظات"}, {250, 350, 150, "عدد المحاور ٢"}}, "عدد المحاور ٢"},
		"below the label":         {[]wordsAt{{420, 480, 150, "ملاحظات"}, {380, 480, 172, "عدد المحاور ٢"}}, "عدد المحاور ٢"},
		"below another remark":    {[]wordsAt{{360, 480, 150, "حظر بيع بنك مصر"}, {380, 480, 172, "عدد الركاب ٤"}}, "حظر بيع بنك مصر|عدد الركاب ٤"},
		"off the column":          {[]wordsAt{{380, 480, 200, "عدد المحاور ٢"}}, "عدد المحاور ٢"},
		"in the column of values": {[]wordsAt{{380, 480, 125, "عدد المحاور"}, {340, 350, 125, "2"}}, ""},
		"behind a colon":          {[]wordsAt{{380, 480, 200, "عدد المحاور: ٢"}}, ""},
	} {
		all, err := sheetShowing(append(slices.Clone(table), test.prints...)...).readCells(t.Context(), vehicleLabels())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []egypt.Label{egypt.LabelCylinders, egypt.LabelFuel, egypt.LabelColour} {
			all.take(all.valueOf(all.find(l))...)
		}
		var got []string
		for _, l := range all.freeLines(egypt.NewNameWording(), map[egypt.Label]role{egypt.LabelRemarks: roleRemark}) {
			got = append(got, l.text)
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Property: a unit behind a kind of licence, a plate or a department is a value of its own; behind other words it is part of theirs.
func TestUnitAfter(t *testing.T) {
	s := sheetShowing()
	for line, want := range map[string]int{
		"مهنية درجة ثانية وحدة مرور السلام ثان": 3, "خاصة وحدة تراخيص بدر": 1, "س ص ٥٦٤ وحدة مرور قنا": 3,
		"إدارة مرور القاهرة وحدة مرور عين شمس": 3,
		"رئيس وحدة مرور قنا":                   0, "شارع خاصة وحدة مرور": 0, "وحدة مرور خاصة": 0, "خاصة": 0,
	} {
		if got := s.unitAfter(strings.Fields(line)); got != want {
			t.Errorf("%s: word %d, want %d", line, got, want)
		}
	}
}
