package usecase

import (
	"context"
	"time"
)

// TryBurst takes three frames at the pace of a liveness check and returns the gaps between them by the kernel's clock, none where the
// camera did not keep the pace within the budget. No frame is decoded or looked at: an operator sees whether camera and bus are quick
// enough.
func (c *Capturer) TryBurst(ctx context.Context) (gaps []time.Duration, err error) {
	release, err := c.take()
	if err != nil {
		return nil, err
	}
	defer release()
	look, cancel := context.WithTimeout(ctx, c.Budget)
	defer cancel()
	b := NewBurst(c.Rule)
	for after := uint64(0); !b.Complete(); {
		f, err := c.Camera.Next(look, after)
		switch {
		case err == nil:
			after = f.Sequence
			b.Add(Shot{Frame: f})
		case ctx.Err() == nil && look.Err() != nil:
			return nil, nil
		default:
			return nil, err
		}
	}
	shots := b.Shots()
	for i := range shots[1:] {
		gaps = append(gaps, shots[i+1].Kernel-shots[i].Kernel)
	}
	return gaps, nil
}
