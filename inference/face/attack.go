package face

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
)

// The two networks for attacks look at the same face in a crop of nearSpan and of wideSpan face boxes; both give logits of three classes.
const (
	attackSide    = 80
	attackClasses = 3
	classLive     = 1 // the others are a print and a screen
	nearSpan      = 2.7
	wideSpan      = 4.0
)

// leastColour is the colourfulness under which a crop is grey. The networks live by colour: of 52 living bursts of NUAA without their colours
// 6 were refused, of 40 photographed faces 33, while prints and screens were refused as before. So a grey frame is of low quality, always,
// and never an attack. Of 954 frames of NUAA (27 November 2026) the least had 9.9, with colours cut to two fifths 4.4, without them 0.
const leastColour = 2

// Attacks is what tells presentation attacks. The networks stay the caller's.
type Attacks struct {
	// Near and Wide are the networks "liveness" and "liveness_wide".
	Near, Wide *inference.Network
	// Threshold is the probability of an attack, 0 to 1, from which a burst is one.
	Threshold float64
}

// attackFinder tells a living face from a picture of one on paper or on a screen.
type attackFinder struct {
	near, wide network
	accept     float64
	scratch    sync.Pool // of *attackScratch
}

// attackScratch is the memory of one frame.
type attackScratch struct {
	rgb [3 * attackSide * attackSide]byte
	in  [3 * attackSide * attackSide]int8
	out [attackClasses]int8
}

func newAttackFinder(near, wide network, accept float64) (*attackFinder, error) {
	in, out := []int{1, attackSide, attackSide, 3}, []int{1, attackClasses}
	if err := cmp.Or(fits("liveness", near, in, out), fits("liveness_wide", wide, in, out)); err != nil {
		return nil, err
	}
	if !(accept > 0 && accept < 1) {
		return nil, fmt.Errorf("open judge of attacks: a threshold of %g is not between 0 and 1", accept)
	}
	return &attackFinder{near: near, wide: wide, accept: accept, scratch: sync.Pool{New: func() any { return new(attackScratch) }}}, nil
}

// judge adds the cue and, where an attack is told, the reason. The frames of a burst show the same, so that the mean of their
// probabilities counts. Where no frame could be judged the score is 0.
func (a *attackFinder) judge(seen []frame, out *appliance.BurstFindings) {
	attack, n := 0.0, 0.0
	for i := range seen {
		if seen[i].judged {
			attack, n = attack+seen[i].attack, n+1
		}
	}
	if n == 0 {
		out.Score = 0
		return
	}
	cue := appliance.Cue{Name: CueAttack, Score: attack / n, Threshold: a.accept}
	out.Cues = append(out.Cues, cue)
	out.Score = 1 - cue.Score
	if cue.Raised() {
		out.Reasons = append(out.Reasons, appliance.PresentationAttack)
	}
}

// probability is that of an attack in one frame: the mean of both networks. ok is false for a face without colour, by which the
// networks live.
func (a *attackFinder) probability(ctx context.Context, p *appliance.Picture, marks [5]appliance.Point) (attack float64, ok bool, err error) {
	box, turn := attackBox(marks)
	s := a.scratch.Get().(*attackScratch)
	defer a.scratch.Put(s)
	live := 0.0
	for _, n := range []struct {
		net  network
		span float64
	}{{a.near, nearSpan}, {a.wide, wideSpan}} {
		attackCrop(p, box, turn, n.span, s.rgb[:])
		if n.span == nearSpan && colourfulness(s.rgb[:]) < leastColour {
			return 0, false, nil
		}
		l, err := s.live(ctx, n.net)
		if err != nil {
			return 0, false, err
		}
		live += l / 2
	}
	return 1 - live, true, nil
}

// live is the probability of the class live of the crop by one network.
func (s *attackScratch) live(ctx context.Context, net network) (float64, error) {
	inference.Quantise(s.rgb[:], s.in[:], net.Input())
	if err := net.Run(ctx, s.in[:], s.out[:]); err != nil {
		return 0, err
	}
	sum, scale := 0.0, float64(net.Output().Scale)
	for _, v := range s.out {
		sum += math.Exp(scale * float64(int(v)-int(s.out[classLive])))
	}
	return 1 / sum, nil
}
