package document

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/score"
)

// answered is a photograph of a front with number and gender that was answered with the given number and codes.
func answered(number string, confidence float64, covered bool, codes ...appliance.Code) read {
	p := photograph{File: "a.jpg", Documents: []documentTruth{{
		Kind:   appliance.NationalIDFront,
		Quad:   [4][2]float64{{0, 0}, {300, 0}, {300, 400}, {0, 400}},
		Fields: map[string]string{"idNumber": "20001010100014", "gender": "Male", "address_2": ""},
	}}}
	if covered {
		p.Documents[0].Covered = []string{"idNumber"}
	}
	d := appliance.Document{
		Kind: appliance.NationalIDFront, Quad: appliance.Quad{{X: 0, Y: 0}, {X: 300, Y: 0}, {X: 300, Y: 410}, {X: 0, Y: 410}},
		Fields: []appliance.Field{{Name: "idNumber", Value: number, Confidence: confidence}, {Name: "gender", Value: "Male"}},
	}
	for _, code := range codes {
		d.Flag("idNumber", number, code)
	}
	return read{photograph: p, readable: true, found: true, document: d, stages: []appliance.Stage{
		{Name: "decode", Elapsed: 4 * time.Millisecond}, {Name: "read", Elapsed: 10 * time.Millisecond, Runs: 2, MACs: 100},
	}}
}

// TestScoreDocuments: each number falls into exactly one of right, flagged, empty, and wrong and unflagged; advisory codes
// are no flags; what is covered is right when it is empty or flagged; a document that was not found has no field right.
func TestScoreDocuments(t *testing.T) {
	const right, wrong = "20001010100014", "20001010100015"
	lost := answered("", 0, false)
	lost.found, lost.document = false, appliance.Document{}
	turned := answered(right, 1, false)
	turned.document.Kind = appliance.NationalIDBack
	s := scoreDocuments([]read{
		answered(
			right,
			0.9996,
			false,
		), answered(right, 0.9997, false, appliance.CodeCheckDigit), answered(right, 0.6, false, appliance.CodeLowConfidence),
		answered(
			wrong,
			0.65,
			false,
			appliance.CodeLowConfidence,
		), answered(wrong, 0.9999, false), answered(wrong, 0.9999, false, appliance.CodeCheckDigit),
		answered("", 0, false, appliance.CodeUnreadable), answered("", 0, false), lost, turned,
		answered("", 0, true), answered(wrong, 0.5, true, appliance.CodeLowConfidence), answered(right, 0.9, true),
		{photograph: photograph{File: "white.jpg"}},
		{photograph: photograph{File: "table.jpg"}, found: true, document: appliance.Document{Kind: appliance.Passport}},
		{
			photograph: photograph{File: "leaflet.jpg"},
			found:      true,
			document:   appliance.Document{Kind: appliance.Unknown, Quad: appliance.Quad{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}},
		},
	})
	k := s.Kinds["national_id_front"]
	counts := func(all ...score.Share) (out [][2]int) {
		for _, x := range all {
			out = append(out, [2]int{x.OK, x.Of})
		}
		return out
	}
	n := k.Number
	got := counts(
		s.KindRight,
		k.KindRight,
		n.Right,
		n.RightFlagged,
		n.WrongFlagged,
		n.Empty,
		n.Silent,
		k.Fields["idNumber"].Exact,
		k.Fields["idNumber"].Flagged,
		k.Fields["idNumber"].Covered,
		k.Fields["gender"].Exact,
		k.Fields["address_2"].Exact,
		k.Fields["address_2"].Empty,
	)
	want := [][2]int{
		{13, 16},
		{11, 13},
		{3, 10},
		{1, 10},
		{1, 10},
		{3, 10},
		{3, 13},
		{4, 10},
		{3, 10},
		{2, 3},
		{12, 13},
		{13, 13},
		{0, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if k.NotFound != 1 || s.Kinds["none"].KindRight.OK != 2 || k.Honest.OK != 10 {
		t.Errorf("%+v", s)
	}
	if want := (3. + 3*14) / 140; math.Abs(k.Fields["idNumber"].CharacterErrors-want) > 1e-9 {
		t.Errorf("character errors %v, want %v", k.Fields["idNumber"].CharacterErrors, want)
	}
	if math.Abs(k.Corners[0]-0.02) > 1e-9 {
		t.Errorf("corners %v", k.Corners)
	}
	if diff := cmp.Diff([]stageScore{{"decode", 4, 4, 0, 0}, {"read", 10, 10, 2, 100}}, k.Stages); diff != "" {
		t.Error(diff)
	}
	last := s.Reliability[len(s.Reliability)-1]
	if last.Right.OK != 3 || last.Right.Of != 5 || math.Abs(last.Confidence-0.99982) > 1e-9 || s.Reliability[1].Right.Of != 2 {
		t.Errorf("reliability %+v", s.Reliability)
	}
	var out strings.Builder
	s.Print(&out)
	s.Compare(&out, s)
	for _, want := range []string{"number wrong, unflagged", "at most", "+0.00", "2.00 runs"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}

// TestAlike: a value is like the truth where it differs in what people write either way alone, and exact nowhere else.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		value, truth string
		alike        bool
	}{
		{"القصبي", "القصبى", true},
		{"ايثار", "إيثار", true},
		{"فاطمه", "فاطمة", true},
		{"ماجد", "هاجد", false},
		{"عزالدين", "عز الدين", false},
		{"", "هاجد", false},
	} {
		r := result{value: c.value, truth: c.truth}
		var f fieldScore
		f.add(r)
		if r.alike() != c.alike || r.exact() || f.Alike.OK == 1 != c.alike || f.Exact.OK != 0 {
			t.Errorf("%q for %q: alike %v", c.value, c.truth, r.alike())
		}
	}
}

// TestFailedIsNeverRight: of a picture that could not be read no field is exact, a blank one neither, and nothing that is
// covered is right.
func TestFailedIsNeverRight(t *testing.T) {
	failed := answered("", 0, true)
	failed.found, failed.document, failed.err = false, appliance.Document{}, errors.New("no such file")
	s := scoreDocuments([]read{failed})
	for name, f := range s.Kinds["national_id_front"].Fields {
		if f.Exact.OK+f.Covered.OK > 0 || f.Exact.Of+f.Covered.Of != 1 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if s.Failed != 1 || s.KindRight.OK != 0 {
		t.Errorf("%+v", s)
	}
}

// TestHonest: an answer misleads by a value that is wrong, or that the picture does not show, without a flag.
func TestHonest(t *testing.T) {
	const right, wrong = "20001010100014", "20001010100015"
	nothing := func(r read) read {
		r.Documents = nil
		return r
	}
	back := func(r read) read {
		r.document.Kind = appliance.NationalIDBack
		return r
	}
	failed := answered(right, 1, false)
	failed.err = errors.New("failed")
	for _, tt := range []struct {
		name string
		read read
		want bool
	}{
		{"right", answered(right, 1, false), true},
		{"right but covered", answered(right, 1, true), false},
		{"wrong", answered(wrong, 1, false), false},
		{"wrong and flagged", answered(wrong, 1, false, appliance.CodeLowConfidence), true},
		{"wrong with an advisory code", answered(wrong, 1, false, appliance.CodeCheckDigit), false},
		{"of no document", nothing(answered(right, 1, false, appliance.CodeLowConfidence)), false}, // the gender
		{"nothing of no document", read{}, true},
		{"of the other side", back(answered(right, 1, false)), true},
		{"wrong of the other side", back(answered(wrong, 1, false)), false},
		{"failed", failed, false},
	} {
		if got := tt.read.honest(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestPhotographTruth: a truth must name a kind and its fields, whose texts are composed; what lies in an unknown document does not
// count.
func TestPhotographTruth(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kind   appliance.Kind
		fields map[string]string
		want   map[string]string // nil for an error
	}{
		{"fields", appliance.NationalIDBack, map[string]string{"job": "مهندس"}, map[string]string{"job": "مهندس"}},
		{"hamza on its own", appliance.NationalIDBack, map[string]string{"job": "ا\u0654ستاذ"}, map[string]string{"job": "أستاذ"}},
		{"field of the other side", appliance.NationalIDFront, map[string]string{"job": "مهندس"}, nil},
		{"no kind", "", nil, nil},
		{"misspelt kind", "national_id", nil, nil},
		{"kind of a set", "club_card", map[string]string{"member": "7"}, map[string]string{"member": "7"}},
		{"no field of that", "club_card", map[string]string{"job": "7"}, nil},
		{"unknown", appliance.Unknown, map[string]string{"member": "7"}, map[string]string{}},
	} {
		p := photograph{Documents: []documentTruth{{Kind: tt.kind, Fields: tt.fields}}, Covered: []string{"name"}}
		err := p.complete([]appliance.KindModel{{Kind: "club_card", Fields: []appliance.FieldSpec{{Name: "member"}}}})
		if (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if d := p.Documents[0]; err == nil && (len(d.Fields)+len(tt.want) > 0 && !cmp.Equal(d.Fields, tt.want) || len(d.Covered) != 1) {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

// TestRatesOfNothing: every report prints a rate of nothing as "-", and no comparison calls it better or worse.
func TestRatesOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		print func(io.Writer)
		want  []string
	}{
		"texts": {
			scoreTexts([]textOutcome{{}}, true).Print,
			[]string{"character errors - 0 of 0 -", "lines found - 0 of 0 -"},
		},
		"texts compared": {
			func(w io.Writer) { scoreTexts(nil, true).Compare(w, scoreTexts(nil, true)) },
			[]string{"character errors - exact texts - lines found -"},
		},
		"text where none is printed": {scoreTexts([]textOutcome{{lines: []string{"abc"}}}, false).Print, []string{"character errors - 3 of 0 -"}},
		"plates": {
			scorePlates([]plateOutcome{{}}).Print,
			[]string{"whole plate exact - 0 of 0 -", "no plate, not misleading 100.00 % 1 of 1"},
		},
		"documents": {
			scoreDocuments([]read{{photograph: answered("", 0, false).photograph, readable: true, err: errors.New("failed")}}).Print,
			[]string{
				"corners off by - of the diagonal (median), - (95 %)", "address_2 0.00 % 0 of 1 0.00 to 79.35 % 0.00 % - - 0.00 %", "at most 95.00 %",
			},
		},
	} {
		var out strings.Builder
		c.print(&out)
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
				t.Errorf("%s: the report lacks %q:\n%s", name, want, out.String())
			}
		}
	}
}
