package egypt

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/ink"
)

// drawn is a row of signs as high as said over and under its line, in samples of which a digit has twenty, from the left; it rises by so
// many samples for each sign.
func drawn(rise int, signs ...[3]int) (out []ink.Extent) {
	for i, s := range signs {
		line := 100 - i*rise
		out = append(out, ink.Extent{Left: 60 * i, Right: 60*i + s[2], Top: line - s[0], Bottom: line - s[1]})
	}
	return out
}

// Property: where signs stand beside the digits of a row tells letters that a reader of single ones confuses, on either side of the number
// and where the row rises; signs that are not as many as those of a plate tell little, and letters of a strange face no more.
func TestShapes(t *testing.T) {
	s := plateShapes()
	one, two := [3]int{20, 0, 6}, [3]int{20, 0, 12}
	lam, ra, dal, waw := [3]int{22, -7, 16}, [3]int{10, -7, 12}, [3]int{15, 0, 12}, [3]int{12, -7, 13}
	for name, test := range map[string]struct {
		signs       []ink.Extent
		right, less string
		number      string
	}{
		"low":          {drawn(0, one, two, one, ra, dal), "در", "دل", "121"},
		"high":         {drawn(0, one, two, one, lam, dal), "دل", "در", "121"},
		"on the line":  {drawn(0, one, two, dal, ra), "رد", "دد", "12"},
		"under it":     {drawn(0, one, two, waw, waw), "وو", "هو", "12"},
		"number right": {drawn(0, ra, dal, one, two, one), "در", "دل", "121"},
		"rising":       {drawn(2, one, two, one, ra, dal), "در", "دل", "121"},
	} {
		right := s.like(test.signs, plate.Plate{Letters: []rune(test.right), Number: test.number})
		less := s.like(test.signs, plate.Plate{Letters: []rune(test.less), Number: test.number})
		if right < 0.3 || less > right/2 {
			t.Errorf("%s: %s %.4f, %s %.4f", name, test.right, right, test.less, less)
		}
		if v := s.like(test.signs[1:], plate.Plate{Letters: []rune(test.right), Number: test.number}); v < 0.1 || v > 0.2 {
			t.Errorf("%s, one sign lacking: %.4f", name, v)
		}
	}
	strange := drawn(0, one, two, one, [3]int{34, 14, 3}, [3]int{5, -20, 40})
	right, lacking := plate.Plate{Letters: []rune("هب"), Number: "236"}, plate.Plate{Letters: []rune("هب"), Number: "36"}
	if s.like(strange, right) < s.like(strange, lacking) {
		t.Errorf("of a strange face %.4f, without one of its signs %.4f", s.like(strange, right), s.like(strange, lacking))
	}
	for _, l := range "أبجدرسصطعفقلمنهوى" {
		if len(s[l]) == 0 {
			t.Errorf("%c has no shape", l)
		}
	}
}
