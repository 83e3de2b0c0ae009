package card

import (
	"strings"
	"testing"

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

// Property: how an inspection ended is a remark and no label; its date and its term have one.
func TestVerdicts(t *testing.T) {
	for line, want := range map[string]bool{"الفحص الفني سليم": true, "الفحص الفنى سليم": true, "الفحص الفني": false, "الفحص حتى ١٥/٠٧/٢٠٢٦": false, "سليم": false, "أحمد سليم": false, "مطابق للفحص الفني": true} {
		if got := ofVerdict(line); got != want {
			t.Errorf("%s: %t", line, got)
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

// Property: what is left of a unit in cubes is no part of the number behind it, and a number of one sign is none of those.
func TestCubed(t *testing.T) {
	for line, want := range map[string]bool{"٣: ١٤٠٠": true, "م٣ 1600": true, "3": false, "٤ ١٤٠٠": false, "٣ بنزين": false, "": false} {
		if got := cubed(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
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
