package form

import (
	"iter"
	"math"
	"slices"
)

// relation is how a stretch stands to a label.
type relation int

// Relations: the value begins right behind its label, or behind another value; it stands under it; it stands before it, as on
// documents that are laid out from the left.
const (
	behind relation = iota
	further
	under
	before
)

// link is a label to which a stretch stands in a relation.
type link struct {
	label string
	at    int // which of the labels of the page
	how   relation
	cost  float64 // of the label's spelling, for each of its signs
	gap   float64 // between the two, in heights
	whole bool    // both are one line of text
}

// announces reports whether a value stands as one does to its label.
func (l link) announces() bool { return l.how == behind || l.how == under }

// labelled reports whether a label of a field announces a stretch.
func (x *stretch) labelled(f *Field) bool {
	return slices.ContainsFunc(x.links, func(l link) bool { return slices.Contains(f.Labels, l.label) && l.announces() })
}

// level reports whether two boxes stand on one height.
func (j *Judged) level(b, o box) bool { return math.Abs(b.y-o.y) < j.OnLevel*max(b.height, o.height) }

// over reports whether two boxes have enough of their width in common for one to stand under the other.
func (j *Judged) over(b, o box) bool {
	return min(b.right, o.right)-max(b.left, o.left) > j.LeastOver*min(b.right-b.left, o.right-o.left)
}

// middle is the middle of a box along its row.
func (b box) middle() float64 { return (b.left + b.right) / 2 }

// relate finds for each stretch the labels and the stretches about it.
func (s *sheet) relate() {
	s.clarity = 0
	for i := range s.stretches {
		x := &s.stretches[i]
		x.links = nil
		for k := range s.labels {
			if l, ok := s.link(x.box, k); ok {
				x.links = append(x.links, l)
			}
		}
		x.above, x.below = s.next(i, -1), s.next(i, 1)
		s.clarity += x.clear / float64(len(s.stretches))
	}
	s.way = s.wayOf()
}

// wayOf tells where values stand on a page: 1 where all of them stand under their labels, -1 where all stand behind them. Labels that have
// print in both places, or in none, do not tell.
func (s *sheet) wayOf() float64 {
	placed, sum := map[string]map[relation]bool{}, 0.0
	for i := range s.stretches {
		for _, l := range s.stretches[i].links {
			if placed[l.label] == nil {
				placed[l.label] = map[relation]bool{}
			}
			placed[l.label][l.how] = true
		}
	}
	for _, at := range placed {
		switch {
		case at[under] && !at[behind]:
			sum++
		case at[behind] && !at[under]:
			sum--
		}
	}
	return sum / float64(max(len(placed), 1))
}

// next is the nearest stretch over (-1) or under (1) one.
func (s *sheet) next(i int, side float64) (nearest int) {
	nearest = -1
	x, least := s.stretches[i].box, math.Inf(1)
	for k := range s.stretches {
		o := s.stretches[k].box
		if k == i || s.level(x, o) || !s.over(x, o) {
			continue
		}
		if d := side * (o.y - x.y); d > 0 && d < least {
			nearest, least = k, d
		}
	}
	return nearest
}

// link tells how a stretch stands to a label.
func (s *sheet) link(x box, label int) (l link, ok bool) {
	b := &s.labels[label]
	l = link{label: b.Label, at: label, cost: b.each(), whole: x.piece == b.piece}
	high := max(x.height, b.height)
	if s.level(x, b.box) {
		labels, values := s.between(x, b.box, label, func(int) bool { return false })
		if labels > 0 {
			return l, false
		}
		switch {
		case b.middle() < x.middle() && values == 0:
			l.how, l.gap = before, (x.left-b.right)/high
		case b.middle() < x.middle():
			return l, false
		case values == 0:
			l.how, l.gap = behind, (b.left-x.right)/high
		default:
			l.how, l.gap = further, (b.left-x.right)/high
		}
		return l, true
	}
	l.gap = (x.y - b.y) / high
	if l.gap <= 0 || l.gap > s.FarUnder || !s.over(x, s.cell(label)) || s.screened(x, b.box, label) {
		return l, false
	}
	l.how = under
	return l, true
}

// cell is the place under which the values of a label stand: its own or, where the same label stands at the other end of the row in another
// language with nothing between the two, what reaches from one to the other.
func (s *sheet) cell(label int) box {
	out := s.labels[label].box
	for k, o := range s.labels {
		if o.Label != s.labels[label].Label || !s.level(o.box, out) {
			continue
		}
		if labels, values := s.between(s.labels[label].box, o.box, k, func(int) bool { return false }); labels+values == 0 {
			out.left, out.right = min(out.left, o.left), max(out.right, o.right)
		}
	}
	return out
}

// between counts the labels and stretches on one row between two boxes, without one label and the stretches that joined other ones.
func (s *sheet) between(x, y box, label int, joined func(stretch int) bool) (labels, values int) {
	from, to := min(x.middle(), y.middle()), max(x.middle(), y.middle())
	in := func(o box) bool { return o.middle() > from && o.middle() < to && s.level(o, x) }
	for k := range s.labels {
		if k != label && in(s.labels[k].box) {
			labels++
		}
	}
	for k := range s.stretches {
		if o := s.stretches[k].box; o != x && !joined(k) && in(o) {
			values++
		}
	}
	return labels, values
}

// screened reports whether other print stands between a label and what is under it.
func (s *sheet) screened(x, b box, label int) bool {
	for o := range s.others(label) {
		if o.y > b.y && o.y < x.y && !s.level(o, b) && !s.level(o, x) && s.over(o, x) {
			return true
		}
	}
	return false
}

// others are the places of all labels but one, and of all stretches.
func (s *sheet) others(label int) iter.Seq[box] {
	return func(yield func(box) bool) {
		for k := range s.labels {
			if k != label && !yield(s.labels[k].box) {
				return
			}
		}
		for k := range s.stretches {
			if !yield(s.stretches[k].box) {
				return
			}
		}
	}
}
