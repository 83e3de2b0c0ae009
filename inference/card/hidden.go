package card

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// moreLooks is how often a picture is looked at again without the documents that were found.
	moreLooks = 2
	// paintedRoom is how much larger than its outline, as a share of its size, a document is painted over.
	paintedRoom = 0.02
	// newOverlap is the share of a document up to which it may lie on one that was found before.
	newOverlap = 0.3
)

// lookForMore looks at the picture again with the documents painted over that were found: beside a bright card the network
// passes over a dull one. What it finds then counts when its outline can be seen and it is of a known kind or has a card's shape.
func (s *scene) lookForMore(ctx context.Context, f finder) error {
	for range moreLooks {
		if len(s.found) == 0 {
			return nil
		}
		single := slices.DeleteFunc(slices.Clone(s.found), s.holds)
		found, err := f.Find(ctx, without(s.Picture, single))
		if err != nil {
			return err
		}
		before := len(s.found)
		for _, d := range found {
			known := func(o outline.Found) bool {
				return max(outline.Overlap(d.Quad, o.Quad), outline.Overlap(o.Quad, d.Quad)) > newOverlap
			}
			if d.Outlined() && (d.Kind != appliance.Unknown || outline.CardShaped(s.Picture, d.Quad)) && !slices.ContainsFunc(single, known) {
				s.found = append(s.found, d)
				single = append(single, d)
			}
		}
		if len(s.found) == before {
			return nil
		}
		slices.SortStableFunc(s.found, func(a, b outline.Found) int { return cmp.Compare(vision.Area(b.Quad[:]), vision.Area(a.Quad[:])) })
	}
	return nil
}

// holds tells whether another document lies on a sheet of no known look: it may be several documents taken for one, of which more can be found.
func (s *scene) holds(sheet outline.Found) bool {
	const within = 0.8
	return sheet.Kind == appliance.Unknown && slices.ContainsFunc(s.found, func(o outline.Found) bool {
		return o.Kind != appliance.Unknown && outline.Overlap(o.Quad, sheet.Quad) > within
	})
}

// without is a copy of a picture in which documents are painted over in the colour around them.
func without(p *appliance.Picture, found []outline.Found) *appliance.Picture {
	out := *p
	out.Y, out.Cb, out.Cr = slices.Clone(p.Y), slices.Clone(p.Cb), slices.Clone(p.Cr)
	for _, f := range found {
		q := grown(f.Quad, paintedRoom)
		paintOver(out.Y, p.Width, p.Height, q, 1, 1)
		if len(out.Cb) > 0 {
			kx, ky := float64(p.ChromaWidth)/float64(p.Width), float64(p.ChromaHeight)/float64(p.Height)
			paintOver(out.Cb, p.ChromaWidth, p.ChromaHeight, q, kx, ky)
			paintOver(out.Cr, p.ChromaWidth, p.ChromaHeight, q, kx, ky)
		}
	}
	return &out
}

// grown is a quad with its corners moved away from its middle by a share of their distance.
func grown(q appliance.Quad, share float64) appliance.Quad {
	c := vision.Middle(q)
	for i, p := range q {
		q[i] = between(c, p, 1+share)
	}
	return q
}

// paintOver fills a convex quad, scaled by (kx, ky), in a plane of w x h samples with the mean of the samples on its outline.
func paintOver(plane []byte, w, h int, q appliance.Quad, kx, ky float64) {
	sum, count := 0, 0
	top, bottom := math.Inf(1), math.Inf(-1)
	for i := range q {
		q[i] = appliance.Point{X: q[i].X * kx, Y: q[i].Y * ky}
		top, bottom = min(top, q[i].Y), max(bottom, q[i].Y)
	}
	const samples = 64
	for i := range q {
		for k := range samples {
			p := between(q[i], q[(i+1)%4], float64(k)/samples)
			if x, y := int(p.X), int(p.Y); p.X >= 0 && p.Y >= 0 && x < w && y < h {
				sum, count = sum+int(plane[y*w+x]), count+1
			}
		}
	}
	if count == 0 {
		return
	}
	colour := byte(sum / count)
	for y := max(0, int(top)); y < min(h, int(bottom)+1); y++ {
		from, to := math.Inf(1), math.Inf(-1)
		middle := float64(y) + 0.5
		for i, a := range q {
			b := q[(i+1)%4]
			if (a.Y > middle) != (b.Y > middle) {
				x := a.X + (middle-a.Y)/(b.Y-a.Y)*(b.X-a.X)
				from, to = min(from, x), max(to, x)
			}
		}
		if from < to {
			row := plane[y*w : (y+1)*w]
			for x := max(0, int(from)); x < min(w, int(to)+1); x++ {
				row[x] = colour
			}
		}
	}
}
