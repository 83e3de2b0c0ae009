package face

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// A mask or a scarf over nose and mouth has a colour of its own. The lower half of a face is compared with the bridge of the nose,
// which stays free. Set on 28 November 2026 on 4,114 photographs of UTKFace and of half of LFW's others (3 have another colour in more than
// 0.9 of it) and on 516 of them with drawn masks. On 4,000 photographs of the other half and of lfw-dev 3 have, and of 396 masks that
// were not beige or pink 350.
const (
	// otherColour is a distance in Cb and Cr, in levels, and otherShare the same in shares of how far the bridge of the nose is from grey:
	// in strong, warm light a shadow or a beard takes more of the colour of a skin than cloth differs from it elsewhere.
	otherColour, otherShare = 16, 0.4
	// mostOther is the share of the lower half of a face that may have another colour.
	mostOther = 0.9
	// maskCovers is the share of a face that a mask hides at least.
	maskCovers = 0.5
)

// veil is the share, 0 to 1, of the lower half of a face whose colour is not that of the bridge of the nose; 0 in a grey picture.
// The landmarks are in pixels of the picture and may lie beyond its border.
func veil(p *appliance.Picture, marks [5]appliance.Point) float64 {
	cb, cr, coloured := vision.Chroma(p)
	if !coloured {
		return 0
	}
	eyes := appliance.Point{X: (marks[0].X + marks[1].X) / 2, Y: (marks[0].Y + marks[1].Y) / 2}
	across := appliance.Point{X: marks[1].X - marks[0].X, Y: marks[1].Y - marks[0].Y}
	down := appliance.Point{X: (marks[3].X+marks[4].X)/2 - eyes.X, Y: (marks[3].Y+marks[4].Y)/2 - eyes.Y}
	fx, fy := float64(p.ChromaWidth)/float64(p.Width), float64(p.ChromaHeight)/float64(p.Height)
	// grid takes both colour differences at points between (left, top) and (right, bottom), in distances of the eyes and of the
	// mouth from between the eyes.
	grid := func(left, top, right, bottom float64) (b, r []int) {
		const steps = 10
		for i := range steps + 1 {
			for k := range steps + 1 {
				u, v := left+(right-left)*float64(k)/steps, top+(bottom-top)*float64(i)/steps
				x := int(min(max((eyes.X+u*across.X+v*down.X)*fx, 0), float64(p.ChromaWidth-1)))
				y := int(min(max((eyes.Y+u*across.Y+v*down.Y)*fy, 0), float64(p.ChromaHeight-1)))
				b, r = append(b, int(cb.Pix[y*cb.Stride+x])), append(r, int(cr.Pix[y*cr.Stride+x]))
			}
		}
		return b, r
	}
	b, r := grid(-0.2, 0, 0.2, 0.3)
	slices.Sort(b)
	slices.Sort(r)
	middleB, middleR := b[len(b)/2], r[len(r)/2]
	b, r = grid(-0.75, 0.68, 0.75, 0.95)
	chinB, chinR := grid(-0.45, 0.8, 0.45, 1.25)
	b, r = append(b, chinB...), append(r, chinR...)
	other, most := 0, max(otherColour, otherShare*math.Hypot(float64(middleB-noColour), float64(middleR-noColour)))
	for i := range b {
		if math.Hypot(float64(b[i]-middleB), float64(r[i]-middleR)) > most {
			other++
		}
	}
	return float64(other) / float64(len(b))
}
