package outline

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// candidate is a document as one look shows it.
type candidate struct {
	quad   appliance.Quad // in input pixels of the look, later in pixels of the picture
	odds   [kindClasses]float64
	core   float64 // mean belief, 0 to 1, of its cells that they are document
	weight float64 // cells that speak for it
	fill   float64 // share, 0 to 1, of these and of the outline of its core that is both
	area   float64 // pixels of the picture that it covers
	// fitted and pointed are outlines in the same pixels as quad, which is the first with its corners on their marks:
	// that of its core with the rim, and the one to which its cells point.
	fitted, pointed appliance.Quad
	// doubtful tells that its cells hang together with those of another document, and that only where they point to
	// speaks for it.
	doubtful bool
	// confirmed tells that a look from near saw a document there.
	confirmed bool
	region    int // its region in the first look, in which documents that cover each other hang together
}

func (c *candidate) class() int { return likeliest(c.odds) }

// known reports whether it is of one of the contract's kinds, as it should be seen.
func (c *candidate) known() bool { return c.class() < classUnknown }

// likeliest is the class with the highest odds, the first of equals.
func likeliest(odds [kindClasses]float64) int {
	best := 0
	for class, p := range odds {
		if p > odds[best] {
			best = class
		}
	}
	return best
}

// nearShare is the say of a look from near, which sees more of the text, in the belief about the kind.
const nearShare = 0.65

// merge makes of the belief of c what a look from far and one from near say together.
func (c *candidate) merge(far, near candidate) {
	var total float64
	for class := range c.odds {
		first, second := max(far.odds[class], 1e-4), max(near.odds[class], 1e-4)
		c.odds[class] = math.Pow(first, 1-nearShare) * math.Pow(second, nearShare)
		total += c.odds[class]
	}
	for class := range c.odds {
		c.odds[class] /= total
	}
	c.core = max(far.core, near.core)
}

// vote is what one block of 2 x 2 cells says about its document, in input pixels.
type vote struct {
	at      appliance.Point
	corners appliance.Quad
	core    float64
	block   int
	// middle and area are those of the outline that it points to.
	middle appliance.Point
	area   float64
}

// measure notes the middle and the area of what a vote points to.
func (v *vote) measure() { v.middle, v.area = mean(v.corners), sheet.Area(v.corners) }

// weighted is a number with its weight in a median.
type weighted struct{ value, weight float64 }

// leastCells is how many cells of 4 x 4 input pixels the core of a document has at least.
const leastCells = 14

// coreLevels are the beliefs at which the cores of documents are told apart, one after the other: documents that cover
// each other may only part at a higher one.
var coreLevels = [...]float64{0.5, 0.75, 0.9}

// goodFill is how well the outline of a core agrees with its cells at least, unless more than one document hides in it.
const goodFill = 0.87

// candidates reads the maps of s. toPicture maps their input pixels to those of a picture of w x h; what lies beyond it
// counts for nothing. Cores are drawn with a rim left free, so that documents that touch are separate regions.
func (s *finderScratch) candidates(toPicture vision.Homography, w, h float64) []candidate {
	s.show(toPicture, w, h)
	var found []candidate
	for i, cells := range s.regions(s.stack, coreLevels[0]) {
		for _, c := range s.resolve(cells, 0) {
			c.region = i
			found = append(found, c)
		}
	}
	return found
}

// show notes which cells lie in the picture.
func (s *finderScratch) show(toPicture vision.Homography, w, h float64) {
	s.stack = s.stack[:0]
	for cell := range s.shown {
		p := toPicture.Apply(appliance.Point{X: (float64(cell%finderGrid) + 0.5) * finderCell, Y: (float64(cell/finderGrid) + 0.5) * finderCell})
		s.shown[cell] = p.X > 0 && p.Y > 0 && p.X < w && p.Y < h
		if s.shown[cell] {
			s.stack = append(s.stack, cell)
		}
	}
}

// clearFill is how well the outline of a core agrees with its cells when it is a single document without doubt.
const clearFill = 0.955

// resolve makes a candidate of a region, or several when it is several documents that cover each other: then its cells
// part at a higher level of the core, or they point to different places.
func (s *finderScratch) resolve(cells []int, level int) []candidate {
	whole, ok := s.candidate(cells, coreLevels[level])
	var groups [][]int
	if whole.fill < clearFill {
		groups = s.groups(cells)
	}
	groups = append(groups, s.kinds(cells)...)
	if !ok || whole.fill < goodFill {
		var parts []candidate
		if level+1 < len(coreLevels) {
			for _, part := range s.regions(cells, coreLevels[level+1]) {
				parts = append(parts, s.resolve(part, level+1)...)
			}
		}
		if !ok || bestFill(parts) >= whole.fill+0.05 {
			return parts
		}
	}
	return append([]candidate{whole}, s.others(groups, whole, coreLevels[level])...)
}

func bestFill(all []candidate) float64 {
	var best float64
	for _, c := range all {
		best = max(best, c.fill)
	}
	return best
}

// others makes candidates of the groups of a region's cells that point elsewhere than to the outline of the whole, or to that of a
// group of the same kind before. They are doubtful: a look from near must confirm them.
func (s *finderScratch) others(groups [][]int, whole candidate, level float64) (found []candidate) {
	for _, group := range groups {
		c, ok := s.candidate(group, level)
		again := func(o candidate) bool { return o.class() == c.class() && cornersApart(c.pointed, o.quad) < sameQuad }
		if !ok || cornersApart(c.pointed, whole.quad) < sameQuad || slices.ContainsFunc(found, again) || !sheet.Convex(c.pointed) {
			continue
		}
		c.quad, c.doubtful = c.pointed, true
		found = append(found, c)
	}
	return found
}

// Votes whose corners are apart by less than alike, a share of the document's size, point to one document; an outline
// by less than sameQuad is the same. A group has leastGroup blocks and a tenth of all at least, and at most mostGroups are looked for.
const (
	alike      = 0.2
	sameQuad   = 0.12
	leastGroup = 8
	mostGroups = 3
)

// cornersApart is the mean distance of the corners of two outlines, whichever comes first, as a share of their size.
func cornersApart(a, b appliance.Quad) float64 {
	_, far := sheet.Nearest(a, b)
	return far / 4 / math.Sqrt(max(sheet.Area(a), sheet.Area(b), 1))
}

// mostKind is the share of a region's cells up to which those of one kind may be a document on another sheet.
const mostKind = 0.9

// kinds divides the cells of the region whose votes were collected last by the kind of document that their blocks believe in: a card
// that lies on a sheet of paper shows by it, also where their cores are one.
func (s *finderScratch) kinds(cells []int) (found [][]int) {
	var class [finderBlocks * finderBlocks]int
	for _, v := range s.votes {
		var odds [kindClasses]float64
		s.classes(v.block, 1, &odds)
		class[v.block] = likeliest(odds)
	}
	var of [kindClasses][]int
	for _, cell := range cells {
		kind := class[blockOf(cell)]
		of[kind] = append(of[kind], cell)
	}
	for _, mine := range of[:classUnknown] {
		if share := float64(len(mine)) / float64(len(cells)); len(mine) >= 2*leastCells && share > 0.1 && share < mostKind {
			found = append(found, mine)
		}
	}
	return found
}

// groups divides the cells of the region whose votes were collected last into those that point to the same document,
// the largest group first. Cells that point nowhere in company are left out.
func (s *finderScratch) groups(cells []int) (found [][]int) {
	for _, votes := range agreeing(s.votes, max(leastGroup, len(s.votes)/10), mostGroups) {
		mine := make(map[int]bool, len(votes))
		for _, v := range votes {
			mine[v.block] = true
		}
		var group []int
		for _, cell := range cells {
			if mine[blockOf(cell)] {
				group = append(group, cell)
			}
		}
		found = append(found, group)
	}
	return found
}

// agree reports whether two votes point to one document. Corners are on average at least as far apart as middles, which are quickly told.
func (v *vote) agree(o *vote) bool {
	x, y, limit := v.middle.X-o.middle.X, v.middle.Y-o.middle.Y, alike*alike*max(v.area, o.area, 1)
	return x*x+y*y < limit && cornersApart(v.corners, o.corners) < alike
}

// mean is the mean of the corners of an outline.
func mean(q appliance.Quad) (m appliance.Point) {
	for _, c := range q {
		m.X, m.Y = m.X+c.X/4, m.Y+c.Y/4
	}
	return m
}

// agreeing divides votes into groups that point to the same document, the largest first, of least votes each and at most so many; what points
// nowhere in company is left out.
func agreeing(votes []vote, least, most int) (found [][]vote) {
	rest := slices.Clone(votes)
	for len(found) < most && len(rest) >= least {
		var seed vote
		company := 0
		for i := 0; i < len(rest); i += 1 + len(rest)/32 {
			count, each := 0, 1+len(rest)/256 // some tell as much as all
			for j := 0; j < len(rest); j += each {
				if rest[j].agree(&rest[i]) {
					count += each
				}
			}
			if count > company {
				seed, company = rest[i], count
			}
		}
		if company < least {
			break
		}
		var group []vote
		rest = slices.DeleteFunc(rest, func(v vote) bool {
			agrees := v.agree(&seed)
			if agrees {
				group = append(group, v)
			}
			return agrees
		})
		found = append(found, group)
	}
	return found
}

// regions returns the connected regions of those cells whose core is at least level.
func (s *finderScratch) regions(cells []int, level float64) [][]int {
	clear(s.free[:])
	for _, cell := range cells {
		s.free[cell] = s.cell(cell%finderGrid, cell/finderGrid, channelCore) >= level
	}
	var found [][]int
	for _, start := range cells {
		if !s.free[start] {
			continue
		}
		s.free[start] = false
		region := []int{start}
		for next := 0; next < len(region); next++ {
			x, y := region[next]%finderGrid, region[next]/finderGrid
			for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				nx, ny := x+d[0], y+d[1]
				if cell := ny*finderGrid + nx; nx >= 0 && ny >= 0 && nx < finderGrid && ny < finderGrid && s.free[cell] {
					s.free[cell] = false
					region = append(region, cell)
				}
			}
		}
		if len(region) >= leastCells {
			found = append(found, region)
		}
	}
	return found
}

// blockOf is the block that a cell lies in.
func blockOf(cell int) int { return cell/finderGrid/2*finderBlocks + cell%finderGrid/2 }

// block returns a channel of a block, 0 to 1.
func (s *finderScratch) block(block, channel int) float64 {
	return s.value[int(s.out[block*finderChannels+channel])+128]
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

// collectVotes lists the blocks that a region's cells lie in.
func (s *finderScratch) collectVotes(cells []int) {
	s.votes = s.votes[:0]
	clear(s.voted[:])
	for _, cell := range cells {
		block := blockOf(cell)
		if s.voted[block] {
			continue
		}
		s.voted[block] = true
		x, y := block%finderBlocks, block/finderBlocks
		v := vote{at: appliance.Point{X: float64(2*x+1) * finderCell, Y: float64(2*y+1) * finderCell}, block: block}
		for cell := range 4 {
			v.core += s.block(block, cell*cellChannels+channelCore) / 4
		}
		for i := range v.corners {
			v.corners[i] = appliance.Point{
				X: v.at.X + (2*s.block(block, channelWays+2*i)-1)*finderReach,
				Y: v.at.Y + (2*s.block(block, channelWays+2*i+1)-1)*finderReach,
			}
		}
		v.measure()
		s.votes = append(s.votes, v)
	}
}

// candidate makes one document out of a region with cores of at least level; false when it has no sensible outline.
func (s *finderScratch) candidate(cells []int, level float64) (candidate, bool) {
	s.collectVotes(cells)
	c := candidate{weight: float64(len(cells))}
	var total float64
	for _, v := range s.votes {
		c.core += v.core * v.core
		total += v.core
		s.classes(v.block, v.core, &c.odds)
	}
	c.core /= total
	for class := range c.odds {
		c.odds[class] /= total
	}
	s.outline(cells, level)
	pointed := s.medianQuad()
	var core appliance.Quad
	core, c.quad = fitSides(s.contour, tightRectangle(cells), pointed)
	if !sheet.Convex(c.quad) {
		return c, false
	}
	c.fill, c.pointed = s.overlap(cells, core), pointed
	s.orient(&c, pointed)
	c.fitted = c.quad
	s.snap(&c)
	return c, true
}

// medianQuad takes the weighted median of each coordinate to which the votes point; blocks near a corner know it best.
func (s *finderScratch) medianQuad() appliance.Quad {
	var q appliance.Quad
	for i := range q {
		for axis := range 2 {
			s.sorted = s.sorted[:0]
			for _, v := range s.votes {
				size := math.Sqrt(max(sheet.Area(v.corners), 1))
				weight := v.core / (0.2 + sheet.Span(v.at, v.corners[i])/size)
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

// shows reports whether a point in input pixels lies in the picture.
func (s *finderScratch) shows(p appliance.Point) bool {
	if p.X < 0 || p.Y < 0 || p.X >= finderSide || p.Y >= finderSide {
		return false
	}
	return s.shown[int(p.Y)/finderCell*finderGrid+int(p.X)/finderCell]
}

// overlap returns the share of cells and of the shown cells in q that are both.
func (s *finderScratch) overlap(cells []int, q appliance.Quad) float64 {
	inside := func(cells []int) (count int) {
		for _, cell := range cells {
			if q.Contains(appliance.Point{X: (float64(cell%finderGrid) + 0.5) * finderCell, Y: (float64(cell/finderGrid) + 0.5) * finderCell}) {
				count++
			}
		}
		return count
	}
	both := inside(cells)
	return float64(both) / float64(max(len(cells)+inside(s.stack)-both, 1))
}

func cellRange(middle, radius float64) (from, to int) {
	from = int(math.Floor((middle - radius) / finderCell))
	to = int(math.Ceil((middle + radius) / finderCell))
	return min(max(from, 0), finderGrid), min(max(to, 0), finderGrid)
}

// cornerRadius is how far from its voted place a corner's mark may lie.
func cornerRadius(q appliance.Quad) float64 {
	return max(0.12*math.Sqrt(max(sheet.Area(q), 0)), 1.5*finderCell)
}

// orient turns the quad to where the corner maps and the ways of the blocks say that its upper left corner is.
func (s *finderScratch) orient(c *candidate, pointed appliance.Quad) {
	radius, size := cornerRadius(c.quad), math.Sqrt(max(sheet.Area(c.quad), 1))
	best, most := 0, math.Inf(-1)
	for turn := range 4 {
		var support, far float64
		for i := range c.quad {
			_, mark := s.cornerMark(i, c.quad[(i+turn)%4], radius)
			support += mark
			far += sheet.Span(pointed[i], c.quad[(i+turn)%4]) / 4
		}
		if sum := support + 1.5*max(0, 1-far/size); sum > most {
			best, most = turn, sum
		}
	}
	q := c.quad
	for i := range q {
		c.quad[i] = q[(i+best)%4]
	}
}

// snap moves corners that lie in the picture to their marks.
func (s *finderScratch) snap(c *candidate) {
	const sure = 0.3
	radius, before := cornerRadius(c.quad), c.quad
	for i, p := range c.quad {
		if !s.shows(p) {
			continue
		}
		if place, mark := s.cornerMark(i, p, radius); mark > sure {
			c.quad[i] = place
		}
	}
	if !sheet.Convex(c.quad) {
		c.quad = before
	}
}
