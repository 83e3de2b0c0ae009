package fraud

import (
	"context"
	"image"
	"math"
	"slices"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

const (
	patchSide = 96
	// patchColumns x patchRows patches are spread over a document.
	patchColumns, patchRows = 6, 4
	patchClasses            = 3 // genuine card, screen, print
	// aroundColumns x aroundRows patches are spread over the picture, of which those beside the document count; aroundMargin is the
	// share of the document that is left out around it.
	aroundColumns, aroundRows = 5, 4
	aroundMargin              = 0.03
)

// texture tells by small patches at the picture's own resolution, where moire and halftone are, what a picture was taken
// of.
type texture struct {
	net     *inference.Network
	scratch sync.Pool
}

type textureScratch struct {
	in, out []int8
	chroma  []byte
}

func newTexture(net *inference.Network) *texture {
	return &texture{net: net, scratch: sync.Pool{New: func() any {
		return &textureScratch{
			in:     make([]int8, 3*patchSide*patchSide),
			out:    make([]int8, patchClasses),
			chroma: make([]byte, patchSide*patchSide),
		}
	}}}
}

// measure returns for a screen and for a print the log-odds that a patch shows one: the mean over the patches, and the
// mean over the third of them that speaks for it most. ok is false for a document or a picture lower or narrower than a patch, which says
// nothing.
func (t *texture) measure(ctx context.Context, p *appliance.Picture, q appliance.Quad) (screen, print []float64, ok bool, err error) {
	patches := squaresOver(p, q, patchSide)
	if len(patches) == 0 || shortest(q) < patchSide {
		return nil, nil, false, nil
	}
	s := t.scratch.Get().(*textureScratch)
	defer t.scratch.Put(s)
	var odds [2][]float64
	for _, at := range patches {
		if err := t.look(ctx, s, p, at.X, at.Y, &odds); err != nil {
			return nil, nil, false, err
		}
	}
	return summary(odds[0]), summary(odds[1]), true, nil
}

// squaresOver are the top left corners of squares of a side in pixels that are spread over a document, moved into the picture; none where
// that is lower or narrower than a square.
func squaresOver(p *appliance.Picture, q appliance.Quad, side int) []image.Point {
	h, ok := vision.RectToQuad(patchColumns, patchRows, q)
	if !ok || min(p.Width, p.Height) < side {
		return nil
	}
	corners := make([]image.Point, 0, patchColumns*patchRows)
	for i := range patchColumns * patchRows {
		c := h.Apply(appliance.Point{X: float64(i%patchColumns) + 0.5, Y: float64(i/patchColumns) + 0.5})
		corners = append(corners, image.Pt(
			min(max(int(c.X)-side/2, 0), p.Width-side),
			min(max(int(c.Y)-side/2, 0), p.Height-side),
		))
	}
	return corners
}

// look adds the log-odds of the patch at (x, y): of a screen and of a print, each against a genuine card only: whether it is rather
// the one or the other is for the other cue.
func (t *texture) look(ctx context.Context, s *textureScratch, p *appliance.Picture, x, y int, odds *[2][]float64) error {
	s.cut(p, x, y)
	if err := t.net.Run(ctx, s.in, s.out); err != nil {
		return err
	}
	output := t.net.Output()
	var logits [patchClasses]float64
	for k, v := range s.out {
		logits[k] = float64(output.Scale) * float64(int(v)-output.ZeroPoint)
	}
	odds[0] = append(odds[0], logits[1]-logits[0])
	odds[1] = append(odds[1], logits[2]-logits[0])
	return nil
}

// around returns the mean log-odds of a screen and of a print over the patches of the picture that lie beside the document, and how
// many these are. What speaks for a print there as well is the camera's doing: its noise, sharpening or coding.
func (t *texture) around(ctx context.Context, p *appliance.Picture, q appliance.Quad) (screen, print float64, n int, err error) {
	s := t.scratch.Get().(*textureScratch)
	defer t.scratch.Put(s)
	wide := inset(q, -aroundMargin)
	var odds [2][]float64
	for i := range aroundColumns * aroundRows {
		x := (p.Width - patchSide) * (i % aroundColumns) / (aroundColumns - 1)
		y := (p.Height - patchSide) * (i / aroundColumns) / (aroundRows - 1)
		if touches(wide, x, y) {
			continue
		}
		if err := t.look(ctx, s, p, x, y, &odds); err != nil {
			return 0, 0, 0, err
		}
	}
	return mean(odds[0]), mean(odds[1]), len(odds[0]), nil
}

// touches reports whether a patch may share a place with a quad.
func touches(q appliance.Quad, x, y int) bool {
	patch := vision.RectQuad(float64(x), float64(y), float64(x+patchSide), float64(y+patchSide))
	for _, c := range append(patch[:], vision.Middle(patch)) {
		if q.Contains(c) {
			return true
		}
	}
	for _, c := range q {
		if patch.Contains(c) {
			return true
		}
	}
	return false
}

// shortest is the length of a quad's shortest side.
func shortest(q appliance.Quad) float64 {
	least := math.Inf(1)
	for i, c := range q {
		least = min(least, vision.Distance(c, q[(i+1)%len(q)]))
	}
	return least
}

// cut fills the input with the patch whose top left corner is (x, y): Y, Cb and Cr of each pixel.
func (s *textureScratch) cut(p *appliance.Picture, x, y int) {
	for row := range patchSide {
		for column, v := range p.Y[(y+row)*p.Width+x:][:patchSide] {
			s.in[3*(row*patchSide+column)] = int8(int(v) - 128)
		}
	}
	cb, cr, coloured := vision.Chroma(p)
	for channel, plane := range [2]vision.Plane{cb, cr} {
		if !coloured {
			for i := range patchSide * patchSide {
				s.in[3*i+1+channel] = 0
			}
			continue
		}
		vision.Warp(
			plane,
			vision.ToChroma(p).Mul(vision.Homography{1, 0, float64(x), 0, 1, float64(y), 0, 0, 1}),
			patchSide,
			patchSide,
			s.chroma,
		)
		for i, v := range s.chroma {
			s.in[3*i+1+channel] = int8(int(v) - 128)
		}
	}
}

// summary is the mean of values, and the mean of the greatest third of them.
func summary(values []float64) []float64 {
	slices.Sort(values)
	return []float64{mean(values), mean(values[len(values)*2/3:])}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / math.Max(1, float64(len(values)))
}
