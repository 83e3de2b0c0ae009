package scene

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Property: the other page of a booklet is the document that has a side in common with a licence, left or right of it, in whatever way it
// was outlined; a sheet further off, or below, is none.
func TestOtherPageOfABooklet(t *testing.T) {
	at := func(x, y float64) appliance.Quad { return vision.RectQuad(x, y, x+100, y+150) }
	turned := func(q appliance.Quad) appliance.Quad { return appliance.Quad{q[2], q[3], q[0], q[1]} }
	licence := at(200, 100)
	for name, test := range map[string]struct {
		other appliance.Quad
		side  Side
		page  bool
	}{
		"left": {at(98, 103), Left, true}, "left, upside down": {turned(at(98, 103)), Left, true}, "right": {at(303, 97), Right, true},
		"left, looked for right": {at(98, 103), Right, false}, "further off": {at(60, 100), Left, false}, "below": {at(200, 252), Bottom, false},
	} {
		if left := WithoutPage([]appliance.Quad{test.other}, licence, test.side); len(left) == 0 != test.page {
			t.Errorf("%s: a page: %v", name, !test.page)
		}
	}
}
