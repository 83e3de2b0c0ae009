package form

import (
	"testing"

	"github.com/bawab/bawab/inference/label"
)

// arabicLabel is a label of an invented sheet that is written from the right.
func arabicLabel(name string, left, right, y float64) placed {
	l := labelAt(name, left, right, y)
	l.RightToLeft = true
	return l
}

// Property: labels stand left of their values where those at an end of their row, with a value beside them, mostly do: not where one does,
// nor where what stands there is no value of theirs, nor where they are written from the left, as these always do.
func TestTellsLeft(t *testing.T) {
	d := forest(t)
	left, other := arabicLabel("tree", 5, 15, 10), arabicLabel("age", 5, 15, 20)
	inner, right := arabicLabel("age", 50, 60, 10), arabicLabel("tree", 85, 95, 30)
	oak, number, elm := print(d, "oak", 20, 40, 10), print(d, "12", 20, 40, 20), print(d, "elm", 60, 80, 30)
	for name, c := range map[string]struct {
		labels    []placed
		stretches []stretch
		want      bool
	}{
		"left":              {[]placed{left, other}, []stretch{oak, number}, true},
		"two columns":       {[]placed{left, inner, other}, []stretch{oak, print(d, "12", 70, 90, 10), number}, true},
		"left, one right":   {[]placed{left, other, right}, []stretch{oak, number, elm}, false},
		"one of them":       {[]placed{left}, []stretch{oak}, false},
		"no values":         {[]placed{left, other}, []stretch{print(d, "?", 20, 40, 10), print(d, "?", 20, 40, 20)}, false},
		"print about them":  {[]placed{left, other}, []stretch{oak, number, print(d, "elm", -9, 1, 20)}, false},
		"from the left":     {[]placed{labelAt("tree", 5, 15, 10), labelAt("age", 5, 15, 20)}, []stretch{oak, number}, false},
		"above the values":  {[]placed{left, inner}, []stretch{print(d, "oak", 5, 15, 15), print(d, "12", 50, 60, 15)}, false},
		"without any print": {[]placed{left, other}, nil, false},
	} {
		if got := sheetOf(d, c.labels, c.stretches...).tellsLeft(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Property: a label that stands left of its values has them behind it there, and what stands left of it is before it.
func TestBehindToTheRight(t *testing.T) {
	d := forest(t)
	l := arabicLabel("tree", 40, 50, 10)
	l.ToRight = true
	s := sheetOf(d, []placed{l}, print(d, "oak", 60, 80, 10), print(d, "elm", 82, 98, 10), print(d, "ash", 10, 30, 10))
	for i, want := range []relation{behind, further, before} {
		if x := s.stretches[i]; len(x.links) != 1 || x.links[0].how != want || x.links[0].gap <= 0 {
			t.Errorf("%s: %+v, want %s", x.said, x.links, want)
		}
	}
}

// Property: words alone that lead into a value are put together with what stands beside them however far, as far as no label stands
// between; what has words of its own is complete.
func TestLeadsInto(t *testing.T) {
	d := forest(t)
	lead := print(d, "oak", 80, 90, 10)
	lead.lead = &label.Found{Label: "tree", Wording: "oak", First: 0, Last: 2}
	whole := lead
	whole.said = "oak of Lebanon"
	led := print(d, "elm", 20, 30, 10)
	led.lead = lead.lead
	for name, c := range map[string]struct {
		labels []placed
		first  stretch
		second stretch
		want   bool
	}{
		"far apart":       {nil, lead, print(d, "elm", 20, 30, 10), true},
		"complete":        {nil, whole, print(d, "elm", 20, 30, 10), false},
		"a label between": {[]placed{labelAt("age", 50, 60, 10)}, lead, print(d, "elm", 20, 30, 10), false},
		"two of them":     {nil, lead, led, false},
		"another row":     {nil, lead, print(d, "elm", 20, 30, 30), false},
		"no lead":         {nil, print(d, "oak", 80, 90, 10), print(d, "elm", 20, 30, 10), false},
	} {
		s := sheetOf(d, c.labels, c.first, c.second)
		if got := s.leadsInto(0, 1); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if _, ok := s.spread([]int{0, 1}); c.want && !ok {
			t.Errorf("%s: the two are no text together", name)
		}
	}
}

// Property: print right behind a label that is neither the field's nor a title is no further line of a value, and does not begin one that
// follows another; behind a title, behind a label of its own, or of what it follows, it may.
func TestFurtherBehindAnother(t *testing.T) {
	d := forest(t)
	note := role{field: d.field("note")}
	for beside, want := range map[string]bool{"age": false, "soil": false, "tree": false, "title": true, "note": true, "": true} {
		labels := []placed{labelAt("note", 80, 95, 10)}
		if beside != "" {
			labels = append(labels, labelAt(beside, 80, 95, 16))
		}
		s := sheetOf(d, labels, print(d, "oak", 50, 70, 10), print(d, "elm", 50, 70, 16))
		if got := s.fits([]role{note}, 1, role{field: note.field, further: true}); got != want {
			t.Errorf("behind %q: %v", beside, got)
		}
		s.description.Fields[note.field].Follows = "tree"
		if got := s.fits([]role{none}, 1, note); got != (want || beside == "tree") {
			t.Errorf("behind %q, following: %v", beside, got)
		}
		s.description.Fields[note.field].Follows = ""
	}
}
