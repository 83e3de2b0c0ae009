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
	// greyResidue is the spread of chroma, in levels, of a card for which both are equally likely, and greySlope how fast the odds change
	// with its logarithm. With the threshold this lies at 0.8: of 44 drawn photocopies 95 % are below 0.66, of 84 genuine documents, dark,
	// pale and in coloured light, 97 % above 1.02 and all above 0.86 (28 November 2026).
	greyResidue, greySlope = 0.9, 4.0
)

// coloured reports whether documents of a kind have colours of their own: a portrait or a printed ground. Vehicle licences have no portrait, and some a plain ground.
func coloured(k appliance.Kind) bool {
	return k != appliance.CarLicenseFront && k != appliance.CarLicenseBack
}

// greyCopy scores a card without colours of its own in a picture that has colour. What the light lends to grey paper
// changes with the brightness and slowly over the card; the rest of the chroma is the print's own. Its one measure is
// the logarithm of that rest in levels.
func greyCopy(p *appliance.Picture, q appliance.Quad) Sign {
	s := Sign{Name: GreyCopy, Score: undecided}
	cb, cr, ok := vision.Chroma(p)
	if !ok || max(spread(p.Cb), spread(p.Cr)) < colourless {
		return s
	}
	var view [3][]float64
	inner := inset(q, 0.06)
	for i, plane := range [3]vision.Plane{vision.Luma(p), cb, cr} {
		at := inner
		if i > 0 {
			at = vision.ToChroma(p).ApplyQuad(inner)
		}
		if view[i] = averaged(plane, at); view[i] == nil {
			return s
		}
	}
	rest := math.Hypot(residue(view[0], view[1]), residue(view[0], view[2]))
	measure := math.Log(rest + 0.05)
	s.Measures, s.Score = []float64{measure}, sigmoid(greySlope*(math.Log(greyResidue)-measure))
	return s
}

// averaged is the small view of a plane within a quad; nil where the quad has none.
func averaged(plane vision.Plane, q appliance.Quad) []float64 {
	const width, height = greyWidth * greyFine, greyHeight * greyFine
	fine := make([]byte, width*height)
	h, ok := vision.RectToQuad(width, height, q)
	if !ok || !vision.Warp(plane, h, width, height, fine) {
		return nil
	}
	out := make([]float64, greyWidth*greyHeight)
	for i, v := range fine {
		out[i/width/greyFine*greyWidth+i%width/greyFine] += float64(v) / (greyFine * greyFine)
	}
	return out
}

// manySamples is how many samples of a plane tell how far its levels spread.
const manySamples = 100_000

// spread is the distance between the 1st and the 99th percentile of levels; of a large plane, of some of them.
func spread(pix []byte) float64 {
	var counts [256]int
	step, n := len(pix)/manySamples|1, 0 // odd, so that it does not keep to some columns
	for i := 0; i < len(pix); i += step {
		counts[pix[i]]++
		n++
	}
	at := func(share float64) float64 {
		left := int(share * float64(n))
		for v, c := range counts {
			if left -= c; left < 0 {
				return float64(v)
			}
		}
		return 255
	}
	return at(0.99) - at(0.01)
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

// residue is what of a channel of the small view follows neither from the luma, in proportion, nor from a slow change over it: a high
// quantile of the rest's size. In proportion, since what is grey has more of the light's colour the lighter it is, while a tinted ground
// under grey print has another.
func residue(luma, channel []float64) float64 {
	const n = greyWidth * greyHeight
	basis := make([][]float64, 0, 5)
	for k := range 5 {
		v := make([]float64, n)
		for i := range v {
			x, y := float64(i%greyWidth)/greyWidth-0.5, float64(i/greyWidth)/greyHeight-0.5
			v[i] = [5]float64{1, luma[i]/255 - 0.5, x, y, x * y}[k]
		}
		basis = append(basis, v)
	}
	rest := slices.Clone(channel)
	for k, v := range basis {
		for _, u := range basis[:k] {
			project(v, u)
		}
		project(rest, v)
	}
	for i := range rest {
		rest[i] = math.Abs(rest[i])
	}
	slices.Sort(rest)
	return rest[n*19/20] // colours that a page has at all cover a twentieth of it
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
