package text

import (
	"context"
	"fmt"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// baseline finds the base line of a line and the height of its letters more exactly than the detector, whose idea of both differs
// from font to font by a fifth and more. It is safe for concurrent use.
type baseline struct{ *cutter }

// baselineStrip is the strip of the "baseline" network (bawab_training.train.baseline).
func baselineStrip() strip {
	return strip{width: 160, height: 40, glyphs: 13, centre: 19, margin: 12, overlap: 32}
}

// What the network says of each of its columns: how far below the strip's centre the middle of the glyph box lies, in heights, and
// the logarithm of how much higher it is, both times baselineUnit; and a logit of how much the column counts.
const (
	baselineMeasures = 3
	baselineUnit     = 10
)

func newBaseline(net *inference.Network) (*baseline, error) {
	b := &baseline{newCutter(net, baselineStrip())}
	if b.classes != baselineMeasures {
		return nil, fmt.Errorf("make base line finder: model %s has %d measures, not %d", net.Name(), b.classes, baselineMeasures)
	}
	return b, nil
}

// find returns a line, which h maps to the plane, where it is and as high as it is. Of a long line the middle tells.
func (b *baseline) find(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (Line, error) {
	s := b.scratch.Get().(*cutterScratch)
	defer b.scratch.Put(s)
	f := b.cut(p, h, l, s)
	b.window(s, s.in, f.samples, 0)
	if err := b.net.Run(ctx, s.in, s.out); err != nil {
		return l, fmt.Errorf("find base line: %w", err)
	}
	out := b.net.Output()
	value := func(q int8) float64 { return float64(out.Scale) * float64(int(q)-out.ZeroPoint) / baselineUnit }
	var weight, lower, higher float64
	for column := s.out; len(column) > 0; column = column[baselineMeasures:] {
		w := b.exp[math.MaxInt8-int(column[2])]
		weight += w
		lower += w * value(column[0])
		higher += w * value(column[1])
	}
	return l.Moved(lower/weight, math.Exp(higher/weight)), nil
}

// cut fills s.pix with what a line shows of its base line, and says how that is laid into the strip.
func (b *baseline) cut(p vision.Plane, h vision.Homography, l Line, s *cutterScratch) fitted {
	f := b.fit(b.middle(l))
	b.sample(p, h, f, s)
	return f
}

// middle is the part of a line that the window shows: all of it where it can.
func (b *baseline) middle(l Line) Line {
	share := float64(b.width-2*b.margin) / b.glyphs * l.Height / max(l.Length(), 1e-6)
	if share >= 1 {
		return l
	}
	part := l.Moved(l.Sag*(1-share*share)/max(l.Height, 1e-6), 1)
	cx, cy := (part.Start.X+part.End.X)/2, (part.Start.Y+part.End.Y)/2
	dx, dy := (part.End.X-part.Start.X)/2*share, (part.End.Y-part.Start.Y)/2*share
	part.Start, part.End = appliance.Point{X: cx - dx, Y: cy - dy}, appliance.Point{X: cx + dx, Y: cy + dy}
	part.Sag *= share * share
	return part
}
