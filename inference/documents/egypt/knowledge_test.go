package egypt

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
)

// Property: names of one holder in two scripts say the same where no consonant of any of their names is amiss, however compounds and vowels
// are spelled; not where one letter is another one, a blank is lost or a name is missing.
func TestTranscription(t *testing.T) {
	for _, test := range []struct {
		arabic, latin string
		same, other   bool
	}{
		{"محمود أحمد أبو طالب", "MAHMOUD AHMED ABOUTALEB", true, false},
		{"صابر صلاح الدين عبد العظيم خليل", "SABER SALAH ELDIN ABDELAZIM KHALIL", true, false},
		{"منى السيد عطا الله", "MONA EL SAYED ATALLAH", true, false},
		{"زين عطا الله بدوي", "ZYN ATA LH BDWY", true, false},
		{"حورية زياد عصام صلاح الدين", "REYA ZIAD ESSAM SALAH ELDIN", false, false},
		{"هانم مشرف جمال ممدوح", "HANM MSHRE GAMAL MMDWH", false, false},
		{"محمود أحمد أبو طالب", "MAHMOUDAHMED ABOUTALEB", false, false},
		{"محمودأحمد أبو طالب", "MAHMOUD AHMED ABOUTALEB", false, false},
		{"هيام سليمان عبدالعزيز توفيق", "HYAM SOL IMAN ABDELAZIZ TAWFIK", false, false},
		{"سامح مدحت آسر موسى", "SAMEH MEDHAT ASSER", false, false},
		{"جرجس بشارة حنا", "AHMED MOHAMED ALI HASSAN", false, true},
	} {
		if same, other := transcription(test.arabic, test.latin); same != test.same || other != test.other {
			t.Errorf("%s, %s: same %v, other %v", test.arabic, test.latin, same, other)
		}
	}
}

// Property: an address is odd that ends in no governorate, town or district, that is of one line and names no street, house or village,
// or that begins with a number that may hold a letter.
func TestOddAddresses(t *testing.T) {
	addresses := addressLines{wording{egypt.NewAddressWording()}}
	for value, want := range map[string]float64{
		"١٢ شارع النيل - المعادي - القاهرة": 0, "١٢ شارع النيل - المعادي": 0, "١٢ شارع النيل - الجلاء": 1, "طنطا - الغربية": 1,
		"طنطا": 1, "الجلاء": 2,
		"١١٨٥ درب عمر - القناطر - القليوبية": 1, "دجوى مركز القوصية - أسيوط": 0, "مركز القوصية - أسيوط": 1, "مدينة صان الحجر - الشرقية": 1,
		"قسم سفاجا البحر الأحمر": 1, "الكرنك القنطرة شرق - الإسماعيلية": 0,
	} {
		if got := addresses.Odd(value, 1); got != want {
			t.Errorf("%s: %v, want %v", value, got, want)
		}
	}
	if got := addresses.Odd("مسطرد الزهور - بورسعيد", 2); got != 0 {
		t.Errorf("in two lines: %v", got)
	}
}

// Property: a line is more like one of an address where it begins as such lines do or ends in a governorate than its words are without.
func TestMatchOfAddressLines(t *testing.T) {
	addresses := addressLines{wording{egypt.NewAddressWording()}}
	for line, than := range map[string]string{
		"تقسيم عز العرب": "عز العرب", "الدور الثاني شقة ٥": "الثاني شقة", "بجوار الوحدة المحلية": "الوحدة المحلية", "طنطا - الغربية": "طنطا",
	} {
		if a, b := addresses.Match(line), addresses.Match(than); a < b+0.2 {
			t.Errorf("%s %.2f, %s %.2f", line, a, than, b)
		}
	}
}

// Property: the name of a traffic unit begins with the words for one, or with traffic alone, and names a place; no name or
// occupation does.
func TestMatchOfTrafficUnits(t *testing.T) {
	units := unitLines{wording{egypt.NewAddressWording()}}
	for said, want := range map[string]bool{
		"وحدة مرور قفط": true, "وحده تراخيص شبرا": true, "نيابة مرور فرشوط": true, "قسم مرور أول": true, "مرور فيصل": true,
		"مرور": false, "وحدة مرور": false, "مروة فيصل": false, "ضابط مرور": false, "وكيل نيابة": false, "إدارة مرور قنا": false,
	} {
		if got := units.Match(said); (got > 0.85) != want {
			t.Errorf("%s: %.2f", said, got)
		}
	}
}

// Property: a wording tells how steadily a typist spells, more of a value whose words are all spelled in one way, and what nobody
// spells so.
func TestWitnessOfSpelling(t *testing.T) {
	w := wording{egypt.NewNameWording()}
	steady, mixed := w.Witness("", "على مصطفى حجازى", 0, field.Known{}), w.Witness("", "على مصطفى حجازي", 0, field.Known{})
	if steady <= mixed {
		t.Errorf("steady %.2f, mixed %.2f", steady, mixed)
	}
	if w.Odd("راغب علي", 1) != 0 || w.Odd("رأغب علي", 1) != 1 {
		t.Errorf("odd %v and %v", w.Odd("راغب علي", 1), w.Odd("رأغب علي", 1))
	}
}

// Property: a line that reads like one that is printed often is that one, in its spelling, unless the ink speaks against it; one that is
// like none, or clearly another, stays as it is.
func TestOftenPrinted(t *testing.T) {
	o := often{values: []string{"كلية الآثار", "كلية الآداب"}}
	for name, c := range map[string]struct {
		said string
		ink  map[string]float64 // log-likelihoods
		want string
	}{
		"spelled otherwise":  {"كلية الاثار", map[string]float64{"كلية الاثار": -0.1, "كلية الآثار": -4, "كلية الآداب": -30}, "كلية الآثار"},
		"a letter misread":   {"كلية الآنار", map[string]float64{"كلية الآنار": -0.2, "كلية الآثار": -6, "كلية الآداب": -25}, "كلية الآثار"},
		"clearly another":    {"كلية الآبار", map[string]float64{"كلية الآبار": -0.1, "كلية الآثار": -20, "كلية الآداب": -30}, "كلية الآبار"},
		"like none of them":  {"كلية الطب البيطري", map[string]float64{}, "كلية الطب البيطري"},
		"one of two is read": {"كلية الآداب", map[string]float64{"كلية الآثار": -20, "كلية الآداب": -0.1}, "كلية الآداب"},
	} {
		score := func(text string) float64 { return c.ink[text] }
		if got, share, _ := o.Settle(c.said, 0.9, score); got != c.want || !(share > 0.5 && share <= 1) {
			t.Errorf("%s: %s with %.2f", name, got, share)
		}
	}
}

// Property: a value keeps the bracket at its end that closes one in it, and no other sign about it; brackets stand close to what they
// enclose; without a letter it is none.
func TestCleanWords(t *testing.T) {
	for value, want := range map[string]string{
		"كمسى (العزيزية)": "كمسى (العزيزية)", "كمسى (العزيزية) -": "كمسى (العزيزية)", "(كمسى)": "كمسى",
		"كمسى)": "كمسى", "كمسى (العزيزية": "كمسى (العزيزية", "()": "", "كمسى ( العزيزية ) قنا": "كمسى (العزيزية) قنا",
		"١٩٧٢/٠٧/٠٣": "", "15 / 2": "", "٧ شارع النصر": "٧ شارع النصر",
	} {
		if got := (wording{}).Clean(value); got != want {
			t.Errorf("%q is cleaned to %q, want %q", value, got, want)
		}
	}
}

// Property: an occupation begins with its first word: a number or a letter alone before it is left out, one behind it stays.
func TestJobBeginsWithAWord(t *testing.T) {
	jobs := jobLines{wording{egypt.NewJobWording()}}
	for said, want := range map[string]string{
		"١ سائق": "سائق", "١١ مهندس مدني": "مهندس مدني", "ا طالب": "طالب", "سائق": "سائق", "مهندس ١": "مهندس ١", "": "",
	} {
		if got := jobs.Clean(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// Property: digits that are no number from the left are one where the usual groups from the right keep grammar and check digit, which the
// evidence tells; digits that are none either way are not.
func TestDecodeFromRight(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	cellsOf := func(digits string) (cells []number.Cell) {
		for _, d := range digits {
			var c number.Cell
			for i := range c {
				c[i] = -20
			}
			c[d-'0'] = 0
			cells = append(cells, c)
		}
		return cells
	}
	want := ""
	for last := range 100 {
		s := fmt.Sprintf("287061917019%02d", last)
		if n, err := number.Parse(s, now); err == nil && n.Check == number.CheckAgrees {
			want = s
		}
	}
	for shown, ok := range map[string]bool{
		want[9:] + want[7:9] + want[1:7] + want[:1]:                                       true, // 1, 6, 2 and 5
		want[13:] + want[9:13] + want[7:9] + want[5:7] + want[3:5] + want[1:3] + want[:1]: true, // 1, 2, 2, 2, 2, 4 and 1
		want[7:] + want[:7]: false, "99999999999999": false, want[:13]: false,
	} {
		n, got := decodeFromRight(cellsOf(shown), number.Evidence{Text: shown, Today: now})
		if got != ok || ok && (n.Value != want || !slices.Contains(n.Repairs, turnedGroups)) {
			t.Errorf("%s: %v %+v, want %s", shown, got, n, want)
		}
	}
}
