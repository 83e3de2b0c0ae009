package form

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/label"
	laid "github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
	"github.com/bawab/bawab/models"
)

// print is a stretch of an invented sheet: what it says and where it stands, in a view of 100 x 60.
func print(d *Description, said string, left, right, y float64) stretch {
	x := stretch{said: said, clear: 1, box: box{left: left, right: right, y: y, height: 4}}
	x.piece = int(y)
	for _, r := range d.readers {
		x.matches = append(x.matches, r.decoder.Match(said))
	}
	return x
}

// label is a label of an invented sheet.
func labelAt(name string, left, right, y float64) placed {
	return placed{label.Found{Label: name, Wording: name}, box{left: left, right: right, y: y, height: 4, piece: int(y)}}
}

// calibrated is the calibration of the program with weights of a test.
func calibrated(w Weights) *Calibration {
	program, err := models.OpenCalibration()
	if err != nil {
		panic(err) // its own test says why
	}
	c := &Calibration{}
	if err := program.Fill(c); err != nil {
		panic(err)
	}
	c.Weights = w
	return c
}

// sheetOf is an invented sheet.
func sheetOf(d *Description, labels []placed, stretches ...stretch) *sheet {
	view := laid.View{Width: 100, Height: 60, ToPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	s := &sheet{Page: &page.Page{View: view}, Calibration: calibrated(nil), description: d, labels: labels, stretches: stretches}
	s.relate()
	return s
}

func forest(t *testing.T) *Description {
	t.Helper()
	return New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
		{Name: "tree", Decoder: "word", Labels: []string{"tree"}, Lines: 1},
		{Name: "age", Decoder: "number", Labels: []string{"age"}, Lines: 1},
		{Name: "note", Decoder: "word", Labels: []string{"note"}, Lines: 2},
	}}, known())
}

// Property: a value stands behind the nearest label on its row, under the nearest label above it, and to no label beyond another one.
func TestLinks(t *testing.T) {
	d := forest(t)
	s := sheetOf(d, []placed{labelAt("tree", 80, 95, 10), labelAt("age", 40, 50, 10), labelAt("note", 80, 95, 30)},
		print(d, "oak", 55, 75, 10), print(d, "12", 20, 35, 10), print(d, "elm", 70, 94, 37), print(d, "far", 70, 94, 55))
	want := []map[string]relation{{"tree": behind, "age": before}, {"age": behind}, {"note": under}, {}}
	for i, links := range want {
		got := s.stretches[i].links
		if len(got) != len(links) {
			t.Errorf("%s: %+v", s.stretches[i].said, got)
		}
		for _, l := range got {
			if how, ok := links[l.label]; !ok || how != l.how {
				t.Errorf("%s is %s %s", s.stretches[i].said, l.how, l.label)
			}
		}
	}
}

// Property: the assignment is joint: a field begins once, however much several stretches are like it, and a further line stands
// under the first.
func TestAssign(t *testing.T) {
	d := forest(t)
	s := sheetOf(d, []placed{labelAt("note", 80, 95, 20)},
		print(d, "oak", 60, 75, 10), print(d, "elm", 60, 75, 20), print(d, "oak", 60, 75, 26), print(d, "12", 10, 20, 50))
	w := Weights{
		"first match": 4, "first any": -3, "first its label near": 3, "first its label elsewhere": -2, "first another's label near": -3,
		"further any": -2, "further match": 1, "further close": 2, "further above match": 1, "further above has its label": 3,
	}
	s.Weights = w
	s.assign()
	roles, margins, together := s.given, s.margins, s.together
	want := []role{{0, false}, {2, false}, {2, true}, {1, false}}
	for i, r := range want {
		if roles[i] != r {
			t.Errorf("%s is %+v, want %+v", s.stretches[i].said, roles[i], r)
		}
		if math.IsNaN(margins[i]) || !(together[i] >= 0) {
			t.Errorf("%s: margins %v and %v", s.stretches[i].said, margins[i], together[i])
		}
	}
	s.Weights = nil
	s.assign()
	if none := s.given; none[0].field != -1 {
		t.Errorf("without weights print is taken for %+v", none[0])
	}
}

// Property: print that is like no value is one where it stands close above a value that stands by its place, or above a line of a series,
// and flush with it, and nowhere else; how much that counts is a number of the calibration.
func TestNothingIdleInAColumn(t *testing.T) {
	column := &Region{X: 0.8, Y: 0.4, SpreadX: 1, SpreadY: 1}
	for name, c := range map[string]struct {
		place          *Region
		right, y, idle float64
		none           bool
		series         [][]string
	}{
		"above and flush":       {column, 80, 14, 4, false, nil},
		"not flush":             {column, 70, 14, 4, true, nil},
		"far above":             {column, 80, 6, 4, true, nil},
		"no place":              {nil, 80, 14, 4, true, nil},
		"it counts for little":  {column, 80, 14, 0.5, true, nil},
		"above a line":          {nil, 80, 14, 4, false, [][]string{{"first", "rest"}}},
		"not flush with a line": {nil, 70, 14, 4, true, [][]string{{"first", "rest"}}},
	} {
		d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
			{Name: "first", Decoder: "word", Lines: 2, Place: c.place}, {Name: "rest", Decoder: "word", Lines: 1, Place: c.place},
		}, Series: c.series}, known())
		s := sheetOf(d, nil, print(d, "12", 50, c.right, c.y), print(d, "oak", 50, 80, 20))
		s.Weights, s.Idle = Weights{"first any": -1, "first match": 4, "line any": -1, "line match": 4, "further any": -9}, c.idle
		s.assign()
		roles := s.given
		if roles[1] == none || (roles[0] == none) != c.none {
			t.Errorf("%s: %+v", name, roles)
		}
	}
}

// Property: print between two lines of one value is a line of it, whatever it is like alone, where enclosed counts for more than that;
// print that no such lines stand about is not.
func TestNothingElseWithinAValue(t *testing.T) {
	d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
		{Name: "note", Decoder: "word", Labels: []string{"note"}, Lines: 3}, {Name: "age", Decoder: "number", Lines: 1},
	}}, known())
	w := Weights{
		"first match": 4, "first any": -3, "first its label near": 3, "further any": -2, "further match": 6,
	}
	column := []stretch{print(d, "oak", 60, 75, 20), print(d, "12", 60, 75, 26), print(d, "elm", 60, 75, 32)}
	for name, c := range map[string]struct {
		enclosed  float64
		stretches []stretch
		want      role
	}{
		"within":               {9, column, role{0, true}},
		"it counts for little": {0.1, column, role{1, false}},
		"below":                {9, column[:2], role{1, false}},
	} {
		s := sheetOf(d, []placed{labelAt("note", 80, 95, 20)}, slices.Clone(c.stretches)...)
		s.Weights, s.Enclosed = w, c.enclosed
		s.assign()
		if roles := s.given; roles[1] != c.want {
			t.Errorf("%s: %+v", name, roles)
		}
	}
}

// Property: each line of a series is a value of its own, in the order of reading and wherever it stands; what is left is the last
// one's.
func TestSeries(t *testing.T) {
	d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
		{Name: "age", Decoder: "number", Labels: []string{"age"}, Lines: 1},
		{Name: "first", Decoder: "word", Lines: 3},
		{Name: "second", Decoder: "word", Lines: 1},
	}, Series: [][]string{{"first", "second"}}}, known())
	s := sheetOf(d, nil, print(d, "oak", 60, 75, 10), print(d, "12", 30, 40, 10), print(d, "elm", 5, 20, 10), print(d, "oak", 60, 75, 50))
	s.Weights = Weights{"line match": 4, "line any": -3, "first match": 4, "first any": -3}
	s.assign()
	if want := []role{{1, false}, {0, false}, {1, false}, {1, false}}; !slices.Equal(s.given, want) {
		t.Errorf("assigned %+v, want %+v", s.given, want)
	}
	s.deal()
	if want := []role{{1, false}, {0, false}, {2, false}, {2, true}}; !slices.Equal(s.given, want) {
		t.Errorf("dealt %+v, want %+v", s.given, want)
	}
}

// Property: what stands right behind a label of no field is its value and no line of a series, and what stands elsewhere is one.
func TestForeignValues(t *testing.T) {
	d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
		{Name: "age", Decoder: "number", Labels: []string{"age"}, Lines: 1},
		{Name: "first", Decoder: "word", Lines: 3},
		{Name: "second", Decoder: "word", Lines: 1},
	}, Series: [][]string{{"first", "second"}}}, known())
	s := sheetOf(d, []placed{labelAt("age", 85, 95, 10), labelAt("other", 40, 50, 10)},
		print(d, "12", 70, 80, 10), print(d, "oak", 20, 35, 10), print(d, "elm", 60, 75, 20))
	s.Weights = Weights{"line match": 4, "line any": -3, "first match": 4, "first any": -3}
	s.assign()
	if given := s.given; !slices.Equal(given, []role{{0, false}, none, {1, false}}) {
		t.Errorf("assigned %+v", given)
	}
}

// Property: print is sought where the values of a label's column stand, as far below or above it as they are and about their middle where
// they are centred, or under it where they stand under theirs, and nowhere else: not where other print stands, nor behind a label whose
// value was seen.
func TestSought(t *testing.T) {
	d := forest(t)
	d.Fields[1].Sought = true
	row := page.Row{{Start: appliance.Point{X: 60, Y: 10}, End: appliance.Point{X: 95, Y: 10}, Height: 4}}
	at := func(s *sheet, label int) string {
		s.Rows = []page.Row{row}
		b := s.blank(label)
		l := s.lineIn(b, b.left, label)
		return fmt.Sprintf("%.0f to %.0f at %.0f", l.Start.X, l.End.X, l.Start.Y)
	}
	labels := []placed{labelAt("tree", 80, 95, 10), labelAt("note", 80, 95, 20), labelAt("age", 80, 95, 30)}
	apart := func(said string, left, right, y float64) stretch { // in a piece of its own
		x := print(d, said, left, right, y)
		x.piece += 100
		return x
	}
	behind := sheetOf(d, labels, apart("oak", 50, 70, 10), apart("elm", 50, 70, 20))
	beside := sheetOf(d, labels, apart("oak", 50, 70, 10), apart("elm", 50, 70, 20), apart("note", 40, 62, 30))
	centred := sheetOf(d, labels, apart("oak", 55, 65, 9), apart("elm", 50, 70, 19))
	below := sheetOf(d, []placed{labelAt("tree", 80, 95, 10), labelAt("age", 30, 50, 10)}, print(d, "oak", 80, 95, 16))
	middles := sheetOf(d, []placed{labelAt("tree", 70, 100, 10), labelAt("note", 40, 60, 10), labelAt("age", 5, 25, 10)},
		print(d, "oak", 83, 87, 16), print(d, "elm", 42, 58, 16))
	for name, c := range map[string][2]string{
		"in the column":      {at(behind, 2), "40 to 72 at 30"},
		"beside other print": {at(beside, 2), "64 to 72 at 30"},
		"about a middle":     {at(centred, 2), "34 to 66 at 29"},
		"under its label":    {at(below, 1), "20 to 52 at 16"},
		"under its middle":   {at(middles, 2), "2 to 21 at 16"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %s, want %s", name, c[0], c[1])
		}
	}
	if f := behind.sought(2); f == nil || f.Name != "age" || behind.sought(0) != nil {
		t.Errorf("sought %+v", f)
	}
	if f := sheetOf(d, labels, print(d, "12", 50, 70, 30)).sought(2); f != nil {
		t.Errorf("sought %s, which was seen", f.Name)
	}
}

// Property: of two assignments that are about as likely that counts which gives print to all fields that every document has.
func TestAbsent(t *testing.T) {
	d := forest(t)
	w := Weights{"first match": 4, "first any": -4.5}
	for required, want := range map[bool]int{false: -1, true: 0} {
		d.Fields[0].Required = required
		s := sheetOf(d, nil, print(d, "oak", 60, 75, 10))
		s.Weights = w
		s.assign()
		if roles := s.given; roles[0].field != want {
			t.Errorf("required %v: %+v", required, roles[0])
		}
	}
}

// whole is a decoder of some values, and of what is fairly like one.
type whole struct {
	exact
	values []string
	fairly string
}

func (w whole) Match(what string) float64 {
	switch {
	case slices.Contains(w.values, what):
		return 1
	case what == w.fairly:
		return 0.6
	}
	return 0
}

// Property: print is parted where two values meet that are both whole, a number and a phrase, or numbers of two forms of which one may
// lack a sign; and nowhere else.
func TestParting(t *testing.T) {
	d := &Description{readers: []reader{
		{decoder: whole{values: []string{"12", "34", "oak", "a 12"}}}, {decoder: whole{values: []string{"2020/1"}, fairly: "020/1"}},
	}}
	for said, want := range map[string]string{
		"12 oak": "oak", "oak 12": "12", "oak oak": "", "12 34": "", "1 oak": "", "12 oak elm": "", "12oak": "", "a 12 oak": "",
		"12 2020/1": "2020/1", "2020/1 34": "34", "12 020/1": "020/1", "020/1 2020/1": "", "1 2020/1": "", "12 20": "",
	} {
		var symbols []text.Symbol
		for _, r := range said {
			symbols = append(symbols, text.Symbol{Rune: r})
		}
		cut := (&sheet{description: d, Calibration: calibrated(nil)}).parting(symbols, 1, func(from, to int) string { return said[from:to] })
		if got := strings.TrimSpace(said[cut:]); cut > 0 && got != want || cut == 0 && want != "" {
			t.Errorf("%q is cut before %q, want %q", said, got, want)
		}
	}
}

// Property: two lines of a series beside each other are parted at the blank that is wider than those of words, where either side has two
// words and one is such a line; a line with usual blanks, a single word, and what is like no line are left together.
func TestLinesBeside(t *testing.T) {
	series := Description{
		Fields: []Field{{Name: "first", Decoder: "word"}, {Name: "rest", Decoder: "word"}}, Series: [][]string{{"first", "rest"}},
	}
	k := known()
	k.Decoders["word"] = exact{texts: []string{"elm oak", "oak", "ash elm"}}
	for name, c := range map[string]struct {
		said   string
		blank  float64 // of the dot, as wide as a letter is
		series bool
		want   int
	}{
		"two lines":      {"elm oak.yew box", 3, true, 7},
		"the other one":  {"yew box.ash elm", 3, true, 7},
		"a usual blank":  {"elm oak.yew box", 0.8, true, 0},
		"a single word":  {"elm oak.yew", 3, true, 0},
		"no such line":   {"yew box.yew fir", 3, true, 0},
		"none of series": {"elm oak.yew box", 3, false, 0},
	} {
		var symbols []text.Symbol
		at := 0.0
		for _, r := range c.said {
			wide := 1.0
			if r == '.' {
				r, wide = ' ', c.blank
			}
			symbols, at = append(symbols, text.Symbol{Rune: r, Start: at, End: at + wide}), at+wide
		}
		d := series
		if !c.series {
			d.Series = nil
		}
		said := strings.ReplaceAll(c.said, ".", " ")
		s := &sheet{description: New(d, k), Calibration: calibrated(nil)}
		if cut := s.parting(symbols, 0.5, func(from, to int) string { return said[from:to] }); cut != c.want {
			t.Errorf("%s: cut at %d", name, cut)
		}
	}
}

// Property: a page without print has no values and no roles.
func TestAssignNothing(t *testing.T) {
	s := sheetOf(forest(t), nil)
	s.assign()
	if a := s.assigned; len(a.given)+len(a.margins)+len(a.together) != 0 {
		t.Errorf("%+v", a)
	}
}

// Property: a value stands under its label where the same label ends its row in another language and it stands between the two, unless
// other print parts them.
func TestUnderTwoLabels(t *testing.T) {
	d := forest(t)
	pair := []placed{labelAt("tree", 85, 95, 10), labelAt("tree", 50, 56, 10)}
	for name, c := range map[string]struct {
		labels  []placed
		between []stretch
		under   bool
	}{
		"between the two":       {labels: pair, under: true},
		"one alone":             {labels: pair[:1]},
		"another label between": {labels: append(slices.Clone(pair), labelAt("age", 70, 78, 10))},
		"a value between":       {labels: pair, between: []stretch{print(d, "elm", 70, 78, 10)}},
	} {
		s := sheetOf(d, c.labels, append([]stretch{print(d, "oak", 71, 80, 18)}, c.between...)...)
		under := slices.ContainsFunc(s.stretches[0].links, func(l link) bool { return l.label == "tree" && l.how == under })
		if under != c.under {
			t.Errorf("%s: %+v", name, s.stretches[0].links)
		}
	}
}

// Property: a label beside the middle of two lines that are flush announces the upper one, where neither stands on its row and nothing is
// between; one that stands on the row of either announces that.
func TestAstride(t *testing.T) {
	d := forest(t)
	for name, c := range map[string]struct {
		label placed
		right float64 // of the lower line
		want  bool
	}{
		"the middle":            {labelAt("tree", 80, 95, 13), 75, true},
		"lines not flush":       {labelAt("tree", 80, 95, 13), 62, false},
		"the row of the lower":  {labelAt("tree", 80, 95, 16), 75, false},
		"before the lines":      {labelAt("tree", 10, 25, 13), 75, false},
		"far above both":        {labelAt("tree", 80, 95, 2), 75, false},
		"the row of the higher": {labelAt("tree", 80, 95, 10), 75, true},
	} {
		s := sheetOf(d, []placed{c.label}, print(d, "oak", 55, 75, 10), print(d, "elm", 35, c.right, 16))
		if got := s.stretches[0].labelled(&d.Fields[0]); got != c.want || len(s.stretches[0].links) > 1 {
			t.Errorf("%s: %+v", name, s.stretches[0].links)
		}
	}
}

// Property: a label whose wording is a value of its field is one where the same label announces it, and a label elsewhere; words that are
// no value, and wordings of two languages beside each other, stay labels.
func TestDoubledLabels(t *testing.T) {
	d := forest(t)
	first, second := labelAt("tree", 80, 95, 10), labelAt("tree", 60, 70, 10)
	second.Wording = "oak"
	arabic, under, other := first, second, labelAt("age", 80, 95, 10)
	arabic.RightToLeft, under.box = true, labelAt("", 80, 95, 16).box
	for name, c := range map[string]struct {
		labels []placed
		want   bool
	}{
		"behind it":        {[]placed{first, second}, true},
		"under it":         {[]placed{first, under}, true},
		"alone":            {[]placed{second}, false},
		"another label":    {[]placed{other, second}, false},
		"no value":         {[]placed{first, labelAt("tree", 60, 70, 10)}, false},
		"of two languages": {[]placed{arabic, second}, false},
	} {
		s, lines := sheetOf(d, c.labels, print(d, "elm", 30, 45, 30)), make([]line, 31)
		for _, l := range c.labels {
			lines[l.piece].found = append(lines[l.piece].found, l.Found)
		}
		if dropped := s.dropIdle(lines); dropped != c.want {
			t.Errorf("%s: dropped %v", name, dropped)
		}
	}
}

// Property: a label that announces nothing, beside words of its line, is one of these words where the same label announces a value
// elsewhere or nothing parts it from the words before it, and a label still where it stands alone, announces a value itself, or is the
// only one and apart.
func TestIdleLabels(t *testing.T) {
	d := forest(t)
	within := labelAt("title", 10, 30, 30)
	within.Within = true
	first, second := labelAt("age", 80, 95, 10), labelAt("age", 80, 95, 30)
	number, again, words := print(d, "12", 60, 75, 10), print(d, "12", 60, 75, 30), print(d, "oak", 60, 75, 30)
	for name, c := range map[string]struct {
		labels    []placed
		stretches []stretch
		idle      bool
	}{
		"ends a phrase":     {[]placed{within}, []stretch{print(d, "oak", 35, 75, 30)}, true},
		"something follows": {[]placed{within}, []stretch{print(d, "oak", 35, 75, 30), print(d, "elm", 2, 8, 30)}, false},
		"words beside it":   {[]placed{first, second}, []stretch{number, words}, true},
		"alone on its line": {[]placed{first, second}, []stretch{number}, false},
		"the only one":      {[]placed{second}, []stretch{words}, false},
		"both announce":     {[]placed{first, second}, []stretch{number, again}, false},
	} {
		s, lines := sheetOf(d, c.labels, c.stretches...), make([]line, 31)
		for _, l := range c.labels {
			lines[l.piece].found = []label.Found{l.Found}
		}
		if dropped := s.dropIdle(lines); dropped != c.idle || (len(lines[30].found) == 0) != c.idle {
			t.Errorf("%s: dropped %v, %d left", name, dropped, len(lines[30].found))
		}
	}
}

// Property: a label of no field that runs on into what is behind it, with which it is a value, is words of that on a form that parts its
// own labels from their values; a title, what is like no value, and a label of a form whose own ones run on stay labels.
func TestRunningLabels(t *testing.T) {
	running := func(name string, y float64) placed {
		l := labelAt(name, 80, 95, y)
		l.Runs = true
		return l
	}
	own := labelAt("age", 80, 95, 10)
	for name, c := range map[string]struct {
		value  string
		labels []placed
		want   bool
	}{
		"runs on":         {"seats 8", []placed{own, running("seats", 30)}, true},
		"no own labels":   {"seats 8", []placed{running("seats", 30)}, true},
		"parted":          {"seats 8", []placed{own, labelAt("seats", 80, 95, 30)}, false},
		"no value":        {"8", []placed{own, running("seats", 30)}, false},
		"a title":         {"title 8", []placed{own, running("title", 30)}, false},
		"a field's":       {"note 8", []placed{own, running("note", 30)}, false},
		"own ones run on": {"seats 8", []placed{running("age", 10), running("seats", 30)}, false},
	} {
		k := known()
		k.Decoders["word"] = exact{texts: []string{"oak", c.value}}
		d := New(*forest(t), k)
		s, lines := sheetOf(d, c.labels, print(d, "12", 60, 75, 10), print(d, "8", 60, 75, 30)), make([]line, 31)
		for i := range s.stretches {
			for n := range s.stretches[i].links {
				s.stretches[i].links[n].whole = true
			}
		}
		for _, l := range c.labels {
			lines[l.piece].found = []label.Found{l.Found}
		}
		if dropped := s.dropIdle(lines); dropped != c.want || (len(lines[30].found) == 0) != c.want {
			t.Errorf("%s: dropped %v, %d left", name, dropped, len(lines[30].found))
		}
	}
}

// Property: a label of no field, with what it announces, is words of a line of a series where another such line, behind no label, stands
// close to it and flush with it; a field's label and one of a row of labels stay labels.
func TestLabelsThatBeginLines(t *testing.T) {
	for name, c := range map[string]struct {
		label, value, line string
		right, y           float64
		beside             []placed
		want               bool
	}{
		"under a line":         {"other", "elm", "oak", 95, 20, nil, true},
		"over a line":          {"other", "elm", "oak", 95, 40, nil, true},
		"a field's":            {"age", "elm", "oak", 95, 20, nil, false},
		"not flush":            {"other", "elm", "oak", 80, 20, nil, false},
		"far":                  {"other", "elm", "oak", 95, 55, nil, false},
		"announces no line":    {"other", "12", "oak", 95, 20, nil, false},
		"no line":              {"other", "elm", "12", 95, 20, nil, false},
		"behind another label": {"other", "elm", "oak", 95, 20, []placed{labelAt("tree", 96, 99, 20)}, false},
	} {
		d := New(Description{Kind: "forest_card", Titles: []string{"title"}, Labels: trees(), Fields: []Field{
			{Name: "age", Decoder: "number", Labels: []string{"age"}, Lines: 1},
			{Name: "first", Decoder: "word", Lines: 3},
			{Name: "second", Decoder: "word", Lines: 1},
		}, Series: [][]string{{"first", "second"}}}, known())
		labels := append(c.beside, labelAt(c.label, 80, 95, 30))
		s := sheetOf(d, labels, print(d, c.value, 60, 75, 30), print(d, c.line, 60, c.right, c.y))
		if got := s.beginsLine(len(s.labels)-1) && !d.reads(c.label); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Property: where values stand by their labels is told by the labels that have print on one side alone.
func TestWay(t *testing.T) {
	d := forest(t)
	labels := []placed{labelAt("tree", 80, 95, 10), labelAt("age", 80, 95, 30)}
	for name, test := range map[string]struct {
		stretches []stretch
		want      float64
	}{
		"under":  {[]stretch{print(d, "oak", 80, 94, 16), print(d, "12", 82, 94, 36)}, 1},
		"behind": {[]stretch{print(d, "oak", 60, 75, 10), print(d, "12", 60, 75, 30)}, -1},
		"mixed":  {[]stretch{print(d, "oak", 80, 94, 16), print(d, "12", 60, 75, 30)}, 0},
		"both":   {[]stretch{print(d, "oak", 60, 75, 10), print(d, "elm", 80, 94, 16)}, 0},
		"none":   {nil, 0},
	} {
		if got := sheetOf(d, labels, test.stretches...).way; got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Property: print beside a value on its row that is taken for no field is its rest where both together are like a value, and not where a
// label, a wide gap or another value stands between, nor where it says nothing. No gap is too wide behind the label of both.
func TestRestOf(t *testing.T) {
	d := forest(t)
	d.readers[d.Fields[d.field("tree")].reader].decoder = exact{texts: []string{"oak tree", "k tree", "oak"}}
	value := print(d, "tree", 40, 55, 10)
	for name, test := range map[string]struct {
		rest   stretch
		labels []placed
		others []stretch
		want   bool
	}{
		"before it":   {print(d, "oak", 20, 35, 10), nil, nil, true},
		"far away":    {print(d, "oak", 2, 15, 10), nil, nil, false},
		"of one cell": {print(d, "oak", 2, 15, 10), []placed{labelAt("tree", 80, 95, 10)}, nil, true},
		"another row": {print(d, "oak", 20, 35, 20), nil, nil, false},
		"a label":     {print(d, "oak", 20, 35, 10), []placed{labelAt("age", 36, 39, 10)}, nil, false},
		"a value":     {print(d, "oak", 20, 35, 10), nil, []stretch{print(d, "12", 36, 39, 10)}, false},
		"nothing":     {print(d, "elm", 20, 35, 10), nil, nil, false},
		"too short":   {print(d, "k", 20, 35, 10), nil, nil, false},
		"one sign":    {print(d, "k", 2, 15, 10), []placed{labelAt("tree", 80, 95, 10)}, nil, true},
	} {
		s := sheetOf(d, test.labels, append([]stretch{value, test.rest}, test.others...)...)
		s.given = []role{{}, none, {}}[:len(s.stretches)]
		if got := s.restOf(0, 1, d.decoder(&d.Fields[0])); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		apart := []string{"far away", "of one cell", "one sign", "another row", "a label", "a value"}
		if want := !slices.Contains(apart, name); s.loose(0) != want {
			t.Errorf("%s: print beside the value that is no field: %v, want %v", name, !want, want)
		}
		if len(test.others) > 0 {
			s.given[2], s.stretches[2].said = none, "7"
			if !s.restOf(0, 1, d.decoder(&d.Fields[0])) {
				t.Errorf("%s: a single sign that is no field parts the value from its rest", name)
			}
			s.given[2] = taken
			if !s.restOf(0, 1, d.decoder(&d.Fields[0])) {
				t.Errorf("%s: what joined the value before parts it from its rest", name)
			}
		}
	}
}

// plate is a decoder of rows of signs.
type plate struct{ exact }

func (plate) Match(what string) float64 {
	switch what {
	case "a b 12", "oak elm":
		return 0.9
	case "123 456": // digits are put together for less
		return 0.6
	case "123", "456", "1234": // as a date whose signs were lost
		return 0.45
	case "a 1234":
		return 0.6
	}
	return 0.1
}

// Property: what stands apart on one row is put together where it is much more like a value so, all of it and nothing beyond, from the
// right whatever was found first: not across a label, a wide gap or a row, and no values of their own. A sign alone may stand far off.
// Clear words that no more than a usual blank parts are one text, whatever they say; scraps and numbers are not.
func TestSpread(t *testing.T) {
	d := forest(t)
	d.readers = append(d.readers, reader{decoder: plate{}})
	a, b, number := print(d, "a", 90, 94, 10), print(d, "b", 80, 84, 10), print(d, "12", 60, 72, 10)
	far, below := print(d, "12", -40, -10, 10), print(d, "12", 60, 72, 30)
	scrap := print(d, "???", 72, 78, 10)
	scrap.clear = 0.3
	for name, test := range map[string]struct {
		labels    []placed
		stretches []stretch
		want      bool
	}{
		"a row":       {nil, []stretch{a, b, number}, true},
		"far signs":   {nil, []stretch{a, b, print(d, "12", 10, 22, 10)}, true},
		"one hangs":   {nil, []stretch{b, number, print(d, "a", 90, 94, 12)}, true},
		"two hang":    {nil, []stretch{a, number, print(d, "b", 80, 84, 12.7)}, true},
		"one unseen":  {nil, []stretch{a, print(d, "1234", 60, 72, 10)}, true},
		"one lacks":   {nil, []stretch{a, number}, false},
		"a label":     {[]placed{labelAt("age", 74, 78, 10)}, []stretch{a, b, number}, false},
		"far away":    {nil, []stretch{a, b, far}, false},
		"digits":      {nil, []stretch{print(d, "123", 80, 94, 10), print(d, "456", 60, 72, 10)}, true},
		"another row": {nil, []stretch{a, b, below}, false},
		"two values":  {nil, []stretch{print(d, "oak", 80, 94, 10), print(d, "elm", 60, 74, 10)}, false},
		"two words":   {nil, []stretch{print(d, "oak", 80, 94, 10), print(d, "???", 60, 78, 10)}, true},
		"a scrap":     {nil, []stretch{print(d, "oak", 80, 94, 10), scrap, print(d, "elm", 60, 70, 10)}, false},
		"a count":     {nil, []stretch{print(d, "oak", 80, 94, 10), print(d, "123", 60, 78, 10)}, false},
	} {
		s := sheetOf(d, test.labels, test.stretches...)
		row := s.inRows()[0]
		end := s.reach(row, 0)
		if _, ok := s.spread(row[:end]); ok != test.want {
			t.Errorf("%s: of %d stretches: %v", name, end, ok)
		}
	}
}

// Property: print whose places may be exchanged as well is in doubt on both sides, however clear each role is alone, unless an order sorts
// the two: then the same is answered. Where one of them is something else it is in doubt all the same. What print would be instead is told.
func TestExchangeable(t *testing.T) {
	oak, elm, none := role{0, false}, role{1, false}, role{-1, false}
	s := &sheet{stretches: make([]stretch, 3), description: forest(t)}
	got, instead := s.apart([]assignment{
		{[]role{oak, elm, none}, 5}, {[]role{elm, oak, none}, 4.6}, {[]role{oak, none, elm}, 1},
	})
	if !slices.Equal(instead, []role{elm, oak, elm}) {
		t.Errorf("instead: %v", instead)
	}
	for i, want := range []float64{0.4, 0.4, 4} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("stretch %d: %v nats, want %v", i, got[i], want)
		}
	}
	sorted := *s.description
	sorted.Orders = []Order{{First: "age", Second: "tree"}}
	s.description = &sorted
	got, _ = s.apart([]assignment{
		{[]role{oak, elm, none}, 5}, {[]role{elm, oak, none}, 4.6}, {[]role{none, oak, elm}, 3}, {[]role{oak, none, elm}, 1},
	})
	for i, want := range []float64{2, 2, 2} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("where an order sorts the two, stretch %d: %v nats, want %v", i, got[i], want)
		}
	}
	if alone, instead := s.apart([]assignment{{[]role{oak, elm, none}, 5}}); !math.IsInf(alone[0], 1) || instead[0] != none {
		t.Errorf("without another assignment: %v, %v", alone, instead)
	}
}
