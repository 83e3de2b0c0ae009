package egypt

import (
	"math"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance/arabic"
)

// inked is an ink that shows a text: others are the less likely the further they are from it.
func inked(shown string, nats float64) func(string) float64 {
	return func(text string) float64 { return math.Log(0.9) - nats*arabic.Distance(shown, text) }
}

// A misread phrase becomes the listed one that the ink allows, in the spelling that is printed; clear text that is not
// listed stays, and what could be two phrases is doubtful.
func TestTerms(t *testing.T) {
	for _, test := range []struct {
		terms       *Terms
		shown, read string
		want        string
		listed      bool
	}{
		{Colours(), "أزرق", "أزرق", "أزرق", true},
		{Colours(), "ازرق", "ازرق", "ازرق", true},
		{Colours(), "فضى", "فضى", "فضى", true},
		{Colours(), "فصى", "فصى", "فضى", true},
		{Fuels(), "غاز طبيعى", "غاز طبعى", "غاز طبيعى", true},
		{Colours(), "قوس قزح", "قوس قزح", "قوس قزح", false},
		{LicenceKinds(), "درجه ثالثه", "درجه ثالثه", "درجه ثالثه", true},
		{Departments(), "اداره مرور الغربيه", "اداره مرور القربيه", "اداره مرور الغربيه", true},
		{Makes(), "", "", "", false},
	} {
		got := test.terms.Choose(test.read, math.Log(0.9), inked(test.shown, 8))
		if got.Value != test.want || got.Listed != test.listed {
			t.Errorf("%q: %+v, want %q", test.read, got, test.want)
		}
	}
	sure := Colours().Choose("أبيض", math.Log(0.9), inked("أبيض", 60)).Confidence
	torn := LicenceKinds().Choose("درجة ثانثة", math.Log(0.4), inked("درجة ثانثة", 2)).Confidence
	if sure < 0.9 || torn > 0.8 {
		t.Errorf("sure %.3f, torn %.3f", sure, torn)
	}
	if v := Colours().Choose("قوس قزح", math.Log(0.99), inked("قوس قزح", 8)); v.Confidence > 0.5 {
		t.Errorf("in no closed list: %+v", v)
	}
	almost := Models().Choose("كاتر", math.Log(0.99), inked("كاتر", 60))
	other := Models().Choose("زمردة", math.Log(0.99), inked("زمردة", 60))
	if almost.Listed || almost.Confidence > 0.5 || other.Listed || other.Confidence < 0.9 {
		t.Errorf("almost a phrase of an open list: %+v, like none: %+v", almost, other)
	}
	if v := Colours().Choose("أبيص", math.Log(0.5), nil); v.Value != "أبيض" {
		t.Errorf("without ink: %+v", v)
	}
}

// Every phrase of every list is found as it stands, and has at least itself as a spelling.
func TestTermsHoldTheirPhrases(t *testing.T) {
	for name, terms := range map[string]*Terms{
		"kinds": LicenceKinds(), "uses": Uses(), "nationalities": Nationalities(), "conditions": Conditions(),
		"departments": Departments(), "english": NationalitiesEnglish(), "fuels": Fuels(), "colours": Colours(),
		"makes": Makes(), "models": Models(), "bodies": Bodies(),
	} {
		if terms.Likeness("12345 xyz") > 0.5 || !terms.Foreign("12345 xyz") {
			t.Errorf("%s holds anything", name)
		}
		for _, p := range terms.terms {
			got := terms.Choose(p.spellings[0], math.Log(0.9), inked(p.spellings[0], 8))
			if got.Value != p.spellings[0] || !got.Listed || terms.Likeness(p.spellings[0]) != 1 {
				t.Errorf("%s: %q: %+v", name, p.spellings[0], got)
			}
		}
	}
}

// In a name in capitals other signs become capitals; a name in small letters and one without letters stay.
func TestOnlyCapitals(t *testing.T) {
	for _, test := range []struct{ shown, read, want string }{
		{"FOUAD MAAZ", "FOUAD ٨MAAz", "FOUAD MAAZ"},
		{"SALMA", "SALMa", "SALMA"},
		{"Salma Ali", "Salma Ali", "Salma Ali"},
		{"", "", ""},
	} {
		// The ink knows one sign for one, as a lattice does.
		ink := func(text string) float64 {
			n := 0.0
			for i, r := range []rune(text) {
				if s := []rune(strings.ReplaceAll(test.read, "٨M", "M")); i < len(s) && strings.EqualFold(string(r), string(s[i])) {
					n++
				}
			}
			return n - 20
		}
		got, _ := OnlyCapitals(test.read, ink)
		if test.want != "FOUAD MAAZ" && got != test.want || strings.ContainsAny(got, "٨z") {
			t.Errorf("%q: %q", test.read, got)
		}
	}
}

// Property: since a VIN holds no I, O and Q, a digit that looks like one of them is sure where all else is; among letters of a
// shorter number it is not.
func TestVINShapes(t *testing.T) {
	ink := func(shown string) func(string) float64 {
		return func(s string) float64 {
			if s == shown {
				return math.Log(0.95)
			}
			return math.Log(1e-4)
		}
	}
	const shown = "12GBHLORJTVZU4FF1"
	if s := DecodeChassis(shown, 0.95, ink(shown)); s.Value != "12GBHL0RJTVZU4FF1" || !s.VIN || s.Confidence < 0.9 {
		t.Errorf("%+v", s)
	}
	if s := DecodeChassis("M13AX259577MALTCBX4AK0134903", 0.99, nil); s.Confidence > lookalike { // the numbers of two columns
		t.Errorf("a number longer than any: %+v", s)
	}
	for text, want := range map[string]string{"V1N24XX1JXFGRVHL6796": "24XX1JXFGRVHL6796", "VIN 3AVP16641600": "3AVP16641600", "V1NBC4EF8GH123456": "V1NBC4EF8GH123456"} {
		if s := DecodeChassis(text, 0.95, ink(text)); s.Value != want {
			t.Errorf("%s: %+v, want %s", text, s, want)
		}
	}
	if s := DecodeChassis("ZB4OPP", 0.95, ink("ZB4OPP")); s.Value != "ZB40PP" || s.VIN || s.Confidence > lookalike {
		t.Errorf("%+v", s)
	}
}

// No text breaks the search for numbers of vehicles, and what is returned keeps their alphabet.
func FuzzVehicleNumbers(f *testing.F) {
	f.Add("WVWZZZ1JZ3W386752")
	f.Add("\xff|هـ 0")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text[:min(len(text), 30)], "")
		ink := inked(text, 5)
		for _, s := range []Serial{DecodeChassis(text, 0.5, ink), DecodeMotor(text, 0.5, ink)} {
			if strings.Trim(s.Value, allSigns+"-") != "" || math.IsNaN(s.Confidence) || s.Confidence < 0 || s.Confidence > 1 {
				t.Errorf("%q: %+v", text, s)
			}
		}
	})
}

// A chassis number of about seventeen signs is read under the form of a VIN; shorter ones and engine numbers stand as printed.
func TestVehicleNumbers(t *testing.T) {
	for _, test := range []struct {
		shown, read, chassis string
		vin                  bool
	}{
		{"WVWZZZ1JZ3W386752", "WVWZZZIJZ3W386752", "WVWZZZ1JZ3W386752", true},
		{"WVWZZZ1JZ3W386752", "WVWZZZ1JZ3W38675", "WVWZZZ1JZ3W386752", true},
		{"WVWZZZ1JZ3W386752", "WVWZZZ1JZ3W3867522", "WVWZZZ1JZ3W386752", true},
		{"AB12345", "AB12345", "AB12345", false},
		{"AB12345", "ab 1٢345", "AB12345", false},
	} {
		got := DecodeChassis(test.read, 0.3, inked(test.shown, 4))
		if got.Value != test.chassis || got.VIN != test.vin {
			t.Errorf("%q: %+v", test.read, got)
		}
	}
	if got := DecodeMotor("KE11288I84", 0.3, inked("KE11288184", 4)); got.Value != "KE11288184" {
		t.Errorf("%+v", got)
	}
	if got := DecodeChassis("WVWZZZIJZ3W386752", 0.3, nil); got.Value != "WVWZZZ1JZ3W386752" {
		t.Errorf("without ink: %+v", got)
	}
}

// Lines that begin with what a company does, behind ل, or say whose it is besides or what in law, are second lines of such names; names of
// persons, and words that lack the article or are short, are none.
func TestNamesBusiness(t *testing.T) {
	for line, want := range map[string]bool{
		"للنقل البري": true, "للبلاستيك": true, "لتوزيع الأدوية": true,
		"لصناعة السيارات": true, "للسياحه": true,
		"وشركاه": true, "إخوان": true, "واولاده": true, "الجاهزة وشركاه": true, "مساهمة مصرية": true, "البناء ش.م.م": true,
		"مصرية": false, "وليد إبراهيم": false, "شركة مصرية": false,
		"لطفي عبد الله": false, "لؤي": false, "لله": false, "محمد للنقل": false,
		"نقل البضائع": false, "": false,
	} {
		if NamesBusiness(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

// A nationality is not taken for another that is spelled a little like it.
func TestNationalitiesAreTold(t *testing.T) {
	for _, said := range []string{"سويدي", "سورية", "إسبانية", "باكستاني", "ياباني", "برتغالي", "شركة مصرية"} {
		if got := Nationalities().Choose(said, math.Log(0.9), inked(said, 8)); got.Value != said || !got.Listed {
			t.Errorf("%q: %+v", said, got)
		}
	}
}
