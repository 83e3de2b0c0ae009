package bidi

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"
)

// Property: the visual order is that of the Unicode algorithm, on lines whose order is known.
func TestVisual(t *testing.T) {
	for _, tt := range []struct{ logical, visual string }{
		{"", ""},
		{"محمد", "دمحم"},
		{"Cairo 12", "Cairo 12"},
		{"شارع 15 مايو", "ويام 15 عراش"},
		{"شارع ١٥ مايو", "ويام ١٥ عراش"},
		{"٢٠٢٠/٠١/٠٥", "٢٠٢٠/٠١/٠٥"},
		{"سارية حتى ٢٠٢٠/٠١/٠٥", "٢٠٢٠/٠١/٠٥ ىتح ةيراس"},
		{"١٢-٣", "٣-١٢"},
		{"(شقة) ب", "ب (ةقش)"},
		{"سيارة Toyota Yaris 2019 حمراء جديدة", "ةديدج ءارمح Toyota Yaris 2019 ةرايس"},
		{"نموذج Apt (B) شقة", "ةقش Apt (B) جذومن"},
		{"نموذج (Apt) شقة", "ةقش (Apt) جذومن"},
		{"Latin words here شقة and more", "Latin words here ةقش and more"},
	} {
		if got := string(Visual([]rune(tt.logical))); got != tt.visual {
			t.Errorf("%s is printed %q, not %q", tt.logical, got, tt.visual)
		}
		if got := string(Logical([]rune(tt.visual))); got != tt.logical {
			t.Errorf("%s is read %q, not %q", tt.visual, got, tt.logical)
		}
	}
}

// draw joins n words, each taken from one of the lists in turn.
func draw(rng *rand.Rand, n int, lists ...[]string) string {
	out := make([]string, n)
	for i := range out {
		list := lists[i%len(lists)]
		out[i] = list[rng.IntN(len(list))]
	}
	return strings.Join(out, " ")
}

func arabicWords() []string {
	return []string{"محمد", "شارع", "القاهرة", "(ب)", "مبنى", "ش:", "«عام»", "الدور", "مصر"}
}

func otherWords() []string {
	return []string{"٢٠٢٠/٠١/٠٥", "١٥", "٧-٨", "[١٢]", "12", "3.5", "7-8", "50%", "٥٠%", "-", "،", "Toyota", "AB123", "A-4", "x/y"}
}

// Property: for lines from right to left, the direction of each sign is that of golang.org/x/text/unicode/bidi. The
// library does not pair brackets in this call, so the lines hold none.
func TestLevelsAgreeWithLibrary(t *testing.T) {
	bracketed := func(w string) bool { return strings.ContainsAny(w, "([") }
	words := slices.DeleteFunc(append(arabicWords(), otherWords()...), bracketed)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		l := draw(rng, 1+rng.IntN(7), words)
		var p bidi.Paragraph
		if _, err := p.SetString(l, bidi.DefaultDirection(bidi.RightToLeft)); err != nil {
			t.Fatal(err)
		}
		order, err := p.Order()
		if err != nil {
			t.Fatal(err)
		}
		got := levels([]rune(l), 1)
		for i := range order.NumRuns() {
			run := order.Run(i)
			first, last := run.Pos()
			for at := first; at <= last; at++ {
				if (got[at]%2 == 1) != (run.Direction() == bidi.RightToLeft) {
					t.Fatalf("%q: sign %d has level %d, the library says direction %d", l, at, got[at], run.Direction())
				}
			}
		}
	}
}

// Property: a line of Arabic words, between which stand numbers, dates and Latin words, comes back from visual order.
func TestLogicalUndoesVisual(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		l := "محمد شارع القاهرة " + draw(rng, 1+2*rng.IntN(4), arabicWords(), otherWords())
		if v := Visual([]rune(l)); string(Logical(v)) != l {
			t.Errorf("%q is printed %q and read %q", l, string(v), string(Logical(v)))
		}
	}
}

// Property: where the direction of a line is known, words of the other script that outweigh its own do not turn it.
func TestLogicalFromKnownDirection(t *testing.T) {
	for line, rtl := range map[string]bool{
		"بريد: information@example.com": true, "انظر Terms and conditions of carriage.": true,
		"The poem is called البيت الكبير في المدينة القديمة.": false, "Excel.": true,
	} {
		if v := visualFrom([]rune(line), rtl); string(LogicalFrom(v, rtl)) != line {
			t.Errorf("%q is printed %q and read %q", line, string(v), string(LogicalFrom(v, rtl)))
		}
	}
}

// Property: whatever is printed, reading it keeps every sign, and nearly always gives a line that is printed the same.
func FuzzLogical(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		f.Add(draw(rng, 1+rng.IntN(7), append(arabicWords(), otherWords()...)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := []rune(text)
		for _, turn := range []func([]rune) []rune{Visual, Logical} {
			got, want := slices.Clone(turn(line)), slices.Clone(line)
			for _, signs := range [][]rune{got, want} {
				for i, r := range signs {
					signs[i] = min(r, mirrored(r))
				}
				slices.Sort(signs)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q lost or gained signs: %q", text, string(turn(line)))
			}
		}
	})
}
