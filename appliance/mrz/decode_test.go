package mrz

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edit puts another cell at a position of clear ink.
type edit struct {
	line, pos int
	cell      Cell
}

func (s specimen) seen(edits ...edit) Zone {
	z := ink(s.format, s.lines)
	for _, e := range edits {
		z.Cells[e.line][e.pos] = e.cell
	}
	return z
}

// either is a cell that wavers between two symbols.
func either(a byte, p float64, b byte) Cell { return mix(map[byte]float64{a: p, b: 0.9999 - p}) }

// egyptian is specimenEGY with a number and a birth date that hold other digits than zeros and ones.
var egyptian = specimen{TD3, rechecked(TD3, []string{
	"P<EGYALI<<OMAR<HASSAN<<<<<<<<<<<<<<<<<<<<<<<", "A285604830EGY8504288M30123132850428210023400",
})}

// Clear ink of a right document is read as it is: nothing repaired, nothing doubted.
func TestDecodeClearSpecimens(t *testing.T) {
	for _, s := range specimens() {
		r := Decode(ink(s.format, s.lines), noon)
		checkShape(t, r)
		if diff := cmp.Diff(s.lines, r.Lines); diff != "" {
			t.Errorf("%v: %s", s.format, diff)
		}
		if r.Format != s.format || len(r.Repairs) != 0 || !r.ChecksOK() {
			t.Errorf("%v: format %v, repairs %v, checks %v", s.format, r.Format, r.Repairs, r.Checks)
		}
		for _, f := range r.fields() {
			if f.Doubtful() {
				t.Errorf("%v: field %q is doubtful: %.4f %s", s.format, f.Value, f.Confidence, f.Reason)
			}
		}
	}
}

// austrian is a zone of one of two states that differ in one letter.
var austrian = specimen{TD3, rechecked(TD3, []string{
	"P<AUTMUSTER<<ANNA<<<<<<<<<<<<<<<<<<<<<<<<<<<", "U284567900AUT8504288F3012313<<<<<<<<<<<<<<00",
})}

// Ink that wavers, or is sure of a look-alike, is put right by the grammar; every repair is listed with its reason, and
// what a check digit alone decided against clear ink stays doubtful.
func TestDecodeRepairs(t *testing.T) {
	for name, test := range map[string]struct {
		specimen specimen
		edits    []edit
		field    func(r *Reading) *Field
		repairs  string
		doubtful bool
	}{
		"sure O in a date":                    {egyptian, []edit{{1, 15, clear('O')}}, birthOf, "1/15 O0 class", false},
		"sure S in a date":                    {egyptian, []edit{{1, 14, clear('S')}}, birthOf, "1/14 S5 class", false},
		"sure B in the check digit of a date": {egyptian, []edit{{1, 19, clear('B')}}, birthOf, "1/19 B" + egyptian.lines[1][19:20] + " class", false},
		"wavering date":                       {egyptian, []edit{{1, 18, either('3', 0.6, '8')}}, birthOf, "1/18 38 check digit", false},
		"wavering month 14":                   {egyptian, []edit{{1, 15, either('1', 0.9, '0')}}, birthOf, "1/15 10 date", false},
		"30 February with no check digit to read": {
			specimen{TD3, rechecked(TD3, replaced(specimenTD3.lines, 1, 13, "850220"))},
			[]edit{{1, 17, either('3', 0.9, '2')}, {1, 19, Cell{}}, {1, 43, Cell{}}},
			birthOf,
			"1/17 32 date, 1/19 A1 class, 1/43 A0 class", false,
		},
		"sure O in an Egyptian number": {egyptian, []edit{{1, 5, clear('O')}}, numberOf, "1/5 O0 check digit", true},
		"sure S in a number": {
			specimen{TD3, rechecked(TD3, replaced(specimenTD3.lines, 1, 0, "L77595713"))},
			[]edit{{1, 3, clear('S')}},
			numberOf, "1/3 S5 check digit", true,
		},
		"wavering number":                {specimenTD3, []edit{{1, 1, either('3', 0.6, '8')}}, numberOf, "1/1 38 check digit", false},
		"K among fillers":                {specimenTD3, []edit{{0, 40, clear('K')}}, givenOf, "0/40 K< shape", false},
		"K between names":                {specimenTD3, []edit{{0, 14, either('K', 0.7, '<')}}, surnameOf, "0/14 K< shape", false},
		"digit in a name":                {egyptian, []edit{{0, 10, clear('0')}}, givenOf, "0/10 0O class", true},
		"issuer by its nationality":      {egyptian, []edit{{0, 4, either('V', 0.6, 'Y')}}, issuerOf, "0/4 VY state", false},
		"unknown state by a known one":   {egyptian, []edit{{0, 3, either('C', 0.9, 'G')}}, issuerOf, "0/3 CG state", false},
		"issuer by the same nationality": {austrian, []edit{{0, 4, either('S', 0.6, 'T')}}, issuerOf, "0/4 ST state", false},
		"6 or G in an Egyptian number":   {egyptian, []edit{{1, 4, either('G', 0.4, '6')}}, numberOf, "", false},
		"personal number":                {egyptian, []edit{{1, 30, clear('S')}, {1, 29, either('3', 0.5, '8')}}, optionalOf, "1/29 38 check digit, 1/30 S5 check digit", true},
		"wavering sex":                   {egyptian, []edit{{1, 20, either('N', 0.9, 'M')}}, sexOf, "1/20 NM class", false},
		"unreadable digit":               {specimenTD3, []edit{{1, 4, Cell{}}}, numberOf, "1/4 A9 check digit", true},
		"unreadable digit of a date":     {egyptian, []edit{{1, 16, Cell{}}}, birthOf, "1/16 A4 class", false},
		"sure O in the composite":        {specimenTD3, []edit{{1, 43, clear('O')}}, numberOf, "1/43 O0 class", false},
	} {
		r := Decode(test.specimen.seen(test.edits...), noon)
		checkShape(t, r)
		repairs := ""
		for i, repair := range r.Repairs {
			if i > 0 {
				repairs += ", "
			}
			repairs += fmt.Sprintf("%d/%d %c%c %s", repair.Line, repair.Pos, repair.From, repair.To, repair.Why)
		}
		if joined(r.Lines) != joined(test.specimen.lines) || repairs != test.repairs {
			t.Errorf("%s: read\n%s\nrepairs %q", name, joined(r.Lines), repairs)
		}
		if f := test.field(&r); f.Doubtful() != test.doubtful {
			t.Errorf("%s: confidence %.4f %s, doubtful %v", name, f.Confidence, f.Reason, f.Doubtful())
		}
	}
}

// Where nothing but the overruling of clear ink would meet a check digit, or several ways of it would, the ink stays as it
// is and the check is reported as failed: the decoder invents nothing.
func TestDecodeKeepsClearInk(t *testing.T) {
	for name, test := range map[string]struct {
		specimen specimen
		line     int
		pos      int
		text     string
		failed   []string
	}{
		"check digit 7 for 6":   {specimenTD3, 1, 9, "7", []string{CheckDocumentNumber, CheckComposite}},
		"another digit":         {egyptian, 1, 4, "1", []string{CheckDocumentNumber, CheckComposite}},
		"two digits changed":    {egyptian, 1, 3, "04", []string{CheckDocumentNumber, CheckComposite}},
		"B or O, both possible": {specimen{TD3, rechecked(TD3, replaced(specimenTD3.lines, 1, 0, "LB98902C3"))}, 1, 1, "8", []string{CheckDocumentNumber, CheckComposite}},
		"another birth date":    {egyptian, 1, 18, "1", []string{CheckBirthDate, CheckComposite}},
		"composite":             {egyptian, 1, 43, "9", []string{CheckComposite}},
		"composite of a card":   {specimenTD1, 1, 29, "1", []string{CheckComposite}},
		"personal number":       {egyptian, 1, 41, "7", []string{CheckPersonalNumber, CheckComposite}},
		"all check digits": {
			specimenTD1, 1, 0, "7408127F1204152UTO<<<<<<<<<<<7", []string{CheckBirthDate, CheckExpiryDate, CheckComposite},
		},
	} {
		lines := replaced(test.specimen.lines, test.line, test.pos, test.text)
		r := Decode(ink(test.specimen.format, lines), noon)
		checkShape(t, r)
		var failed []string
		for _, c := range r.Checks {
			if !c.OK {
				failed = append(failed, c.Name)
			}
		}
		if joined(r.Lines) != joined(lines) || len(r.Repairs) != 0 {
			t.Errorf("%s: read\n%s\nrepairs %v", name, joined(r.Lines), r.Repairs)
		}
		if diff := cmp.Diff(test.failed, failed); diff != "" {
			t.Errorf("%s: failed checks: %s", name, diff)
		}
		if number := r.DocumentNumber; number.CheckOK == Passed && number.Doubtful() {
			t.Errorf("%s: the number is doubtful: %v %s", name, number.Confidence, number.Reason)
		}
		for _, f := range r.fields() {
			if f.CheckOK == Failed && (!f.Doubtful() || f.Confidence > failedConfidence) {
				t.Errorf("%s: %q has confidence %v", name, f.Value, f.Confidence)
			}
		}
	}
}

// Impossible dates and unknown parts of clear ink are kept with their reason, and cost no other field anything.
func TestDecodeOddDates(t *testing.T) {
	for text, reason := range map[string]Reason{
		"741312": ReasonImpossibleDate, "740230": ReasonImpossibleDate, "750229": ReasonImpossibleDate,
		"7408<<": ReasonUnknownDate, "74<<<<": ReasonUnknownDate, "<<<<<<": ReasonEmpty, "760229": "",
	} {
		lines := rechecked(TD3, replaced(specimenTD3.lines, 1, 13, text))
		r := Decode(ink(TD3, lines), noon)
		if joined(r.Lines) != joined(lines) || r.BirthDate.Reason != reason || !r.ChecksOK() {
			t.Errorf("%s: read %s, %q, checks %v", text, r.BirthDate.Text, r.BirthDate.Reason, r.ChecksOK())
		}
		if r.DocumentNumber.Doubtful() || r.ExpiryDate.Doubtful() || r.BirthDate.Confidence < DoubtBelow {
			t.Errorf("%s: confidences %v %v %v", text, r.BirthDate.Confidence, r.DocumentNumber.Confidence, r.ExpiryDate.Confidence)
		}
	}
}

// A code that nobody issued stays as the ink has it, doubtful and named so, even next to a nationality one symbol away;
// what is known of the other state is not harmed.
func TestDecodeUnknownState(t *testing.T) {
	for _, code := range []string{"QTO", "EGV", "UTX", "ZZZ", "E<Y"} {
		lines := replaced(egyptian.lines, 0, 2, code)
		r := Decode(ink(TD3, lines), noon)
		if joined(r.Lines) != joined(lines) || r.IssuingState.Reason != ReasonUnknownState || !r.IssuingState.Doubtful() {
			t.Errorf("%s: read as %s, %q", code, r.IssuingState.Text, r.IssuingState.Reason)
		}
		if r.Nationality.Value != "EGY" || r.Nationality.Doubtful() {
			t.Errorf("%s: nationality %q, confidence %v", code, r.Nationality.Value, r.Nationality.Confidence)
		}
	}
}

// Symbols that count the same under every check digit, such as 6 and G, stay doubtful unless the ink is clear.
func TestDecodeInvisiblePairs(t *testing.T) {
	for _, pair := range []string{"G6", "L1", "AK", "KU"} {
		lines := rechecked(TD3, replaced(specimenTD3.lines, 1, 5, pair[:1]))
		for _, p := range []float64{0.3, 0.5, 0.8, 0.95} {
			z := ink(TD3, lines)
			z.Cells[1][5] = either(pair[0], p, pair[1])
			r := Decode(z, noon)
			if !r.ChecksOK() || !r.DocumentNumber.Doubtful() {
				t.Errorf("%s at %v: %s, confidence %v", pair, p, r.DocumentNumber.Value, r.DocumentNumber.Confidence)
			}
		}
	}
}

// The first cell tells a visa from a document of the same size, and says nothing when it is unreadable.
func TestDecodeVariant(t *testing.T) {
	for _, test := range []struct {
		claimed Format
		first   Cell
		want    Format
	}{
		{TD3, clear('V'), MRVA},
		{MRVA, clear('P'), TD3},
		{MRVA, clear('V'), MRVA},
		{TD3, clear('P'), TD3},
		{TD3, Cell{}, TD3},
		{MRVA, Cell{}, MRVA},
	} {
		z := ink(test.claimed, specimenTD3.lines)
		z.Cells[0][0] = test.first
		if r := Decode(z, noon); r.Format != test.want || r.Lines[0][0] != "PV"[btoi(test.want == MRVA)] {
			t.Errorf("%v: read as %v: %s", test.claimed, r.Format, r.Lines[0])
		}
	}
	for claimed, lines := range map[Format][]string{TD2: specimenMRVB.lines, MRVB: specimenTD2.lines} {
		if r := Decode(ink(claimed, lines), noon); r.Format == claimed || joined(r.Lines) != joined(lines) {
			t.Errorf("%v: read as %v", claimed, r.Format)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Decode never fails: without cells, with too few or too many, with infinities and NaN it gives a doubtful reading of the
// right shape, and never a sure one.
func TestDecodeWithoutEvidence(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	odd := [][]Cell{{{nan, inf}, {-inf, inf, inf}}, {}, make([]Cell, 100), {{}}}
	empty := Cell{}
	for i := range empty {
		empty[i] = -inf
	}
	odd[3] = []Cell{empty, {5: 3e38, 6: inf}}
	for _, f := range []Format{TD1, TD2, TD3, MRVA, MRVB, Format(7)} {
		for _, cells := range [][][]Cell{nil, {}, odd, odd[2:]} {
			r := Decode(Zone{Format: f, Cells: cells}, noon)
			checkShape(t, r)
			if f.Lines() > 0 && !r.DocumentNumber.Doubtful() && r.DocumentNumber.Value != "" {
				t.Errorf("%v: sure of %q", f, r.DocumentNumber.Value)
			}
		}
	}
}

// Cells need not be normalised: adding a number to all entries of a cell changes nothing but rounding.
func TestDecodeUnnormalised(t *testing.T) {
	z := egyptian.seen(edit{1, 15, either('O', 0.6, '0')}, edit{1, 3, either('5', 0.6, '6')})
	want := Decode(z, noon)
	for i, line := range z.Cells {
		for k := range line {
			for s := range line[k] {
				line[k][s] += float32(i*50 - k)
			}
		}
	}
	got := Decode(z, noon)
	if joined(got.Lines) != joined(want.Lines) || math.Abs(got.LogProb-want.LogProb) > 1e-2 {
		t.Errorf("read %v with %v, want %v with %v", got.Lines, got.LogProb, want.Lines, want.LogProb)
	}
}

// What Decode says of its lines is what Parse says of them.
func TestDecodeMeansParse(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 1))}
	for range 300 {
		d := m.document()
		r := Decode(m.zone(d, severity{errors: 0.1, margin: 4, sure: 0.2}), noon)
		parsed, err := Parse(r.Lines, noon)
		if err != nil {
			t.Fatal(err)
		}
		got, want := values(r), values(parsed)
		for k := range got {
			got[k], _, _ = strings.Cut(got[k], " (")
			want[k], _, _ = strings.Cut(want[k], " (")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", r.Lines, diff)
		}
	}
}

func birthOf(r *Reading) *Field    { return &r.BirthDate }
func numberOf(r *Reading) *Field   { return &r.DocumentNumber }
func givenOf(r *Reading) *Field    { return &r.GivenNames }
func surnameOf(r *Reading) *Field  { return &r.Surname }
func issuerOf(r *Reading) *Field   { return &r.IssuingState }
func optionalOf(r *Reading) *Field { return &r.Optional }
func sexOf(r *Reading) *Field      { return &r.Sex }
