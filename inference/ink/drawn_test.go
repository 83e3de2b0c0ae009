package ink

import (
	"bytes"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// letters draws two words of dark strokes, 20 pixels high on the base line at row 60, from column 100 to 160 and from 240 to 300, and
// more rectangles of ink (left, top, right, bottom).
func letters(more ...[4]int) vision.Plane {
	p := vision.Plane{Pix: bytes.Repeat([]byte{230}, 500*120), Width: 500, Height: 120, Stride: 500}
	var words [][4]int
	for _, left := range []int{100, 240} {
		words = append(words, [4]int{left, 57, left + 60, 60})
		for x := left; x < left+60; x += 14 {
			words = append(words, [4]int{x, 40, x + 4, 60})
		}
	}
	for _, r := range append(words, more...) {
		for y := r[1]; y < r[3]; y++ {
			for x := r[0]; x < r[2]; x++ {
				p.Pix[y*p.Stride+x] = 20
			}
		}
	}
	return p
}

func lineFrom(left, right float64) text.Line {
	return text.Line{Start: appliance.Point{X: left, Y: 50}, End: appliance.Point{X: right, Y: 50}, Height: 20}
}

// Property: words that a drawn out stroke ties together are one line, also where one is found low, aslant or sagging or a hair line parts
// the stroke, a line is led on to a letter that such a stroke ties to it, however long it is, and one that is mostly a part of another is
// none; a dash between words, a rule under them, a rule that a word touches and the frame of a table leave lines as they are.
func TestDrawn(t *testing.T) {
	words := []text.Line{lineFrom(100, 160), lineFrom(240, 300)}
	low, aslant, sagging, stroke := lineFrom(240, 300), lineFrom(240, 300), lineFrom(240, 300), [4]int{155, 57, 245, 60}
	low.Height, low.Start.Y, low.End.Y = 9, 56, 56
	aslant.Start.Y, aslant.End.Y = 40, 60
	sagging.Sag = 4
	other := lineFrom(100, 400)
	other.Start.Y, other.End.Y = 20, 20
	for name, tt := range map[string]struct {
		ink   [][4]int
		lines []text.Line
		ends  [][2]float64
	}{
		"apart":         {nil, words, [][2]float64{{100, 160}, {240, 300}}},
		"tied":          {[][4]int{{155, 57, 245, 60}}, words, [][2]float64{{100, 300}}},
		"tied low":      {[][4]int{stroke}, []text.Line{words[0], low}, [][2]float64{{100, 300}}},
		"tied aslant":   {[][4]int{stroke}, []text.Line{words[0], aslant, other}, [][2]float64{{100, 300}, {100, 400}}},
		"tied sagging":  {[][4]int{stroke}, []text.Line{sagging, words[0]}, [][2]float64{{100, 300}}},
		"hair line":     {[][4]int{{155, 57, 200, 60}, {202, 57, 245, 60}}, words, [][2]float64{{100, 300}}},
		"far letter":    {[][4]int{{290, 57, 476, 60}, {470, 46, 476, 60}}, words[1:], [][2]float64{{240, 476}}},
		"dash at foot":  {[][4]int{{175, 57, 225, 60}}, words, [][2]float64{{100, 160}, {240, 300}}},
		"dash":          {[][4]int{{175, 50, 225, 53}}, words, [][2]float64{{100, 160}, {240, 300}}},
		"rule below":    {[][4]int{{90, 72, 400, 74}}, words, [][2]float64{{100, 160}, {240, 300}}},
		"touching rule": {[][4]int{{290, 57, 400, 60}}, words, [][2]float64{{100, 160}, {240, 300}}},
		"frame":         {[][4]int{{290, 57, 400, 60}, {396, 5, 400, 115}}, words, [][2]float64{{100, 160}, {240, 300}}},
		"letter behind": {[][4]int{{290, 57, 360, 60}, {354, 46, 360, 60}}, words[1:], [][2]float64{{240, 360}}},
		"letter before": {[][4]int{{40, 57, 110, 60}, {40, 46, 44, 60}}, words[:1], [][2]float64{{40, 160}}},
		"seen twice":    {nil, []text.Line{lineFrom(100, 300), lineFrom(240, 310)}, [][2]float64{{100, 310}}},
		"overlapping":   {nil, []text.Line{lineFrom(100, 235), lineFrom(220, 300)}, [][2]float64{{100, 235}, {220, 300}}},
		"on another row": {[][4]int{{155, 57, 245, 60}}, []text.Line{words[0], {
			Start: appliance.Point{X: 240, Y: 90},
			End:   appliance.Point{X: 300, Y: 90}, Height: 20,
		}}, [][2]float64{{100, 300}, {240, 300}}},
	} {
		got := Drawn(letters(tt.ink...), vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, tt.lines)
		if len(got) != len(tt.ends) {
			t.Errorf("%s: %d lines, want %d: %+v", name, len(got), len(tt.ends), got)
			continue
		}
		for i, l := range got {
			const close = 3 // pixels
			if want := tt.ends[i]; l.Start.X < want[0]-close || l.Start.X > want[0]+close || l.End.X < want[1]-close || l.End.X > want[1]+close {
				t.Errorf("%s: line %d from %.1f to %.1f, want %v", name, i, l.Start.X, l.End.X, want)
			}
		}
	}
}
