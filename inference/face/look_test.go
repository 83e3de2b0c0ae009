package face

import (
	"bytes"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// A square that a picture fills keeps its levels to the rim, and one that reaches beyond it is black there and nowhere else.
func TestBlacken(t *testing.T) {
	p := &appliance.Picture{Width: 40, Height: 40, Y: bytes.Repeat([]byte{200}, 40*40)}
	for _, c := range []struct {
		middle appliance.Point
		turn   float64
		black  bool
	}{{appliance.Point{X: 20, Y: 20}, 0, false}, {appliance.Point{X: 20, Y: 20}, 0.3, false}, {appliance.Point{X: 8, Y: 20}, 0, true}} {
		l := &look{side: 20, planes: [3][]byte{make([]byte, 400), make([]byte, 400), make([]byte, 400)}}
		v := squareView(c.middle, 20, c.turn, 20)
		l.show(p, v)
		for i, level := range l.planes[0] {
			at := v.toPicture.Apply(appliance.Point{X: float64(i%20) + 0.5, Y: float64(i/20) + 0.5})
			if outside := at.X < 0; outside != (level == 0) || outside && !c.black {
				t.Fatalf("%v: level %d at %v", c, level, at)
			}
		}
	}
}
