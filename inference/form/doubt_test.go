package form

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/inferencetest"
	laid "github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: print that is not in the form of its field has the code that the field's rule has for that; where no rule has one, it is in
// doubt, or could not be read.
func TestMalformed(t *testing.T) {
	k := known()
	fails := func(string, field.Known) appliance.Code { return 0 }
	k.Checks["expired"] = field.Check{Of: "number", Malformed: appliance.CodeExpiryFormat, Fails: fails}
	k.Checks["past"] = field.Check{Of: "number", Malformed: appliance.CodeReleaseFormat, Fails: fails}
	strange, unread := field.Value{Text: "12", Malformed: true}, field.Value{Malformed: true}
	for name, test := range map[string]struct {
		rules []Rule
		value field.Value
		want  []appliance.Code
	}{
		"an expiry":           {[]Rule{{"age", "expired"}}, strange, []appliance.Code{appliance.CodeExpiryFormat}},
		"an issue":            {[]Rule{{"age", "past"}}, strange, []appliance.Code{appliance.CodeReleaseFormat}},
		"a check before it":   {[]Rule{{"age", "never"}, {"age", "past"}}, strange, []appliance.Code{appliance.CodeReleaseFormat}},
		"another field's":     {[]Rule{{"year", "past"}}, strange, []appliance.Code{appliance.CodeLowConfidence}},
		"no rule":             {nil, strange, []appliance.Code{appliance.CodeLowConfidence}},
		"no rule and no text": {nil, unread, []appliance.Code{appliance.CodeUnreadable}},
		"no text":             {[]Rule{{"age", "past"}}, unread, []appliance.Code{appliance.CodeReleaseFormat, appliance.CodeUnreadable}},
		"as it should be":     {[]Rule{{"age", "past"}}, field.Value{Text: "12"}, nil},
	} {
		d := New(Description{Rules: test.rules, Fields: []Field{{Name: "age", Decoder: "number"}, {Name: "year", Decoder: "number"}}}, k)
		r := Reading{}
		f := appliance.Field{Name: "age", Value: test.value.Text, Confidence: 1}
		(&sheet{description: d}).judge(&r, &answer{Value: test.value, field: &d.Fields[0]}, &f, 0.9)
		if got := r.Codes("age"); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Property: a value whose text may as well be another field's is in doubt, however sure its signs are, and proves nothing.
func TestEitherFieldIsDoubtful(t *testing.T) {
	d := New(Description{Fields: []Field{{Name: "age", Decoder: "number", Proves: true}}}, known())
	for either, want := range map[bool][]appliance.Code{true: {appliance.CodeLowConfidence}, false: nil} {
		r := Reading{}
		a := &answer{Value: field.Value{Text: "12"}, field: &d.Fields[0], ambiguous: either}
		(&sheet{description: d}).judge(&r, a, &appliance.Field{Name: "age", Value: "12", Confidence: 1}, 0.9)
		if got := r.Codes("age"); !slices.Equal(got, want) || r.Proofs > 0 == either {
			t.Errorf("either %v: %v and %d proofs, want %v", either, got, r.Proofs, want)
		}
	}
}

// telling is a decoder of values that have a form of their own.
type telling struct{ field.Decoder }

func (telling) Tells(what string) bool { return what == "A1" }

// Property: a value in doubt proves the kind by a form that nothing else has, unless its print may as well be another field's; a value
// without such a form only if it was surely read.
func TestFormProves(t *testing.T) {
	k := known()
	k.Decoders["telling"] = telling{k.Decoders["number"]}
	d := New(Description{Fields: []Field{
		{Name: "age", Decoder: "number", Proves: true}, {Name: "seal", Decoder: "telling", Proves: true},
	}}, k)
	for name, test := range map[string]struct {
		field      int
		said       string
		confidence float64
		ambiguous  bool
		want       int
	}{
		"a form":                      {1, "A1", 0.5, false, 1},
		"a form of either field":      {1, "A1", 0.5, true, 0},
		"another form":                {1, "A2", 0.5, false, 0},
		"another form, surely":        {1, "A2", 1, false, 1},
		"a decoder without, in doubt": {0, "A1", 0.5, false, 0},
	} {
		s, r := &sheet{description: d, stretches: []stretch{{said: test.said}}}, Reading{}
		a := &answer{Value: field.Value{Text: "12"}, field: &d.Fields[test.field], lines: []int{0}, ambiguous: test.ambiguous}
		s.judge(&r, a, &appliance.Field{Name: a.field.Name, Value: "12", Confidence: test.confidence}, 0.9)
		if r.Proofs != test.want || r.Flagged(a.field.Name, causeDoubt) == (test.confidence == 1) {
			t.Errorf("%s: %d proofs, want %d; %v", name, r.Proofs, test.want, r.Validations)
		}
	}
}

// Property: two values that say the same bear each other out: neither may as well be something else; others stay in doubt.
func TestAgreementSettlesWhatPrintIs(t *testing.T) {
	k := known()
	k.Agreements = map[string]field.Comparison{"equal": {Compare: func(a, b string) (same, other bool) { return a == b, a != b }}}
	d := New(Description{
		Agrees: []Agreement{{"tree", "name", "equal"}}, Fields: []Field{{Name: "tree", Decoder: "word"}, {Name: "name", Decoder: "word"}},
	}, k)
	for name, want := range map[string]struct {
		agrees    float64
		ambiguous bool
	}{"oak": {1, false}, "elm": {-1, true}} {
		answers := []answer{
			{field: &d.Fields[0], Value: field.Value{Text: "oak"}}, {field: &d.Fields[1], Value: field.Value{Text: name}, ambiguous: true},
		}
		(&sheet{description: d}).settle(answers)
		if a := answers[1]; a.agrees != want.agrees || a.ambiguous != want.ambiguous {
			t.Errorf("oak and %s: agrees %v, ambiguous %v", name, a.agrees, a.ambiguous)
		}
	}
}

// Property: a value is mended where its words are not those that were read, not where signs between them are written otherwise.
func TestMended(t *testing.T) {
	d := New(Description{Fields: []Field{{Name: "tree", Decoder: "word"}}}, known())
	for raw, want := range map[string]float64{"oak – elm": 0, "oak elm:": 0, "oak ehm": 1, "oakelm": 1} {
		a := answer{field: &d.Fields[0], Value: field.Value{Text: "oak - elm", Raw: raw}}
		if got := byName(sheetOf(d, nil).doubtFeatures(&a, nil))["mended"]; got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

// Property: what came of a value's checks is told it and the other values, each by a feature of its own; a value without a check
// tells nothing.
func TestChecksAreTold(t *testing.T) {
	d := New(Description{Fields: []Field{{Name: "age", Decoder: "number"}, {Name: "tree", Decoder: "word"}}}, known())
	answers := []answer{{field: &d.Fields[0]}, {field: &d.Fields[1]}}
	answers[0].Checks = []appliance.FieldCheck{{Name: "sum", Passed: false}, {Name: "grammar", Passed: true}}
	sheetOf(d, nil).check(answers)
	for i, want := range [][]string{{"own grammar passed", "own sum failed"}, {"beside grammar passed", "beside sum failed"}} {
		told := byName(answers[i].speaks)
		var got []string
		for name, v := range told {
			if v == 1 && (strings.Contains(name, " sum ") || strings.Contains(name, " grammar ")) {
				got = append(got, name)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// Property: print that was taken for the rest of a value begins it where nothing else does, in doubt; where something does it stays.
func TestBegin(t *testing.T) {
	d := New(Description{
		Begins: []Begin{{"tree", "more"}}, Fields: []Field{{Name: "tree", Decoder: "word"}, {Name: "more", Decoder: "word"}},
	}, known())
	for first, want := range map[string][2]string{"": {"elm", ""}, "oak": {"oak", "elm"}} {
		answers := []answer{{field: &d.Fields[0]}, {field: &d.Fields[1], Value: field.Value{Text: "elm"}, lines: []int{1}}}
		if first != "" {
			answers[0].Value, answers[0].lines = field.Value{Text: first}, []int{0}
		}
		(&sheet{description: d}).settle(answers)
		if got := [2]string{answers[0].Text, answers[1].Text}; got != want || answers[0].ambiguous != (first == "") {
			t.Errorf("%q: %q, in doubt %v", first, got, answers[0].ambiguous)
		}
	}
}

// Property: a field without print holds what its decoder says that follows from the others, with the codes of that; without such a
// decoder, or where nothing follows, one that every document has could not be read.
func TestWithoutPrint(t *testing.T) {
	k := known()
	k.Follows = map[string]func(field.Value, field.Known) field.Value{"number": func(_ field.Value, v field.Known) field.Value {
		if v.Values["tree"].Text == "" {
			return field.Value{}
		}
		return field.Value{Text: "12", Share: 0.9, From: []string{"tree"}, Codes: []appliance.Code{appliance.CodeLowConfidence}}
	}}
	d := New(Description{Fields: []Field{
		{Name: "tree", Decoder: "word", Lines: 1},
		{Name: "age", Decoder: "number", Lines: 1, Required: true},
		{Name: "note", Decoder: "word", Lines: 1},
	}}, k)
	for tree, want := range map[string]struct {
		value string
		code  appliance.Code
	}{"oak": {"12", appliance.CodeLowConfidence}, "": {"", appliance.CodeUnreadable}} {
		known := field.Known{Values: map[string]field.Value{"tree": {Text: tree}}}
		s := sheetOf(d, nil)
		s.known = known
		a := answer{Value: k.Follows["number"](field.Value{}, known), field: &d.Fields[1]}
		r := Reading{}
		s.record(&r, &a)
		f, told := r.Field("age"), slices.Equal(r.Codes("age"), []appliance.Code{want.code})
		if f.Value != want.value || !told || len(f.DerivedFrom) != len(tree)/3 {
			t.Errorf("beside %q: %+v, %v", tree, f, r.Codes("age"))
		}
	}
}

// Property: a field is in doubt where its print is nearly as likely something else and, as long as it has no print, where print that was
// taken for nothing is nearly as likely its; not where that print is of another field, or its role clear.
func TestUnsettledFieldsAreInDoubt(t *testing.T) {
	tree, age := role{field: 0}, role{field: 1}
	for name, c := range map[string]struct {
		given, instead []role
		gap            float64
		printed, want  bool
	}{
		"its print may be of another":  {[]role{age}, []role{tree}, 0.5, true, true},
		"its print may be nothing":     {[]role{age}, []role{none}, 0.5, true, true},
		"its print is clear":           {[]role{age}, []role{none}, 3, true, false},
		"print of none may be its":     {[]role{tree, none}, []role{none, age}, 0.5, false, true},
		"print of none is hardly its":  {[]role{none}, []role{age}, 3, false, false},
		"print of none may be another": {[]role{none}, []role{tree}, 0.5, false, false},
		"print of another may be its":  {[]role{tree}, []role{age}, 0.5, false, false},
		"it has print, and more":       {[]role{age, none}, []role{none, age}, 3, true, false},
	} {
		s := sheetOf(New(Description{Labels: trees()}, known()), nil)
		s.assigned = assigned{given: c.given, together: slices.Repeat([]float64{c.gap}, len(c.given)), instead: c.instead}
		if s.wavers(1, c.printed) != c.want {
			t.Errorf("%s: %v", name, !c.want)
		}
	}
}

// reads is a decoder that reads what it is told, one text a time, and counts how often it is asked.
type reads struct {
	exact
	says  []string
	asked *int
	err   error
}

func (r reads) Decode(context.Context, []*page.Ink, field.Known) (field.Value, error) {
	*r.asked++
	return field.Value{Text: r.says[(*r.asked-1)%len(r.says)], Share: 0.8}, r.err
}

// once is a reader of words that reads nothing.
type once struct{ page.Words }

func (once) Level(_ context.Context, _ vision.Plane, _ vision.Homography, l text.Line) (text.Line, error) {
	return l, nil
}

func (once) ReadIn(context.Context, vision.Plane, vision.Homography, text.Line) (*text.Reading, error) {
	return &text.Reading{}, nil
}

// Property: a value that is likely and not sure is looked at in further cuts of its print, others and one without print are not; cuts that
// show it make it surer than those that show another one; where the work that is allowed ends, the others stay as they are.
func TestLookAnew(t *testing.T) {
	view := laid.View{Width: 512, Height: 323, ToPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	view.Light = func() vision.Plane { return vision.Plane{} }
	lines := []text.Line{{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 300, Y: 50}, Height: 12}}
	ink, err := page.New(view, lines, once{}, nil, inferencetest.Calibrate[page.Judged](t)).Read(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	sure, weights := map[string]float64{}, Weights{
		ConfidenceWeight("word", "any"): 1, ConfidenceWeight("word", "share"): 1, AnewWeight("any"): 1, AnewWeight("others"): -2,
	}
	for name, test := range map[string]struct {
		says  []string
		share float64
		err   error
		asked int
	}{
		"the same":            {[]string{"oak"}, 0.8, nil, 2},
		"another":             {[]string{"oak", "elm"}, 0.8, nil, 2},
		"unlikely":            {[]string{"elm"}, 0.05, nil, 0},
		"sure":                {[]string{"elm"}, 0.9999, nil, 0},
		"where the work ends": {[]string{"oak"}, 0.8, inference.ErrBudget, 1},
	} {
		asked, k := 0, known()
		k.Decoders["word"] = reads{says: test.says, asked: &asked, err: test.err}
		d := New(Description{Fields: []Field{{Name: "tree", Decoder: "word"}, {Name: "note", Decoder: "word"}}}, k)
		s := sheetOf(d, nil, print(d, "oak", 10, 30, 10))
		s.stretches[0].Ink, s.given, s.Weights = ink, []role{{}}, weights
		answers := []answer{
			{field: &d.Fields[1]}, {field: &d.Fields[0], lines: []int{0}, Value: field.Value{Text: "oak", Share: test.share}},
		}
		s.check(answers)
		if err := s.lookAnew(t.Context(), answers); !errors.Is(err, test.err) {
			t.Errorf("%s: %v", name, err)
		}
		a := &answers[1]
		if sure[name] = s.confidence(a); asked != test.asked || len(a.anew) > 0 != (asked == 2) {
			t.Errorf("%s: asked %d times, %v", name, asked, a.anew)
		}
	}
	if was := sure["where the work ends"]; !(sure["the same"] > was && was > sure["another"]) {
		t.Errorf("%v", sure)
	}
}

// Property: a decoder's own limit counts, also one of 0, which flags nothing; without one that of decoders that nobody has measured.
func TestLimit(t *testing.T) {
	c := Calibration{Weights: Weights{ConfidenceWeight("word", ConfidenceLimit): 0, ConfidenceWeight("number", ConfidenceLimit): 0.5}}
	c.AnyLimit = 0.9
	for decoder, want := range map[string]float64{"word": 0, "number": 0.5, "date": 0.9} {
		if got := c.limit(decoder); got != want {
			t.Errorf("%s: %v, want %v", decoder, got, want)
		}
	}
}
