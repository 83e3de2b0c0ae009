package form

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Where print is sought behind a label, as shares of the page's width and in heights of the label: how far it may begin and end, how long
// it is at least and, where other values of its column tell where it begins, at most; what is looked at first.
const (
	soughtRim   = 0.02
	soughtFar   = 0.25
	soughtGap   = 0.15
	soughtRoom  = 0.5
	leastSought = 1.2
	mostSought  = 8.0
	nearSought  = 3.0
	// sameColumn is how far, as a share of the width, labels of one column end apart, and evenColumn the values of one.
	sameColumn, evenColumn = 0.03, 0.02
)

// seek reads what stands behind the labels of fields that are sought where the detector saw nothing, as it does of a sign that stands
// alone.
func (s *sheet) seek(ctx context.Context) error {
	for k := range s.labels {
		f := s.sought(k)
		if f == nil {
			continue
		}
		blank := s.blankBehind
		if s.way > 0 {
			blank = s.blankUnder
		}
		l, ok := blank(k)
		if !ok {
			continue
		}
		if err := s.seekIn(ctx, l, k, f.reader); err != nil {
			return err
		}
	}
	return nil
}

// seekIn reads the right end of a blank and, where no value stands there, all of it: a sign in much paper is taken for several.
func (s *sheet) seekIn(ctx context.Context, l text.Line, label, reader int) error {
	end := l
	if share := nearSought * l.Height / max(l.Length(), 1); share < 1 {
		end.Start = appliance.Point{X: l.End.X - share*(l.End.X-l.Start.X), Y: l.End.Y - share*(l.End.Y-l.Start.Y)}
	}
	for _, l := range [...]text.Line{end, l} {
		ink, err := s.ReadLine(ctx, l, s.labels[label].row)
		if err != nil {
			return err
		}
		if x := s.stretchOf(ink, nil, s.labels[label].piece); x.matches[reader] >= likely {
			s.insert(x)
			return nil
		}
	}
	return nil
}

// sought is the field for whose value print is to be sought behind a label: one of those that are, without print at any of its labels.
func (s *sheet) sought(label int) *Field {
	i := slices.IndexFunc(s.description.Fields, func(f Field) bool { return f.Sought && slices.Contains(f.Labels, s.labels[label].Label) })
	if i < 0 {
		return nil
	}
	f := &s.description.Fields[i]
	for k := range s.stretches {
		x := &s.stretches[k]
		if x.matches[f.reader] >= likely && slices.ContainsFunc(x.links, func(l link) bool { return slices.Contains(f.Labels, l.label) }) {
			return nil
		}
	}
	return f
}

// blankBehind is the blank behind a label, up to the next print: where the values of its column begin, if there is one.
func (s *sheet) blankBehind(label int) (l text.Line, ok bool) {
	b := &s.labels[label].box
	left, right := max(soughtRim*s.Width, b.left-soughtFar*s.Width), b.left-soughtGap*b.height
	if column, ok := s.column(label); ok && column < right {
		right = column + soughtRoom*b.height
		left = max(soughtRim*s.Width, right-mostSought*b.height)
	}
	return s.blank(b, b.y, left, right, b.height)
}

// blankUnder is the blank under a label, as far down as values stand under theirs.
func (s *sheet) blankUnder(label int) (l text.Line, ok bool) {
	var drops, heights []float64
	for i := range s.stretches {
		x := &s.stretches[i]
		for _, l := range x.links {
			if l.how == under {
				drops, heights = append(drops, l.gap*max(x.height, s.labels[l.at].height)), append(heights, x.height)
			}
		}
	}
	if len(drops) == 0 {
		return l, false
	}
	slices.Sort(drops)
	slices.Sort(heights)
	b, height := &s.labels[label].box, heights[len(heights)/2]
	right := b.right + soughtRoom*height
	return s.blank(b, b.y+drops[len(drops)/2], max(soughtRim*s.Width, right-mostSought*height), right, height)
}

// blank is a line without print between two places of the row of a label or under it, cut short by what stands left of it.
func (s *sheet) blank(label *box, y, left, right, height float64) (l text.Line, ok bool) {
	row := box{left: left, right: right, y: y, height: height}
	clear := func(o box) {
		switch {
		case o == *label || !o.level(row):
		case o.right < right-height:
			left = max(left, o.right+soughtRoom*height)
		case o.left < right-height && o.right > left:
			left = right // something stands there
		}
	}
	for k := range s.labels {
		clear(s.labels[k].box)
	}
	for k := range s.stretches {
		clear(s.stretches[k].box)
	}
	if right-left < leastSought*height {
		return l, false
	}
	of := s.Rows[label.row][0]
	slope := (of.End.Y - of.Start.Y) / max(of.End.X-of.Start.X, 1)
	at := func(x float64) appliance.Point { return appliance.Point{X: x, Y: y + slope*(x-label.middle())} }
	return text.Line{Start: at(left), End: at(right), Height: height, Light: of.Light}, true
}

// column is the right end that the values behind the labels of a label's column have in common.
func (s *sheet) column(label int) (right float64, ok bool) {
	var ends []float64
	for k := range s.labels {
		o := &s.labels[k]
		if k == label || math.Abs(o.right-s.labels[label].right) > sameColumn*s.Width {
			continue
		}
		for i := range s.stretches {
			x := &s.stretches[i]
			if x.level(o.box) && slices.ContainsFunc(x.links, func(l link) bool { return l.label == o.Label && l.how == behind && !l.whole }) {
				ends = append(ends, x.right)
			}
		}
	}
	slices.Sort(ends)
	if len(ends) < 2 || ends[(len(ends)-1)*3/4]-ends[len(ends)/4] > evenColumn*s.Width {
		return 0, false
	}
	return ends[len(ends)/2], true
}

// insert puts a stretch among the others, in the order of reading, and relates them anew.
func (s *sheet) insert(x stretch) {
	i, _ := slices.BinarySearchFunc(s.stretches, x, func(o, x stretch) int {
		return cmp.Or(cmp.Compare(o.row, x.row), cmp.Compare(x.right, o.right))
	})
	s.stretches = slices.Insert(s.stretches, i, x)
	s.relate()
}
