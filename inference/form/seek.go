package form

import (
	"cmp"
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// seek reads what stands behind the labels of fields that are sought where the detector saw nothing, as it does of a sign that stands
// alone: the right end of the blank and, where no value stands there, all of it. A sign in much paper is taken for several.
func (s *sheet) seek(ctx context.Context) error {
	for k := range s.labels {
		f := s.sought(k)
		if f == nil {
			continue
		}
		b := s.blank(k)
		for _, left := range [...]float64{max(b.left, b.right-s.NearSought*b.height), b.left} {
			if b.right-b.left < s.LeastSought*b.height {
				break
			}
			ink, err := s.ReadLine(ctx, s.lineIn(box{left: left, right: b.right, y: b.y, height: b.height}, k), s.labels[k].row)
			if err != nil {
				return err
			}
			if x := s.stretchOf(&ink, ink.Text(), nil, s.labels[k].piece); x.matches[f.reader] >= s.Likely {
				i, _ := slices.BinarySearchFunc(s.stretches, x, func(o, x stretch) int {
					return cmp.Or(cmp.Compare(o.row, x.row), cmp.Compare(x.right, o.right))
				})
				s.stretches = slices.Insert(s.stretches, i, x)
				s.relate()
				break
			}
		}
	}
	return nil
}

// sought is the field for whose value print is to be sought behind a label: one of those that are, without print at any of its labels.
func (s *sheet) sought(label int) *Field {
	for i := range s.description.Fields {
		f := &s.description.Fields[i]
		seen := func(x stretch) bool {
			return x.matches[f.reader] >= s.Likely && slices.ContainsFunc(x.links, func(l link) bool { return slices.Contains(f.Labels, l.label) })
		}
		if f.Sought && slices.Contains(f.Labels, s.labels[label].Label) && !slices.ContainsFunc(s.stretches, seen) {
			return f
		}
	}
	return nil
}

// blank is the place for a value behind a label or, where values stand under their labels, under it, cut short by other print.
func (s *sheet) blank(label int) box {
	b := s.labels[label].box
	out := box{y: b.y, left: b.left - s.SoughtFar*s.Width, right: b.left - s.SoughtGap*b.height, height: b.height}
	ends, drops, heights := s.usual(label)
	switch n := len(ends); {
	case s.way > 0 && len(drops) > 0:
		out.y, out.height = b.y+drops[len(drops)/2], heights[len(heights)/2]
		out.right = b.right + s.SoughtRoom*out.height
		out.left = out.right - s.MostSought*out.height
	case n > 1 && ends[(n-1)*3/4]-ends[n/4] <= s.EvenColumn*s.Width && ends[n/2] < out.right: // geometry: quartiles
		out.right = ends[n/2] + s.SoughtRoom*b.height
		out.left = out.right - s.MostSought*b.height
	}
	out.left = max(out.left, s.SoughtRim*s.Width)
	for o := range s.others(label) {
		switch before := out.right - out.height; {
		case !s.level(o, box{y: out.y, height: out.height}):
		case o.right < before:
			out.left = max(out.left, o.right+s.SoughtRoom*out.height)
		case o.left < before && o.right > out.left:
			out.left = out.right // something stands there
		}
	}
	return out
}

// usual tells where values stand: the right ends of those behind the labels of a label's column, and how far under their labels and how
// high the others are, each from the least.
func (s *sheet) usual(label int) (ends, drops, heights []float64) {
	for i := range s.stretches {
		x := &s.stretches[i]
		for _, l := range x.links {
			o := &s.labels[l.at]
			off := o.right - s.labels[label].right
			switch {
			case l.how == under:
				drops, heights = append(drops, x.y-o.y), append(heights, x.height)
			case l.how == behind && !l.whole && l.at != label && max(off, -off) <= s.SameColumn*s.Width:
				ends = append(ends, x.right)
			}
		}
	}
	slices.Sort(ends)
	slices.Sort(drops)
	slices.Sort(heights)
	return ends, drops, heights
}

// lineIn is a line in a place on the row of a label, or under it.
func (s *sheet) lineIn(b box, label int) text.Line {
	of := s.Rows[s.labels[label].row][0]
	slope := (of.End.Y - of.Start.Y) / max(of.End.X-of.Start.X, 1)
	at := func(x float64) appliance.Point {
		return appliance.Point{X: x, Y: b.y + slope*(x-s.labels[label].middle())}
	}
	return text.Line{Start: at(b.left), End: at(b.right), Height: b.height, Light: of.Light, Sought: true}
}
