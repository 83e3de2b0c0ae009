package face

import (
	"context"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// attackSide is the side of the picture of a face with its surroundings, and attackContext its side in sizes of the face.
	attackSide    = 128
	attackContext = 2
	attackClasses = 2 // live, attack
)

// attackFinder tells by the look of a face and its surroundings whether it is one of paper or of a screen.
type attackFinder struct {
	net    network
	accept float64
}

func newAttackFinder(net network, accept float64) (*attackFinder, error) {
	if err := fits("liveness", net, []int{1, attackSide, attackSide, 3}, []int{1, attackClasses}); err != nil {
		return nil, err
	}
	return &attackFinder{net: net, accept: accept}, nil
}

// judge adds the cues and, where an attack is told, the reason. The frames of a burst show the same, so that the mean of their
// log-odds counts, not their sum.
func (a *attackFinder) judge(seen []frame, flat flatness, out *appliance.BurstFindings) {
	look, n := 0.0, 0.0
	for i := range seen {
		if seen[i].looked {
			look, n = look+seen[i].look, n+1
		}
	}
	if n == 0 {
		out.Score = 0
		return
	}
	look /= n
	cue := appliance.Cue{Name: CueAttack, Score: logistic(look + flat.odds()), Threshold: a.accept}
	out.Cues = append(out.Cues, appliance.Cue{Name: CueAttackLook, Score: logistic(look)}, cue)
	out.Score = 1 - cue.Score
	if cue.Raised() {
		out.Reasons = append(out.Reasons, appliance.PresentationAttack)
	}
}

// odds is the logarithm of how much likelier an attack is in one frame.
func (a *attackFinder) odds(ctx context.Context, f *frame) (float64, error) {
	in, out := make([]int8, 3*attackSide*attackSide), make([]int8, attackClasses)
	level := steps(a.net.Input())
	side := attackContext * f.face.size
	k := side / attackSide
	h := vision.Homography{k, 0, f.face.at.X - side/2, 0, k, f.face.at.Y - side/2, 0, 0, 1}
	cb, cr, coloured := vision.Chroma(f.Picture)
	pix := make([]byte, attackSide*attackSide)
	for channel, plane := range [3]vision.Plane{vision.Luma(f.Picture), cb, cr} {
		if channel > 0 && !coloured {
			for i := range pix {
				in[3*i+channel] = level[128]
			}
			continue
		}
		fx, fy := float64(plane.Width)/float64(f.Width), float64(plane.Height)/float64(f.Height)
		vision.Warp(plane, vision.Homography{fx, 0, 0, 0, fy, 0, 0, 0, 1}.Mul(h), attackSide, attackSide, pix)
		for i, v := range pix {
			in[3*i+channel] = level[v]
		}
	}
	if err := a.net.Run(ctx, in, out); err != nil {
		return 0, err
	}
	return math.Abs(float64(a.net.Output().Scale)) * float64(int(out[1])-int(out[0])), nil
}
