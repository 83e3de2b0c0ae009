package form

import (
	"slices"
	"testing"
)

// Property: the place of the values of a label reaches to the next label of its row in the direction of its script, from the last one as
// far as from the one before, and nowhere where print stands between two labels or behind the last.
func TestCells(t *testing.T) {
	d := forest(t)
	arabic := func(name string, left, right, y float64) placed {
		l := labelAt(name, left, right, y)
		l.RightToLeft = true
		return l
	}
	row := []placed{arabic("tree", 85, 95, 10), arabic("age", 55, 65, 10), arabic("note", 25, 35, 10)}
	latin := []placed{labelAt("tree", 5, 15, 10), labelAt("age", 35, 45, 10)}
	for name, c := range map[string]struct {
		labels []placed
		print  []stretch
		want   [][2]float64
	}{
		"labels alone":           {row, nil, [][2]float64{{65, 95}, {35, 65}, {5, 35}}},
		"print between two":      {row, []stretch{print(d, "oak", 68, 80, 10)}, [][2]float64{{85, 95}, {35, 65}, {5, 35}}},
		"print behind the last":  {row, []stretch{print(d, "oak", 5, 20, 10)}, [][2]float64{{65, 95}, {35, 65}, {25, 35}}},
		"print on another row":   {row, []stretch{print(d, "oak", 68, 80, 30)}, [][2]float64{{65, 95}, {35, 65}, {5, 35}}},
		"one label":              {row[:1], nil, [][2]float64{{85, 95}}},
		"labels below another":   {[]placed{row[0], arabic("age", 55, 65, 30)}, nil, [][2]float64{{85, 95}, {55, 65}}},
		"read from the left":     {latin, nil, [][2]float64{{5, 35}, {35, 45}}},
		"in two languages":       {[]placed{labelAt("tree", 85, 95, 10), labelAt("tree", 50, 56, 10)}, nil, [][2]float64{{50, 95}, {50, 95}}},
		"other label in between": {[]placed{row[0], row[1], labelAt("tree", 5, 15, 10)}, nil, [][2]float64{{65, 95}, {15, 65}, {5, 55}}},
	} {
		s := sheetOf(d, c.labels, c.print...)
		for k, want := range c.want {
			if got := [2]float64{s.cells[k].left, s.cells[k].right}; got != want {
				t.Errorf("%s: label %d has %v, want %v", name, k, got, want)
			}
		}
	}
}

// Property: print without a label of its own, flush under a value that a label announces or under that label, is of the field that follows
// it, whatever it is like alone; print elsewhere, or beside another label, is not, nor where it counts for little.
func TestValueGoesOn(t *testing.T) {
	d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
		{Name: "tree", Decoder: "word", Labels: []string{"tree"}, Lines: 1},
		{Name: "rest", Decoder: "word", Lines: 1, Follows: "tree"},
		{Name: "age", Decoder: "number", Labels: []string{"age"}, Lines: 1},
	}}, known())
	announced := []placed{labelAt("tree", 80, 95, 20)}
	for name, c := range map[string]struct {
		labels      []placed
		left, right float64
		idle        float64
		want        role
	}{
		"flush":                {announced, 50, 75, 12, role{field: 1}},
		"centred":              {announced, 45, 85, 12, role{field: 1}},
		"under the label":      {announced, 60, 95, 20, role{field: 1}},
		"not flush":            {announced, 40, 68, 12, role{field: 2}},
		"it counts for little": {announced, 50, 75, 0.1, role{field: 2}},
		"of another label":     {append(slices.Clone(announced), labelAt("age", 80, 95, 26)), 50, 75, 12, role{field: 2}},
		"before a label":       {append(slices.Clone(announced), labelAt("age", 5, 20, 26)), 50, 75, 12, role{field: 1}},
		"no label":             {nil, 50, 75, 12, role{field: 2}},
	} {
		s := sheetOf(d, c.labels, print(d, "oak", 55, 75, 20), print(d, "12", c.left, c.right, 26))
		s.Weights, s.Idle = Weights{
			"first match": 4, "first any": -3, "first its label near": 8, "first its label behind": 4, "first another's label near": -4,
		}, c.idle
		s.assign()
		if roles := s.given; roles[0] != (role{field: 0}) || roles[1] != c.want {
			t.Errorf("%s: %+v", name, roles)
		}
	}
}

// Property: print above the last line of a value, which alone a label announces, is of another field where one may have it; where the label
// stands beside the first line, beside the middle one or nowhere, or that counts for little, it is the first line.
func TestValueBeginsAtItsLabel(t *testing.T) {
	d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
		{Name: "tree", Decoder: "word", Labels: []string{"tree"}, Lines: 1},
		{Name: "note", Decoder: "word", Labels: []string{"note"}, Lines: 3},
	}}, known())
	tree, note := role{field: 0}, role{field: 1}
	column := []stretch{print(d, "oak", 60, 75, 20), print(d, "elm", 60, 75, 26), print(d, "ash", 60, 75, 32)}
	for name, c := range map[string]struct {
		labels    []placed
		stretches []stretch
		idle      float64
		want      role
	}{
		"beside the last line":   {[]placed{labelAt("note", 80, 95, 26)}, column[:2], 4, tree},
		"beside the first line":  {[]placed{labelAt("note", 80, 95, 20)}, column[:2], 4, note},
		"beside the middle line": {[]placed{labelAt("note", 80, 95, 26)}, column, 4, note},
		"no label":               {nil, column[:2], 4, note},
		"it counts for little":   {[]placed{labelAt("note", 80, 95, 26)}, column[:2], 0.1, note},
	} {
		s := sheetOf(d, c.labels, slices.Clone(c.stretches)...)
		s.Weights, s.Idle = Weights{
			"first match": 6, "first any": -3, "further match": 6, "further any": -2, "further its label near": 1, "first its label near": 2,
			"first its label elsewhere": 2, "first another's label near": -2,
		}, c.idle
		s.assign()
		if roles := s.given; roles[0] != c.want {
			t.Errorf("%s: %+v", name, roles)
		}
	}
}
