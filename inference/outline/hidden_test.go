package outline

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// onTable lays documents, cut out of photographs, on a plain table, each on those before, and returns the picture.
func onTable(t testing.TB, photos []*appliance.Picture, from, to []appliance.Quad) *appliance.Picture {
	t.Helper()
	const width, height, tone = 1200, 900, 96
	p := &appliance.Picture{Width: width, Height: height, Y: slices.Repeat([]byte{tone}, width*height)}
	sheet := make([]byte, width*height)
	for i, photo := range photos {
		inPhoto, _ := vision.RectToQuad(1, 1, from[i])
		inTable, _ := vision.RectToQuad(1, 1, to[i])
		fromTable, ok := inTable.Inverse()
		if !ok || !vision.Warp(vision.Luma(photo), inPhoto.Mul(fromTable), width, height, sheet) {
			t.Fatalf("document %d cannot be laid", i)
		}
		for y := range height {
			for x := range width {
				if to[i].Contains(appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}) {
					p.Y[y*width+x] = sheet[y*width+x]
				}
			}
		}
	}
	return p
}

// cardAt is the outline of a card of that width about a middle, turned clockwise.
func cardAt(x, y, width, degrees float64) (q appliance.Quad) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for i, c := range vision.RectQuad(-width/2, -width/2/appliance.ID1.Shape(), width/2, width/2/appliance.ID1.Shape()) {
		q[i] = appliance.Point{X: x + c.X*cos - c.Y*sin, Y: y + c.X*sin + c.Y*cos}
	}
	return q
}

// committedCards are the cards of committed photographs with one document, and where they lie on them.
func committedCards(t testing.TB) (photos []*appliance.Picture, quads []appliance.Quad) {
	t.Helper()
	files, documents := truths(t, "documents")
	for i, file := range files {
		d := documents[i][0]
		if len(documents[i]) > 1 || d.Kind == appliance.Passport || d.Kind == appliance.LicensePlate {
			continue
		}
		var q appliance.Quad
		for i, c := range d.Quad {
			q[i] = appliance.Point{X: c[0], Y: c[1]}
		}
		photos, quads = append(photos, sample(t, file)), append(quads, q)
	}
	return photos, quads
}

// Property: of cards of which others hide up to a third, many more are found whole, with their outline less than 6 % of their size off, than without
// the search for hidden ones; what was found right stays.
func TestFindHidden(t *testing.T) {
	const right, width = 0.06, 480.0
	f := productFinder(t)
	photos, quads := committedCards(t)
	whole := func(found []Found, all ...appliance.Quad) bool {
		for _, q := range all {
			if !slices.ContainsFunc(found, func(d Found) bool { return cornersApart(d.Quad, q) < right }) {
				return false
			}
		}
		return true
	}
	pairs, before, after, lost := 0, 0, 0, 0
	for i := 0; i < len(photos); i += 3 {
		k := (i + 5) % len(photos)
		for _, shift := range []appliance.Point{{X: 0.8}, {X: -0.8}, {Y: 0.8}, {Y: -0.8}} {
			low := cardAt(600, 450, width, 12)
			high := cardAt(600+shift.X*width, 450+shift.Y*width/appliance.ID1.Shape(), width, -20)
			p := onTable(t, []*appliance.Picture{photos[i], photos[k]}, []appliance.Quad{quads[i], quads[k]}, []appliance.Quad{low, high})
			found := find(t, f, p)
			more, err := f.FindHidden(t.Context(), p, found)
			if err != nil {
				t.Fatal(err)
			}
			pairs++
			switch was, is := whole(found, low, high), whole(more, low, high); {
			case is && !was:
				after++
			case is:
				before, after = before+1, after+1
			case was:
				before, lost = before+1, lost+1
			}
		}
	}
	t.Logf("of %d pairs %d are found whole, %d with the search for hidden ones, %d no longer", pairs, before, after, lost)
	if after < before+pairs/5 || lost > 1 {
		t.Errorf("of %d pairs %d are found whole, %d with the search for hidden ones, %d no longer", pairs, before, after, lost)
	}
}

// Property: a card is found at a place that is only roughly its own, unless it is known already.
func TestFindAt(t *testing.T) {
	f := productFinder(t)
	photos, quads := committedCards(t)
	found, off := 0, appliance.Point{X: 0.12, Y: -0.1}
	for i, p := range photos {
		place := quads[i]
		for k := range place { // shifted along its sides
			place[k].X += off.X*(quads[i][1].X-quads[i][0].X) + off.Y*(quads[i][3].X-quads[i][0].X)
			place[k].Y += off.X*(quads[i][1].Y-quads[i][0].Y) + off.Y*(quads[i][3].Y-quads[i][0].Y)
		}
		d, ok, err := f.FindAt(t.Context(), p, []appliance.Quad{place}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ok && cornersApart(d.Quad, quads[i]) < 0.06 {
			found++
		}
		if _, ok, err := f.FindAt(t.Context(), p, []appliance.Quad{place}, quads[i:i+1]); err != nil || ok {
			t.Errorf("a known card is found again: %v", err)
		}
	}
	if found < len(photos)*9/10 {
		t.Errorf("%d of %d cards found", found, len(photos))
	}
}

func BenchmarkFindHidden(b *testing.B) {
	f, p := productFinder(b), sample(b, "multi.jpg")
	found := find(b, f, p)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.FindHidden(b.Context(), p, found); err != nil {
			b.Fatal(err)
		}
	}
}
