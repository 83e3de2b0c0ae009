package fraud

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

const (
	greyWidth, greyHeight = 24, 16
	// greyFine is how many samples a side are averaged in each cell of that view: noise of the sensor and the coder, and moire of the dots
	// of a print, would otherwise pass for colour on a copy, and what little a pale or dark page has would be lost in it.
	greyFine = 12
	// colourless is the spread of a picture's chroma, in levels, under which its camera sees no colour at all: then a grey
	// card says nothing. A colour camera's cast and noise exceed it also where nothing is coloured.
	colourless = 1.5
	// undecided is the score of a card that cannot be told from a grey one.
	undecided = 0.5
	// greyResidue is the chroma, in levels, of a card for which both are equally likely, and greySlope how fast the odds change with its
	// logarithm. With the threshold this lies at 1.0.
	greyResidue, greySlope = 1.17, 4.0
	// strongCells is one over the share of the cells that is left out above the chroma that counts: three of them may be a flare or a
	// finger. What colour some cards have, a heading, a row of labels or a seal, covers no more than a hundredth.
	strongCells = 100
	// portraitWidth x portraitHeight cells are about a portrait; a place of that size that is as dark as portraitTone between ground, 0, and
	// ink, 1, holds one, or a barcode, and no text. Set on 28 November 2026 between 100 pages of text, nearly all below 0.34, and 140
	// photocopies, 95 % of them above 0.42.
	portraitWidth, portraitHeight, portraitTone = 3, 4, 0.37
	// inkShare is the share of a card's samples that are ink at least, and leastContrast, in levels, what noise alone reaches.
	inkShare, leastContrast = 0.005, 8
)

// greyCopy scores a card without colours of its own in a picture that has colour. What the light lends to grey paper
// changes with the brightness and slowly over the card; the rest of the chroma is the print's own. Its measures are
// the logarithm of that rest in levels and how dark the darkest place of a portrait's size is: a page of text alone may have no colours
// itself, so that a copy looks like it. It is for kinds that have colours of their own, a portrait or a printed ground: vehicle
// licences have no portrait, and some a plain ground.
func greyCopy(p *appliance.Picture, q appliance.Quad) Sign {
	s := Sign{Name: GreyCopy, Score: undecided}
	cb, cr, ok := vision.Chroma(p)
	if !ok || max(spread(p.Cb), spread(p.Cr)) < colourless {
		return s
	}
	var view [3][]float64
	var ink float64
	inner := inset(q, 0.06)
	for i, plane := range [3]vision.Plane{vision.Luma(p), cb, cr} {
		at := inner
		if i > 0 {
			at = vision.ToChroma(p).ApplyQuad(inner)
		}
		fine := finely(plane, at)
		if fine == nil {
			return s
		}
		if i == 0 {
			ink = level(fine, inkShare)
		}
		view[i] = averaged(fine)
	}
	measure, dark := math.Log(residue(view)+0.05), darkest(view[0], ink)
	s.Measures, s.Score = []float64{measure, dark}, vision.Sigmoid(greySlope*(math.Log(greyResidue)-measure))
	if dark < portraitTone {
		s.NotJudged = NotJudgedPlain
	}
	return s
}

// finely is the view of a plane within a quad, greyFine samples a side in each cell; nil where the quad has none.
func finely(plane vision.Plane, q appliance.Quad) []byte {
	const width, height = greyWidth * greyFine, greyHeight * greyFine
	fine := make([]byte, width*height)
	h, ok := vision.RectToQuad(width, height, q)
	if !ok || !vision.Warp(plane, h, width, height, fine) {
		return nil
	}
	return fine
}

// averaged is the mean of each cell of a fine view.
func averaged(fine []byte) []float64 {
	const width = greyWidth * greyFine
	out := make([]float64, greyWidth*greyHeight)
	for i, v := range fine {
		out[i/width/greyFine*greyWidth+i%width/greyFine] += float64(v) / (greyFine * greyFine)
	}
	return out
}

// darkest is how dark the darkest place of a portrait's size is in the mean, between the ground of a card, 0, and its ink, 1.
func darkest(luma []float64, ink float64) float64 {
	ground := quantile(slices.Clone(luma), 0.9)
	most := 0.0
	for top := range greyHeight - portraitHeight + 1 {
		for left := range greyWidth - portraitWidth + 1 {
			sum := 0.0
			for i := range portraitWidth * portraitHeight {
				sum += ground - luma[(top+i/portraitWidth)*greyWidth+left+i%portraitWidth]
			}
			most = max(most, sum/(portraitWidth*portraitHeight))
		}
	}
	return most / max(ground-ink, leastContrast)
}

// manySamples is how many samples of a plane tell how far its levels spread.
const manySamples = 100_000

// spread is the distance between the 1st and the 99th percentile of levels.
func spread(pix []byte) float64 { return level(pix, 0.99) - level(pix, 0.01) }

// level is a quantile of levels; of a large plane, of some of them.
func level(pix []byte, share float64) float64 {
	var counts [256]int
	step, n := len(pix)/manySamples|1, 0 // odd, so that it does not keep to some columns
	for i := 0; i < len(pix); i += step {
		counts[pix[i]]++
		n++
	}
	left := int(share * float64(n))
	for v, c := range counts {
		if left -= c; left < 0 {
			return float64(v)
		}
	}
	return 255
}

// inset is q with each side moved inwards by share of the document.
func inset(q appliance.Quad, share float64) appliance.Quad {
	return part(q, share, share, 1-share, 1-share)
}

// part is the quad of a rectangle of a document, in shares of its width and height.
func part(q appliance.Quad, left, top, right, bottom float64) appliance.Quad {
	h, ok := vision.RectToQuad(1, 1, q)
	if !ok {
		return q
	}
	return h.ApplyQuad(vision.RectQuad(left, top, right, bottom))
}

// residue is what of the chroma of the small view follows neither from the luma, in proportion, nor from a slow change over it: a high
// quantile of its size. In proportion, since what is grey has more of the light's colour the lighter it is, while a tinted ground
// under grey print has another.
func residue(view [3][]float64) float64 {
	const n = greyWidth * greyHeight
	basis := make([][]float64, 0, 5)
	for k := range 5 {
		v := make([]float64, n)
		for i := range v {
			x, y := float64(i%greyWidth)/greyWidth-0.5, float64(i/greyWidth)/greyHeight-0.5
			v[i] = [5]float64{1, view[0][i]/255 - 0.5, x, y, x * y}[k]
		}
		for _, u := range basis {
			project(v, u)
		}
		basis = append(basis, v)
	}
	rest := make([]float64, n)
	for _, channel := range view[1:] {
		c := slices.Clone(channel)
		for _, v := range basis {
			project(c, v)
		}
		for i, left := range c {
			rest[i] = math.Hypot(rest[i], left)
		}
	}
	return quantile(rest, 1-1.0/strongCells)
}

// project takes from v its part along u.
func project(v, u []float64) {
	dot, size := 0.0, 0.0
	for i := range v {
		dot, size = dot+v[i]*u[i], size+u[i]*u[i]
	}
	if size < 1e-9 {
		return
	}
	for i := range v {
		v[i] -= dot / size * u[i]
	}
}
