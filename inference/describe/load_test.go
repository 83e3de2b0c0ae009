package describe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/text"
)

// exact is a decoder that knows a few texts.
type exact struct {
	field.Decoder
	texts []string
}

func (e exact) Match(what string) float64 {
	for _, t := range e.texts {
		if t == what {
			return 1
		}
	}
	return 0
}

// known is what the descriptions of these tests may name.
func known() field.Knowledge {
	return field.Knowledge{
		Decoders: map[string]field.Decoder{"word": exact{texts: []string{"oak", "elm"}}, "number": exact{texts: []string{"12", "7"}}},
		Lists:    map[string]func([]string) field.Decoder{"one_of": func(v []string) field.Decoder { return exact{texts: v} }},
		Variants: func(r rune) []rune {
			if r == 'C' || r == 'K' {
				return []rune("CK")
			}
			return []rune{r}
		},
		Agreements: map[string]field.Comparison{
			"equal": {Of: [2]string{"word", "number"}, Compare: func(a, b string) (bool, bool) { return a == b, a != b }},
		},
		Open:   map[string]func([]string) field.Decoder{"word": func(v []string) field.Decoder { return exact{texts: append(v, "oak")} }},
		Taken:  func(k appliance.Kind) bool { return k == appliance.Passport },
		Types:  map[string]appliance.FieldType{"number": appliance.Date},
		Checks: map[string]field.Check{"never": {Of: "number", Fails: func(string, field.Known) appliance.Code { return 0 }}},
	}
}

const goodLabels = `# trees
tree: Tree | Kind of tree
age: Age   # in years
title: Forest card
`

const goodDescription = `kind forest_card
title title
field tree word   label tree at 0.5 0.2 0.1 0.1 required
field age  number label age lines 2 follows tree proves
agree tree age equal
order tree age
rule age never
`

func load(description, labels string) (*form.Description, error) {
	return Load(strings.NewReader(description), strings.NewReader(labels), known())
}

// Property: a description says what its lines say.
func TestLoad(t *testing.T) {
	d, err := load(goodDescription, goodLabels)
	if err != nil {
		t.Fatal(err)
	}
	if d.Kind != "forest_card" || len(d.Fields) != 2 || len(d.Labels) != 3 || len(d.Labels[0].Wordings) != 2 ||
		d.Labels[0].Wordings[1] != "Kind of tree" {
		t.Errorf("%+v", d)
	}
	tree, age := d.Fields[0], d.Fields[1]
	if !tree.Required || tree.Place == nil || tree.Place.X != 0.5 || tree.Lines != 1 ||
		age.Lines != 2 || age.Follows != "tree" || !age.Proves || age.Labels[0] != "age" {
		t.Errorf("%+v", d.Fields)
	}
	if m := d.Model(); len(m) != 2 || m[0] != (appliance.FieldSpec{Name: "tree"}) ||
		m[1] != (appliance.FieldSpec{Name: "age", Type: appliance.Date}) {
		t.Errorf("its model is %+v", m)
	}
}

// Property: what is wrong with a description is said with its file, its line and the reason.
func TestLoadRefuses(t *testing.T) {
	var labels, wordings, values strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&labels, "l%d: word %d\n", i, i)
	}
	wordings.WriteString("l: a0")
	for i := range 10_000 {
		fmt.Fprintf(&wordings, " | a%d", i+1)
	}
	values.WriteString("a0")
	for i := range 10_000 {
		fmt.Fprintf(&values, " | a%d", i+1)
	}
	const named = "is not a letter and then letters, digits and _, 40 at most"
	const in, many = "description:2: field tree: ", "kind k\nfield a word leads tree\nfield b word leads tree\n"
	const two = "kind k\nfield a word\n"
	const listed = "kind k\nfield a one_of\nvalues a "
	const choose = ": choose at, drawn, follows, holder, label, leads, lines, proves, required, sought"
	outside := func(x string) string {
		return in + "the place " + x + ", 0.5 lies outside the document, which reaches from 0 to 1"
	}
	for name, test := range map[string]struct{ description, labels, want string }{
		"a label twice":    {goodDescription, goodLabels + "tree: Baum\n", "labels:5: label tree stands in line 2 already"},
		"a wording twice":  {goodDescription, goodLabels + "other: Age\n", `labels:5: "Age" stands in line 3 already`},
		"an empty wording": {goodDescription, goodLabels + "other: ab | | b\n", "labels:5: label other has an empty wording"},
		"a wording of another spelling": {
			goodDescription, goodLabels + "other: Cind of. tree\n",
			`labels:5: "Cind of. tree" is spelled like "Kind of tree" of label tree in line 2, and either is found where the other is printed`,
		},
		"a wording of one sign": {
			goodDescription, goodLabels + "other: x.\n",
			`labels:5: label other: "x." would be found in any print: a wording has 2 letters or digits at least`,
		},
		"no colon":              {goodDescription, "tree\n", "labels:1: want a name without blanks, a colon and wordings"},
		"ten thousand labels":   {goodDescription, labels.String(), "labels:201: more than 200 labels"},
		"ten thousand wordings": {goodDescription, wordings.String(), "labels:1: more than 1000 wordings"},
		"an endless wording": {
			goodDescription, "tree: " + strings.Repeat("x", 81),
			"labels:1: label tree has a wording of more than 80 signs",
		},
		"an unknown decoder": {"kind k\nfield tree verse\n", goodLabels, in + "there is no decoder verse"},
		"an unknown label":   {"kind k\nfield tree word label leaf\n", goodLabels, in + "there is no label leaf"},
		"an unknown title":   {"kind k\ntitle leaf\n", goodLabels, "description:2: there is no label leaf"},
		"a short title": {
			"kind k\ntitle age\n", goodLabels,
			`description:2: title age: "Age" would be found on other documents: a title has 5 signs at least`,
		},
		"an unknown statement": {"kind k\nprint all\n", goodLabels, `description:2: there is no statement "print"`},
		"an unknown option":    {"kind k\nfield tree word big\n", goodLabels, in + `there is no option "big"` + choose},
		"a place outside":      {"kind k\nfield tree word at 1.2 0.5 0.1 0.1\n", goodLabels, outside("1.2")},
		"a place that is none": {"kind k\nfield tree word at NaN 0.5 0.1 0.1\n", goodLabels, outside("NaN")},
		"no spread": {
			"kind k\nfield tree word at 0.2 0.5 0 0.1\n", goodLabels,
			in + "the spread 0, 0.1 must be above 0 and at most 1",
		},
		"a field twice": {
			"kind k\nfield tree word\nfield tree word\n", goodLabels,
			"description:3: field tree stands in line 2 already",
		},
		"too many lines": {
			"kind k\nfield tree word lines 900\n", goodLabels,
			`description:2: field tree: lines must be 1 to 6, got "900"`,
		},
		"fields in a circle": {
			"kind k\nfield a word follows b\nfield b word follows a\n", goodLabels,
			"description:2: field a follows itself",
		},
		"a field behind none":    {"kind k\nfield a word follows b\n", goodLabels, "description:2: field a: there is no field b to follow"},
		"two leads of one label": {many, goodLabels, "description:3: field b: values of field a begin with label tree as well"},
		"an unknown agreement":   {two + "field b word\nagree a b rhyme\n", goodLabels, "description:4: there is no agreement rhyme"},
		"an agreement with none": {two + "agree a b equal\n", goodLabels, "description:3: no field b is described above"},
		"an agreement of others": {
			"kind k\nfield a number\nfield b word\nagree a b equal\n", goodLabels,
			"description:4: equal compares a word with a number, and field a is a number",
		},
		"a check of a text":   {two + "rule a never\n", goodLabels, "description:3: never looks at a number, and field a is a word"},
		"a check of nothing":  {two + "rule b never\n", goodLabels, "description:3: no field b is described above"},
		"an unknown check":    {two + "rule a nice\n", goodLabels, "description:3: there is no check nice"},
		"an order of one":     {two + "order a a\n", goodLabels, "description:3: want: order FIELD FIELD"},
		"a beginning alone":   {two + "begin a\n", goodLabels, "description:3: want: begin FIELD FIELD"},
		"a beginning of none": {two + "begin a b\n", goodLabels, "description:3: no field b is described above"},
		"a series of one":     {two + "series a\n", goodLabels, "description:3: want: series FIELD FIELD ..."},
		"a series of none":    {two + "series a b\n", goodLabels, "description:3: no field b is described above"},
		"a field twice in a series": {
			two + "field b word\nseries a b a\n", goodLabels, "description:4: field a stands in a series already",
		},
		"a series of two things": {
			two + "field b number\nseries a b\n", goodLabels, "description:4: fields a and b hold no lines of one kind",
		},
		"two kinds":            {"kind k\nkind l\n", goodLabels, "description:2: the kind is named already"},
		"no kind":              {"field a word\n", goodLabels, "description: no kind is named"},
		"no field":             {"kind k\n", goodLabels, "description: no field is described"},
		"an option misspelt":   {"kind k\nfield tree word proves requierd\n", goodLabels, in + `there is no option "requierd"` + choose},
		"half a place":         {"kind k\nfield tree word at 0.2 0.5 proves\n", goodLabels, in + "at takes 4 words, got 2"},
		"a line of a megabyte": {strings.Repeat("x", 2<<20), goodLabels, "description: larger than 256 KiB"},
		"a file too large":     {strings.Repeat("# x\n", 100_000), goodLabels, "description: larger than 256 KiB"},
		"not UTF-8":            {"kind k\nfield \xff word\n", goodLabels, "description:2: not UTF-8"},
		"a kind of blanks":     {"kind forest/card\n", goodLabels, `description:1: the kind's name "forest/card" ` + named},
		"a kind that is known": {
			"kind passport\n", goodLabels,
			"description:1: passport is the name of something that this program knows: take another",
		},
		"a field with a dot": {"kind k\nfield a.b word\n", goodLabels, `description:2: the field's name "a.b" ` + named},
		"a member of all answers": {
			"kind k\nfield request_id word\n", goodLabels,
			"description:2: field request_id: every answer has a member of this name already",
		},
		"no label of a title":      {"kind k\ntitle\n", goodLabels, "description:2: want: title LABEL..."},
		"an agreement with itself": {two + "agree a a equal\n", goodLabels, "description:3: want: agree FIELD FIELD BY"},
		"orders in a circle": {
			two + "field b word\nfield c word\norder a b\norder b c\norder c a\n", goodLabels,
			"description:7: field c would come before itself",
		},
		"a proof that never comes": {
			two + "field b word proves\n", goodLabels,
			"description: nothing can prove the kind: name a title, or 2 fields that prove it",
		},
		"a list of nothing": {
			"kind k\ntitle title\nfield a one_of\n", goodLabels,
			"description:3: field a: a one_of needs its values: values a VALUE | VALUE ...",
		},
		"values of no field": {"kind k\nvalues a oak\n", goodLabels, "description:2: no field a is described above"},
		"often, of a number": {
			"kind k\ntitle title\nfield a number\noften a 12\n", goodLabels, "description:4: field a is a number, which has no list of values",
		},
		"often, of nothing":       {"kind k\nfield a word\noften a\n", goodLabels, "description:3: want: often FIELD VALUE | VALUE ..."},
		"no values":               {"kind k\nfield a one_of\nvalues a\n", goodLabels, "description:3: want: values FIELD VALUE | VALUE ..."},
		"values of another field": {two + "values a oak\n", goodLabels, "description:3: field a is a word, which has no list of values"},
		"an empty value":          {listed + "oak | | elm\n", goodLabels, `description:3: field a: the value "" has no letter or digit`},
		"a value twice": {
			listed + "Cat\nvalues a elm | Kat.\n", goodLabels, `description:4: field a: the value "Kat." is spelled like "Cat"`,
		},
		"an endless value":        {listed + strings.Repeat("x", 81), goodLabels, "description:3: field a: a value of more than 80 signs"},
		"ten thousand values":     {listed + values.String(), goodLabels, "description:3: field a: more than 1000 values"},
		"a size without a unit":   {"kind k\nsize 210x297\n", goodLabels, "description:2: want: size WIDTH HEIGHT [PRINT], in millimetres"},
		"a size of nothing":       {"kind k\nsize NaN 297\n", goodLabels, `description:2: a side must be 20 to 420 millimetres, got "NaN"`},
		"a size of a poster":      {"kind k\nsize 210 841\n", goodLabels, `description:2: a side must be 20 to 420 millimetres, got "841"`},
		"a ribbon":                {"kind k\nsize 400 20\n", goodLabels, "description:2: a document is at most 4 times as long as it is wide"},
		"two sizes":               {"kind k\nsize 210 297\nsize 105 148\n", goodLabels, "description:3: the size is given already"},
		"a cut of something else": {"kind k\ncut corners\n", goodLabels, "description:2: want: cut scripts"},
		"headed by something":     {"kind k\nheaded twice\n", goodLabels, "description:2: want: headed"},
		"misread words": {
			"kind k\nmisread ab c 0.1\n", goodLabels, "description:2: want: misread READ PRINTED SHARE [PRINTED SHARE]...",
		},
		"misread without a share": {
			"kind k\nmisread a b\n", goodLabels, "description:2: want: misread READ PRINTED SHARE [PRINTED SHARE]...",
		},
		"misread more than read": {
			"kind k\nmisread a b 0.3 c 0.3\n", goodLabels, `description:2: shares are above 0 and at most 0.5 together, got "0.3"`,
		},
		"misread by no number": {
			"kind k\nmisread a b NaN\n", goodLabels, `description:2: shares are above 0 and at most 0.5 together, got "NaN"`,
		},
		"misread as itself": {"kind k\nmisread a a 0.1\n", goodLabels, "description:2: a as a is said twice"},
		"misread twice":     {"kind k\nmisread a b 0.1\nmisread a c 0.1\n", goodLabels, "description:3: c as a is said twice"},
	} {
		_, err := load(test.description, test.labels)
		var fault Fault
		if !errors.As(err, &fault) || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// Property: a description says what is misread on its documents, a line for each sign that is read.
func TestMisread(t *testing.T) {
	d, err := load(goodDescription+"\nmisread a b 0.1 c 0.05\nmisread d e 0.5\n", goodLabels)
	if err != nil {
		t.Fatal(err)
	}
	want := text.Misread{'a': {'b': 0.1, 'c': 0.05}, 'd': {'e': 0.5}}
	if diff := cmp.Diff(want, d.Misread); diff != "" {
		t.Error(diff)
	}
}

// Property: whatever a description holds, loading it ends, and gives a description that is whole or a fault that names its file.
func FuzzLoad(f *testing.F) {
	f.Add(goodDescription, goodLabels)
	f.Add("kind k\nfield a word follows a\n", "aa:bb")
	f.Add("kind k\ntitle a\nfield a word\nfield b word follows a\norder a b\norder b a\n", "\ufeffa:bb # c\n")
	f.Add("field\nfield a\norder\nagree\nrule\nkind\ntitle\ncut\n", ":|:\n")
	f.Fuzz(func(t *testing.T, description, labels string) {
		d, err := load(description, labels)
		var fault Fault
		switch {
		case err != nil && (!errors.As(err, &fault) || fault.File == ""):
			t.Errorf("a fault without a file: %v", err)
		case err != nil:
		case d.Kind == "" || len(d.Fields) == 0 || d.Model() == nil:
			t.Errorf("half a description: %+v", d)
		default:
			seen := map[string]bool{}
			for _, f := range d.Model() {
				if seen[f.Name] || appliance.AnswerMember(f.Name) || !nameForm.MatchString(f.Name) {
					t.Errorf("an answer cannot have a member %q", f.Name)
				}
				seen[f.Name] = true
			}
		}
	})
}

// The holder of a document is named by the field that the description says, or else by the first of the surest decoder.
func TestHolder(t *testing.T) {
	k := known()
	k.Holders = []string{"number", "word"}
	for name, c := range map[string]struct{ options, of string }{
		"the surest decoder": {"", "age"}, "what the description says": {" holder", "tree"},
	} {
		text := strings.Replace(goodDescription, "0.1 0.1 required", "0.1 0.1 required"+c.options, 1)
		d, err := Load(strings.NewReader(text), strings.NewReader(goodLabels), k)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Model() {
			if f.Holder != (f.Name == c.of) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	two := strings.NewReplacer("required", "required holder", "proves", "proves holder").Replace(goodDescription)
	_, err := Load(strings.NewReader(two), strings.NewReader(goodLabels), k)
	if err == nil || !strings.Contains(err.Error(), "names the holder already") {
		t.Errorf("two holders: %v", err)
	}
}

// Property: values that are listed are those of their field, in several lines too.
func TestValues(t *testing.T) {
	d, err := load("kind k\ntitle title\nfield a one_of\nfield b word\n"+
		"values a red oak |  elm\noften b fir\nvalues a ash\noften b yew", goodLabels)
	if err != nil {
		t.Fatal(err)
	}
	a, b := d.Fields[0], d.Fields[1]
	if !slices.Equal(a.Values, []string{"red oak", "elm", "ash"}) || !slices.Equal(b.Often, []string{"fir", "yew"}) {
		t.Errorf("%+v, %+v", a, b)
	}
}
