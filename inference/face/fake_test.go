package face

import (
	"context"
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
)

// fakeNetwork is a network made of a function.
type fakeNetwork struct {
	input, output inference.Tensor
	run           func(in, out []int8)
	runs          int
}

func (n *fakeNetwork) Run(_ context.Context, in, out []int8) error {
	n.runs++
	n.run(in, out)
	return nil
}

func (n *fakeNetwork) Input() inference.Tensor  { return n.input }
func (n *fakeNetwork) Output() inference.Tensor { return n.output }

// spot is a face of the fakes' world: a white disc. Its features are where the template has them in the square around it.
type spot struct{ x, y, size float64 }

// drawn is a picture of discs on grey, with a texture on the discs, so that aligned faces have contrast.
func drawn(w, h int, spots ...spot) *appliance.Picture {
	p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	for i := range p.Y {
		p.Y[i] = 60
		x, y := float64(i%w)+0.5, float64(i/w)+0.5
		for _, s := range spots {
			if math.Hypot(x-s.x, y-s.y) < s.size/2 {
				p.Y[i] = 180 + byte(i%w/2%8*8)
			}
		}
	}
	return p
}

// white is the least luma of a disc.
const white = 130

// lumaOf reads the luma of a network's input whose square has the given side; outside it is black.
func lumaOf(in []int8, side int) func(x, y int) int {
	return func(x, y int) int {
		if x < 0 || y < 0 || x >= side || y >= side {
			return 0
		}
		return int(in[3*(y*side+x)]) + 128
	}
}

// disc walks from a place in a white disc to its bounds, as far as the square shows them.
func disc(luma func(x, y int) int, x, y int) (box [4]int) {
	left, right, top, bottom := x, x, y, y
	for range 3 { // walks out from the middle of what was found so far
		x, y = (left+right)/2, (top+bottom)/2
		for left = x; luma(left-1, y) >= white; left-- {
		}
		for right = x; luma(right+1, y) >= white; right++ {
		}
		for top = y; luma(x, top-1) >= white; top-- {
		}
		for bottom = y; luma(x, bottom+1) >= white; bottom++ {
		}
	}
	return [4]int{left, top, right + 1, bottom + 1}
}

// discFinder is a "faces" network that finds white discs: the anchor that fits best reports the bounds of each. Discs under 10 pixels
// of the square it overlooks.
func discFinder() *fakeNetwork {
	grid := anchors()
	n := &fakeNetwork{
		input:  inference.Tensor{Shape: []int{1, squareSide, squareSide, 3}, Scale: 1.0 / 255, ZeroPoint: -128},
		output: inference.Tensor{Shape: []int{1, len(grid), anchorValues}, Scale: 1.0 / 256, ZeroPoint: -128},
	}
	n.run = func(in, out []int8) {
		for i := range out {
			out[i] = -128
		}
		luma, done := lumaOf(in, squareSide), map[[4]int]bool{}
		for y := 4; y < squareSide; y += 4 {
			for x := 4; x < squareSide; x += 4 {
				if luma(x, y) < white {
					continue
				}
				if box := disc(luma, x, y); box[2]-box[0] >= 10 && !done[box] {
					done[box] = true
					encode(out, grid, box, 230)
				}
			}
		}
	}
	return n
}

// encode writes a face at the anchor that fits best, as the network would; score is in steps of 1/256.
func encode(out []int8, grid []anchor, box [4]int, score int) {
	w, h := float64(box[2]-box[0]), float64(box[3]-box[1])
	x, y := float64(box[0]+box[2])/2, float64(box[1]+box[3])/2
	best, least := 0, math.Inf(1)
	for i, a := range grid {
		if off := math.Hypot(a.x-x, a.y-y)/a.side + math.Abs(math.Log(math.Sqrt(w*h)/a.side)); off < least {
			best, least = i, off
		}
	}
	a, raw := grid[best], out[best*anchorValues:][:anchorValues]
	put := func(i int, v float64) { raw[i] = int8(min(max(math.Round((v/anchorReach+0.5)*256)-128, -128), 127)) }
	raw[0] = int8(score - 128)
	put(1, (x-a.x)/a.side/anchorShift)
	put(2, (y-a.y)/a.side/anchorShift)
	put(3, math.Log(w/a.side)/anchorGrowth)
	put(4, math.Log(h/a.side)/anchorGrowth)
}

// discMarks is a "landmarks" network that sees an upright face in the white disc in the middle of its square, looking along yaw degrees,
// and none where the middle is not white.
func discMarks(yaw float64) *fakeNetwork {
	n := &fakeNetwork{
		input:  inference.Tensor{Shape: []int{1, nearSide, nearSide, 3}, Scale: 1.0 / 255, ZeroPoint: -128},
		output: inference.Tensor{Shape: []int{1, nearValues}, Scale: 1.0 / 160},
	}
	n.run = func(in, out []int8) {
		luma := lumaOf(in, nearSide)
		put := func(i int, v float64) { out[i] = int8(min(max(math.Round(v*160), -128), 127)) }
		clear(out)
		if put(nearValues-1, -0.6); luma(nearSide/2, nearSide/2) < white {
			return
		}
		put(nearValues-1, 0.6)
		box := disc(luma, nearSide/2, nearSide/2)
		w, h := float64(box[2]-box[0]), float64(box[3]-box[1])
		at := func(i int, x, y float64) {
			put(2*i, (float64(box[0])+x*w)/nearSide-0.5)
			put(2*i+1, (float64(box[1])+y*h)/nearSide-0.5)
		}
		marks, shift := template(), landmarkShift()
		along := marks[1].X - marks[0].X
		for i, place := range []int{0, 0, 1, 1, 2, 3, 4} {
			at(i, marks[place].X-shift[place].X*along, marks[place].Y-shift[place].Y*along)
		}
		for i := range rimPoints {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / rimPoints)
			at(featurePoints+i, 0.5+sin/2, 0.5-cos/2)
		}
		sin, cos := math.Sincos(yaw * math.Pi / 180)
		at(leftCheek, 0.5-cos/2, 0.5)
		at(rightCheek, 0.5+cos/2, 0.5)
		put(2*meshPoints+3, sin*w/nearSide)
	}
	return n
}

// meanEmbedder is a network that makes embeddings: it says by how much the cells of a grid of 16 x 16 are brighter than all the crop.
func meanEmbedder(square, length int) *fakeNetwork {
	const cells = 16
	side := square / cells
	return &fakeNetwork{
		input:  inference.Tensor{Shape: []int{1, square, square, 3}, Scale: 1.0 / 255, ZeroPoint: -128},
		output: inference.Tensor{Shape: []int{1, length}, Scale: 0.1, ZeroPoint: 3},
		run: func(in, out []int8) {
			all := 0
			for i := 0; i < len(in); i += 3 {
				all += int(in[i])
			}
			for i := range out {
				out[i] = 3
			}
			for i := range cells * cells {
				sum := 0
				for y := range side {
					for x := range side {
						sum += int(in[3*((i/cells*side+y)*square+i%cells*side+x)])
					}
				}
				out[i] = int8(min(max(sum/(side*side)-all/(square*square)+3, -128), 127))
			}
		},
	}
}

func testFinder(t testing.TB) *Finder {
	t.Helper()
	f, err := newFinder(discFinder(), discMarks(0), Scores{Seen: 0.5, Printed: 0.25, Confirmed: 0.5, Sure: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func testMatcher(t testing.TB) *Matcher {
	t.Helper()
	m, err := newMatcher(meanEmbedder(embedSide, embedLength), meanEmbedder(nearEmbedSide, nearLength), "model", Scale{0.2, 0.3, 0.4}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
