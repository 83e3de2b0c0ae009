package usecase

import (
	"context"
	"fmt"

	"github.com/bawab/bawab/appliance"
)

// beginning is the judgement of a burst that is being gathered.
type beginning struct {
	judge     appliance.LivenessJudge
	judgement appliance.Judgement // nil where judge cannot begin early
	seen      int
}

// follow looks at the newest frame of a burst; the last one is left to Judge, which works under the queue. A burst that began
// anew is judged anew.
func (e *beginning) follow(ctx context.Context, b *Burst) error {
	early, ok := e.judge.(appliance.EarlyJudge)
	shots := b.Shots()
	if !ok || len(shots) == 0 || b.Complete() {
		return nil
	}
	if len(shots) == 1 {
		e.judgement, e.seen = early.Begin(), 0
	}
	if len(shots) != e.seen+1 {
		return nil
	}
	return e.see(ctx, shots[len(shots)-1].Picture)
}

func (e *beginning) see(ctx context.Context, p *appliance.Picture) error {
	if err := e.judgement.See(ctx, p); err != nil {
		return fmt.Errorf("look at burst: %w", err)
	}
	e.seen++
	return nil
}

// Judge implements LivenessJudge with what was seen already.
func (e *beginning) Judge(ctx context.Context, frames []*appliance.Picture) (out appliance.BurstFindings, err error) {
	if e.judgement == nil || e.seen >= len(frames) {
		return e.judge.Judge(ctx, frames)
	}
	for _, p := range frames[e.seen:] {
		if err := e.see(ctx, p); err != nil {
			return out, err
		}
	}
	return e.judgement.Conclude(ctx)
}
