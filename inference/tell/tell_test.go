package tell

import (
	"testing"

	"github.com/bawab/bawab/appliance"
)

// kinds are a card of trees and one of birds, which no look tells, and what both of one office have.
func kinds() []Kind {
	tree := &Marks{
		Weights: map[string]float64{"tree": 3, "name": 1, "age": 1.5, "office": 1},
		Shows:   []Show{{"age", func(what string) float64 { return map[string]float64{"12": 1, "1?": 0.8}[what] }}},
		Own:     []string{"tree", "office"}, Against: []string{"school"},
	}
	bird := &Marks{
		Weights: map[string]float64{"bird": 3, "wing": 1.5, "name": 1, "office": 1},
		Own:     []string{"bird", "wing"}, Plain: []string{"wing"},
	}
	return []Kind{{"tree", tree}, {"bird", bird}}
}

// Property: a card is of the kind for which its labels say most, and enough; where they do not, it is what it looks like, and where they
// say hardly more, too. It is named only by labels that other offices do not print.
func TestAmong(t *testing.T) {
	for name, test := range map[string]struct {
		labels, beside []string
		looks, want    appliance.Kind
		named          bool
	}{
		"a title":                          {[]string{"tree"}, nil, "", "tree", true},
		"nothing":                          {nil, nil, "", "", false},
		"too little":                       {[]string{"age", "name"}, nil, "", "", false},
		"too little, by its look":          {[]string{"age", "name"}, nil, "bird", "bird", false},
		"enough":                           {[]string{"age", "name", "office"}, nil, "", "tree", true},
		"enough, but of any office":        {[]string{"age", "name"}, []string{"12"}, "", "", false},
		"print for a label":                {[]string{"name", "office"}, []string{"oak", "12"}, "", "tree", true},
		"print hardly like a label":        {[]string{"name", "office"}, []string{"1?"}, "", "", false},
		"print beside its label, once":     {[]string{"age", "name"}, []string{"12", "12"}, "", "", false},
		"hardly more than its look":        {[]string{"wing", "name", "office", "age"}, nil, "tree", "tree", false},
		"clearly more than its look":       {[]string{"bird", "name"}, nil, "tree", "bird", true},
		"a label of a school":              {[]string{"age", "name", "office", "school"}, nil, "", "tree", false},
		"a label of a school beside wings": {[]string{"wing", "name", "office", "school"}, nil, "", "bird", true},
		"as much for both":                 {[]string{"tree", "bird"}, nil, "", "bird", true},
	} {
		kind, named := Among(kinds(), Print{Labels: test.labels, Beside: test.beside}, test.looks)
		if kind != test.want || named != test.named {
			t.Errorf("%s: %q, named %v; want %q, %v", name, kind, named, test.want, test.named)
		}
	}
}

// Property: values say what a document lacks, and whether it may be anyone's, by the marks of its kind.
func TestMarks(t *testing.T) {
	m := Marks{
		Number: "number", Vital: []string{"issued", "expiry"}, Heads: [][]string{{"class"}, {"office", "unit"}},
		Only: []Only{
			{Fields: []string{"office", "unit"}, With: []string{"forest"}},
			{Fields: []string{"chip"}, Signs: 4},
			{Fields: []string{"number"}, Covered: true},
		},
		Instead: []Group{{Fields: []string{"name", "birth"}, Surely: true}, {Fields: []string{"seal"}}},
	}
	type is struct{ lacking, headless, anyone, holder bool }
	for name, test := range map[string]struct {
		values  map[string]string
		sure    float64
		covered bool
		want    is
	}{
		"nothing":                    {nil, 1, false, is{lacking: true, headless: true}},
		"a date":                     {map[string]string{"expiry": "2027"}, 1, false, is{headless: true, anyone: true}},
		"a head":                     {map[string]string{"class": "b", "unit": "west"}, 1, false, is{lacking: true, anyone: true}},
		"half a head":                {map[string]string{"unit": "forest west"}, 1, false, is{lacking: true, headless: true}},
		"a short chip":               {map[string]string{"chip": "123"}, 1, false, is{true, true, true, false}},
		"a chip":                     {map[string]string{"chip": "1234"}, 1, false, is{lacking: true, headless: true}},
		"a number":                   {map[string]string{"number": "12"}, 1, false, is{true, true, true, false}},
		"a number, the rest covered": {map[string]string{"number": "12"}, 1, true, is{lacking: true, headless: true}},
		"a holder":                   {map[string]string{"name": "Oak", "birth": "1990"}, 0.99, false, is{true, true, true, true}},
		"a holder, hardly":           {map[string]string{"name": "Oak", "birth": "1990"}, 0.9, false, is{true, true, true, false}},
		"half a holder":              {map[string]string{"name": "Oak"}, 1, false, is{true, true, true, false}},
		"a seal, hardly":             {map[string]string{"seal": "red"}, 0.5, false, is{true, true, true, true}},
	} {
		d := appliance.Document{Capture: appliance.Capture{Covered: test.covered}}
		for field, value := range test.values {
			d.Fields = append(d.Fields, appliance.Field{Name: field, Value: value, Confidence: test.sure})
		}
		if got := (is{m.Lacking(d), m.Headless(d), m.OfAnyone(d), m.ShowsHolder(d, 0.98)}); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
	with := func(names ...string) (d appliance.Document) {
		for _, name := range names {
			d.Fields = append(d.Fields, appliance.Field{Name: name, Value: "2027"})
		}
		return d
	}
	if !m.Wanting(with()) || !m.Wanting(with("expiry")) || m.Wanting(with("issued", "expiry")) {
		t.Error("a document wants a vital field where one has no value, and only there")
	}
	if m.NumberTells() {
		t.Error("a number that counts under covers alone tells")
	}
	m.Only = append(m.Only, Only{Fields: []string{"number"}})
	if !m.NumberTells() {
		t.Error("a number that no other card has does not tell")
	}
}
