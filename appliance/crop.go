package appliance

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"
)

// reviewQuality is that of the JPEG files that people look at: no mark of compression hides a stroke.
const reviewQuality = 92

// JPEG writes a picture anew: whoever opens it gets pixels alone, and nothing else of the file that somebody sent.
func (p *Picture) JPEG() ([]byte, error) {
	img, err := p.image()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: reviewQuality}); err != nil {
		return nil, fmt.Errorf("write picture: %w", err)
	}
	return b.Bytes(), nil
}

// image is the picture as the standard library has it. It shares the planes.
func (p *Picture) image() (image.Image, error) {
	bounds := image.Rect(0, 0, p.Width, p.Height)
	if len(p.Y) < p.Width*p.Height || p.Width <= 0 || p.Height <= 0 {
		return nil, fmt.Errorf("write picture: %d samples of %d x %d", len(p.Y), p.Width, p.Height)
	}
	if p.ChromaWidth == 0 {
		return &image.Gray{Pix: p.Y, Stride: p.Width, Rect: bounds}, nil
	}
	for ratio, by := range map[image.YCbCrSubsampleRatio][2]int{
		image.YCbCrSubsampleRatio444: {1, 1}, image.YCbCrSubsampleRatio422: {2, 1}, image.YCbCrSubsampleRatio420: {2, 2},
		image.YCbCrSubsampleRatio440: {1, 2}, image.YCbCrSubsampleRatio411: {4, 1}, image.YCbCrSubsampleRatio410: {4, 2},
	} {
		if p.ChromaWidth == (p.Width+by[0]-1)/by[0] && p.ChromaHeight == (p.Height+by[1]-1)/by[1] {
			return &image.YCbCr{Y: p.Y, Cb: p.Cb, Cr: p.Cr, YStride: p.Width, CStride: p.ChromaWidth, SubsampleRatio: ratio, Rect: bounds}, nil
		}
	}
	return nil, fmt.Errorf("write picture: chroma of %d x %d for %d x %d", p.ChromaWidth, p.ChromaHeight, p.Width, p.Height)
}

const (
	// cropMargin is how much of its height a crop shows around a field, so that a stroke that was cut off is seen.
	cropMargin = 0.35
	// cropSide bounds a crop in pixels.
	cropSide = 2048
)

// Crop cuts a region out, upright, with a margin around it; nil where the region has no extent. The result is grey where the picture is.
func (p *Picture) Crop(q Quad) *Picture {
	width := math.Max(distance(q[0], q[1]), distance(q[3], q[2]))
	height := math.Max(distance(q[0], q[3]), distance(q[1], q[2]))
	if !(width >= 1 && height >= 1 && width < 1e5 && height < 1e5) { // also what is no number
		return nil
	}
	margin := cropMargin * math.Min(width, height)
	scale := math.Min(1, cropSide/(math.Max(width, height)+2*margin))
	out := &Picture{Width: int((width + 2*margin) * scale), Height: int((height + 2*margin) * scale)}
	if out.Width < 1 || out.Height < 1 {
		return nil
	}
	grey := p.ChromaWidth == 0
	out.Y = make([]byte, out.Width*out.Height)
	if !grey {
		out.ChromaWidth, out.ChromaHeight = out.Width, out.Height
		out.Cb, out.Cr = make([]byte, len(out.Y)), make([]byte, len(out.Y))
	}
	for y := range out.Height {
		v := ((float64(y)+0.5)/scale - margin) / height
		for x := range out.Width {
			u := ((float64(x)+0.5)/scale - margin) / width
			at, i := q.within(u, v), y*out.Width+x
			out.Y[i] = sample(p.Y, p.Width, p.Height, at.X, at.Y)
			if !grey {
				cx, cy := at.X*float64(p.ChromaWidth)/float64(p.Width), at.Y*float64(p.ChromaHeight)/float64(p.Height)
				out.Cb[i] = sample(p.Cb, p.ChromaWidth, p.ChromaHeight, cx, cy)
				out.Cr[i] = sample(p.Cr, p.ChromaWidth, p.ChromaHeight, cx, cy)
			}
		}
	}
	return out
}

// within is the point of a quad at shares of its width and height, which may lie beyond its sides.
func (q Quad) within(u, v float64) Point {
	return Point{
		X: (1-v)*((1-u)*q[0].X+u*q[1].X) + v*((1-u)*q[3].X+u*q[2].X),
		Y: (1-v)*((1-u)*q[0].Y+u*q[1].Y) + v*((1-u)*q[3].Y+u*q[2].Y),
	}
}

func distance(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// sample reads a plane between its samples; beyond its sides it goes on as it ends.
func sample(plane []byte, width, height int, x, y float64) byte {
	x, y = min(max(x-0.5, 0), float64(width-1)), min(max(y-0.5, 0), float64(height-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, width-1), min(y0+1, height-1)
	fx, fy := x-float64(x0), y-float64(y0)
	top := (1-fx)*float64(plane[y0*width+x0]) + fx*float64(plane[y0*width+x1])
	low := (1-fx)*float64(plane[y1*width+x0]) + fx*float64(plane[y1*width+x1])
	return byte((1-fy)*top + fy*low + 0.5)
}
