package form

import (
	"math"
	"slices"
)

// relation is how a stretch stands to a label.
type relation string

// Relations: the value begins right behind its label, or behind another value; it stands under it; it stands before it, as on
// documents that are laid out from the left.
const (
	behind  relation = "behind"
	further relation = "further behind"
	under   relation = "under"
	before  relation = "before"
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

// announcedBy reports whether a label announces a field. Words that lead into its value are one where they stand apart from it.
func (f *Field) announcedBy(label string) bool {
	return slices.Contains(f.Labels, label) || slices.Contains(f.Leads, label)
}

// labelled reports whether a label of a field announces a stretch.
func (x *stretch) labelled(f *Field) bool {
	return slices.ContainsFunc(x.links, func(l link) bool { return f.announcedBy(l.label) && l.announces() })
}

// announcedElse reports whether a stretch cannot have a role, of a further line or of a field that follows another one, since it stands
// right behind a label that is neither a title nor one of the two's, and behind none of the field: where values stand behind their labels.
func (s *sheet) announcedElse(x *stretch, r role) bool {
	d, f := s.description, &s.description.Fields[r.field]
	if s.way > 0 || !r.further && f.Follows == "" || x.labelled(f) {
		return false
	}
	return slices.ContainsFunc(x.links, func(l link) bool {
		own := f.Follows != "" && d.Fields[d.field(f.Follows)].announcedBy(l.label)
		return l.how == behind && !own && !slices.Contains(d.Titles, l.label)
	})
}

// reads reports whether a field has a label.
func (d *Description) reads(label string) bool {
	return slices.ContainsFunc(d.Fields, func(f Field) bool { return f.announcedBy(label) })
}

// behind reports whether a stretch stands behind a label, at once or behind another value.
func (x *stretch) behind(label int) bool {
	return slices.ContainsFunc(x.links, func(l link) bool { return l.at == label && (l.how == behind || l.how == further) })
}

// level reports whether two boxes stand on one height.
func (j *Judged) level(b, o box) bool { return math.Abs(b.y-o.y) < j.OnLevel*max(b.height, o.height) }

// over reports whether two boxes have enough of their width in common for one to stand under the other.
func (j *Judged) over(b, o box) bool {
	return min(b.right, o.right)-max(b.left, o.left) > j.LeastOver*min(b.right-b.left, o.right-o.left)
}

// onRow is level for signs of one row, of which few may hang under it.
func (s *sheet) onRow(x, o box) bool { return math.Abs(x.y-o.y) < s.Hanging*max(x.height, o.height) }

// apartBy is the gap between two boxes of one row, in heights.
func (s *sheet) apartBy(x, y box) float64 {
	return (max(x.left, y.left) - min(x.right, y.right)) / max(x.height, y.height)
}

// flush reports whether print stands close above other print, and ends with it on the right or is centred as it is.
func (s *sheet) flush(x, o *stretch) bool {
	off := min(math.Abs(x.right-o.right), math.Abs(x.middle()-o.middle()))
	return off < s.IdleFlush*o.height && o.y-x.y < s.IdleNear*o.height
}

// middle is the middle of a box along its row.
func (b box) middle() float64 { return (b.left + b.right) / 2 }

// relate finds for each stretch the labels and the stretches about it.
func (s *sheet) relate() {
	s.clarity, s.cells = 0, nil
	for k := range s.labels {
		s.cells = append(s.cells, s.cell(k))
	}
	for i := range s.stretches {
		x := &s.stretches[i]
		x.links, x.above, x.below = s.linksOf(x.box), s.next(i, -1), s.next(i, 1)
		s.astride(x)
		s.clarity += x.clear / float64(len(s.stretches))
	}
	s.way = s.wayOf()
}

// astride links a stretch to the labels that stand beside the middle of it and of the line under it, as in ruled forms.
func (s *sheet) astride(x *stretch) {
	if x.below < 0 || !s.flush(x, &s.stretches[x.below]) {
		return
	}
	lower := s.stretches[x.below].box
	middle := x.box
	middle.y += (lower.y - x.y) / 2
	for _, l := range s.linksOf(middle) {
		if l.how == behind && !x.behind(l.at) && !s.level(lower, s.labels[l.at].box) {
			x.links = append(x.links, l)
		}
	}
}

// wayOf tells where values stand on a page: 1 where all of them stand under their labels, -1 where all stand behind them. Labels that have
// print in both places, or in none, do not tell.
func (s *sheet) wayOf() float64 {
	linked, over, beside := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, x := range s.stretches {
		for _, l := range x.links {
			switch linked[l.label] = true; l.how {
			case under:
				over[l.label] = true
			case behind:
				beside[l.label] = true
			}
		}
	}
	return float64(len(over)-len(beside)) / float64(max(len(linked), 1))
}

// tellsLeft reports whether labels stand left of their values though they are written from the right, as on a card that was laid out from
// the left: whether most of those at an end of their row, with a value beside them, are at the left one.
func (s *sheet) tellsLeft() bool {
	at := map[relation]float64{}
	for k := range s.labels {
		if s.labels[k].RightToLeft {
			at[s.atEnd(k)]++
		}
	}
	return at[before] >= s.FromLeft && at[before] > s.FromLeft*at[behind]
}

// atEnd tells how a value of a label at an end of its row stands to it, behind or before; "" where the label stands at none, or alone.
func (s *sheet) atEnd(label int) relation {
	b, left, right := s.labels[label].box, false, false
	for _, o := range s.others(label) {
		if s.level(o, b) {
			left, right = left || o.middle() < b.middle(), right || o.middle() > b.middle()
		}
	}
	how := relation(either(right, string(before), string(behind)))
	valued := func(x stretch) bool {
		return slices.ContainsFunc(x.links, func(l link) bool { return l.at == label && l.how == how && s.valued(&x, l.label) })
	}
	if left == right || !slices.ContainsFunc(s.stretches, valued) {
		return ""
	}
	return how
}

// valued reports whether a stretch is like a value that a label announces.
func (s *sheet) valued(x *stretch, label string) bool {
	return slices.ContainsFunc(s.description.Fields, func(f Field) bool { return f.announcedBy(label) && x.matches[f.reader] >= s.Likely })
}

// next is the nearest stretch over (-1) or under (1) one.
func (s *sheet) next(i int, side float64) int {
	x, nearest, least := s.stretches[i].box, -1, math.Inf(1)
	for k := range s.stretches {
		o := s.stretches[k].box
		if d := side * (o.y - x.y); d > 0 && d < least && !s.level(x, o) && s.over(x, o) {
			nearest, least = k, d
		}
	}
	return nearest
}

// linksOf tells how print at a place stands to the labels about it.
func (s *sheet) linksOf(x box) (out []link) {
	for k := range s.labels {
		if l, ok := s.link(x, k); ok {
			out = append(out, l)
		}
	}
	return out
}

// link tells how print at a place stands to a label.
func (s *sheet) link(x box, label int) (l link, ok bool) {
	b := &s.labels[label]
	l = link{label: b.Label, at: label, cost: b.Each(), whole: x.piece == b.piece}
	high := max(x.height, b.height)
	if s.level(x, b.box) {
		labels, values := s.between(x, b.box, label, nil)
		l.gap = s.apartBy(x, b.box)
		if right := b.middle() < x.middle(); right != (b.ToRight && b.RightToLeft) {
			l.how = before
			return l, !labels && !values
		}
		if l.how = behind; values {
			l.how = further
		}
		return l, !labels
	}
	l.how, l.gap = under, (x.y-b.y)/high
	return l, l.gap > 0 && l.gap <= s.FarUnder && s.over(x, s.cells[label]) && !s.screened(x, b.box, label)
}

// cell is the place under which the values of a label stand. In a row of labels with no print between them it reaches to the next one in
// the direction of its script, from the last one as far as from the one before, and from one label to the same in another language.
func (s *sheet) cell(label int) box {
	b := s.labels[label]
	left, right, wide, last := b.left, b.right, 0.0, true
	for k, o := range s.labels {
		if k == label || !s.level(o.box, b.box) {
			continue
		}
		switch labels, values := s.between(b.box, o.box, label, nil); {
		case labels || values:
		case o.Label == b.Label:
			return box{left: min(b.left, o.left), right: max(b.right, o.right)}
		case o.left < b.left:
			left, last = o.right, false
		default:
			right, wide = o.left, o.right-b.right
		}
	}
	if last && !slices.ContainsFunc(s.stretches, func(x stretch) bool { return x.left < b.left && s.level(x.box, b.box) }) {
		left = b.right - wide
	}
	if b.RightToLeft {
		return box{left: min(b.left, left), right: b.right}
	}
	return box{left: b.left, right: max(b.right, right)}
}

// between reports whether labels but one, and stretches that did not join others, stand on one row between two boxes.
func (s *sheet) between(x, y box, label int, joined func(stretch int) bool) (labels, values bool) {
	from, to := min(x.middle(), y.middle()), max(x.middle(), y.middle())
	in := func(o box) bool { return o.middle() > from && o.middle() < to && s.level(o, x) }
	for k := range s.labels {
		labels = labels || k != label && in(s.labels[k].box)
	}
	for k := range s.stretches {
		values = values || in(s.stretches[k].box) && (joined == nil || !joined(k))
	}
	return labels, values
}

// screened reports whether other print stands between a label and what is under it.
func (s *sheet) screened(x, b box, label int) bool {
	return slices.ContainsFunc(s.others(label), func(o box) bool {
		return o.y > b.y && o.y < x.y && !s.level(o, b) && !s.level(o, x) && s.over(o, x)
	})
}

// others are the places of all labels but one, and of all stretches.
func (s *sheet) others(label int) []box {
	out := make([]box, 0, len(s.labels)+len(s.stretches))
	for k := range s.labels {
		if k != label {
			out = append(out, s.labels[k].box)
		}
	}
	for k := range s.stretches {
		out = append(out, s.stretches[k].box)
	}
	return out
}
