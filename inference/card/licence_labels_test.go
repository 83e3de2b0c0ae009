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

// Property: the label of the year of the model is told from that of the model though its second word was misread, and that of a whole name though its
// was; a model is none, nor is a name.
func TestLengthened(t *testing.T) {
	labels := vehicleLabels()
	for line, want := range map[string]egypt.Label{
		"موديل سلاة 2024": egypt.LabelModelYear, "موديل سنة": egypt.LabelModelYear, "موديل كورولا": egypt.LabelModel, "موديل 2008": egypt.LabelModel,
	} {
		words := strings.Fields(line)
		at, ok := egypt.LocateLabel(words, labels)
		if got := lengthened(at, words, labels, hardlyLike, egypt.Uses()); !ok || got.Phrase.Label != want {
			t.Errorf("%q: %+v, want %s", line, got, want)
		}
	}
	for line, want := range map[string]int{"الاسم باكامل رانيا": 2, "الاسم رانيا لطفي": 1, "الاسم رباعيا لطفي": 2, "الاسم كامل لطفي": 1} {
		words := strings.Fields(line)
		if at, ok := egypt.LocateLabel(words, drivingLabels()); !ok || lengthened(at, words, drivingLabels(), hardlyLike, egypt.Uses()).To != want {
			t.Errorf("%q: %+v, want a label of %d words", line, at, want)
		}
	}
}

// Property: a street that is called like a label is none: شارع التحرير is not the date of issue, wherever it stands in the line.
func TestStreetsAreNoLabels(t *testing.T) {
	for line, want := range map[string]egypt.Label{
		"١٧٤ شارع التحرير رأس البر - دمياط": "", "شارع التحرير - الدقي": "", "تاريخ التحرير ٢٠٢٠/٠١/٠٢": egypt.LabelIssued, "تاريح التحرير ٢٠٢٠/٠١/٠٢": egypt.LabelIssued,
		"١٢٠ ش  الوحدة رأس البر - دمياط": "", "سدد الضريبة حتى نهاية الترخيص": "", "فحص فني بوحدة ناصر": "", "فحص ٢٠٢٠/٠١/٠٢": egypt.LabelInspection,
	} {
		all, err := sheetShowing(wordsAt{100, 480, 50, line}).readCells(t.Context(), slices.Concat(carFrontLabels(), egypt.PhrasesOf(egypt.LabelInspection)))
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].label; got != want {
			t.Errorf("%q: label %q, want %q", line, got, want)
		}
	}
}

// Property: a value begins behind the colon of its label, and what brackets add to a label is neither its value nor a part of that; an address may begin with brackets.
func TestBrackets(t *testing.T) {
	for line, want := range map[string]string{
		"المهنة: موظفة": "موظفة", "اسم مجدي ماجد": "مجدي ماجد", "الاسم (E) محمد أحمد": "محمد أحمد", "الاسم :(٤) محمد أحمد": "محمد أحمد", "العنوان (الحي) الدقي": "(الحي) الدقي", "الاسم محمد أحمد": "محمد أحمد",
	} {
		all, err := sheetShowing(wordsAt{100, 480, 50, line}).readCells(t.Context(), drivingLabels())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 2 || all[0].label == "" || all[1].text != want {
			t.Errorf("%q: %d cells, %q", line, len(all), all[len(all)-1].text)
		}
	}
}

// Property: on a card laid out from left to right the numbers of its entries are no values, and labels amid other words are labels.
func TestNumberedEntries(t *testing.T) {
	all, err := sheetShowing(wordsAt{20, 200, 50, "تويوتا الماركة Make 1."}, wordsAt{20, 200, 70, "كورولا الطراز Model 2."}, wordsAt{20, 200, 90, "أحمر اللون Colour 3."},
		wordsAt{20, 200, 110, "بنزين الوقود Fcc1"}).readCells(t.Context(), vehicleLabels())
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if anyDigit(all[i].text) && all[i].text != "Fcc1" {
			t.Errorf("%q is a cell", all[i].text)
		}
	}
	if i := all.find(egypt.LabelFuel); i < 0 || len(all[i].values) == 0 || all[all[i].values[0]].text != "بنزين" {
		t.Errorf("the label whose English was misread: %d", i)
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

// Property: a note is some words that are clearly read and announce nothing; what says how many persons a vehicle carries is one.
func TestNotes(t *testing.T) {
	for line, want := range map[string]bool{
		"طفاية حريق وحقيبة إسعاف": true, "عدد الركاب 4 أفراد": true, "بيانات الموتور والشاسيه": false, "اللون: فضي": false, "كامل": false,
		"الفحص الفني سليم": true, "تاريخ الفحص الفني": false,
	} {
		w := script{text: line, confidence: 0.9}
		for _, r := range line {
			w.symbols = append(w.symbols, text.Symbol{Rune: r, Prob: 0.95})
		}
		if got := note(newFreeLine(entry{row: row{{text.Line{Height: 9}}}, script: w}, egypt.NewNameWording())); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// Property: a label that could hardly be read is one where its list holds what follows it, or where a colon does and it comes near enough; of
// names and streets none becomes a label.
func TestMisreadLabels(t *testing.T) {
	for line, want := range map[string]egypt.Label{
		"النون أبيض": egypt.LabelColour, "مركة: لادا": egypt.LabelMake, "النوع؛ فيات": egypt.LabelMake, "الستة: ١٥٩١": egypt.LabelModelYear, "الشكل؛ دفع رباعي": egypt.LabelBody,
		"شارع: أبيض": "", "بن كحلي غامق جدا": "", "معفاة من الضريبة الجمركية": "", "الضريبة مسددة حتى 2018/02/27": "",
	} {
		all, err := sheetShowing(wordsAt{200, 480, 50, line}).readCells(t.Context(), vehicleLabels())
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].label; got != want || want == "" && len(all) > 1 {
			t.Errorf("%q: label %q among %d cells, want %q", line, got, len(all), want)
		}
	}
}

// Property: what stands in a column of labels and was surely read as a name is none, though it comes near to one; what was hardly read so is one, and what says the seats or the
// load is no field.
func TestNamesAreNoMisreadLabels(t *testing.T) {
	for _, test := range []struct {
		text       string
		confidence float64
		want       egypt.Label
	}{
		{"الحداد", 0.99, ""}, {"باسم", 0.99, ""}, {"اسامه", 0.8, ""}, {"المودبل", 0.4, egypt.LabelModel}, {"الموديك", 0.99, egypt.LabelModel}, {"عدد ركاب", 0.99, egypt.LabelOther}, {"حمولة", 0.99, egypt.LabelOther},
	} {
		at := func(left, right, y float64, read string) cell {
			l := text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: 10}
			return cell{entry: entry{row{{l}}, script{text: read, confidence: 0.99}}}
		}
		all := cells{
			at(420, 480, 40, "اللون"), at(350, 400, 40, "أحمر"), at(420, 480, 70, "الوقود"), at(350, 400, 70, "بنزين"), at(420, 480, 100, "الماركة"), at(350, 400, 100, "كيا"),
			at(420, 480, 130, test.text), at(350, 400, 130, "5"),
		}
		all[0].label, all[2].label, all[4].label = egypt.LabelColour, egypt.LabelFuel, egypt.LabelMake
		all[6].confidence = test.confidence
		all.misreadLabels(vehicleLabels(), newVocabulary())
		if got := all[6].label; got != test.want {
			t.Errorf("%q, read with %v: label %q, want %q", test.text, test.confidence, got, test.want)
		}
	}
}

// Property: the first words of one kind of label, of which the rest was not seen, are that label where a value stands below them, and of several kinds none; a name is no
// condition, however like the word for one it is, since conditions say anything.
func TestLabelsCutShort(t *testing.T) {
	labels := carFrontLabels()
	for text, want := range map[string]egypt.Label{"محل": egypt.LabelAddress, "بداية": egypt.LabelIssued, "تاريخ": "", "الحداد": ""} {
		if got := cutShort(text, labels); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	card := []wordsAt{
		{420, 480, 40, "اسم المالك"},
		{440, 480, 62, "هدى"},
		{400, 480, 90, "شاكر مرزوق الهنادى"},
		{460, 480, 130, "محل"},
		{200, 480, 152, "١٩ درب النخيل - الجيزة"},
		{440, 480, 180, "الجنسية"},
		{455, 480, 202, "مصري"},
	}
	all, err := sheetShowing(card...).readCells(t.Context(), labels)
	if err != nil || all[3].label != egypt.LabelAddress {
		t.Fatalf("the label of the address is %q, %v", all[3].label, err)
	}
	for _, name := range []string{"شاكر مرزوق الهنادى", "حنان", "السيد"} { // of two of which العنوان and القيود come near
		if label, _, ok := (cells{}).likeLabel(name, false, &all[4], hardlyLike, labels, newVocabulary()); ok {
			t.Errorf("%s is the label %q", name, label)
		}
	}
}

// Property: مالك in the column of labels is the label of the name where the card labels its values and no other one is; elsewhere it is a name.
func TestOwnerWithoutArticle(t *testing.T) {
	card := []wordsAt{
		{420, 480, 40, "مالك"},
		{260, 370, 40, "شريف سيد"},
		{420, 480, 80, "الجنسية"},
		{320, 370, 80, "مصري"},
		{420, 480, 120, "رقم اللوحة"},
		{270, 370, 120, "ط ر ر ٥٥٨"},
		{420, 480, 160, "العنوان"},
		{180, 370, 160, "١٢ شارع النصر - القاهرة"},
		{420, 480, 200, "نوع الترخيص"},
		{320, 370, 200, "نقل"},
	}
	named := slices.Concat(card, []wordsAt{{420, 480, 240, "الاسم"}, {270, 370, 240, "حسن علي"}})
	for name, test := range map[string]struct {
		prints []wordsAt
		want   egypt.Label
	}{"labelled": {card, egypt.LabelName}, "beside another": {named, ""}, "alone": {card[:2], ""}} {
		all, err := sheetShowing(test.prints...).readCells(t.Context(), carFrontLabels())
		if err != nil || all[0].label != test.want {
			t.Errorf("%s: %q, want %q, %v", name, all[0].label, test.want, err)
		}
	}
}

// Property: on the front of a vehicle's licence النوع announces the use, on the back the make; on a driving licence Egypt is the nationality, elsewhere a band of the plate.
func TestLabelsOfSides(t *testing.T) {
	label := func(labels []egypt.Phrase, text string) egypt.Label {
		at, _ := egypt.LocateLabel([]string{text}, labels)
		return at.Phrase.Label
	}
	got := []egypt.Label{label(carFrontLabels(), "النوع"), label(vehicleLabels(), "النوع"), label(drivingLabels(), "EGYPT"), label(carFrontLabels(), "EGYPT")}
	if want := []egypt.Label{egypt.LabelUse, egypt.LabelMake, "", egypt.LabelEnglish}; !slices.Equal(got, want) {
		t.Errorf("labels %q, want %q", got, want)
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

// Property: the label of a name that was misread with its line is told by the names after it; a name that comes near to it is none. The name after a label is no nationality that it is like.
func TestMisreadLabelOfNames(t *testing.T) {
	labels := carFrontLabels()
	for line, want := range map[string]string{"الاسدا عماد": "عماد", "الاسرا على حسن": "على حسن", "الاسد / نهى": "نهى", "الأسد نهى": "", "أسامة عماد": "", "الاسدا شقمق": "", "الاسم مصريا": "مصريا"} {
		all, err := sheetShowing(wordsAt{320, 480, 40, line}, wordsAt{340, 480, 62, "أدهم هيثم"}, wordsAt{430, 480, 90, "العنوان"}, wordsAt{200, 420, 90, "١٩ درب النخيل - الجيزة"}).readCells(t.Context(), labels)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if i := all.find(egypt.LabelName); i >= 0 && len(all.valueOf(i)) > 0 {
			got = all[all.valueOf(i)[0]].text
		}
		if got != want {
			t.Errorf("%q: the name %q, want %q", line, got, want)
		}
		if e := all.worded(egypt.Nationalities(), 0.75, egypt.LabelNationality); want != "" && e.text != "" {
			t.Errorf("%q: the nationality %q", line, e.text)
		}
	}
}

// Property: a name and a nationality are no phrase of another list that they come near to.
func TestOtherKinds(t *testing.T) {
	for line, terms := range map[string]*egypt.Terms{"أميرة": egypt.Uses(), "تهاني": egypt.Uses(), "مصرية": egypt.LicenceKinds()} {
		all, err := sheetShowing(wordsAt{420, 480, 40, line}).readCells(t.Context(), nil)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		all[0].score = func(string) float64 { return -0.1 } // the ink allows anything
		if e := all.worded(terms, 0.75); e.text != "" {
			t.Errorf("%s is taken as one", line)
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

// Property: a label takes in the misread word before it that a longer wording has, and no other word.
func TestBegunLabel(t *testing.T) {
	for line, want := range map[string]int{"عحل السكن شارع النيل": 0, "محل السكن شارع النيل": 0, "طبيب السكن شارع النيل": 1, "السكن شارع النيل": 0} {
		words := strings.Fields(line)
		at, ok := egypt.LocateLabel(words, drivingLabels())
		if at = begun(at, words, drivingLabels()); !ok || at.From != want || at.Phrase.Label != egypt.LabelAddress {
			t.Errorf("%q: %+v", line, at)
		}
	}
}
