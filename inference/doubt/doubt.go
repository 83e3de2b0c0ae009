// Package doubt flags what a picture may not show of a document: what others hide, what lies beyond it or is burnt out, and what runs out
// of the outline. What is left may make sense all the same.
package doubt

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// Rows is the share of a card from which on rows of its text may be hidden altogether, so that those left are taken for each other.
	Rows = 0.02
	// coveredReach is how far beyond its place, in its heights, a field may go on under another document: over a gap between words.
	coveredReach = 2.5
	// row is how far above and below a field, in its heights, a line of its own may be hidden.
	row = 1.2
)

// The size of the view in which burnt spots are looked for, in pixels: of an ID-1 card.
const viewWidth, viewHeight = 512, 323

// Unseen flags what the picture may not show of a document: what other documents hide, what lies beyond the picture and what a light has
// burnt out.
func Unseen(d *appliance.Document, covers []appliance.Quad, p *appliance.Picture) {
	Covered(d, covers)
	cutOff(d, p)
	burnt(d, p)
}

// Covered flags the fields of a document that touch what lies on it, and those that follow from them: part of their
// print may be hidden, and what is left may make sense all the same. Where much is hidden, and a field that must be there was not read, it
// flags all printed fields that no check speaks for, because their rows tell them apart.
func Covered(d *appliance.Document, covers []appliance.Quad) {
	hiddenBy(d, covers, Rows, coveredReach)
}

// cutOff does for what lies beyond the picture what Covered does for what lies on a document.
func cutOff(d *appliance.Document, p *appliance.Picture) {
	const slack, rows, reach = 0.01, 0.05, 1 // less of a card than the first may be beyond because its outline is a little off
	w, h := float64(p.Width), float64(p.Height)
	sides := []appliance.Quad{
		vision.RectQuad(-w, -h, 0, 2*h), vision.RectQuad(w, -h, 2*w, 2*h), vision.RectQuad(-w, -h, 2*w, 0), vision.RectQuad(-w, h, 2*w, 2*h),
	}
	sides = slices.DeleteFunc(sides, func(q appliance.Quad) bool { return sheet.Overlap(d.Quad, q) < slack })
	hiddenBy(d, sides, rows, reach)
}

// burnt does the same for spots that a light has burnt out. On a dull card a square as large as a letter is one; brighter ones are burnt
// out between their letters too, so that it takes one as high as a line. Print that a spot hides wholly leaves no trace but the lines
// around it, which may be taken for it: they are doubtful, and where a few squares as high as a line are burnt, a word together, all is
// that no check speaks for. Where much is burnt out on a card whose ground is bright, that is its ground.
func burnt(d *appliance.Document, p *appliance.Picture) {
	// Of 26 white cards of other generators in uneven light, whose text can be read, 22 are bright; of four under a lamp, whose text is gone,
	// one is (27 November 2026). dull was set by judgement on 29 November 2026.
	const letter, line, word, large, bright, dull, reach = 8, 24, 4, 0.04, 215, 225, 1
	toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, d.Quad)
	view := vision.Plane{Pix: make([]byte, viewWidth*viewHeight), Width: viewWidth, Height: viewHeight, Stride: viewWidth}
	if !ok || !vision.Warp(vision.Luma(p), toPicture, viewWidth, viewHeight, view.Pix) {
		return
	}
	ground := vision.Median(view)
	if vision.GlareFraction(view) > large && ground > bright {
		return
	}
	lines := 0
	for range vision.Burnt(view, line) {
		lines++
	}
	side := line
	if ground < dull {
		side = letter
	}
	hidden(d, lines >= word, spots(view, toPicture, side), margin{along: reach, across: row})
}

// spots reports of a place of the picture whether it lies on a square of that side that is burnt out in the view of a card.
func spots(view vision.Plane, toPicture vision.Homography, side int) func(appliance.Point) bool {
	const cell, across, down = 8, viewWidth / 8, viewHeight / 8 // the raster of vision.Burnt
	var burnt [across * down]bool
	for r := range vision.Burnt(view, side) {
		for y := r.Min.Y / cell; y < r.Max.Y/cell; y++ {
			for x := r.Min.X / cell; x < r.Max.X/cell; x++ {
				burnt[y*across+x] = true
			}
		}
	}
	toView, ok := toPicture.Inverse()
	return func(p appliance.Point) bool {
		p = toView.Apply(p)
		return ok && p.X >= 0 && p.Y >= 0 && p.X < across*cell && p.Y < down*cell && burnt[int(p.Y)/cell*across+int(p.X)/cell]
	}
}

// margin is how far around a line of text what lies there may hide more of it, or a line of its own: in heights of the line, beyond its
// ends, and above and below it.
type margin struct{ along, across float64 }

// hiddenBy is hidden for quads, on lines that are drawn out by so many of their heights; much is hidden by one that covers more than the
// share rows of the document, also above and below the lines.
func hiddenBy(d *appliance.Document, covers []appliance.Quad, rows, reach float64) {
	around := margin{along: reach}
	much := slices.ContainsFunc(covers, func(q appliance.Quad) bool { return sheet.Overlap(d.Quad, q) > rows })
	if much {
		around.across = row
	}
	hidden(d, much, func(p appliance.Point) bool { return vision.InAny(covers, p) }, around)
}

// hidden flags what may be hidden where covered says so: fields that come as near to such a place as a margin, what follows from them, and
// where much is hidden those that are empty. Where one of these must be there, another line may be taken for it: all that no check speaks
// for is flagged. Of ten licences, six of them of strangers' drawers, of which much was hidden and that
// lacked nothing, 80 right values were flagged for that and no wrong one (30 November 2026).
func hidden(d *appliance.Document, much bool, covered func(appliance.Point) bool, around margin) {
	doubted, all := map[string]bool{}, much && lacking(d)
	for _, f := range d.Fields {
		near, checked := around, slices.ContainsFunc(f.Checks, passed)
		if checked { // it is no other line's value
			near.across = 0
		}
		if f.Value != "" && f.Quad != (appliance.Quad{}) && (all && !checked || touches(f.Quad, covered, near)) {
			doubted[f.Name] = true
		}
	}
	spread(d, doubted)
	for _, f := range d.Fields {
		switch {
		case doubted[f.Name] && f.Value != "":
			d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
		case much && f.Value == "" && !d.Flagged(f.Name): // it may be printed where nobody sees it
			d.Flag(f.Name, "", appliance.CodeUnreadable)
		}
	}
}

// lacking reports whether a field that must be there was not read.
func lacking(d *appliance.Document) bool {
	return slices.ContainsFunc(d.Fields, func(f appliance.Field) bool { return f.Value == "" && d.Flagged(f.Name) })
}

// spread adds what follows from doubted fields to them, and what follows from that.
func spread(d *appliance.Document, doubted map[string]bool) {
	for before := -1; before < len(doubted); {
		before = len(doubted)
		for _, f := range d.Fields {
			if slices.ContainsFunc(f.DerivedFrom, func(name string) bool { return doubted[name] }) {
				doubted[f.Name] = true
			}
		}
	}
}

// passed reports whether a check speaks for a value.
func passed(c appliance.FieldCheck) bool { return c.Passed }

// touches reports whether a line of text, drawn out by a margin, runs onto a covered place.
func touches(line appliance.Quad, covered func(appliance.Point) bool, around margin) bool {
	const steps, across = 24, 6
	left, right := vision.Between(line[0], line[3], 0.5), vision.Between(line[1], line[2], 0.5)
	height := (text.Line{Start: line[3], End: line[0]}.Length() + text.Line{Start: line[1], End: line[2]}.Length()) / 2
	reach := around.along * height / max(text.Line{Start: left, End: right}.Length(), 1)
	for k := range steps + 1 {
		t := -reach + (1+2*reach)*float64(k)/steps
		for i := range across + 1 {
			edge := -around.across + (1+2*around.across)*float64(i)/across
			p := vision.Between(vision.Between(line[0], line[3], edge), vision.Between(line[1], line[2], edge), t)
			if covered(p) {
				return true
			}
		}
	}
	return false
}

// Beyond flags what reaches beyond the outline of its card: that is too narrow there, and the line may go on.
func Beyond(d *appliance.Document) {
	const near = 0.02 // as a share of the card
	about := vision.Grown(d.Quad, near)
	for _, f := range d.Fields {
		outside := func(p appliance.Point) bool { return !about.Contains(p) }
		if f.Value != "" && f.Quad != (appliance.Quad{}) && slices.ContainsFunc(f.Quad[:], outside) {
			d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
		}
	}
}

// Fields flags what was read of some fields.
func Fields(d *appliance.Document, names ...string) {
	for _, name := range names {
		if f := d.Field(name); f.Value != "" {
			d.Flag(name, f.Value, appliance.CodeLowConfidence)
		}
	}
}

// Below flags what is read less surely than a confidence.
func Below(d *appliance.Document, confidence float64) {
	for _, f := range d.Fields {
		if f.Value != "" && f.Confidence < confidence {
			d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
		}
	}
}
