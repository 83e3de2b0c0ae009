package line

import (
	"context"

	"github.com/bawab/bawab/inference/vision"
)

// area is a part of a map, in cells, right and bottom excluded.
type area struct{ left, top, right, bottom int }

// hintOfPrint is the probability from which on a cell may be text that a look from further away hardly shows, and hintReach
// how many cells around it are looked at again.
const (
	hintOfPrint = 0.12
	hintReach   = 4
)

// DetectWhere is DetectAt where a look from further away at the same rectangle, seen, had a hint of text; elsewhere it finds nothing.
func (d *Detector) DetectWhere(
	ctx context.Context, p vision.Plane, h vision.Homography, w, hgt, scale float64, seen *Map,
) (*Map, error) {
	m := d.newMap(cellsOf(w, scale), cellsOf(hgt, scale), scale, scale)
	for i := range m.cells {
		m.cells[i] = int8(m.zero)
	}
	hints := seen.hints(m)
	part, ok := bounds(hints)
	if !ok {
		return m, nil
	}
	// A window that is larger than the text shows what lies around it rather than what lies beyond the rectangle.
	part.left = max(0, min(part.left, m.width-mapSide))
	part.top = max(0, min(part.top, m.height-mapSide))
	part.right, part.bottom = min(part.right, m.width), min(part.bottom, m.height)
	return m, d.tile(ctx, p, h, w, hgt, m, part, func(tile area) bool {
		for _, hint := range hints {
			if hint.left < tile.right && hint.right > tile.left && hint.top < tile.bottom && hint.bottom > tile.top {
				return true
			}
		}
		return false
	})
}

// hints are the stretches of the rows of a map where text may be, and what lies around them, as areas of another map of the
// same rectangle.
func (m *Map) hints(other *Map) (out []area) {
	least := m.step(hintOfPrint)
	across, down := m.cellX/other.cellX, m.cellY/other.cellY
	for y := range m.height {
		for x := 0; x < m.width; x++ {
			start := x
			for x < m.width && m.cells[(y*m.width+x)*mapChannels+int(channelText)] >= least {
				x++
			}
			if x > start {
				out = append(out, area{
					left: int(float64(start-hintReach) * across), right: int(float64(x+hintReach) * across),
					top: int(float64(y-hintReach) * down), bottom: int(float64(y+1+hintReach) * down),
				})
			}
		}
	}
	return out
}

// bounds is the area that holds all parts.
func bounds(parts []area) (all area, ok bool) {
	for i, a := range parts {
		if i == 0 {
			all = a
		}
		all = area{min(all.left, a.left), min(all.top, a.top), max(all.right, a.right), max(all.bottom, a.bottom)}
	}
	return all, len(parts) > 0
}
