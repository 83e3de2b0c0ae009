package usecase

import (
	"context"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
)

// How a document is waited for.
const (
	// lookEvery is the least time between two frames that are looked at: motion shows in it, and a processor that decodes
	// every frame has no time left to read.
	lookEvery = 100 * time.Millisecond
	// steadyLooks is how many looks in a row must show no motion before a frame is read.
	steadyLooks = 2
)

// documentCapture is one capture of a document.
type documentCapture struct {
	*Capturer
	request ReadRequest
	outline appliance.FrameJudge // nil where no outline is waited for

	last   *appliance.Frame // the last one that was looked at
	before *thumbnail       // what it looked like
	still  int              // looks without motion, in a row
	newest Shot
	best   *ReadAnswer
	shown  []byte // the frame that best was read from
	failed error  // why the last reading found no document
	reads  int
}

// Document waits for a document that lies or is held still before the camera, whole, sharp and without glare, and reads it as
// Read does; r has no image. When the budget is used up before one is flawless, the best reading so far is the answer: it
// carries its flaws, as that of an uploaded picture does. Only that one is recorded.
func (c *Capturer) Document(ctx context.Context, r ReadRequest) (answer ReadAnswer, err error) {
	defer func() {
		if err != nil {
			c.Appliance.renew(ctx, r.TransactionID)
		}
	}()
	c, leave := c.hold()
	defer leave()
	if _, err := c.Appliance.earlier(ctx, r.TransactionID, 1); err != nil {
		return answer, err
	}
	if c.Appliance.readers[r.Endpoint] == nil {
		return answer, appliance.Errorf(appliance.CodeNotBuilt, "this appliance cannot do this yet")
	}
	release, err := c.take()
	if err != nil {
		return answer, err
	}
	defer release()
	began := c.Now()
	d := documentCapture{Capturer: c, request: r}
	if outlined(r.Endpoint) {
		d.outline = c.documents
	}
	if answer, err = d.wait(ctx); err != nil {
		return answer, err
	}
	answer.Stages = append([]appliance.Stage{{Name: "capture", Elapsed: c.Now().Sub(began)}}, answer.Stages...)
	r.Image = d.shown
	return c.Appliance.settle(ctx, r, answer)
}

// outlined reports whether the endpoint reads one document of which the outline can be judged before it is read.
func outlined(e appliance.Endpoint) bool {
	return !slices.Contains([]appliance.Endpoint{appliance.EndpointGeneral, appliance.EndpointMulti, appliance.EndpointLicensePlate}, e)
}

// wait looks at frames until one is read without a flaw or the budget is used up.
func (d *documentCapture) wait(ctx context.Context) (ReadAnswer, error) {
	look, cancel := context.WithTimeout(ctx, d.Budget)
	defer cancel()
	var after uint64
	for {
		f, err := d.Camera.Next(look, after)
		done := false
		if err == nil {
			after = f.Sequence
			done, err = d.consider(ctx, look, f)
		}
		switch {
		case done:
			return *d.best, nil
		case ctx.Err() != nil:
			return ReadAnswer{}, ctx.Err()
		case look.Err() != nil:
			return d.settleFor(ctx, after)
		case err != nil:
			return ReadAnswer{}, err
		}
	}
}

// settleFor answers with what there is when the budget is used up.
func (d *documentCapture) settleFor(ctx context.Context, after uint64) (ReadAnswer, error) {
	if after == 0 {
		return ReadAnswer{}, appliance.CameraUnavailable(appliance.WarnCameraStale, nil)
	}
	if d.reads == 0 && d.newest.Picture != nil { // it never was steady: one try all the same
		if _, err := d.read(ctx, d.newest); err != nil {
			return ReadAnswer{}, err
		}
	}
	if d.best != nil {
		return *d.best, nil
	}
	if d.failed != nil {
		return ReadAnswer{}, d.failed
	}
	return ReadAnswer{}, appliance.Errorf(appliance.CodeNoDocument,
		"no document was found before the camera: hold it still in the middle of the picture")
}

// consider looks at a frame and reads it when it is worth it; done says that the reading has no flaw.
func (d *documentCapture) consider(ctx, look context.Context, f *appliance.Frame) (done bool, err error) {
	if d.last != nil && d.last.Run == f.Run && f.Kernel-d.last.Kernel < lookEvery {
		return false, nil
	}
	s, seen, err := d.examine(look, f, nil)
	if err != nil || s.Picture == nil {
		return false, err
	}
	if d.last != nil && d.last.Run != f.Run {
		d.before = nil
	}
	d.last, d.newest = f, s
	if seen.Guidance = d.motionless(s.Picture, seen.Guidance); seen.Guidance == appliance.GuideReady && d.outline != nil {
		if seen, err = sightOf(look, d.outline, s.Picture); err != nil {
			return false, err
		}
	}
	d.say(SubjectDocument, seen)
	if seen.Guidance != appliance.GuideReady {
		return false, nil
	}
	return d.read(ctx, s)
}

// motionless turns the guidance to GuideHoldStill until the scene has been steady for steadyLooks.
func (d *documentCapture) motionless(p *appliance.Picture, g appliance.Guidance) appliance.Guidance {
	now := thumbnailOf(p)
	moved := d.before == nil || now.motion(d.before) > stillLevels
	d.before = now
	if moved {
		d.still = 0
	} else {
		d.still++
	}
	if g == appliance.GuideReady && d.still < steadyLooks {
		return appliance.GuideHoldStill
	}
	return g
}

// read reads a frame and keeps the best reading; done says that it has no flaw. A frame without a document is no error.
func (d *documentCapture) read(ctx context.Context, s Shot) (done bool, err error) {
	d.reads++
	answer, err := d.Appliance.look(ctx, d.request, s.Picture)
	if appliance.CodeOf(err) == appliance.CodeNoDocument && err != nil {
		d.failed = err
		d.say(SubjectDocument, appliance.Sight{Guidance: appliance.GuideNoDocument})
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if d.best == nil || better(answer.Documents, d.best.Documents) {
		d.best, d.shown = &answer, s.JPEG
	}
	at, n, _ := flaws(answer.Documents)
	if n > 0 {
		worst := answer.Documents[at]
		d.say(SubjectDocument, appliance.Sight{
			Guidance: worst.Capture.Guidance(), Kind: worst.Kind, Quad: worst.Quad, Width: s.Picture.Width, Height: s.Picture.Height,
		})
	}
	return n == 0, nil
}

// better compares two readings by the flaws of their pictures.
func better(a, b []appliance.Document) bool {
	_, n, sharp := flaws(a)
	_, m, other := flaws(b)
	return n < m || n == m && sharp > other
}

// flaws counts what is wrong with the picture of the worst document, says which one that is, and returns the least sharpness.
func flaws(documents []appliance.Document) (worst, most int, sharpness float64) {
	sharpness = 1
	for i, d := range documents {
		n := 0
		for _, flaw := range []bool{d.Capture.CutOff, d.Capture.Covered, d.Capture.TooSmall, d.Capture.Blurred, d.Capture.Glared} {
			if flaw {
				n++
			}
		}
		if n > most {
			worst, most = i, n
		}
		sharpness = min(sharpness, d.Capture.Sharpness)
	}
	return worst, most, sharpness
}
