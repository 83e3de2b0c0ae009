package kiosk

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
)

// Deps are the parts that a Desk works with.
type Deps struct {
	Appliance *usecase.Appliance
	// Camera is the appliance's own; nil where the pictures come from the browser of the screen.
	Camera *usecase.Capturer
	// Erase destroys a transaction for the key of a screen and notes it.
	Erase func(ctx context.Context, transaction, key string) error
	// Journal may be nil.
	Journal appliance.Journal
	// Dir is the data folder.
	Dir string
	Log *slog.Logger
	Now func() time.Time
}

// End is how a check ended.
type End struct {
	Screen, Transaction string
	Outcome             Outcome
	At                  time.Time
}

// Desk leads the customers at all screens of an appliance. It is safe for concurrent use.
type Desk struct {
	flow   Flow
	deps   Deps
	ledger *ledger

	mu   sync.Mutex
	runs map[string]*run // by the key of the screen
	told func(End)
}

// run is one customer's check.
type run struct {
	id          string
	screen      string
	transaction string
	kind        string
	step        Step
	tries       int
	fields      []Field
	deadline    time.Time
	timer       *time.Timer
	busy        bool
	ended       Outcome
	note        Note
}

// Note is why a step asks again: a code, or the guidance or reason for a picture.
type Note struct {
	Code appliance.Code
	Word string
}

// View is what the screen shows now.
type View struct {
	Run, Kind string
	Step      Step
	// Left is until the step ends.
	Left   time.Duration
	Fields []Field
	Note   Note
	// Reference is what the customer and a colleague call the check by, at its end.
	Reference string
}

// Open makes a desk, and erases what a power cut left open.
func Open(ctx context.Context, f Flow, d Deps) (*Desk, error) {
	l, err := openLedger(d.Dir)
	if err != nil {
		return nil, err
	}
	desk := &Desk{flow: f, deps: d, ledger: l, runs: map[string]*run{}, told: func(End) {}}
	for id, screen := range l.all() {
		desk.erase(ctx, id, screen)
	}
	return desk, nil
}

// Tell names who hears how checks end. It is called once, before the first check.
func (d *Desk) Tell(told func(End)) { d.told = told }

// Close erases what is open: the daemon stops, and nobody can end those checks any more.
func (d *Desk) Close() error {
	d.mu.Lock()
	open := make([]*run, 0, len(d.runs))
	for _, r := range d.runs {
		open = append(open, r)
	}
	d.mu.Unlock()
	for _, r := range open {
		d.end(r, OutcomeStopped)
	}
	return nil
}

// erase destroys a transaction and strikes it off the list. Where it cannot be erased now it stays on the list, for the next start.
func (d *Desk) erase(ctx context.Context, transaction, screen string) {
	if d.destroy(ctx, transaction, screen) {
		d.drop(transaction)
	}
}

// destroy destroys a transaction, and says whether nothing of it is left.
func (d *Desk) destroy(ctx context.Context, transaction, screen string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), eraseTime)
	defer cancel()
	err := d.deps.Erase(ctx, transaction, screen)
	if code := appliance.CodeOf(err); err != nil && code != appliance.CodeTransactionUnknown && code != appliance.CodeTransactionExpired {
		d.deps.Log.Error("a transaction of the kiosk was not erased; that is tried again when its reading ends, or by the next start",
			"error", err)
		return false
	}
	return true
}

// drop strikes a transaction off the list.
func (d *Desk) drop(transaction string) {
	if err := d.ledger.drop(transaction); err != nil {
		d.deps.Log.Error("the kiosk's list was not written", "error", err)
	}
}

// eraseTime bounds erasing, which a page or a shutdown waits for.
const eraseTime = 10 * time.Second

// Begin starts a check at a screen; what was open there is erased.
func (d *Desk) Begin(screen, kind string) (View, error) {
	if !slices.Contains(d.flow.Kinds, kind) {
		return View{}, appliance.Errorf(appliance.CodeBadRequest, "this kiosk does not take documents of that kind")
	}
	d.Leave(screen, OutcomeStopped)
	r := &run{id: appliance.NewGUID(), screen: screen, transaction: appliance.NewGUID(), kind: kind, step: Front}
	if err := d.ledger.add(r.transaction, screen); err != nil {
		return View{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs[screen] = r
	d.wait(r)
	return d.view(r), nil
}

// wait gives the step of a run its time. The caller holds the lock.
func (d *Desk) wait(r *run) {
	if r.timer != nil {
		r.timer.Stop()
	}
	r.deadline = d.deps.Now().Add(d.flow.Timeout)
	r.timer = time.AfterFunc(d.flow.Timeout, func() { d.end(r, OutcomeTimeout) })
}

// view is what the screen shows of a run. The caller holds the lock.
func (d *Desk) view(r *run) View {
	v := View{Run: r.id, Kind: r.kind, Step: r.step, Note: r.note}
	switch r.step {
	case Done, Colleague:
		v.Reference = r.transaction[:4]
	default:
		v.Left = max(0, r.deadline.Sub(d.deps.Now()))
	}
	if r.step == Check {
		v.Fields = r.fields
	}
	return v
}

// Stay gives the step its time anew: the customer said that they are still there.
func (d *Desk) Stay(screen, id string) (View, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, err := d.find(screen, id)
	if err != nil {
		return View{}, err
	}
	d.wait(r)
	return d.view(r), nil
}

// find returns the run of a screen. The caller holds the lock.
func (d *Desk) find(screen, id string) (*run, error) {
	r := d.runs[screen]
	if r == nil || r.id != id {
		return nil, appliance.Errorf(appliance.CodeTransactionUnknown, "this check has ended: begin a new one")
	}
	return r, nil
}

// Stop ends a check and erases it at once.
func (d *Desk) Stop(screen, id string, why Outcome) error {
	d.mu.Lock()
	r, err := d.find(screen, id)
	d.mu.Unlock()
	if err != nil {
		return err
	}
	if why != OutcomeTimeout {
		why = OutcomeStopped
	}
	d.end(r, why)
	return nil
}

// Leave ends whatever is open at a screen.
func (d *Desk) Leave(screen string, why Outcome) {
	d.mu.Lock()
	r := d.runs[screen]
	d.mu.Unlock()
	if r != nil {
		d.end(r, why)
	}
}

// Confirm takes the customer's word on what was read.
func (d *Desk) Confirm(screen, id string, right bool) (View, error) {
	d.mu.Lock()
	r, err := d.find(screen, id)
	if err == nil && (r.step != Check || r.busy) {
		err = errStep()
	}
	d.mu.Unlock()
	if err != nil {
		return View{}, err
	}
	if !right {
		return d.move(r, Colleague), nil
	}
	return d.move(r, d.flow.after(r.kind, Check)), nil
}

func errStep() error {
	return appliance.Errorf(appliance.CodeBadRequest, "the check stands at another step: load the page again")
}

// move moves a run to a step, and ends it with one of the last two.
func (d *Desk) move(r *run, s Step) View {
	d.mu.Lock()
	if r.ended != "" { // while its last picture was looked at
		d.mu.Unlock()
		return View{Step: Welcome}
	}
	r.step, r.tries, r.note = s, 0, Note{}
	if s != Done && s != Colleague {
		defer d.mu.Unlock()
		d.wait(r)
		return d.view(r)
	}
	v := d.view(r)
	outcome := OutcomeDone
	if s == Colleague {
		outcome = OutcomeColleague
	}
	finish := d.conclude(r, outcome)
	d.mu.Unlock()
	finish()
	return v
}

// end closes a run, once, and does what follows from that.
func (d *Desk) end(r *run, why Outcome) {
	d.mu.Lock()
	finish := d.conclude(r, why)
	d.mu.Unlock()
	finish()
}

// conclude closes a run, once. What it returns erases its transaction, unless the integrator is to have it, and tells of the end; it is
// called after the lock, which the caller holds, was given back. A reading that still runs is not recorded any more, or erased when it
// ends.
func (d *Desk) conclude(r *run, why Outcome) (finish func()) {
	if r.ended != "" {
		return func() {}
	}
	r.ended, r.fields = why, nil
	if r.timer != nil {
		r.timer.Stop()
	}
	if d.runs[r.screen] == r {
		delete(d.runs, r.screen)
	}
	transaction, busy := r.transaction, r.busy
	return func() {
		switch {
		case why.kept():
			d.drop(transaction)
		case busy:
			d.destroy(context.Background(), transaction, r.screen) // the list keeps it until the reading ends
		default:
			d.erase(context.Background(), transaction, r.screen)
		}
		d.tell(End{r.screen, transaction, why, d.deps.Now()})
	}
}

// tell notes and publishes how a check ended.
func (d *Desk) tell(e End) {
	if d.deps.Journal != nil {
		ctx, cancel := context.WithTimeout(context.Background(), eraseTime)
		defer cancel()
		entry := appliance.Entry{
			Kind: appliance.EntryKiosk, Subject: e.Screen, Transaction: e.Transaction, Detail: map[string]string{"outcome": string(e.Outcome)},
		}
		if err := d.deps.Journal.Note(ctx, entry); err != nil {
			d.deps.Log.Error("the end of a check at the kiosk is not in the journal", "error", err)
		}
	}
	d.told(e)
}

// OwnCamera reports whether pictures come from the appliance's own camera.
func (d *Desk) OwnCamera() bool { return d.deps.Camera != nil }

// Flow is what the bank wants.
func (d *Desk) Flow() Flow { return d.flow }
