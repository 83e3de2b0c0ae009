package plate

import (
	"math"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance/arabic"
)

// printedAs is an ink that shows a text: others are the less likely the further they are from it.
func printedAs(shown string, nats float64) func(string) float64 {
	return func(text string) float64 { return math.Log(0.9) - nats*arabic.Distance(shown, text) }
}

// A plate is found in what a line shows, under the rules where the ink allows it, also with its number first, a stroke between or its
// digits set apart, which are read from right to left then; a print that clearly breaks them stays, and what is nothing like a plate is
// none.
func TestDecodeText(t *testing.T) {
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
		got, ok := DecodeText(nil, Look{test.read, 0.5, printedAs(test.shown, 8)})
		if ok != test.ok || got.String() != test.want {
			t.Errorf("%q: %q, %v, want %q", test.read, got, ok, test.want)
		}
	}
	if got, ok := DecodeText(nil, Look{"ت ت ت 1000", 0.99, func(s string) float64 {
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
func TestDecodeTextOfSeveralLooks(t *testing.T) {
	look := func(inks map[string]float64, text string) Look {
		return Look{text, inks[text], func(s string) float64 { return math.Log(inks[s]) }}
	}
	first := look(map[string]float64{"س د ب 1234": 0.6, "س ه ب 1234": 0.2}, "س د ب 1234")
	second := look(map[string]float64{"س ه ب 1234": 0.5, "س د ب 1234": 0.01}, "س ه ب 1234")
	stain := look(map[string]float64{"لا": 0.9}, "لا")
	if got, ok := DecodeText(nil, first); !ok || got.String() != "س د ب 1234" {
		t.Errorf("one look: %+v", got)
	}
	if got, ok := DecodeText(nil, first, second); !ok || got.String() != "س ه ب 1234" || !got.Repaired {
		t.Errorf("two looks: %+v", got)
	}
	alone, _ := DecodeText(nil, first)
	if got, _ := DecodeText(nil, first, stain, stain, stain); got.Confidence != alone.Confidence {
		t.Errorf("confidence %.3f beside stains, %.3f alone", got.Confidence, alone.Confidence)
	}
	struck := look(map[string]float64{"س د ب / ٢١٦": 0.7}, "س د ب / ٢١٦")
	closely := look(map[string]float64{"س د ب ١٢١٦": 0.4, "س د ب / ٢١٦": 0.3}, "س د ب ١٢١٦")
	if got, ok := DecodeText(nil, closely, struck); !ok || got.String() != "س د ب 216" {
		t.Errorf("a stroke that looks like a digit in one of two looks: %+v", got)
	}
	if got, ok := DecodeText(nil, first, stain); !ok || got.String() != "س د ب 1234" {
		t.Errorf("with a stain: %+v", got)
	}
}

// Property: a letter that stands alone may be read as the sign that it looks like. Which of two letters that look like it is told by what
// is known beside the ink, and is in doubt without that.
func TestTwins(t *testing.T) {
	for read, want := range map[string]string{
		"٤ ل ٢٥٥": "ج ل 255", "ط س ٥ ١٤٨٣": "ط س ه 1483", "٩ ن ٧١٢": "و ن 712", "ه س J ٥١٥٤": "ه س ر 5154", "٤ ٥ ١٦٣٢": "ج ه 1632",
	} {
		if got, _ := DecodeText(nil, Look{read, 0.9, printedAs(read, 8)}); got.String() != want {
			t.Errorf("%q: %s, want %s", read, got, want)
		}
	}
	look := Look{"٤ ل ٢٥٥", 0.9, printedAs("٤ ل ٢٥٥", 8)}
	if got, _ := DecodeText(nil, look); got.Confidence > 0.7 {
		t.Errorf("%s is %.3f sure", got, got.Confidence)
	}
	beside := func(p Plate) float64 {
		if p.Letters[0] == 'ع' {
			return 0.4
		}
		return 0.001
	}
	if got, _ := DecodeText(beside, look); got.String() != "ع ل 255" || got.Confidence < 0.9 {
		t.Errorf("%s is %.3f sure by what is known beside it", got, got.Confidence)
	}
}

// No text breaks the search for a plate, and none that is found is empty.
func FuzzDecodeText(f *testing.F) {
	f.Add("س ن ب ١٢٣٤")
	f.Add("\xff|هـ 0")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text[:min(len(text), 30)], "")
		if p, ok := DecodeText(nil, Look{text, 0.5, printedAs(text, 5)}); ok && p.String() == "" {
			t.Errorf("%q: an empty plate", text)
		}
	})
}
