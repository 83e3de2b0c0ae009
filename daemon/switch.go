package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models/pack"
)

// networks puts the parts of an engine together as the appliance uses them: under the vigil, and under the eyes of the trial where
// the set is on one. The engine is closed when nobody uses them any more.
func (d *daemon) networks(e *engine.Engine) (usecase.Networks, error) {
	n := usecase.Networks{Readers: e.Readers(), Kinds: e.Kinds(), DocumentGuide: watchedFrames{d.vigil, e.Guide}}
	for endpoint, r := range n.Readers {
		n.Readers[endpoint] = tried{d.vigil.Over(r), func(err error) { d.trial.fail(e.Set.Version(), err) }}
	}
	faces, err := d.comparing(e)
	if err != nil {
		return n, err
	}
	n.Faces = faces
	if faces.Finder != nil {
		n.FaceGuide = usecase.FaceGuide{Finder: faces.Finder}
	}
	n.Models, n.Thresholds = statedModels(e.Set)
	n.Free = func() {
		if err := e.Close(); err != nil {
			d.log.Error("the networks before were not freed", "error", err)
		}
		inference.Trim()
	}
	return n, nil
}

// openNetworks opens the networks with which the daemon starts, and the appliance over them.
func (d *daemon) openNetworks(ctx context.Context) error {
	e, o, err := d.openEngine(ctx, true)
	if err != nil {
		return err
	}
	d.engine.Store(e)
	d.push("networks", d.closeEngine)
	d.queue = queue.New(e.Workers, d.cfg.Queue.Waiting)
	d.appliance = usecase.New(usecase.Deps{
		Decoder: e.Decoder, PrintDecoder: e.PrintDecoder(), FrameDecoder: e.FrameDecoder(), Transactions: d.transactions(), Queue: d.queue,
		Now: time.Now, Holders: engine.HolderRules(), Patience: d.cfg.Picture.MaxTime,
		Attempts: d.cfg.Face.Attempts, Bound: d.cfg.Keys.BindTransactions, Review: d.reviewing(),
	})
	d.openCheck()
	shelf, _, err := Shelf(d.cfg)
	if err != nil {
		return err
	}
	if err := d.goOver(ctx, e, o, shelf); err != nil {
		return err
	}
	d.push("trial of the models", d.endTrial)
	return nil
}

// endTrial leaves a set on trial for the next start. One with which the daemon never came up stays begun: the next start goes back.
func (d *daemon) endTrial() error {
	if !d.ready.Load() {
		return nil
	}
	return d.trial.end()
}

// tried is a reader that tells when its networks fail.
type tried struct {
	appliance.Reader
	failed func(error)
}

// Read implements appliance.Reader.
func (r tried) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	reading, err := r.Reader.Read(ctx, p, earlier)
	if err != nil && ctx.Err() == nil && appliance.CodeOf(err) == appliance.CodeInternal {
		r.failed(err)
	}
	return reading, err
}

// switchModels goes over to the model set that the shelf names, while requests run: those under way end with the networks that
// they began with. A set that does not open, or does not read the built-in picture, is given up for the one before, and the error
// says so. It returns the version that is used afterwards.
func (d *daemon) switchModels(ctx context.Context) (used state.ModelsInUse, refused error) {
	d.switching.Lock()
	defer d.switching.Unlock()
	shelf, embedded, err := Shelf(d.cfg)
	if err != nil {
		return used, err
	}
	for {
		used.Version = d.engine.Load().Set.Version()
		st, err := shelf.State()
		if err != nil {
			return used, err
		}
		want := max(st.Current, embedded.Version())
		if want == used.Version {
			return used, refused
		}
		e, o, err := d.openEngine(ctx, false)
		if err != nil {
			return used, err
		}
		if e.Set.Version() != want && refused == nil {
			refused = givenUp(shelf, want)
		}
		if e.Set.Version() == used.Version {
			if err := e.Close(); err != nil {
				return used, err
			}
			continue
		}
		if err := d.goOver(ctx, e, o, shelf); err != nil {
			if refused, err = d.giveUp(ctx, shelf, e, o, err); err != nil {
				return used, err
			}
		}
	}
}

// givenUp is the error of a set that was given up as it was opened.
func givenUp(shelf *pack.Shelf, version uint64) error {
	st, err := shelf.State()
	if err != nil {
		return err
	}
	return errGivenUp(version, st.Why)
}

func errGivenUp(version uint64, why string) error {
	e := appliance.Errorf(appliance.CodeBadRequest, "version %d was given up: %s", version, why)
	e.Op, e.Hint = "switch models", "the models before stay in use; tell the vendor"
	return e
}

// goOver lets every request that begins from now on use an engine, after it has read the built-in picture.
func (d *daemon) goOver(ctx context.Context, e *engine.Engine, o pack.Opened, shelf *pack.Shelf) error {
	n, err := d.networks(e)
	if err != nil {
		return err
	}
	if err := d.check.Open(ctx, d.builtIn(e)); err != nil {
		return err
	}
	d.engine.Store(e)
	d.appliance.Exchange(n)
	d.useModels(ctx, e, o, shelf)
	return nil
}

// giveUp goes back from a set that was opened but is not fit. refused is for the operator; err says that there is no way back.
func (d *daemon) giveUp(ctx context.Context, shelf *pack.Shelf, e *engine.Engine, o pack.Opened, cause error) (refused, err error) {
	if err := e.Close(); err != nil {
		return nil, err
	}
	if o.Set == nil {
		return nil, fmt.Errorf("go back to the models of the program: %w", cause)
	}
	why := pack.Brief(cause)
	if _, _, err := shelf.Rollback(why); err != nil {
		return nil, fmt.Errorf("give up the models of version %d (%s): %w", o.Version, why, err)
	}
	d.modelsFailed(ctx, o.Version, why)
	return errGivenUp(o.Version, why), nil
}

// useModels notes which model set is used from now on, and begins its trial.
func (d *daemon) useModels(ctx context.Context, used *engine.Engine, o pack.Opened, shelf *pack.Shelf) {
	origin := "program"
	if o.Set != nil {
		origin = "pack"
	}
	if err := d.trial.end(); err != nil {
		d.log.Error("a trial of models was not ended", "error", err)
	}
	if o.Trial {
		d.trial.begin(shelf, o.Version, trialTime)
	}
	e := appliance.Entry{Kind: appliance.EntryModels, Subject: modelSetName(used.Set), Detail: map[string]string{
		"origin": origin, "calibration": used.Calibration.SHA256,
	}}
	if err := d.journal.Note(ctx, e); err != nil {
		d.log.Error("the models in use were not noted", "error", err)
	}
}

// switchTime bounds a switch: many times what it takes on a slow board.
const switchTime = time.Minute

// switchNow is switchModels for the operator.
func (d *daemon) switchNow() (state.ModelsInUse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), switchTime)
	defer cancel()
	m, err := d.switchModels(ctx)
	if err != nil {
		d.log.Error("the installed models are not used", "used", m.Version, "error", err)
		return m, err
	}
	d.log.Info("models in use", "version", m.Version)
	return m, nil
}

// fallBack goes back from the set on trial, which has failed at its work.
func (d *daemon) fallBack(f failedTrial) {
	shelf, _, err := Shelf(d.cfg)
	var st pack.State
	if err == nil {
		st, err = shelf.State()
	}
	if err == nil && st.Current == f.version {
		why := pack.Brief(f.why)
		if _, _, err = shelf.Rollback(why); err == nil {
			d.modelsFailed(context.Background(), f.version, why)
		}
	}
	if err != nil {
		d.log.Error("the models on trial failed, and there is no way back", "error", err)
		return
	}
	_, _ = d.switchNow() // it has told the log
}

// trialTime is how long a new model set is on trial.
const trialTime = time.Minute

// modelTrial watches a new model set. It ends well after a while without a failure. A daemon that stops in order before leaves the
// set on trial; one that dies leaves the trial begun, and the next start goes back. Its methods are safe for concurrent use.
type modelTrial struct {
	log    *slog.Logger
	failed chan failedTrial // holds at most one

	mu      sync.Mutex
	shelf   *pack.Shelf
	version uint64 // 0: none is on trial
	timer   *time.Timer
}

// failedTrial is a set that failed on trial.
type failedTrial struct {
	version uint64
	why     error
}

func newModelTrial(log *slog.Logger) *modelTrial {
	return &modelTrial{log: log, failed: make(chan failedTrial, 1)}
}

// begin puts a set on trial.
func (t *modelTrial) begin(shelf *pack.Shelf, version uint64, after time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shelf, t.version = shelf, version
	t.timer = time.AfterFunc(after, func() { t.pass(version) })
}

// pass ends the trial of a version that lasted.
func (t *modelTrial) pass(version uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.version != version {
		return
	}
	t.version = 0
	if err := t.shelf.Confirm(version); err != nil {
		t.log.Error("the trial of the models was not ended", "error", err)
		return
	}
	t.log.Info("the models passed their trial", "version", version)
}

// fail says that the networks of a version failed at their work. Of a set that is not on trial nobody is told: then something else
// is wrong.
func (t *modelTrial) fail(version uint64, why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.version == 0 || t.version != version {
		return
	}
	select {
	case t.failed <- failedTrial{version, why}:
	default:
	}
}

// end leaves the set on trial for the next start; without one it does nothing.
func (t *modelTrial) end() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.version == 0 {
		return nil
	}
	version := t.version
	t.version = 0
	t.timer.Stop()
	if err := t.shelf.Pause(version); err != nil {
		return errors.Join(errors.New("the models stay on trial"), err)
	}
	return nil
}

// byOperator is why a set is given up that nothing is wrong with.
var byOperator = appliance.Phrasef("by the operator")

// roomRollBack goes back to the networks before, as `bawab models rollback` does.
func (d *daemon) roomRollBack(ctx context.Context, key string) (used state.ModelsInUse, err error) {
	shelf, embedded, err := Shelf(d.cfg)
	if err != nil {
		return used, err
	}
	from, to, err := shelf.Rollback(byOperator.String())
	if err != nil {
		return used, err
	}
	if to == 0 {
		to = embedded.Version()
	}
	noted := d.journal.Note(context.WithoutCancel(ctx), appliance.Entry{
		Kind: appliance.EntryModelsBack, Subject: SetName(to), Detail: map[string]string{"from": SetName(from), "key": key},
	})
	used, err = d.switchNow()
	return used, errors.Join(err, noted)
}
