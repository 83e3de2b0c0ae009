package layout

import (
	"slices"
	"testing"
)

// Property: blocks side by side, in two languages or centred, are read one after the other; labels with values, and rows in two languages
// that are too many for a letterhead, are read across, and so are rows with something between them.
func TestBlocksOrder(t *testing.T) {
	row := func(left, right, y float64, script int) Extent {
		return Extent{left: left, right: right, leftY: y, rightY: y, Height: 20, Script: script}
	}
	twoLanguages := func(n int) (out []Extent) {
		for i := range n {
			y := 100 + 45*float64(i)
			out = append(out, row(1100+20*float64(i), 1450, y, 1), row(100, 400+30*float64(i), y, -1))
		}
		return out
	}
	below := row(300, 1200, 600, 1)
	between := slices.Concat(twoLanguages(2), []Extent{row(700, 800, 100, 0), row(700, 800, 145, 0)})
	signatures := []Extent{row(1100, 1300, 100, 1), row(200, 360, 100, 1), row(1050, 1350, 145, 1), row(120, 440, 145, 1)}
	labels := []Extent{row(1100, 1450, 100, 1), row(300, 600, 100, 1), row(1200, 1450, 145, 1), row(200, 600, 145, 1)}
	for name, test := range map[string]struct {
		rows []Extent
		want []int
	}{
		"letterhead":          {append(twoLanguages(3), below), []int{0, 2, 4, 1, 3, 5, 6}},
		"form, two languages": {append(twoLanguages(6), below), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"values between":      {between, []int{0, 4, 1, 2, 5, 3}},
		"signatures":          {signatures, []int{0, 2, 1, 3}},
		"labels with values":  {labels, []int{0, 1, 2, 3}},
	} {
		if got := Order(test.rows, true); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
