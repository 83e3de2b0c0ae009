package card

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// candidate is a document as one look shows it.
type candidate struct {
	quad   appliance.Quad // in input pixels of the look, later in pixels of the picture
	odds   [kindClasses]float64
	core   float64 // mean belief, 0 to 1, of its cells that they are document
	weight float64 // cells that speak for it
	upness float64 // 0 to 4: how much the four corner maps agree with the orientation
	area   float64 // pixels of the picture that it covers
}

func (c *candidate) class() int {
	best := 0
	for class, p := range c.odds {
		if p > c.odds[best] {
			best = class
		}
	}
	return best
}

// secondShare is the say of the second look, which sees more of the print, in the belief about the kind.
const secondShare = 0.65

// merge brings in what the second look saw; h maps its pixels to the picture.
func (c *candidate) merge(near candidate, h vision.Homography) {
	var total float64
	for class := range c.odds {
		first, second := max(c.odds[class], 1e-4), max(near.odds[class], 1e-4)
		c.odds[class] = math.Pow(first, 1-secondShare) * math.Pow(second, secondShare)
		total += c.odds[class]
	}
	for class := range c.odds {
		c.odds[class] /= total
	}
	c.core = max(c.core, near.core)
	if q := h.ApplyQuad(near.quad); convexQuad(q) {
		c.quad, c.upness = q, near.upness
	}
}

// vote is what one block of 2 x 2 cells says about its document, in input pixels.
type vote struct {
	at      appliance.Point
	corners appliance.Quad
	middle  appliance.Point
	core    float64
	block   int
	taken   bool
}

// weighted is a number with its weight in a median.
type weighted struct{ value, weight float64 }

// leastVotes is how many blocks of 8 x 8 input pixels a document needs at least.
const leastVotes = 5

// mostCandidates bounds the work on a picture full of documents.
const mostCandidates = 12

// candidates reads the maps of s, of which the upper left w x h input pixels show the picture. Blocks belong together
// when they point to the same middle: this also tells apart documents that touch.
func (s *finderScratch) candidates(w, h float64) []candidate {
	s.collectVotes(w, h)
	var found []candidate
	for range mostCandidates {
		seed, support := s.strongest()
		if support < leastVotes {
			break
		}
		members := s.take(seed)
		if c, ok := s.candidate(members, w, h); ok {
			found = append(found, c)
		}
	}
	return found
}

// block returns a channel of a block, 0 to 1. The answers are sigmoids, whose quantisation TFLite fixes.
func (s *finderScratch) block(block, channel int) float64 {
	return (float64(s.out[block*finderChannels+channel]) + 128) / 256
}

// cell returns a channel of a cell, 0 to 1.
func (s *finderScratch) cell(x, y, channel int) float64 {
	return s.block(y/2*finderBlocks+x/2, (y%2*2+x%2)*cellChannels+channel)
}

// classes adds a block's belief about the kind to odds with that weight.
func (s *finderScratch) classes(block int, weight float64, odds *[kindClasses]float64) {
	var each [kindClasses]float64
	var total float64
	for class := range each {
		// The ends of the range stand for all that lies beyond.
		p := min(max(s.block(block, channelKinds+class), 0.25/256), 255.75/256)
		each[class] = p / (1 - p)
		total += each[class]
	}
	for class := range each {
		odds[class] += weight * each[class] / total
	}
}

// collectVotes lists the blocks that lie in the core of a document.
func (s *finderScratch) collectVotes(w, h float64) {
	s.votes = s.votes[:0]
	for y := range finderBlocks {
		for x := range finderBlocks {
			at := appliance.Point{X: float64(2*x+1) * finderCell, Y: float64(2*y+1) * finderCell}
			block := y*finderBlocks + x
			var core float64
			for cell := range 4 {
				core += s.block(block, cell*cellChannels+channelCore) / 4
			}
			if core < 0.5 || at.X > w || at.Y > h {
				continue
			}
			v := vote{at: at, core: core, block: block}
			for i := range v.corners {
				v.corners[i] = appliance.Point{
					X: at.X + (2*s.block(block, channelWays+2*i)-1)*finderReach,
					Y: at.Y + (2*s.block(block, channelWays+2*i+1)-1)*finderReach,
				}
			}
			v.middle = centre(v.corners)
			s.votes = append(s.votes, v)
		}
	}
}

// agree tells whether two blocks point to the same middle, measured by the size that they say.
func (v *vote) agree(o *vote) bool {
	size := math.Sqrt(max(quadArea(v.corners), quadArea(o.corners), 1))
	return span(v.middle, o.middle) < max(0.25*size, 2*finderCell)
}

// strongest returns a vote with which the most free ones agree, tried on a sample of them, and their number.
func (s *finderScratch) strongest() (seed, support int) {
	const samples = 96
	step := max(1, len(s.votes)/samples)
	for i := 0; i < len(s.votes); i += step {
		if s.votes[i].taken {
			continue
		}
		count := 0
		for j := range s.votes {
			if !s.votes[j].taken && s.votes[i].agree(&s.votes[j]) {
				count++
			}
		}
		if count > support {
			seed, support = i, count
		}
	}
	return seed, support
}

// take removes the votes that agree with seed from the free ones and returns them.
func (s *finderScratch) take(seed int) []*vote {
	var members []*vote
	for j := range s.votes {
		if v := &s.votes[j]; !v.taken && (j == seed || s.votes[seed].agree(v)) {
			members = append(members, v)
		}
	}
	for _, v := range members {
		v.taken = true
	}
	return members
}

// candidate makes one document out of its votes; false when they make no sense.
func (s *finderScratch) candidate(members []*vote, w, h float64) (candidate, bool) {
	c := candidate{weight: float64(len(members))}
	for _, v := range members {
		c.core += v.core / c.weight
		s.classes(v.block, 1/c.weight, &c.odds)
	}
	c.quad = s.medianQuad(members)
	// The core leaves a rim free, so the whole is larger than the blocks that voted; a quad far from that is a
	// compromise between orientations and says nothing.
	blocks := c.weight * 4 * finderCell * finderCell
	if seen := seenArea(c.quad, w, h); !convexQuad(c.quad) || seen < 0.8*blocks || seen > 3*blocks {
		c.quad = tightRectangle(members)
	}
	if !convexQuad(c.quad) {
		return c, false
	}
	s.turnByCorners(&c)
	s.snap(&c, w, h)
	return c, true
}

// medianQuad takes the weighted median of each coordinate; blocks near a corner know it best.
func (s *finderScratch) medianQuad(members []*vote) appliance.Quad {
	var q appliance.Quad
	for i := range q {
		for axis := range 2 {
			s.sorted = s.sorted[:0]
			for _, v := range members {
				size := math.Sqrt(max(quadArea(v.corners), 1))
				weight := v.core / (0.2 + span(v.at, v.corners[i])/size)
				value := v.corners[i].X
				if axis == 1 {
					value = v.corners[i].Y
				}
				s.sorted = append(s.sorted, weighted{value, weight})
			}
			m := weightedMedian(s.sorted)
			if axis == 0 {
				q[i].X = m
			} else {
				q[i].Y = m
			}
		}
	}
	return q
}

// weightedMedian sorts values and returns their weighted median.
func weightedMedian(values []weighted) float64 {
	slices.SortFunc(values, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	var total, sum float64
	for _, v := range values {
		total += v.weight
	}
	for _, v := range values {
		if sum += v.weight; sum >= total/2 {
			return v.value
		}
	}
	return 0
}

// tightRectangle returns the smallest rectangle about the blocks with the rim that the core leaves free, in any of its
// four orientations.
func tightRectangle(members []*vote) appliance.Quad {
	const steps = 45
	var best appliance.Quad
	least := math.Inf(1)
	for k := range steps {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k) / steps)
		lowU, highU, lowV, highV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, v := range members {
			a, b := v.at.X*cos+v.at.Y*sin, v.at.Y*cos-v.at.X*sin
			lowU, highU, lowV, highV = min(lowU, a), max(highU, a), min(lowV, b), max(highV, b)
		}
		if area := (highU - lowU) * (highV - lowV); area < least {
			least = area
			rim := finderCell + 0.07*(min(highU-lowU, highV-lowV)+finderCell)
			lowU, highU, lowV, highV = lowU-rim, highU+rim, lowV-rim, highV+rim
			for i, uv := range [4][2]float64{{lowU, lowV}, {highU, lowV}, {highU, highV}, {lowU, highV}} {
				best[i] = appliance.Point{X: uv[0]*cos - uv[1]*sin, Y: uv[0]*sin + uv[1]*cos}
			}
		}
	}
	return best
}

// cornerMark returns the strongest mark of a corner map within radius input pixels of p, and its place.
func (s *finderScratch) cornerMark(corner int, p appliance.Point, radius float64) (place appliance.Point, mark float64) {
	x0, x1 := cellRange(p.X, radius)
	y0, y1 := cellRange(p.Y, radius)
	bx, by := 0, 0
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if v := s.cell(x, y, channelCorners+corner); v > mark {
				mark, bx, by = v, x, y
			}
		}
	}
	if mark == 0 {
		return p, 0
	}
	var sum, sx, sy float64
	for y := max(0, by-2); y < min(finderGrid, by+3); y++ {
		for x := max(0, bx-2); x < min(finderGrid, bx+3); x++ {
			v := s.cell(x, y, channelCorners+corner)
			sum, sx, sy = sum+v, sx+v*(float64(x)+0.5), sy+v*(float64(y)+0.5)
		}
	}
	return appliance.Point{X: sx / sum * finderCell, Y: sy / sum * finderCell}, mark
}

func cellRange(middle, radius float64) (from, to int) {
	from = int(math.Floor((middle - radius) / finderCell))
	to = int(math.Ceil((middle + radius) / finderCell))
	return min(max(from, 0), finderGrid), min(max(to, 0), finderGrid)
}

// cornerRadius is how far from its voted place a corner's mark may lie.
func cornerRadius(q appliance.Quad) float64 {
	return max(0.12*math.Sqrt(max(quadArea(q), 0)), 1.5*finderCell)
}

// turnByCorners turns the quad where the corner maps clearly contradict its orientation.
func (s *finderScratch) turnByCorners(c *candidate) {
	var support [4]float64
	radius := cornerRadius(c.quad)
	for turn := range support {
		for i := range c.quad {
			_, mark := s.cornerMark((i-turn+4)%4, c.quad[i], radius)
			support[turn] += mark
		}
	}
	best := 0
	for turn, v := range support {
		if v > support[best] {
			best = turn
		}
	}
	if support[best] < support[0]+0.5 {
		best = 0
	}
	c.upness = support[best]
	q := c.quad
	for i := range q {
		c.quad[i] = q[(i+best)%4]
	}
}

// snap moves corners that lie in the picture to their marks.
func (s *finderScratch) snap(c *candidate, w, h float64) {
	const sure = 0.3
	radius, before := cornerRadius(c.quad), c.quad
	for i, p := range c.quad {
		if p.X < 0 || p.Y < 0 || p.X > w || p.Y > h {
			continue
		}
		if place, mark := s.cornerMark(i, p, radius); mark > sure {
			c.quad[i] = place
		}
	}
	if !convexQuad(c.quad) {
		c.quad = before
	}
}

func centre(q appliance.Quad) appliance.Point {
	return appliance.Point{X: (q[0].X + q[1].X + q[2].X + q[3].X) / 4, Y: (q[0].Y + q[1].Y + q[2].Y + q[3].Y) / 4}
}

func span(a, b appliance.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// quadArea returns the area of q, negative when it runs counter-clockwise as seen in the picture.
func quadArea(q appliance.Quad) float64 {
	return ((q[2].X-q[0].X)*(q[3].Y-q[1].Y) - (q[2].Y-q[0].Y)*(q[3].X-q[1].X)) / 2
}

func convexQuad(q appliance.Quad) bool {
	_, ok := vision.RectToQuad(1, 1, q)
	return ok
}

// seenArea returns the area of the part of a convex q that lies in a picture of w x h.
func seenArea(q appliance.Quad, w, h float64) float64 {
	polygon := slices.Clone(q[:])
	for _, side := range [4]struct{ a, b, c float64 }{{1, 0, 0}, {-1, 0, w}, {0, 1, 0}, {0, -1, h}} {
		inside := func(p appliance.Point) float64 { return side.a*p.X + side.b*p.Y + side.c }
		var kept []appliance.Point
		for i, p := range polygon {
			n := polygon[(i+1)%len(polygon)]
			from, to := inside(p), inside(n)
			if from >= 0 {
				kept = append(kept, p)
			}
			if from*to < 0 {
				t := from / (from - to)
				kept = append(kept, appliance.Point{X: p.X + t*(n.X-p.X), Y: p.Y + t*(n.Y-p.Y)})
			}
		}
		polygon = kept
	}
	var area float64
	for i, p := range polygon {
		n := polygon[(i+1)%len(polygon)]
		area += (p.X*n.Y - p.Y*n.X) / 2
	}
	return area
}
