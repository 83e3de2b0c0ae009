package ink

import (
	"bytes"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Sole returns the place of the text in a picture that shows one upright line of dark text on light paper and nothing
// else, such as a line that was cut out of a scan. The base line is where the text is densest, the glyph box as high
// as tall letters stand above it. It is false where there is no such text. The picture may be any other: then the line
// makes no sense, which its reading tells.
func Sole(p vision.Plane) (text.Line, bool) {
	ink, ok := inkOf(p)
	if !ok {
		return text.Line{}, false
	}
	rows := ink.rows()
	peak, base := baseLine(rows)
	var heights []int
	left, right := math.MaxInt, 0
	for _, s := range ink.strokes() {
		left, right = min(left, s.left), max(right, s.right)
		if s.bottom > peak-2 && s.top < peak && s.area > 8 {
			heights = append(heights, base-s.top)
		}
	}
	if len(heights) == 0 {
		return text.Line{}, false
	}
	slices.Sort(heights)
	// Three letters of four are no taller than this: it is the height of an alef or a capital.
	height := float64(heights[len(heights)*3/4])
	y := float64(base) - height/2
	return text.Line{Start: appliance.Point{X: float64(left), Y: y}, End: appliance.Point{X: float64(right), Y: y}, Height: height}, true
}

// Mounted returns a picture on a sheet in the tone of its paper, with so many samples of room on each side. A line that was cut out of a
// scan often touches the sides of its picture, and beyond these the outermost samples go on: the last letter would end in a bar.
func Mounted(p vision.Plane) (sheet vision.Plane, room int) {
	const least, most, slim = 8, 64, 2 // samples; times as wide as high, under which a picture is of no single line
	sides := outermost(p)
	tone := byte(vision.Median(vision.Plane{Pix: sides, Width: len(sides), Height: 1, Stride: len(sides)}))
	if p.Width < slim*p.Height || !darkerThan(p, tone) {
		return p, 0
	}
	room = min(max(p.Height/3, least), most)
	sheet = vision.Plane{Width: p.Width + 2*room, Height: p.Height + 2*room, Stride: p.Width + 2*room}
	sheet.Pix = bytes.Repeat([]byte{tone}, sheet.Stride*sheet.Height)
	for y := range p.Height {
		copy(sheet.Pix[(y+room)*sheet.Stride+room:], p.Pix[y*p.Stride:][:p.Width])
	}
	return sheet, room
}

// darkerThan reports whether a picture is darker than a tone in the mean: text on paper of that tone is, light text on dark ground is not.
func darkerThan(p vision.Plane, tone byte) bool {
	sum := 0
	for y := range p.Height {
		for _, v := range p.Pix[y*p.Stride:][:p.Width] {
			sum += int(v)
		}
	}
	return sum < int(tone)*p.Width*p.Height
}

// outermost are the samples along the sides of a picture, of which letters that touch them are few.
func outermost(p vision.Plane) []byte {
	last := (p.Height - 1) * p.Stride
	out := append(slices.Clone(p.Pix[:p.Width]), p.Pix[last:last+p.Width]...)
	for y := range p.Height {
		out = append(out, p.Pix[y*p.Stride], p.Pix[y*p.Stride+p.Width-1])
	}
	return out
}

// bitmap tells the dark samples of grey from the light ones.
type bitmap struct {
	dark          []bool
	grey          vision.Plane
	width, height int
}

// inkOf separates text from paper at the level that parts the two best (Otsu, 1979). It is false when the picture is
// all of one tone.
func inkOf(p vision.Plane) (bitmap, bool) {
	var counts [256]float64
	sum, total := 0.0, float64(p.Width*p.Height)
	for y := range p.Height {
		for _, v := range p.Pix[y*p.Stride : y*p.Stride+p.Width] {
			counts[v]++
			sum += float64(v)
		}
	}
	best, level, below, belowSum := 0.0, 0, 0.0, 0.0
	for v, n := range counts {
		below, belowSum = below+n, belowSum+n*float64(v)
		if below == 0 || below == total {
			continue
		}
		d := belowSum/below - (sum-belowSum)/(total-below)
		if s := below * (total - below) * d * d; s > best {
			best, level = s, v
		}
	}
	b := bitmap{dark: make([]bool, p.Width*p.Height), grey: p, width: p.Width, height: p.Height}
	for y := range p.Height {
		for x, v := range p.Pix[y*p.Stride : y*p.Stride+p.Width] {
			b.dark[y*p.Width+x] = int(v) <= level
		}
	}
	return b, best > 0
}

// rows counts the dark samples of each row.
func (b bitmap) rows() []float64 {
	out := make([]float64, b.height)
	for y := range out {
		for _, d := range b.dark[y*b.width : (y+1)*b.width] {
			if d {
				out[y]++
			}
		}
	}
	return out
}

// baseLine returns the row of the joining stroke, the densest in the lower two thirds, and the row below it where the
// print falls to half of that: the base line.
func baseLine(rows []float64) (peak, base int) {
	soft := make([]float64, len(rows))
	weights := [5]float64{1, 4, 6, 4, 1}
	for y := range rows {
		for i, w := range weights {
			soft[y] += w * rows[min(max(y+i-2, 0), len(rows)-1)]
		}
	}
	peak = len(rows) / 3
	for y := peak; y < len(rows); y++ {
		if soft[y] > soft[peak] {
			peak = y
		}
	}
	for base = peak; base < len(rows)-1 && soft[base] > soft[peak]/2; {
		base++
	}
	return peak, base
}

// stroke is a connected piece of text: its box, right and bottom excluded, and its samples.
type stroke struct{ left, top, right, bottom, area int }

// side is the longer side of its box.
func (s stroke) side() int { return max(s.right-s.left, s.bottom-s.top) }

// strokes returns the 8-connected pieces of text.
func (b bitmap) strokes() []stroke {
	out, _ := b.pieces()
	return out
}
