package plate

import "math"

// Colour is a colour as cameras code it: luma 0..255, and the two differences from grey, blue and red, each -128..127.
type Colour struct{ Y, Cb, Cr float64 }

// Category says which vehicles carry a band of this colour: private, taxi, goods, diplomatic, tourist, bus or customs.
// field is the white beside it, which shows the colour and the strength of the light. "" is an answer too: the light is too poor, the
// colour is none of the table's, or a blue is so dark that it is either the police's or a private one's at dusk.
func Category(band, field Colour) string {
	// On 1,008 real private plates (20 November 2026) the blue band has 0.23 to 0.69 of the luma of the white, in 19 of 20.
	const dark, dim = 0.25, 60
	if field.Y < dim || band.Y > field.Y {
		return ""
	}
	lit := band.under(field)
	cb, cr := lit.Cb, lit.Cr
	share, strength, hue := band.Y/field.Y, math.Hypot(cb, cr), math.Atan2(cr, cb)*180/math.Pi
	switch {
	case strength < 5 && share > 0.4 && share < 0.8:
		return "bus"
	case strength < 14:
		return ""
	case hue > -80 && hue < 10:
		if share < dark {
			return ""
		}
		return "private"
	case hue > -145 && hue < -87:
		return "diplomatic"
	}
	return warmCategory(hue, strength, lit.rgb())
}

// warmCategory is Category of a red, orange or yellow band, by what it reflects of white light.
func warmCategory(hue, strength float64, rgb [3]float64) string {
	// On 2,271 real plates (27 November 2026) the hue of goods is 97 degrees (87 to 110 in nine of ten), of taxis 120 (109 to 130), of tourist
	// cars 149 (141 to 163), and no tourist's is stronger than 83; the yellow of customs is. Yellowish taxis reflect at most 0.55 of the
	// green that they do of red, reddish tourist cars at least 0.7, in any light (15 real ones, 46 drawn, 28 November 2026).
	const goods, taxi, yellowish, vivid, orange, sand = 109, 136, 152, 84, 0.62, 0.68
	green := rgb[1] / max(rgb[0], 1)
	switch {
	case hue > 80 && hue < goods:
		return "goods"
	case hue >= goods && hue < taxi, hue >= taxi && hue < yellowish && green < orange:
		return "taxi"
	case hue >= taxi && hue < 165 && strength < vivid && green > sand:
		return "tourist"
	case hue >= 155 && hue < 180 && strength >= vivid:
		return "customs"
	}
	return ""
}

// dayWhite is the luma that white is taken to have at least where colours are compared: what is seen in less light is told as it would be
// seen by day. Drawn bands in light of 0.3 to 0.5 and of a warm cast then have the hues and strengths of those by day (28 November 2026,
// 120 plates).
const dayWhite = 150

// under is the colour of a surface in white light, seen beside one that is white: what it leaves of each of red, green and blue. A
// difference of colours, instead, shrinks with the light and turns with its cast.
func (c Colour) under(white Colour) Colour {
	light := max(white.Y, dayWhite)
	surface, lamp := c.rgb(), white.rgb()
	for i := range surface {
		surface[i] *= light / max(lamp[i], 1)
	}
	luma := 0.299*surface[0] + 0.587*surface[1] + 0.114*surface[2]
	return Colour{Y: luma, Cb: (surface[2] - luma) / 1.772, Cr: (surface[0] - luma) / 1.402}
}

// rgb is a colour as red, green and blue.
func (c Colour) rgb() [3]float64 {
	return [3]float64{c.Y + 1.402*c.Cr, c.Y - 0.344*c.Cb - 0.714*c.Cr, c.Y + 1.772*c.Cb}
}
