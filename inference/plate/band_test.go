package plate

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

// bandPicture draws a plate from 40 to 360 across and 40 to 200 down on a green car, its field below 90, in one picture with its colours.
func bandPicture(band, field plate.Colour) *appliance.Picture {
	const width, height = 400, 240
	p := &appliance.Picture{Width: width, Height: height, ChromaWidth: width, ChromaHeight: height}
	for y := range height {
		for x := range width {
			c := plate.Colour{Y: 70, Cb: -20, Cr: -30}
			switch {
			case x < 40 || x >= 360 || y < 40 || y >= 200:
			case y < 90:
				c = band
			default:
				c = field
			}
			p.Y = append(p.Y, byte(c.Y))
			p.Cb, p.Cr = append(p.Cb, byte(128+c.Cb)), append(p.Cr, byte(128+c.Cr))
		}
	}
	return p
}

// The category follows from the band wherever the outline begins: at the plate's top, or below the band, where signs moved it to. A plate
// that is all field has none.
func TestBandIsFoundAboveTheOutline(t *testing.T) {
	field := plate.Colour{Y: 220}
	for _, c := range []struct {
		name string
		band plate.Colour
		want string
	}{
		{"goods", plate.Colour{Y: 75, Cb: -14, Cr: 70}, "goods"},
		{"tourist", plate.Colour{Y: 170, Cb: -48, Cr: 17}, "tourist"},
		{"bus", plate.Colour{Y: 125}, "bus"},
	} {
		for _, top := range []float64{40, 60, 86, 100} {
			p := bandPicture(c.band, field)
			if got := category(p, vision.RectQuad(40, top, 360, 200)); got != c.want {
				t.Errorf("%s, outline from %v: %q", c.name, top, got)
			}
		}
	}
	if got := category(bandPicture(field, field), vision.RectQuad(40, 90, 360, 200)); got != "" {
		t.Errorf("a plate without a band: %q", got)
	}
}
