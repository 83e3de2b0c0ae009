package decode

import "github.com/bawab/bawab/appliance"

// orient turns p upright by its EXIF orientation, which says how the stored rows and columns lie in the scene.
func orient(p *appliance.Picture, orientation int) {
	if orientation <= 1 || orientation > 8 {
		return
	}
	p.Y = turned(p.Y, p.Width, p.Height, orientation)
	if len(p.Cb) > 0 {
		p.Cb = turned(p.Cb, p.ChromaWidth, p.ChromaHeight, orientation)
		p.Cr = turned(p.Cr, p.ChromaWidth, p.ChromaHeight, orientation)
	}
	if orientation >= 5 {
		p.Width, p.Height = p.Height, p.Width
		p.ChromaWidth, p.ChromaHeight = p.ChromaHeight, p.ChromaWidth
	}
}

// turned returns the plane of w x h samples in its upright order; orientations 2 to 4 work in place.
func turned(pix []byte, w, h, orientation int) []byte {
	if orientation >= 5 {
		pix = transposed(pix, w, h)
		w, h = h, w
	}
	// After transposition, 6 still mirrors left and right, 8 up and down, 7 both, like 2, 4 and 3 without it.
	switch orientation {
	case 2, 6:
		mirrorRows(pix, w)
	case 3, 7:
		reverse(pix)
	case 4, 8:
		flipRows(pix, w, h)
	}
	return pix
}

// transposed swaps rows and columns, in tiles that stay in the processor's cache.
func transposed(pix []byte, w, h int) []byte {
	const tile = 32
	out := make([]byte, len(pix))
	for y0 := 0; y0 < h; y0 += tile {
		y1 := min(y0+tile, h)
		for x0 := 0; x0 < w; x0 += tile {
			for x := x0; x < min(x0+tile, w); x++ {
				dst := out[x*h+y0 : x*h+y1]
				at := y0*w + x
				for i := range dst {
					dst[i] = pix[at]
					at += w
				}
			}
		}
	}
	return out
}

func mirrorRows(pix []byte, w int) {
	for ; len(pix) >= w; pix = pix[w:] {
		reverse(pix[:w])
	}
}

func flipRows(pix []byte, w, h int) {
	tmp := make([]byte, w)
	for y := range h / 2 {
		a, b := pix[y*w:(y+1)*w], pix[(h-1-y)*w:(h-y)*w]
		copy(tmp, a)
		copy(a, b)
		copy(b, tmp)
	}
}

func reverse(pix []byte) {
	for i, j := 0, len(pix)-1; i < j; i, j = i+1, j-1 {
		pix[i], pix[j] = pix[j], pix[i]
	}
}
