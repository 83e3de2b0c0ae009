package egypt

import (
	"math"
	"strings"
	"testing"
	"time"
)

// inked is an ink that shows a text: others are the less likely the further they are from it.
func inked(shown string, nats float64) func(string) float64 {
	return func(text string) float64 { return math.Log(0.9) - nats*Distance(shown, text) }
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
	if v := Colours().Choose("أبيص", math.Log(0.5), nil); v.Value != "أبيض" {
		t.Errorf("without ink: %+v", v)
	}
}

// Every phrase of every list is found as it stands, and has at least itself as a spelling.
func TestTermsHoldTheirPhrases(t *testing.T) {
	for name, terms := range map[string]*Terms{
		"kinds": LicenceKinds(), "uses": Uses(), "nationalities": Nationalities(), "conditions": Conditions(),
		"departments": Departments(), "english": NationalitiesEnglish(), "fuels": Fuels(), "colours": Colours(), "makes": Makes(), "bodies": Bodies(),
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

// A plate is found in what a line shows, under the rules where the ink allows it, also with its number first, a stroke between or its
// digits set apart, which are read from right to left then; a print that clearly breaks them stays, and what is nothing like a plate is
// none.
func TestDecodePlateText(t *testing.T) {
	for _, test := range []struct {
		shown, read, want string
		ok                bool
	}{
		{"س ن ب ١٢٣٤", "س ن ب ١٢٣٤", "س ن ب 1234", true},
		{"س ن ب ١٢٣٤", "س ن ت ١٢٣٤", "س ن ب 1234", true},
		{"ق ع ق ٤٨٩٨", "قع ق ٤٨٩٨", "ق ع ق 4898", true},
		{"ا ه ر 8732", "أ ه ر 8732", "أ ه ر 8732", true},
		{"س ن ١٢٣", "س إ ن ١٢٣", "س ن 123", true},
		{"٧٢٨٩ ل ر د", "٧٢٨٩ ل رد", "ل ر د 7289", true},
		{"ن ج و / ٩٤٢٨", "ن ح و / ٩٤٢٨", "ن ج و 9428", true},
		{"ج ص ق ٣ ١ ٢ ٧", "ج ص ق ٣ ١ ٢ ٧", "ج ص ق 7213", true},
		{"ب / ر / و / 1269", "ب /ر/ و / 1269", "ب ر و 1269", true},
		{"و/س/ى / ٦٤٤٦", "و ا س /ى / ٦٤٤٦", "و س ى 6446", true},
		{"و - ه - 1944", "و - ه - 1944", "و ه 1944", true},
		{"محمد أحمد علي", "محمد أحمد علي", "", false},
		{"", "", "", false},
	} {
		got, ok := DecodePlateText(nil, PlateLook{test.read, 0.5, inked(test.shown, 8)})
		if ok != test.ok || got.String() != test.want {
			t.Errorf("%q: %q, %v, want %q", test.read, got, ok, test.want)
		}
	}
	if got, ok := DecodePlateText(nil, PlateLook{"ت ت ت 1000", 0.99, func(s string) float64 {
		if strings.ContainsRune(s, 'ت') {
			return -0.01
		}
		return -40
	}}); !ok || got.Valid() {
		t.Errorf("a foreign plate became %q", got)
	}
}

// Property: a plate seen several times is the one that all looks support best, also against the surest of them; a look that shows
// something else altogether changes nothing.
func TestDecodePlateOfSeveralLooks(t *testing.T) {
	look := func(inks map[string]float64, text string) PlateLook {
		return PlateLook{text, inks[text], func(s string) float64 { return math.Log(inks[s]) }}
	}
	first := look(map[string]float64{"س د ب 1234": 0.6, "س ه ب 1234": 0.2}, "س د ب 1234")
	second := look(map[string]float64{"س ه ب 1234": 0.5, "س د ب 1234": 0.01}, "س ه ب 1234")
	stain := look(map[string]float64{"لا": 0.9}, "لا")
	if got, ok := DecodePlateText(nil, first); !ok || got.String() != "س د ب 1234" {
		t.Errorf("one look: %+v", got)
	}
	if got, ok := DecodePlateText(nil, first, second); !ok || got.String() != "س ه ب 1234" || !got.Repaired {
		t.Errorf("two looks: %+v", got)
	}
	alone, _ := DecodePlateText(nil, first)
	if got, _ := DecodePlateText(nil, first, stain, stain, stain); got.Confidence != alone.Confidence {
		t.Errorf("confidence %.3f beside stains, %.3f alone", got.Confidence, alone.Confidence)
	}
	struck, closely := look(map[string]float64{"س د ب / ٢١٦": 0.7}, "س د ب / ٢١٦"), look(map[string]float64{"س د ب ١٢١٦": 0.4, "س د ب / ٢١٦": 0.3}, "س د ب ١٢١٦")
	if got, ok := DecodePlateText(nil, closely, struck); !ok || got.String() != "س د ب 216" {
		t.Errorf("a stroke that looks like a digit in one of two looks: %+v", got)
	}
	if got, ok := DecodePlateText(nil, first, stain); !ok || got.String() != "س د ب 1234" {
		t.Errorf("with a stain: %+v", got)
	}
}

// Property: a letter that stands alone may be read as the sign that it looks like. Which of two letters that look like it is told by what
// is known beside the ink, and is in doubt without that.
func TestPlateTwins(t *testing.T) {
	for read, want := range map[string]string{
		"٤ ل ٢٥٥": "ج ل 255", "ط س ٥ ١٤٨٣": "ط س ه 1483", "٩ ن ٧١٢": "و ن 712", "ه س J ٥١٥٤": "ه س ر 5154", "٤ ٥ ١٦٣٢": "ج ه 1632",
	} {
		if got, _ := DecodePlateText(nil, PlateLook{read, 0.9, inked(read, 8)}); got.String() != want {
			t.Errorf("%q: %s, want %s", read, got, want)
		}
	}
	look := PlateLook{"٤ ل ٢٥٥", 0.9, inked("٤ ل ٢٥٥", 8)}
	if got, _ := DecodePlateText(nil, look); got.Confidence > 0.7 {
		t.Errorf("%s is %.3f sure", got, got.Confidence)
	}
	beside := func(p Plate) float64 {
		if p.Letters[0] == 'ع' {
			return 0.4
		}
		return 0.001
	}
	if got, _ := DecodePlateText(beside, look); got.String() != "ع ل 255" || got.Confidence < 0.9 {
		t.Errorf("%s is %.3f sure by what is known beside it", got, got.Confidence)
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

// No text breaks the search for plates and numbers of vehicles, and what is returned keeps their alphabets.
func FuzzVehicleNumbers(f *testing.F) {
	f.Add("س ن ب ١٢٣٤")
	f.Add("WVWZZZ1JZ3W386752")
	f.Add("\xff|هـ 0")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text[:min(len(text), 30)], "")
		ink := inked(text, 5)
		if p, ok := DecodePlateText(nil, PlateLook{text, 0.5, ink}); ok && p.String() == "" {
			t.Errorf("%q: an empty plate", text)
		}
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

// A number is read within its bounds, with as many digits as the ink shows; what is no such number is doubtful or none.
func TestDecodeCount(t *testing.T) {
	for _, test := range []struct {
		shown     string
		low, high int
		want      string
		sure      bool
	}{
		{"2015", 1930, 2027, "2015", true},
		{"8", 1, 16, "8", true},
		{"12", 1, 16, "12", true},
		{"1600", 40, 30000, "1600", true},
		{"800", 40, 30000, "800", true},
		{"3015", 1930, 2027, "", false},
	} {
		got := DecodeCount(inkDate(test.shown), test.low, test.high)
		if test.sure && (got.Value != test.want || got.Confidence < 0.9) || !test.sure && got.Confidence > 0.5 {
			t.Errorf("%s: %+v", test.shown, got)
		}
	}
	if got := DecodeCount(nil, 1, 16); got.Value != "" {
		t.Errorf("nothing: %+v", got)
	}
}

// Licences print dates in both orders and leave out leading zeros; an ID does not.
func TestShortDates(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct{ shown, want string }{
		{"2021/5/14", "2021-05-14"},
		{"2021/10/4", "2021-10-04"},
		{"2021/5/4", "2021-05-04"},
		{"14/5/2021", "2021-05-14"},
		{"4/10/2021", "2021-10-04"},
		{"4/5/2021", "2021-05-04"},
		{"14/05/2021", "2021-05-14"},
		{"2021/05/14", "2021-05-14"},
	} {
		got := DecodeDate(inkDate(test.shown), LicenceExpiryRules(now))
		if got.Value != test.want || len(got.Codes) > 0 || got.doubtful() {
			t.Errorf("%s: %+v", test.shown, got)
		}
		if id := DecodeDate(inkDate(test.shown), BirthRules(now)); len(test.shown) < 10 && id.Value == test.want && !id.doubtful() {
			t.Errorf("%s on an ID: %+v", test.shown, id)
		}
	}
}
