package form

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// listing is a decoder that can expect values.
type listing struct {
	exact
	values []string
}

func (listing) Expecting(values []string) field.Decoder { return listing{values: values} }

// Property: what a site prints is added to a copy: wordings to the first label of the field, each once, values to its decoder, and what is
// misread.
func TestWith(t *testing.T) {
	d := forest(t)
	d.readers[0].decoder, d.readers[1].decoder = listing{}, exact{}
	own := d.With(Own{
		Labels: map[string][]string{"tree": {"Baum", "Tree"}, "leaf": {"Blatt"}}, Terms: map[string][]string{"tree": {"yew"}, "age": {"old"}},
		Misread: text.Misread{'o': {'a': 0.2}},
	})
	if own.Misread['o']['a'] != 0.2 || d.Misread != nil {
		t.Errorf("misread %v, was %v", own.Misread, d.Misread)
	}
	if got := own.Labels[0].Wordings; !slices.Equal(got, []string{"Tree", "Kind of tree", "Baum"}) || len(d.Labels[0].Wordings) != 2 {
		t.Errorf("%q, was %q", got, d.Labels[0].Wordings)
	}
	if got, ok := own.decoder(&own.Fields[0]).(listing); !ok || !slices.Equal(got.values, []string{"yew"}) {
		t.Errorf("the tree is read by %+v", got)
	}
	if _, ok := own.decoder(&own.Fields[1]).(exact); !ok || d.Fields[0].expects != nil {
		t.Error("another field's decoder was changed")
	}
}
