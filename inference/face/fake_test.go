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

// discFinder is a "faces" network that finds white discs: a block whose middle lies in one reports its bounds, as far as the
// square shows them. Discs under 10 pixels of the square it overlooks.
func discFinder() *fakeNetwork {
	n := &fakeNetwork{
		input:  inference.Tensor{Shape: []int{1, lookSide, lookSide, 3}, Scale: 1.0 / 255, ZeroPoint: -128},
		output: inference.Tensor{Shape: []int{1, blocks, blocks, faceChannels}, Scale: 1.0 / 256, ZeroPoint: -128},
	}
	n.run = func(in, out []int8) {
		for i := range out {
			out[i] = -128
		}
		luma := func(x, y int) int {
			if x < 0 || y < 0 || x >= lookSide || y >= lookSide {
				return 0
			}
			return int(in[3*(y*lookSide+x)]) + 128
		}
		const white = 130
		done := map[[4]int]bool{}
		for i := range blocks * blocks {
			x, y := i%blocks*blockSide+blockSide/2, i/blocks*blockSide+blockSide/2
			if luma(x, y) < white {
				continue
			}
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
			box := [4]int{left, top, right + 1, bottom + 1}
			if size := right + 1 - left; size >= 10 && !done[box] {
				done[box] = true
				encode(out, box, 230)
			}
		}
	}
	return n
}

// encode writes a face into the block at its middle, as the network would; score is in steps of 1/256.
func encode(out []int8, box [4]int, score int) {
	w, h := float64(box[2]-box[0]), float64(box[3]-box[1])
	size := math.Sqrt(w * h)
	mx, my := (box[0]+box[2])/2, (box[1]+box[3])/2
	block := min(my/blockSide, blocks-1)*blocks + min(mx/blockSide, blocks-1)
	x, y := float64(block%blocks)*blockSide+blockSide/2, float64(block/blocks)*blockSide+blockSide/2
	raw := out[block*faceChannels:][:faceChannels]
	put := func(channel int, v float64) { raw[channel] = int8(min(max(math.Round(v*256)-128, -128), 127)) }
	put(channelScore, float64(score)/256)
	put(channelSize, math.Log2(size/blockSide)/sizeOctaves)
	reach := boxReach * size
	put(channelBox, (x-float64(box[0]))/reach)
	put(channelBox+1, (y-float64(box[1]))/reach)
	put(channelBox+2, (float64(box[2])-x)/reach)
	put(channelBox+3, (float64(box[3])-y)/reach)
	for k, m := range template() {
		put(channelLandmarks+2*k, ((float64(box[0])+m.X*w-x)/size+1)/2)
		put(channelLandmarks+2*k+1, ((float64(box[1])+m.Y*h-y)/size+1)/2)
	}
	put(channelYaw, 0.5)
	put(channelPitch, 0.5)
}

// meanEmbedder is an "embedder" network that gives the means of a grid of 16 x 16 cells of the crop.
func meanEmbedder() *fakeNetwork {
	return &fakeNetwork{
		input:  inference.Tensor{Shape: []int{1, cropSide, cropSide, 1}, Scale: 1.0 / 255, ZeroPoint: -128},
		output: inference.Tensor{Shape: []int{1, embeddingLength}, Scale: 0.1, ZeroPoint: 3},
		run: func(in, out []int8) {
			for i := range out {
				sum := 0
				for y := range 8 {
					for x := range 8 {
						sum += int(in[(i/16*8+y)*cropSide+i%16*8+x])
					}
				}
				out[i] = int8(sum / 64)
			}
		},
	}
}

func testFinder(t testing.TB) *Finder {
	t.Helper()
	f, err := newFinder(discFinder(), Scores{0.5, 0.5, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func testMatcher(t testing.TB) *Matcher {
	t.Helper()
	m, err := newMatcher(meanEmbedder(), "model", Scale{0.2, 0.3, 0.4}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
