package card

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// leastOverlap is the share of a document that another must lie on: below it their outlines are only a little off.
	leastOverlap = 0.006
	// wholly is the share of a document from which on nothing of it would be seen if the other were above.
	wholly = 0.97
	// plainlyAbove is by how much the outline of the upper of two documents must stand out more, on the scale of
	// outline.EdgeWithin, for the order to be plain.
	plainlyAbove = 0.15
	// hiddenRows is the share of a card from which on rows of its text may be hidden altogether, so that those left are
	// taken for each other.
	hiddenRows = 0.02
	// coveredReach is how far beyond its place, in its heights, a field may go on under another document: over a gap
	// between words.
	coveredReach = 2.5
)

// covers returns the outlines of the documents that lie on the i-th one. Where the picture does not tell which of two
// lies above, each covers the other: what lies on both is read for neither.
func (s *scene) covers(i int) []appliance.Quad {
	own := s.found[i].Quad
	var out []appliance.Quad
	for j, f := range s.found {
		if j == i || !f.Outlined() {
			continue
		}
		if under := outline.Overlap(own, f.Quad); under > wholly || max(under, outline.Overlap(f.Quad, own)) < leastOverlap {
			continue
		}
		above, crosses := outline.EdgeWithin(s.luma, f.Quad, own)
		below, crossed := outline.EdgeWithin(s.luma, own, f.Quad)
		if crosses && (!crossed || above > below-plainlyAbove) {
			out = append(out, f.Quad)
		}
	}
	return out
}

// uncovered leaves out the lines that have their middle on a document that lies above; toPicture maps the
// lines to the picture.
func uncovered(lines []text.Line, toPicture vision.Homography, covers []appliance.Quad) []text.Line {
	if len(covers) == 0 {
		return lines
	}
	return slices.DeleteFunc(lines, func(l text.Line) bool {
		return vision.InAny(covers, toPicture.Apply(vision.Between(l.Start, l.End, 0.5)))
	})
}

// doubtUnseen flags what the picture may not show of a document: what other documents hide, what lies beyond the picture and what a light has burnt out.
func doubtUnseen(d *appliance.Document, covers []appliance.Quad, p *appliance.Picture) {
	doubtCovered(d, covers)
	doubtCutOff(d, p)
	doubtBurnt(d, p)
}

// doubtCovered flags the fields of a document that touch what lies on it, and those that follow from them: part of their
// print may be hidden, and what is left may make sense all the same. Where much is hidden it flags all printed fields that
// no check speaks for, because their rows tell them apart.
func doubtCovered(d *appliance.Document, covers []appliance.Quad) {
	doubtHidden(d, covers, hiddenRows, coveredReach)
}

// doubtCutOff does for what lies beyond the picture what doubtCovered does for what lies on a document.
func doubtCutOff(d *appliance.Document, p *appliance.Picture) {
	const slack, rows, reach = 0.01, 0.05, 1 // less of a card than the first may be beyond because its outline is a little off
	w, h := float64(p.Width), float64(p.Height)
	sides := []appliance.Quad{
		vision.RectQuad(-w, -h, 0, 2*h), vision.RectQuad(w, -h, 2*w, 2*h), vision.RectQuad(-w, -h, 2*w, 0), vision.RectQuad(-w, h, 2*w, 2*h),
	}
	sides = slices.DeleteFunc(sides, func(q appliance.Quad) bool { return outline.Overlap(d.Quad, q) < slack })
	doubtHidden(d, sides, rows, reach)
}

// doubtBurnt does the same for spots that a light has burnt out. Print that one hides wholly leaves no trace but the lines around it, so that a few as large as a word count as
// much; where much is burnt out on a card whose ground is bright, that is its ground.
func doubtBurnt(d *appliance.Document, p *appliance.Picture) {
	// Of 26 white cards of other generators in uneven light, whose text can be read, 22 have such a median; of four under a lamp, whose text is gone, one has (27 November 2026).
	const line, word, large, bright, reach = 24, 4, 0.04, 215, 1
	toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, d.Quad)
	view := vision.Plane{Pix: make([]byte, viewWidth*viewHeight), Width: viewWidth, Height: viewHeight, Stride: viewWidth}
	if !ok || !vision.Warp(vision.Luma(p), toPicture, viewWidth, viewHeight, view.Pix) || vision.GlareFraction(view) > large && vision.Median(view) > bright {
		return
	}
	var spots []appliance.Quad
	for r := range vision.Burnt(view, line) {
		spots = append(spots, toPicture.ApplyQuad(vision.RectQuad(float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y))))
	}
	rows := 1.0
	if len(spots) >= word {
		rows = 0
	}
	doubtHidden(d, spots, rows, reach)
}

// doubtHidden flags what may be hidden by any of covers: fields that come as near to one, along their line, as reach of their heights, and where one hides more than the share rows of
// the document all that no check speaks for, and those that are empty.
func doubtHidden(d *appliance.Document, covers []appliance.Quad, rows, reach float64) {
	much := slices.ContainsFunc(covers, func(q appliance.Quad) bool { return outline.Overlap(d.Quad, q) > rows })
	doubted := map[string]bool{}
	for _, f := range d.Fields {
		if f.Value != "" && f.Quad != (appliance.Quad{}) && (much && !slices.ContainsFunc(f.Checks, passed) || touches(f.Quad, covers, reach)) {
			doubted[f.Name] = true
		}
	}
	for range d.Fields { // what follows from a field may lead to further ones
		before := len(doubted)
		for _, f := range d.Fields {
			if slices.ContainsFunc(f.DerivedFrom, func(name string) bool { return doubted[name] }) {
				doubted[f.Name] = true
			}
		}
		if len(doubted) == before {
			break
		}
	}
	for _, f := range d.Fields {
		switch {
		case doubted[f.Name] && f.Value != "":
			d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
		case much && f.Value == "" && !d.Flagged(f.Name): // it may be printed where nobody sees it
			d.Flag(f.Name, "", appliance.CodeUnreadable)
		}
	}
}

// passed reports whether a check speaks for a value.
func passed(c appliance.FieldCheck) bool { return c.Passed }

// touches reports whether a line of text, drawn out at both ends by so many of its heights, runs onto one of the quads.
func touches(line appliance.Quad, quads []appliance.Quad, heights float64) bool {
	const steps = 24
	left, right := vision.Between(line[0], line[3], 0.5), vision.Between(line[1], line[2], 0.5)
	reach := heights * (side(line, 3) + side(line, 1)) / 2 / max(text.Line{Start: left, End: right}.Length(), 1)
	for k := range steps + 1 {
		t := -reach + (1+2*reach)*float64(k)/steps
		for _, edge := range [3]float64{0, 0.5, 1} {
			p := vision.Between(vision.Between(line[0], line[3], edge), vision.Between(line[1], line[2], edge), t)
			if vision.InAny(quads, p) {
				return true
			}
		}
	}
	return false
}
