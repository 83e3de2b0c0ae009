package egypt

import (
	"math"
	"strings"
	"testing"
)

// weigh is the likelihood of a whole line, and of each of its beginnings.
func weigh(w *Wording, line string) (whole float64, beginnings []float64) {
	var p Prefix
	for _, r := range line {
		p = w.Next(p, r)
		beginnings = append(beginnings, w.LogProb(p))
	}
	return w.Whole(p), beginnings
}

// A wording knows its words in every spelling and no others.
func TestWordingKnows(t *testing.T) {
	names, addresses := NewNameWording(), NewAddressWording()
	for _, w := range []string{"محمد", "أحمد", "احمد", "مصطفي", "فاطمه", "الرحمن", "عبد", "المصرى"} {
		if !names.Knows(w) || !addresses.Knows(w) {
			t.Errorf("%s is not known", w)
		}
	}
	for _, w := range []string{"شارع", "عطفة", "المنصورة", "الاسكندريه", "شبين", "السنبلاوين"} {
		if names.Knows(w) || !addresses.Knows(w) {
			t.Errorf("%s: a name %v, of an address %v", w, names.Knows(w), addresses.Knows(w))
		}
	}
	for _, w := range []string{"شرط", "الموافقة", "للبيع", "بالملكية", "للبائع"} {
		if !NewRemarkWording().Knows(w) {
			t.Errorf("%s of a remark is not known", w)
		}
	}
	for _, w := range []string{"", "محمدد", "xyz", "12"} {
		if addresses.Knows(w) {
			t.Errorf("%q is known", w)
		}
	}
}

// What such lines say is likelier than the same with a letter misread, lost or invented, a blank lost or the sign misplaced.
func TestWordingPrefers(t *testing.T) {
	names, addresses, jobs := NewNameWording(), NewAddressWording(), NewJobWording()
	for _, test := range []struct {
		wording *Wording
		likely  string
		less    []string
	}{
		{names, "محمد علي", []string{"مخمد علي", "محد علي", "محمدد علي", "محمدعلي", "مح مد علي", "محمد 1علي", "محمد-علي"}},
		{names, "أحمد", []string{"أخمد", "آحمد", "أحهد"}},
		{names, "احمد", []string{"إحمد", "احهد"}},
		{addresses, "مركز تلا - المنوفية", []string{"مركز تلا - النوفية", "مركز تلا -المنوفية", "مرك تلا - المنوفية", "مركز تلا المنوفية"}},
		{addresses, "٢٢/٤ ش. طه (حلوان)", []string{"٢٢/٤ ش.طه (حلوان)", "٢٢/٤ ش. طه ( حلوان)"}},
		{addresses, "مركز تلا- المنوفية", []string{"مركز تلا- النوفية", "مركز تا- المنوفية"}},
		{addresses, "١٢ شارع النيل", []string{"١٢شارع النيل", "١٢ سارع النيل", "١ ٢ شارع النيل"}},
		{addresses, "ع ٣٥٧ ش ٣٤ النرجس", []string{"٤ ٣٥٧ ش ٣٤ النرجس"}},
		{addresses, "ق ٢٢١ م ٢ النرجس", []string{"ق ٢٢١ ٥ ٢ النرجس"}},
		{jobs, "مهندس مدني", []string{"مهندمس مدني", "مهنس مدني"}},
	} {
		likely, _ := weigh(test.wording, test.likely)
		for _, other := range test.less {
			if less, _ := weigh(test.wording, other); !(less < likely) {
				t.Errorf("%s: %.1f, %s: %.1f", test.likely, likely, other, less)
			}
		}
	}
}

// Spelling habits cost less than misreading: of the prints of one name, none is ruled out.
func TestWordingAllowsHabits(t *testing.T) {
	names := NewNameWording()
	usual, _ := weigh(names, "فاطمة مصطفى إبراهيم")
	habit, _ := weigh(names, "فاطمه مصطفي ابراهيم")
	wrong, _ := weigh(names, "فاطنة مصطفى إبراهيم")
	if !(habit > usual-6) || !(wrong < habit) {
		t.Errorf("usual %.1f, by habit %.1f, wrong %.1f", usual, habit, wrong)
	}
}

// Property: a typist who leaves out the blank before a dash is believed: it costs less than a letter misread. Whether he leaves out that
// behind it, too, nothing but the ink tells.
func TestDashCloseToItsWord(t *testing.T) {
	addresses := NewAddressWording()
	usual, _ := weigh(addresses, "شرم الشيخ - جنوب سيناء")
	close, _ := weigh(addresses, "شرم الشيخ- جنوب سيناء")
	closer, _ := weigh(addresses, "شرم الشيخ-جنوب سيناء")
	if !(close < usual) || !(close > usual-5) || math.Abs(closer-close) > 1e-9 {
		t.Errorf("with both blanks %.1f, with the second %.1f, with none %.1f", usual, close, closer)
	}
}

// A name that no list holds is possible, and one of Arabic build likelier than any letters.
func TestWordingOfUnlistedWords(t *testing.T) {
	names := NewNameWording()
	built, _ := weigh(names, "الزنكلاوي")
	any, _ := weigh(names, "ظغثؤءضىظغ")
	if math.IsInf(built, 0) || math.IsInf(any, 0) || !(built > any+10) {
		t.Errorf("built %.1f, any %.1f", built, any)
	}
}

// The shares of all ways to go on from a beginning of a word come to no more than its own, apart from the bonus of a sign.
func TestWordingIsADistribution(t *testing.T) {
	names := NewNameWording()
	for _, beginning := range []string{"م", "محم", "محمد", "قظ", "الزنكل"} {
		var p Prefix
		for _, r := range beginning {
			p = names.Next(p, r)
		}
		sum := 0.0
		for _, r := range "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي " {
			sum += math.Exp(names.LogProb(names.Next(p, r)) - perSign - names.LogProb(p))
		}
		if sum > 1.02 {
			t.Errorf("%s: the rest sums to %.3f", beginning, sum)
		}
	}
}

func FuzzWording(f *testing.F) {
	f.Add("١٢ شارع النيل - الجيزة")
	f.Add("a ـ\u0000\u202e -")
	addresses := NewAddressWording()
	f.Fuzz(func(t *testing.T, line string) {
		whole, beginnings := weigh(addresses, strings.ToValidUTF8(line, "?"))
		for _, b := range append(beginnings, whole) {
			if math.IsNaN(b) || math.IsInf(b, 0) {
				t.Fatalf("%q: %v", line, b)
			}
		}
	})
}

func BenchmarkWording(b *testing.B) {
	addresses := NewAddressWording()
	for b.Loop() {
		weigh(addresses, "١٢ شارع النيل - الجيزة")
	}
}
