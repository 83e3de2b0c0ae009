package describe

import (
	"errors"
	"slices"
	"testing"
)

// Property: what tells a kind is what the lines of its description say.
func TestMarks(t *testing.T) {
	d, err := load(goodDescription+`
number  tree
tells   1.5 tree title
tells   0.5 age
shows   tree word
own     tree
own     age
plain   title
against age
vital   tree age
head    tree
head    age
only    tree age with oak elm
only    age signs 3
only    tree covered
instead tree age surely
instead age
`, goodLabels)
	if err != nil {
		t.Fatal(err)
	}
	m := d.Marks
	if m.Number != "tree" || m.Weights["tree"] != 1.5 || m.Weights["title"] != 1.5 || m.Weights["age"] != 0.5 || !m.ByPrint() {
		t.Errorf("weights: %+v", m)
	}
	if len(m.Shows) != 1 || m.Shows[0].Label != "tree" || m.Shows[0].Match("oak") != 1 || m.Shows[0].Match("ash") != 0 {
		t.Errorf("shows: %+v", m.Shows)
	}
	labels := slices.Concat(m.Own, m.Plain, m.Against)
	if !slices.Equal(labels, []string{"tree", "age", "title", "age"}) {
		t.Errorf("labels: %+v", m)
	}
	if !slices.Equal(m.Vital, []string{"tree", "age"}) || len(m.Heads) != 2 {
		t.Errorf("fields: %+v", m)
	}
	if len(m.Only) != 3 || !slices.Equal(m.Only[0].With, []string{"oak", "elm"}) || m.Only[1].Signs != 3 || !m.Only[2].Covered {
		t.Errorf("values of no other card: %+v", m.Only)
	}
	if len(m.Instead) != 2 || !m.Instead[0].Surely || len(m.Instead[0].Fields) != 2 || m.Instead[1].Surely {
		t.Errorf("what stands in for the number: %+v", m.Instead)
	}
	if plain, _ := load(goodDescription, goodLabels); plain.Marks.ByPrint() || plain.Marks.Number != "" {
		t.Errorf("a description without marks: %+v", plain.Marks)
	}
}

// Property: what is wrong with a mark is said with its line and the reason.
func TestMarksRefused(t *testing.T) {
	const only = "want: only FIELD... [with WORD... | signs N | covered]"
	for line, want := range map[string]string{
		"tells tree":               "want: tells WEIGHT LABEL...",
		"tells NaN tree":           `a weight is above 0 and at most 10, got "NaN"`,
		"tells 11 tree":            `a weight is above 0 and at most 10, got "11"`,
		"tells 1 leaf":             "there is no label leaf",
		"tells 1 tree tree":        "label tree has a weight already",
		"shows tree":               "want: shows LABEL DECODER",
		"shows leaf word":          "there is no label leaf",
		"shows tree one_of":        "there is no decoder one_of that needs no list of values",
		"own":                      "own names no label",
		"plain leaf":               "there is no label leaf",
		"against leaf":             "there is no label leaf",
		"number":                   "want: number FIELD",
		"number leaf":              "no field leaf is described above",
		"number tree\nnumber tree": "field tree is the number already",
		"vital":                    "want: vital FIELD...",
		"head leaf":                "no field leaf is described above",
		"only with oak":            only,
		"only tree with":           only,
		"only tree covered by oak": only,
		"only tree signs":          only,
		"only tree signs 0":        `signs must be 1 to 40, got "0"`,
		"only leaf":                "no field leaf is described above",
		"instead surely":           "want: instead FIELD...",
		"instead leaf surely":      "no field leaf is described above",
	} {
		_, err := load(goodDescription+line+"\n", goodLabels)
		var fault Fault
		if !errors.As(err, &fault) || fault.Reason != want || fault.Line < 8 {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
