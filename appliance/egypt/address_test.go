package egypt

import (
	"math"
	"slices"
	"testing"
)

// The last printed line is the place, the others are the street.
func TestAddress(t *testing.T) {
	for _, test := range []struct {
		lines        []string
		first, other string
	}{
		{[]string{"١٢ شارع النيل", "الدقي - الجيزة"}, "١٢ شارع النيل", "الدقي - الجيزة"},
		{[]string{"١٢ شارع  النيل", "متفرع من الهرم", "الدقي - الجيزة"}, "١٢ شارع النيل متفرع من الهرم", "الدقي - الجيزة"},
		{[]string{"", "١٢ شارع النيل"}, "١٢ شارع النيل", ""},
		{nil, "", ""},
	} {
		if first, other := Address(test.lines...); first != test.first || other != test.other {
			t.Errorf("%q: %q %q", test.lines, first, other)
		}
	}
}

// Every governorate is found at the end of a line in its spellings, misread by a letter too, and nowhere else.
func TestResidence(t *testing.T) {
	for _, g := range Governorates() {
		if g.Code == BornAbroad {
			continue
		}
		for _, name := range append(governorateVariants(g.Code), g.Arabic, Fold(g.Arabic)) {
			for _, line := range []string{name, "مركز كذا - " + name, "قسم كذا " + name} {
				if got, ok := Residence(line); !ok || got.Code != g.Code {
					t.Errorf("%q: %+v", line, got)
				}
			}
		}
	}
	for line, want := range map[string]string{
		"الدقي - الجيرة": "21", "مدينة نصر أول - القاهره": "01", "مركز شبين الكوم / المنوفيه": "17", "بسيون – الغربية.": "16",
		"مركز أسوان": "28", "الشرقية - الدقهلبة": "12",
		"": "", "١٢ شارع النيل": "", "القاهرة الجديدة": "", "خارج الجمهورية": "", "- -": "",
	} {
		if got, _ := Residence(line); got.Code != want {
			t.Errorf("%q: %+v, want %s", line, got, want)
		}
	}
}

// A line is parted before its governorate whatever stands there, and only there.
func TestSplitPlace(t *testing.T) {
	for line, want := range map[string]string{
		"الدقي - الجيزة": "الدقي|الجيزة", "الدقي-الجيزه": "الدقي|الجيزه", "قنا–قنا": "قنا|قنا", "الدقي الجيزة": "الدقي|الجيزة",
		"الفشن / بني سويف": "الفشن|بني سويف", "دسوق كفر الشيخ": "دسوق|كفر الشيخ", "طابا - جنوب سيناء": "طابا|جنوب سيناء",
		"الجيزة": "", "شارع النيل": "", "": "", "- ": "",
	} {
		head, tail, ok := splitPlace(line)
		if got := head + "|" + tail; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// A serial that fits its pattern stays; look-alikes in the wrong place are repaired, unless ink is clear, and flagged.
func TestDecodeIDKey(t *testing.T) {
	for _, test := range []struct {
		text    string
		against float64 // nats by which the ink is against each change; NaN without ink
		want    string
		repairs int
		code    bool
	}{
		{"AB1234567", math.NaN(), "AB1234567", 0, false},
		{"ab 1234567", math.NaN(), "AB1234567", 0, false},
		{"AB-١٢٣٤٥٦٧", math.NaN(), "AB1234567", 0, false},
		{"A81234567", math.NaN(), "AB1234567", 1, false},
		{"1O12345O7", 3, "IO1234507", 2, false},
		{"1O12345O7", 7, "1O12345O7", 0, true},
		{"ABI234S6Z", math.NaN(), "AB1234562", 3, false},
		{"QD1234567", math.NaN(), "QD1234567", 0, false},
		{"AB12345LD", 5, "AB1234510", 2, false},
		{"A71234567", 0, "A71234567", 0, true},
		{"AB1234X67", 0, "AB1234X67", 0, true},
		{"AB123456", 0, "AB123456", 0, true},
		{"AB12345678", 0, "AB12345678", 0, true},
		{"اب1234567", 0, "اب1234567", 0, true},
		{"", 0, "", 0, false},
		{"- /", 0, "", 0, false},
	} {
		c := Candidate{Text: test.text, LogProb: -1}
		if !math.IsNaN(test.against) {
			c.Score = func(text string) float64 {
				return -1 - test.against*float64(differences(keySigns(text), keySigns(test.text)))
			}
		}
		k := DecodeIDKey(c)
		if k.Value != test.want || len(k.Repairs) != test.repairs || slices.Contains(k.Codes, CodeIDKey) != test.code || (k.Confidence < 0.9) != (test.repairs > 0) {
			t.Errorf("%q: %+v, want %+v", test.text, k, test)
		}
	}
}

// Whatever is read, a serial without a code fits the pattern or is empty.
func FuzzDecodeIDKey(f *testing.F) {
	f.Add("AB1234567")
	f.Add("ſſ1234567")
	f.Add("0Ѻ0000000")
	f.Fuzz(func(t *testing.T, text string) {
		k := DecodeIDKey(Candidate{Text: text})
		if len(k.Codes) > 0 || k.Value == "" {
			return
		}
		for i, r := range k.Value {
			if len(k.Value) != 9 || i < 2 && (r < 'A' || r > 'Z') || i >= 2 && (r < '0' || r > '9') {
				t.Fatalf("%q: %+v", text, k)
			}
		}
	})
}
