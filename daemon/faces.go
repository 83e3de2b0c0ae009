package daemon

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/daemon/watch"
	"github.com/bawab/bawab/inference/engine"
)

// comparing returns the parts of an engine that compare faces, under the vigil.
func (d *daemon) comparing(e *engine.Engine) (usecase.Faces, error) {
	f, err := e.Comparing(d.cfg.Face)
	if f.Finder != nil {
		f.Finder = watchedFinder{d.vigil, f.Finder}
	}
	if early, ok := f.Judge.(appliance.EarlyJudge); ok {
		f.Judge = watchedJudge{d.vigil, early}
	}
	return f, err
}

// watchedFinder is a finder of faces under a vigil.
type watchedFinder struct {
	vigil *watch.Vigil
	appliance.FaceFinder
}

// FindFaces implements appliance.FaceFinder.
func (w watchedFinder) FindFaces(ctx context.Context, p *appliance.Picture) ([]appliance.Face, error) {
	defer w.vigil.Begin()()
	return w.FaceFinder.FindFaces(ctx, p)
}

// watchedJudge is a judge of liveness under a vigil.
type watchedJudge struct {
	vigil *watch.Vigil
	appliance.EarlyJudge
}

// Judge implements appliance.LivenessJudge.
func (w watchedJudge) Judge(ctx context.Context, frames []*appliance.Picture) (appliance.BurstFindings, error) {
	defer w.vigil.Begin()()
	return w.EarlyJudge.Judge(ctx, frames)
}

// Begin implements appliance.EarlyJudge.
func (w watchedJudge) Begin() appliance.Judgement {
	return watchedJudgement{w.vigil, w.EarlyJudge.Begin()}
}

// watchedJudgement is a judgement under a vigil.
type watchedJudgement struct {
	vigil *watch.Vigil
	appliance.Judgement
}

// See implements appliance.Judgement.
func (w watchedJudgement) See(ctx context.Context, p *appliance.Picture) error {
	defer w.vigil.Begin()()
	return w.Judgement.See(ctx, p)
}

// Conclude implements appliance.Judgement.
func (w watchedJudgement) Conclude(ctx context.Context) (appliance.BurstFindings, error) {
	defer w.vigil.Begin()()
	return w.Judgement.Conclude(ctx)
}
