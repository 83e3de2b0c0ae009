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
func known() Knowledge {
	return Knowledge{
		Decoders: map[string]field.Decoder{"word": exact{texts: []string{"oak", "elm"}}, "number": exact{texts: []string{"12", "7"}}},
		Lists:    map[string]func([]string) field.Decoder{"one_of": func(v []string) field.Decoder { return exact{texts: v} }},
		Open:     map[string]func([]string) field.Decoder{"word": func(v []string) field.Decoder { return exact{texts: append(v, "oak")} }},
		Checks:   map[string]Check{"never": {Of: "number", Fails: func(string, field.Known) appliance.Code { return 0 }}},
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
