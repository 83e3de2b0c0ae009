package line

import (
	"math"

	"github.com/bawab/bawab/appliance"
)

// region is one connected set of cells of a map.
type region []int32

// regions returns the 8-connected regions in which a channel is at least low everywhere and at least high somewhere,
// so that a weak stretch does not break what is surely there, and nothing is made of weak cells alone.
func (m *Map) regions(c channel, low, high float32, minCells int) []region {
	seen := make([]bool, m.width*m.height)
	var out []region
	least, sure := m.step(low), m.step(high)
	for start := range int32(m.width * m.height) {
		if seen[start] || m.cells[int(start)*mapChannels+int(c)] < sure {
			continue
		}
		if r := m.grow(start, c, least, seen); len(r) >= minCells {
			out = append(out, r)
		}
	}
	return out
}

// grow gathers the cells that hang together with start and hold at least a step.
func (m *Map) grow(start int32, c channel, least int8, seen []bool) region {
	r, width, height := region{start}, int32(m.width), int32(m.height)
	seen[start] = true
	for next := 0; next < len(r); next++ {
		cell := r[next]
		x, y := cell%width, cell/width
		for ny := max(y-1, 0); ny <= min(y+1, height-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, width-1); nx++ {
				n := ny*width + nx
				if !seen[n] && m.cells[int(n)*mapChannels+int(c)] >= least {
					seen[n] = true
					r = append(r, n)
				}
			}
		}
	}
	return r
}

// frame is an upright coordinate system laid over a region: u runs along the reading direction, v down from it, in
// cells, with the origin at the region's centroid.
type frame struct {
	m        *Map
	x, y     float64 // centroid in cells
	cos, sin float64
}

// centre returns the centre of a cell, in cells.
func (m *Map) centre(cell int32) (x, y float64) {
	return float64(int(cell)%m.width) + 0.5, float64(int(cell)/m.width) + 0.5
}

// frame lays coordinates over a region. The long axis of a region that is at least twice as long as high gives the
// direction more exactly than the network does; the network then only says which end comes first.
func (m *Map) frame(r region) frame {
	var sw, sx, sy, sxx, sxy, syy, cos, sin float64
	for _, cell := range r {
		x, y := m.centre(cell)
		sw++
		sx += x
		sy += y
		sxx += x * x
		sxy += x * y
		syy += y * y
		w := float64(max(m.at(cell, channelText), 0)) + 0.05
		cos += w * float64(m.at(cell, channelCos))
		sin += w * float64(m.at(cell, channelSin))
	}
	f := frame{m: m, x: sx / sw, y: sy / sw}
	cxx, cxy, cyy := sxx/sw-f.x*f.x, sxy/sw-f.x*f.y, syy/sw-f.y*f.y
	spread := math.Hypot(cxx-cyy, 2*cxy)
	long, short := (cxx+cyy+spread)/2, (cxx+cyy-spread)/2+1.0/12
	angle := math.Atan2(sin, cos)
	if long > 4*short {
		axis := 0.5 * math.Atan2(2*cxy, cxx-cyy)
		if math.Cos(axis-angle) < 0 {
			axis += math.Pi
		}
		angle = axis
	}
	f.sin, f.cos = math.Sincos(angle)
	return f
}

// place returns the coordinates of a cell's centre.
func (f frame) place(cell int32) (u, v float64) {
	x, y := f.m.centre(cell)
	dx, dy := x-f.x, y-f.y
	return dx*f.cos + dy*f.sin, dy*f.cos - dx*f.sin
}

// point turns frame coordinates into a point of the picture.
func (m *Map) point(f frame, u, v float64) appliance.Point {
	return appliance.Point{X: (f.x + u*f.cos - v*f.sin) * m.cellX, Y: (f.y + u*f.sin + v*f.cos) * m.cellY}
}
