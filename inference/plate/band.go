package plate

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

// Where the band of a plate and the field below it are looked at, in rows of a view of the plate of bandWidth by bandHeight samples, of
// which bandRim at both sides are left out: both without their rims.
const (
	bandWidth, bandHeight = 64, 32
	bandRim               = 6
	bandFrom, bandTo      = 4, 10
	fieldFrom, fieldTo    = 15, 28
)

// category names the vehicles of the band's colour; "" where it does not show. An outline that was moved to the signs may begin below the
// top of the band: what it shows in the band's place is the field then, and the band is looked for above.
func category(p *appliance.Picture, q appliance.Quad) string {
	rows, ok := bandRows(p, q)
	if !ok {
		return ""
	}
	const low = 2 // rows
	field := colourOf(rows[bandHeight+fieldFrom:bandHeight+fieldTo], 0.75)
	band := colourOf(rows[bandHeight+bandFrom:bandHeight+bandTo], 0.5)
	if alike(colourOf(rows[bandHeight+bandTo-low:bandHeight+bandTo], 0.5), field) {
		if band, ok = bandAbove(rows[:bandHeight+bandTo], field); !ok {
			return ""
		}
	}
	return plate.Category(band, field)
}

// bandRows are the rows of a view of the plate that q outlines and, above them, of as much beyond its top; false where it shows no colours.
func bandRows(p *appliance.Picture, q appliance.Quad) (rows [2 * bandHeight][3][]byte, ok bool) {
	cb, cr, coloured := vision.Chroma(p)
	toPicture, ok := vision.RectToQuad(bandWidth, bandHeight, q)
	if !coloured || !ok {
		return rows, false
	}
	toPicture = toPicture.Mul(vision.Homography{1, 0, 0, 0, 1, -bandHeight, 0, 0, 1})
	sx, sy := float64(p.ChromaWidth)/float64(p.Width), float64(p.ChromaHeight)/float64(p.Height)
	toChroma := vision.Homography{sx, 0, 0, 0, sy, 0, 0, 0, 1}.Mul(toPicture)
	for i, plane := range [3]vision.Plane{vision.Luma(p), cb, cr} {
		h := toChroma
		if i == 0 {
			h = toPicture
		}
		samples := make([]byte, bandWidth*len(rows))
		if !vision.Warp(plane, h, bandWidth, len(rows), samples) {
			return rows, false
		}
		for y := range rows {
			rows[y][i] = samples[y*bandWidth:][bandRim : bandWidth-bandRim]
		}
	}
	return rows, true
}

// bandAbove is the colour of the lowest of those rows that are unlike the field; false where there are none, or where they go on
// higher than a band does, as the paint of a car.
func bandAbove(rows [][3][]byte, field plate.Colour) (band plate.Colour, ok bool) {
	const rim, least, most = 1, 5, 24 // rows: the line between field and band, and what a band is high
	bottom := len(rows)
	for bottom > 0 && alike(colourOf(rows[bottom-1:bottom], 0.5), field) {
		bottom--
	}
	if bottom < least+rim {
		return band, false
	}
	band = colourOf(rows[bottom-rim-least:bottom-rim], 0.5)
	for top := bottom - rim - least; top > max(0, bottom-most); top-- {
		if !alike(colourOf(rows[top-1:top], 0.5), band) {
			return band, !alike(band, field)
		}
	}
	return band, false
}

// alike reports whether two colours of a picture may be those of one surface.
func alike(c, o plate.Colour) bool {
	const leastShare, leastHue = 0.88, 8
	return min(c.Y, o.Y) > leastShare*max(c.Y, o.Y) && math.Hypot(c.Cb-o.Cb, c.Cr-o.Cr) < leastHue
}

// colourOf is the colour of rows of samples: of luma the given percentile, lest text count, of the differences the median.
func colourOf(rows [][3][]byte, percentile float64) plate.Colour {
	var all [3][]byte
	for _, row := range rows {
		for i := range all {
			all[i] = append(all[i], row[i]...)
		}
	}
	return plate.Colour{Y: ranked(all[0], percentile), Cb: ranked(all[1], 0.5) - 128, Cr: ranked(all[2], 0.5) - 128}
}

// ranked is the sample at that share of the sorted ones, which it sorts.
func ranked(samples []byte, share float64) float64 {
	slices.Sort(samples)
	return float64(samples[int(share*float64(len(samples)-1))])
}
