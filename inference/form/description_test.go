package form

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
)

// exact is a decoder of some texts.
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
		Open:     map[string]func([]string) field.Decoder{"word": func(v []string) field.Decoder { return exact{texts: append(v, "oak")} }},
		Checks:   map[string]field.Check{"never": {Of: "number", Fails: func(string, field.Known) appliance.Code { return 0 }}},
	}
}

// trees are the labels of these tests.
func trees() []Label {
	return []Label{
		{"tree", []string{"Tree", "Kind of tree"}}, {"age", []string{"Age"}}, {"title", []string{"Forest card"}}, {"note", []string{"Note"}},
	}
}

// Property: fields with lists are read by their own values each, those of other decoders by one reader for all.
func TestReaders(t *testing.T) {
	d := New(Description{Fields: []Field{
		{Name: "a", Decoder: "one_of", Values: []string{"red oak", "ash"}},
		{Name: "b", Decoder: "one_of", Values: []string{"7"}},
		{Name: "c", Decoder: "word", Often: []string{"ash"}},
		{Name: "d", Decoder: "word"},
		{Name: "e", Decoder: "word"},
	}}, known())
	for name, read := range map[string][]string{"a": {"red oak", "ash"}, "b": {"7"}, "c": {"ash", "oak"}, "d": {"oak"}, "e": {"oak"}} {
		for _, text := range []string{"red oak", "ash", "7", "oak"} {
			if got := d.decoder(&d.Fields[d.field(name)]).Match(text) == 1; got != slices.Contains(read, text) {
				t.Errorf("field %s takes %s: %v", name, text, got)
			}
		}
	}
	if len(d.readers) != 4 || !d.Expects("word") || d.Expects("number") {
		t.Errorf("%d readers for two lists, an open one and one decoder", len(d.readers))
	}
}

// Property: of two values in the wrong order that no label announces each is taken for the other field's; so are two that labels do, and
// both are in doubt then. Where a label announces one alone that stays, and the other is in doubt; but the other field's label announces
// none.
func TestSettleOrder(t *testing.T) {
	d := New(Description{Orders: []Order{{"from", "to"}}, Fields: []Field{
		{Name: "from", Decoder: "number"}, {Name: "to", Decoder: "number", Labels: []string{"until"}},
	}}, known())
	announced, until := []link{{label: "age", how: behind}}, []link{{label: "until", how: behind}}
	for name, test := range map[string]struct {
		from, to               []link
		wantFrom               string
		doubtfulFrom, doubtful bool
	}{
		"no labels":       {nil, nil, "1", false, false},
		"labels":          {announced, announced, "1", true, true},
		"the first alone": {announced, nil, "2", false, true},
		"the second":      {nil, announced, "2", true, false},
		"by the other's":  {until, nil, "1", false, true},
	} {
		s := &sheet{description: d, stretches: []stretch{{links: test.from}, {links: test.to}}}
		answers := []answer{
			{Value: field.Value{Text: "2"}, lines: []int{0}, field: &d.Fields[0]},
			{Value: field.Value{Text: "1"}, lines: []int{1}, field: &d.Fields[1]},
		}
		s.settle(answers)
		if a, b := answers[0], answers[1]; a.Text != test.wantFrom || a.swapped != test.doubtfulFrom || b.swapped != test.doubtful {
			t.Errorf("%s: %q in doubt %v, %q in doubt %v", name, a.Text, a.swapped, b.Text, b.swapped)
		}
	}
}
