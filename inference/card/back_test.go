package card

import (
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: of a stretch between two words the longest word that keeps off its ends is looked at by itself, with half a letter of room;
// where only the ends of the words beside it reach into it, nothing is.
func TestInner(t *testing.T) {
	for name, test := range map[string]struct {
		signs    [][2]float64 // shares of a line 20 letters long
		from, to float64
	}{
		"a word between the ends of two others": {[][2]float64{{-0.01, 0.02}, {0.43, 0.48}, {0.49, 0.56}, {0.97, 1.02}}, 0.43, 0.56},
		"the longer of two words":               {[][2]float64{{0.13, 0.20}, {0.43, 0.48}, {0.49, 0.56}}, 0.43, 0.56},
		"ends alone":                            {[][2]float64{{0, 0.02}, {0.99, 1.03}}, 0, 0},
		"nothing":                               {nil, 0, 0},
	} {
		l := row{{text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 300, Y: 50}, Height: 10}}}
		var signs []text.Symbol
		for _, s := range test.signs {
			signs = append(signs, text.Symbol{Rune: 'م', Start: s[0], End: s[1]})
		}
		got, ok := entry{l, script{symbols: signs}}.inner()
		if ok != (test.to > 0) {
			t.Errorf("%s: %v", name, ok)
		}
		if !ok {
			continue
		}
		if from, to := 100+200*test.from-5, 100+200*test.to+5; !near(got[0].Start.X, from) || !near(got[0].End.X, to) {
			t.Errorf("%s: %.0f to %.0f, want %.0f to %.0f", name, got[0].Start.X, got[0].End.X, from, to)
		}
	}
}

func near(a, b float64) bool { return a-b < 0.5 && b-a < 0.5 }

// Property: a date that is not returned has not expired and is no wrong span after another: nobody can say so of what could not be read.
func TestUnreadDateSaysNothing(t *testing.T) {
	for name, test := range map[string]struct {
		confidence float64
		want       []appliance.Code
	}{
		"read":     {0.99, []appliance.Code{appliance.CodeExpired, appliance.CodeExpiryFormat}},
		"not read": {0.1, []appliance.Code{appliance.CodeExpiryFormat, appliance.CodeUnreadable}},
	} {
		d := appliance.Document{Kind: appliance.NationalIDBack}
		e := editor{Document: &d, sheet: &sheet{}}
		e.date("idExpiry", egypt.Date{Value: "2020-01-01", Confidence: test.confidence, Codes: []egypt.Code{egypt.CodeExpired, egypt.CodeExpiryFormat}}, row{})
		if len(d.Validations) != 1 || !slices.Equal(d.Validations[0].Errors, test.want) {
			t.Errorf("%s: %v, not %v", name, d.Validations, test.want)
		}
	}
}

// Property: the phrase before the expiry says that a sheet is an ID where it speaks of the card or stands below a national number, and not on
// a badge.
func TestPhraseNamesTheCard(t *testing.T) {
	const card, number = "البطاقة سارية حتى 2028/05/11", "20001010100022"
	badge := printed{"صالحة حتى : 2028/05/11", 0.20, 0.86, 0.53, 13}
	for name, test := range map[string]struct {
		lines []printed
		want  bool
	}{
		"a card":               {back(), true},
		"a card, no number":    {replaced(back(), number), true},
		"another phrase":       {replaced(back(), card, badge), true},
		"a badge's, no number": {replaced(replaced(back(), number), card, badge), false},
	} {
		s := sheetOf(test.lines)
		if _, err := s.readBack(t.Context(), egypt.NewJobWording(), egypt.NewNameWording()); err != nil || s.named != test.want {
			t.Errorf("%s: named %v, %v", name, s.named, err)
		}
	}
}

// Property: the words of the phrase before the expiry count whether or not a blank parts them from their colon and the date.
func TestPhraseBesideItsColon(t *testing.T) {
	for line, want := range map[string]int{"صالحة حتى:٢٠٢٦/١٠/١٦": 2, "صالحة حتى : ٢٠٢٦/١٠/١٦": 2, "البطاقة سارية حتى:": 3, "الديانة: مسلمة": 0} {
		if got := (entry{script: script{text: line}}).phrased(); got != want {
			t.Errorf("%q: %d words", line, got)
		}
	}
}

// Property: a line that holds both dates is parted before the label of the second, though none knows that label, and one with the label of a date below it before that; a line of
// one date stays whole.
func TestApartWithAnUnknownLabel(t *testing.T) {
	for _, test := range []struct {
		lines []printed
		want  []string
	}{
		{[]printed{{"الإصدار", 0.85, 0.93, 0.7, 12}, {"٢٠١٦/٠٥", 0.62, 0.74, 0.7, 12}, {"تقف عند", 0.45, 0.56, 0.7, 12}, {"٢٠٢٣/٠٥/١٧", 0.2, 0.38, 0.7, 12}}, []string{"الإصدار ٢٠١٦/٠٥", "تقف عند ٢٠٢٣/٠٥/١٧"}},
		{[]printed{
			{"الحالة", 0.6, 0.7, 0.6, 9}, {"صدرت في", 0.2, 0.3, 0.6, 9}, {"أعزب", 0.61, 0.7, 0.65, 9}, {"05/2022", 0.18, 0.3, 0.65, 9},
		}, []string{"الحالة", "صدرت في"}},
		{[]printed{{"البطاقة سارية حتى", 0.6, 0.93, 0.7, 12}, {"٢٠٢٣/٠٥/١٧", 0.2, 0.38, 0.7, 12}}, []string{"البطاقة سارية حتى ٢٠٢٣/٠٥/١٧"}},
	} {
		s := sheetOf(test.lines)
		e := entry{row: s.rows[0]}
		var err error
		if e.script, err = s.readWords(t.Context(), e.row); err != nil {
			t.Fatal(err)
		}
		parts, err := s.apart(t.Context(), e)
		var got []string
		for _, p := range parts {
			got = append(got, p.text)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q, %v; want %q", got, err, test.want)
		}
	}
}

// Property: the line of an occupation that goes on with the label of the employer is two lines; an occupation with a word of such a label is one.
func TestWithEmployer(t *testing.T) {
	for line, want := range map[string][]string{
		"عاملة جهة العمل: مصنع ملابس": {"عاملة", "مصنع ملابس"}, "مدير عام العمل والعمال": {"مدير عام العمل والعمال"}, "عاملة": {"عاملة"},
	} {
		s := sheetOf([]printed{{line, 0.3, 0.9, 0.3, 14}})
		p := backPrint{jobs: []entry{{row: s.rows[0]}}}
		var err error
		if p.jobs[0].script, err = s.readWords(t.Context(), s.rows[0]); err != nil {
			t.Fatal(err)
		}
		err = s.withEmployer(t.Context(), &p)
		var got []string
		for _, e := range p.jobs {
			got = append(got, e.text)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
}

// Property: bars between the words of the status are no part of them; a single word stays as it is.
func TestStatusBetweenBars(t *testing.T) {
	for line, want := range map[string]string{"ذكر | مسلم | متزوج": "ذكر مسلم متزوج", "ذكر مسلم متزوج": "ذكر مسلم متزوج", "ذكر": "ذكر"} {
		s := sheetOf([]printed{{line, 0.3, 0.9, 0.3, 14}})
		p := backPrint{status: []entry{{row: s.rows[0]}}}
		var err error
		if p.status[0].script, err = s.readWords(t.Context(), s.rows[0]); err != nil {
			t.Fatal(err)
		}
		if err := s.withoutStatusSigns(t.Context(), &p); err != nil || p.status[0].text != want {
			t.Errorf("%q: %q, %v", line, p.status[0].text, err)
		}
	}
}

// Property: a date that the reader of digits does not see is what the reader of words sees, whatever parts it, in doubt; a number is none.
func TestSpelledDate(t *testing.T) {
	for line, want := range map[string]string{"2027 - 04 - 09": "2027-04-09", "2027.04.09": "2027-04-09", ": 2027.04.09": "2027-04-09", "؛ 2027.04.09": "2027-04-09", "20270409": "", "أحمد": ""} {
		s := sheetOf([]printed{{line, 0.3, 0.9, 0.3, 14}})
		date, _, err := s.spelledDate(t.Context(), []text.Line{s.rows[0][0].Line}, dayDigits)
		if err != nil {
			t.Fatal(err)
		}
		d := egypt.Date{}
		if date != nil {
			d = egypt.DecodeDate(date, egypt.ExpiryRules(time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)))
		}
		if d.Value != want || !d.Doubtful() {
			t.Errorf("%q: %+v, want %q", line, d, want)
		}
	}
}

// Property: a row of dots is no date, and a whole date is one however its label was read.
func TestDotsAreNoDate(t *testing.T) {
	for line, want := range map[string][2]bool{"٠٠٠٠٠٠٠٠٠٠-٠٠٠٠٠٠٠٠٠": {true, false}, "اباة سارة من: ٠٧/١٢/٢٠٣٢": {false, true}, "٢٠٣٢/١٢": {false, false}, "٢٠٢٥/١٢ ٠٧/١٢/٢٠٣٢": {false, true}} {
		e := entry{row: row{{}}, script: script{text: line}}
		if e.ofDots() != want[0] || e.holdsDate() != want[1] {
			t.Errorf("%q: dots %v, a date %v", line, e.ofDots(), e.holdsDate())
		}
	}
}

// Property: without a label that is known, a date without a day is the release and one with a day the expiry.
func TestDatesByTheirDay(t *testing.T) {
	for line, want := range map[string]egypt.Label{
		"سلمت في شهر ٢٠٢٦/١١": egypt.LabelIssued, "تقف عند ٠٧/١٢/٢٠٣٢": egypt.LabelExpires, "٢٠٢٥/١٢": egypt.LabelIssued, "تاريخ الإصدار ٠٧/١٢/٢٠٢٥": egypt.LabelIssued, "محام حر": "",
	} {
		if got := (entry{row: row{{}}, script: script{text: line}}).dateRole(false); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}
