package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/face"
)

// TestUpperBound: the bound agrees with published values of Clopper and Pearson.
func TestUpperBound(t *testing.T) {
	for _, tt := range []struct {
		k, n  int
		alpha float64
		want  float64
	}{
		{0, 6000, 0.05, 0.000499},
		{0, 1, 0.05, 0.95},
		{3, 10, 0.05, 0.6066},
		{1, 100, 0.025, 0.0545},
		{10, 10, 0.05, 1},
		{0, 0, 0.05, 1},
		{30, 6000, 0.05, 0.006782},
	} {
		if got := upperBound(tt.k, tt.n, tt.alpha); math.Abs(got-tt.want) > 0.00005 {
			t.Errorf("%d of %d: got %.6f, want %.6f", tt.k, tt.n, got, tt.want)
		}
	}
}

// TestRatesOfNothing: every report prints a rate of nothing as "-", and no comparison calls it better or worse; a bound has
// two decimals like all shares, and a third where it is small.
func TestRatesOfNothing(t *testing.T) {
	one := share{}
	one.add(true)
	for name, c := range map[string]struct {
		print func(io.Writer)
		want  []string
	}{
		"share":                      {func(w io.Writer) { fmt.Fprint(w, share{}) }, []string{"- 0 of 0 -"}},
		"comparison":                 {func(w io.Writer) { compareShares(w, "a", share{}, one); compareShares(w, "b", one, share{}) }, []string{"a - b -"}},
		"texts":                      {scoreTexts([]textOutcome{{}}, true).print, []string{"character errors - 0 of 0 -", "lines found - 0 of 0 -"}},
		"texts compared":             {func(w io.Writer) { scoreTexts(nil, true).compare(w, scoreTexts(nil, true)) }, []string{"character errors - exact texts - lines found -"}},
		"text where none is printed": {scoreTexts([]textOutcome{{lines: []string{"abc"}}}, false).print, []string{"character errors - 3 of 0 -"}},
		"plates":                     {scorePlates([]plateOutcome{{}}).print, []string{"whole plate exact - 0 of 0 -", "no plate, not misleading 100.00 % 1 of 1"}},
		"documents": {
			scoreDocuments([]read{{photograph: answered("", 0, false).photograph, readable: true, err: errors.New("failed")}}).print,
			[]string{"corners off by - of the diagonal (median), - (95 %)", "address_2 0.00 % 0 of 1 0.00 to 79.35 % - - 0.00 %", "at most 95.00 %"},
		},
		"faces":      {scoreFaces(nil, nil, face.Scale{}, 0.5).print, []string{"AUC -, EER -", "FMR - 0 of 0 -", "0.50 - -"}},
		"bound":      {func(w io.Writer) { fmt.Fprint(w, boundWords(0.39304), ", ", boundWords(0.00064)) }, []string{"at most 39.30 %, at most 0.064 %"}},
		"pairs of 1": {scoreFaces(nil, []comparedPair{{facePair: facePair{same: true}}}, face.Scale{}, 0.5).print, []string{"AUC -, EER -", "0.50 - 100.00 %"}},
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

// TestEditDistance: the distance counts the least edits, in either direction.
func TestEditDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "شارع", 4}, {"شارع", "", 4}, {"شارع", "شارع", 0}, {"kitten", "sitting", 3}, {"١٢ ش", "١٢ ش ", 1}, {"abcd", "bcde", 2},
	} {
		if got := editDistance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

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
		answered(right, 0.9996, false), answered(right, 0.9997, false, appliance.CodeCheckDigit), answered(right, 0.6, false, appliance.CodeLowConfidence),
		answered(wrong, 0.65, false, appliance.CodeLowConfidence), answered(wrong, 0.9999, false), answered(wrong, 0.9999, false, appliance.CodeCheckDigit),
		answered("", 0, false, appliance.CodeUnreadable), answered("", 0, false), lost, turned,
		answered("", 0, true), answered(wrong, 0.5, true, appliance.CodeLowConfidence), answered(right, 0.9, true),
		{photograph: photograph{File: "white.jpg"}},
		{photograph: photograph{File: "table.jpg"}, found: true, document: appliance.Document{Kind: appliance.Passport}},
		{photograph: photograph{File: "leaflet.jpg"}, found: true, document: appliance.Document{Kind: appliance.Unknown, Quad: appliance.Quad{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}}},
	})
	k := s.Kinds["national_id_front"]
	counts := func(all ...share) (out [][2]int) {
		for _, x := range all {
			out = append(out, [2]int{x.OK, x.Of})
		}
		return out
	}
	n := k.Number
	got := counts(s.KindRight, k.KindRight, n.Right, n.RightFlagged, n.WrongFlagged, n.Empty, n.Silent,
		k.Fields["idNumber"].Exact, k.Fields["idNumber"].Flagged, k.Fields["idNumber"].Covered, k.Fields["gender"].Exact, k.Fields["address_2"].Exact, k.Fields["address_2"].Empty)
	want := [][2]int{{13, 16}, {11, 13}, {3, 10}, {1, 10}, {1, 10}, {3, 10}, {3, 13}, {4, 10}, {3, 10}, {2, 3}, {12, 13}, {13, 13}, {0, 0}}
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
	s.print(&out)
	s.compare(&out, s)
	for _, want := range []string{"number wrong, unflagged", "at most", "+0.00", "2.00 runs"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
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

// TestEvalDocuments: the whole command on a folder with a passport, a picture without a document and another truth:
// figures, dump and comparison.
func TestEvalDocuments(t *testing.T) {
	dir := t.TempDir()
	picture, err := os.ReadFile(sampleFile())
	if err != nil {
		t.Fatal(err)
	}
	white, err := whitePNG(400, 300)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for name, value := range shownFields() {
		fields[name] = value.(string)
	}
	quad := `"quad": [[1,1],[9,1],[9,9],[1,9]]`
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	truth := fmt.Sprintf(`{"file": "a.jpg", "documents": [{"kind": "passport", %s, "fields": %s}]}
{"file": "a.jpg", "documents": [{"kind": "passport", %s, "fields": {"gender": "Female", "passport_no": ""}, "covered": ["passport_no"]}]}

{"file": "white.png", "documents": []}
`, quad, text, quad)
	for name, content := range map[string][]byte{"a.jpg": picture, "truth.jsonl": []byte(truth), "white.png": white} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := program{t: t}
	earlier := filepath.Join(dir, "earlier.json")
	report := p.command("eval", "documents", dir, "--json", "--dump", filepath.Join(dir, "fields.csv"))
	if err := os.WriteFile(earlier, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	var s documentScore
	if err := readFigures(earlier, formEvalDocuments, &s); err != nil {
		t.Fatal(err)
	}
	k := s.Kinds["passport"]
	if k.KindRight.OK != 2 || k.Fields["gender"].Exact.OK != 1 || k.Fields["passport_no"].Exact.OK != 1 || k.Fields["passport_no"].Covered.OK != 0 || k.Fields["gender"].Silent.OK != 1 {
		t.Errorf("%s", report)
	}
	if !strings.Contains(p.command("eval", "documents", dir, "--compare", earlier), "passport gender") {
		t.Error("the comparison lacks a field")
	}
	f, err := os.Open(filepath.Join(dir, "fields.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 1+8+2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestGoldenDocuments: on the pictures that the repository carries every side of an ID is told from the other and from
// other documents, and no national number is wrong and unflagged.
func TestGoldenDocuments(t *testing.T) {
	p := program{t: t}
	var s documentScore
	report := p.command("eval", "documents", filepath.Join("..", "..", "models", "samples", "documents"), "--json")
	if err := json.Unmarshal([]byte(report), &s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []appliance.Kind{appliance.NationalIDFront, appliance.NationalIDBack} {
		k := s.Kinds[string(kind)]
		if k.Pictures < 5 || k.KindRight.OK != k.Pictures || k.Number == nil || k.Number.Silent.OK > 0 {
			t.Errorf("%s: %+v %+v", kind, k, k.Number)
		}
		if reads := k.Number.Right.OK + k.Number.RightFlagged.OK; 2*reads < k.Number.Right.Of {
			t.Errorf("%s: %d of %d numbers right", kind, reads, k.Number.Right.Of)
		}
	}
}

// TestPhotographTruth: a truth must name a kind and its fields, whose texts are composed; what lies in an unknown document does not count.
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
		{"unknown", appliance.Unknown, map[string]string{"member": "7"}, map[string]string{}},
	} {
		p := photograph{Documents: []documentTruth{{Kind: tt.kind, Fields: tt.fields}}, Covered: []string{"name"}}
		err := p.complete()
		if (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if d := p.Documents[0]; err == nil && (len(d.Fields)+len(tt.want) > 0 && !cmp.Equal(d.Fields, tt.want) || len(d.Covered) != 1) {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}
