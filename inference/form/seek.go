package form

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
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
		if b.right-b.left < s.LeastSought*b.height {
			continue
		}
		for _, left := range [...]float64{max(b.left, b.right-s.NearSought*b.height), b.left} {
			ink, err := s.ReadLine(ctx, s.lineIn(b, left, k), s.labels[k].row)
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
			return x.matches[f.reader] >= s.Likely && slices.ContainsFunc(x.links, func(l link) bool { return f.announcedBy(l.label) })
		}
		if f.Sought && f.announcedBy(s.labels[label].Label) && !slices.ContainsFunc(s.stretches, seen) {
			return f
		}
	}
	return nil
}

// blank is the place for a value behind a label or, where values stand under their labels, under it, cut short by other print. It ends
// where the others do or, where they are centred, stands about their middle.
func (s *sheet) blank(label int) box {
	b, even := s.labels[label].box, s.EvenColumn*s.Width
	out := box{left: b.left - s.SoughtFar*s.Width, right: b.left - s.SoughtGap*b.height, height: b.height}
	out.y = b.y + s.Rows[s.labels[label].row][0].Slope()*(out.middle()-b.middle())
	ends, middles, levels, heights := s.usual(label)
	n, high := len(ends), vision.MedianOf(heights)
	right := b.right + s.SoughtRoom*high
	switch {
	case n > 1 && vision.MiddleHalf(ends) <= even:
		right = vision.MedianOf(ends) + s.SoughtRoom*high
	case n > 1 && vision.MiddleHalf(middles) <= even:
		right = vision.MedianOf(middles) + s.NearSought*high/2 // geometry: half of what is looked at first
	}
	if n > 0 && (right < out.right || s.way > 0) {
		out = box{left: right - s.MostSought*high, right: right, y: vision.MedianOf(levels), height: high}
	}
	out.left = max(out.left, s.SoughtRim*s.Width)
	for _, o := range s.others(label) {
		switch before := out.right - out.height; {
		case !s.level(o, out):
		case o.right < before:
			out.left = max(out.left, o.right+s.SoughtRoom*out.height)
		case o.left < before && o.right > out.left:
			out.left = out.right // something stands there
		}
	}
	return out
}

// usual tells where a value would stand by a label if it stood as others do behind the labels of its column or, where values stand under
// their labels, as they all do: its right end, its middle, how low and how high it is.
func (s *sheet) usual(label int) (ends, middles, levels, heights []float64) {
	b := s.labels[label].box
	for i := range s.stretches {
		x := &s.stretches[i]
		for _, l := range x.links {
			o, end, middle := &s.labels[l.at], x.right, x.middle()
			switch {
			case s.way > 0 && l.how == under:
				end, middle = end+b.right-o.right, middle+b.middle()-o.middle()
			case s.way > 0 || l.how != behind || l.whole || l.at == label || math.Abs(o.right-b.right) > s.SameColumn*s.Width:
				continue
			}
			ends, middles = append(ends, end), append(middles, middle)
			levels, heights = append(levels, b.y+x.y-o.y), append(heights, x.height)
		}
	}
	return ends, middles, levels, heights
}

// lineIn is a blank of a label from some place on, which climbs as the row of the label does.
func (s *sheet) lineIn(b box, left float64, label int) text.Line {
	of := s.Rows[s.labels[label].row][0]
	at := func(x float64) appliance.Point { return appliance.Point{X: x, Y: b.y + of.Slope()*(x-b.middle())} }
	return text.Line{Start: at(left), End: at(b.right), Height: b.height, Light: of.Light, Sought: true}
}

// fillRows reads what stands between two values of one row of which the one between them is missing: a short word is easily overlooked.
func (s *sheet) fillRows(ctx context.Context) error {
	for i := 1; i < len(s.stretches); i++ {
		x, o := &s.stretches[i-1], &s.stretches[i]
		for _, row := range s.description.Rows {
			at := s.ofRow(x.said, row)
			between := s.apartBy(x.box, o.box)
			if at < 0 || s.ofRow(o.said, row) != at+2 || !s.level(x.box, o.box) || between < s.RowBlank { // geometry: one is between
				continue
			}
			ink, err := x.Between(ctx, &o.Ink)
			if err != nil {
				return err
			}
			for _, w := range text.Spans(ink.Reading().Symbols()) {
				if part := partOf(&ink, w[0], w[1]); s.ofRow(part.Text(), row) == at+1 {
					s.stretches = slices.Insert(s.stretches, i, s.stretchOf(part, part.Text(), nil, x.piece))
					break
				}
			}
			break
		}
	}
	return nil
}
