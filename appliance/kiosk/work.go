package kiosk

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
)

// work takes a run for one reading or look, of which there is one at a time, and gives it back.
func (d *Desk) work(screen, id string, steps ...Step) (r *run, transaction string, done func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, err = d.find(screen, id); err != nil {
		return nil, "", nil, err
	}
	if r.busy {
		return nil, "", nil, appliance.Errorf(appliance.CodeUnavailable,
			"the screen's last picture is still being looked at: wait for the answer")
	}
	for _, s := range steps {
		if r.step == s {
			r.busy = true
			return r, r.transaction, func() { d.release(r) }, nil
		}
	}
	return nil, "", nil, errStep()
}

// release ends the work of a run. One that was ended meanwhile may have left a record after all.
func (d *Desk) release(r *run) {
	d.mu.Lock()
	r.busy = false
	erase := r.ended != "" && !r.ended.kept()
	d.mu.Unlock()
	if erase {
		d.erase(context.Background(), r.transaction, r.screen)
	}
}

// renew gives a run a new transaction, so that a front that is read again is compared with nothing that was read wrongly.
func (d *Desk) renew(r *run) error {
	next := appliance.NewGUID()
	if err := d.ledger.add(next, r.screen); err != nil {
		return err
	}
	d.mu.Lock()
	before := r.transaction
	r.transaction = next
	d.mu.Unlock()
	d.erase(context.Background(), before, r.screen)
	return nil
}

// Document reads the side of a document that is the run's step: from the appliance's own camera, or the picture of the screen's browser.
// The decision is for the journal; it is empty where nothing was read.
func (d *Desk) Document(ctx context.Context, screen, id, request string, image []byte) (v View, decision appliance.Decision, err error) {
	r, transaction, done, err := d.work(screen, id, Front, Back)
	if err != nil {
		return v, decision, err
	}
	defer done()
	ask := usecase.ReadRequest{Endpoint: endpoint(r.kind, r.step), RequestID: request, TransactionID: transaction, Image: image}
	decision = appliance.Decision{Endpoint: ask.Endpoint, TransactionID: transaction}
	answer, err := d.read(ctx, ask)
	if appliance.CodeOf(err) == appliance.CodeNoDocument && err != nil {
		// Nothing was recorded, and an empty table is no try.
		decision.Code = appliance.CodeNoDocument
		return d.askAgain(r, Note{Code: appliance.CodeNoDocument}, false), decision, nil
	}
	if err != nil {
		return v, decision, err
	}
	decision.Documents, decision.Reference = answer.Documents, answer.Reference
	return d.draw(r, &answer.Documents[0], ask.Endpoint), decision, nil
}

func (d *Desk) read(ctx context.Context, ask usecase.ReadRequest) (usecase.ReadAnswer, error) {
	if d.deps.Camera != nil {
		return d.deps.Camera.Document(ctx, ask)
	}
	return d.deps.Appliance.Read(ctx, ask)
}

// draw draws the consequences of a reading.
func (d *Desk) draw(r *run, document *appliance.Document, e appliance.Endpoint) View {
	what, code := d.flow.judge(document, e)
	switch {
	case what == doubtful:
		return d.move(r, Colleague)
	case what == again:
		advice := document.Capture.Guidance()
		if advice == appliance.GuideReady {
			advice = ""
		}
		// Another document is no try: the customer has not turned the card yet, or looks for the right one.
		v := d.askAgain(r, Note{Code: code, Word: string(advice)}, code != appliance.CodeOtherDocument)
		if v.Step == Front {
			if err := d.renew(r); err != nil {
				d.deps.Log.Error("the kiosk goes on with the same transaction", "error", err)
			}
		}
		return v
	}
	d.mu.Lock()
	for _, f := range d.flow.shown(document) {
		if !slices.ContainsFunc(r.fields, func(shown Field) bool { return shown.Name == f.Name }) {
			r.fields = append(r.fields, f)
		}
	}
	d.mu.Unlock()
	return d.move(r, d.flow.after(r.kind, r.step))
}

// askAgain counts a try, and sends the customer to a colleague after the last one.
func (d *Desk) askAgain(r *run, n Note, counts bool) View {
	d.mu.Lock()
	if r.ended != "" {
		d.mu.Unlock()
		return View{Step: Welcome}
	}
	if counts {
		r.tries++
		d.wait(r) // a person is at work
	}
	r.note = n
	v, over := d.view(r), r.tries >= d.flow.Attempts
	d.mu.Unlock()
	if over {
		return d.move(r, Colleague)
	}
	return v
}

// Face looks whether the customer is a living person and the one of the document: by the appliance's own camera, or three frames of the
// screen's browser.
func (d *Desk) Face(ctx context.Context, screen, id, request string, frames [][]byte) (v View, decision appliance.Decision, err error) {
	r, transaction, done, err := d.work(screen, id, Face)
	if err != nil {
		return v, decision, err
	}
	defer done()
	compared := usecase.Comparison{RequestID: request, TransactionID: transaction}
	decision = appliance.Decision{Endpoint: appliance.EndpointLiveness, TransactionID: transaction}
	l, err := d.look(ctx, compared, frames)
	switch appliance.CodeOf(err) {
	case appliance.CodeNoPortrait, appliance.CodeTooManyAttempts, appliance.CodeTransactionFull, appliance.CodeNoIdentityDocument:
		if err != nil {
			decision.Code = appliance.CodeOf(err)
			return d.move(r, Colleague), decision, nil
		}
	}
	if err != nil {
		return v, decision, err
	}
	decision.Matched, decision.Live, decision.Reasons, decision.Compared = &l.IsMatched, &l.IsLive, l.Reasons, l.Reference.Kind
	if l.IsLive && l.IsMatched {
		return d.move(r, Done), decision, nil
	}
	return d.askAgain(r, noteOf(l), len(l.Gaps) > 0 || d.deps.Camera == nil), decision, nil
}

func (d *Desk) look(ctx context.Context, c usecase.Comparison, frames [][]byte) (appliance.Liveness, error) {
	if d.deps.Camera != nil {
		l, err := d.deps.Camera.Liveness(ctx, c)
		return l.Liveness, err
	}
	shots := make([]appliance.LivenessFrame, len(frames))
	for i, f := range frames {
		shots[i].Image = f
	}
	return d.deps.Appliance.JudgeLiveness(ctx, c, shots)
}

// noteOf is what a customer hears about a look that did not do. Why a face was not taken for a living one is not said: it would tell how
// to try again.
func noteOf(l appliance.Liveness) Note {
	for _, r := range l.Reasons {
		switch r {
		case appliance.NoFaceInFrame, appliance.MultipleFacesInFrame, appliance.LowQuality, appliance.GapExceeded:
			return Note{Word: string(r)}
		}
	}
	return Note{Word: "not_sure"}
}

// Glance looks at a picture of the screen's browser before it is read: what the customer should change, and where the document lies.
func (d *Desk) Glance(ctx context.Context, screen, id string, image []byte) (appliance.Sight, error) {
	r, _, done, err := d.work(screen, id, Front, Back, Face)
	if err != nil {
		return appliance.Sight{}, err
	}
	defer done()
	subject := usecase.SubjectDocument
	if r.step == Face {
		subject = usecase.SubjectFace
	}
	return d.deps.Appliance.Glance(ctx, image, subject)
}
