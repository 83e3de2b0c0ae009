package usecase_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// What tells an attacker something about the holder counts as a face check, what is a mistake before the camera does not; when the
// checks are used up every further one is 4104 and is not recorded, with documents in between, too.
func TestAttempts(t *testing.T) {
	living := judgeFunc(func([]*appliance.Picture) (appliance.BurstFindings, error) {
		return appliance.BurstFindings{Reasons: []appliance.Reason{appliance.NoFaceInFrame}}, nil
	})
	for name, c := range map[string]struct {
		faces usecase.Faces
		image string
		burst bool
		costs int
	}{
		"match":            {faces: usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}, image: "\x01", costs: 1},
		"another person":   {faces: usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}, image: "\x09", costs: 1},
		"broken picture":   {faces: usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}, image: "x"},
		"no face":          {faces: usecase.Faces{Finder: found(0), Matcher: dotMatcher{}}, image: "\x01"},
		"two faces":        {faces: usecase.Faces{Finder: found(2), Matcher: dotMatcher{}}, image: "\x01"},
		"unclear face":     {faces: usecase.Faces{Finder: found(1, appliance.FaceDark), Matcher: dotMatcher{}}, image: "\x01"},
		"burst":            {faces: usecase.Faces{Matcher: dotMatcher{}, Judge: living}, image: "\x01", burst: true, costs: 1},
		"burst of nothing": {faces: usecase.Faces{Matcher: dotMatcher{}, Judge: living}, image: "x", burst: true},
		"no judge":         {faces: usecase.Faces{Matcher: dotMatcher{}}, image: "\x01", burst: true},
	} {
		w := newFaceWorld(t, c.faces, passportWith(portrait(0)))
		check := func() error {
			if !c.burst {
				_, err := w.MatchFace(t.Context(), w.ids, []byte(c.image))
				return err
			}
			frame := appliance.LivenessFrame{Image: []byte(c.image)}
			_, err := w.JudgeLiveness(t.Context(), w.ids, []appliance.LivenessFrame{frame, frame, frame})
			return err
		}
		first := codeOf(check())
		for range appliance.FaceAttempts - 1 {
			if got := codeOf(check()); got != first {
				t.Errorf("%s: code %d, at first %d", name, got, first)
			}
		}
		got, err := w.store.Transaction(t.Context(), w.ids.TransactionID)
		if err != nil || got.Attempts != appliance.FaceAttempts*c.costs {
			t.Errorf("%s: %d attempts, %v", name, got.Attempts, err)
			continue
		}
		if err := w.store.Append(t.Context(), w.ids.TransactionID, appliance.Record{Documents: []appliance.Document{passportWith(portrait(0))}}); err != nil {
			t.Fatal(err)
		}
		before := len(w.records(t))
		want := first
		if c.costs > 0 {
			want = appliance.CodeTooManyAttempts
		}
		if got := codeOf(check()); got != want {
			t.Errorf("%s: afterwards code %d, want %d", name, got, want)
		}
		if c.costs > 0 && len(w.records(t)) != before {
			t.Errorf("%s: a refused check is on record", name)
		}
	}
}

// However many face checks of one transaction come at the same time, no more are answered than it may have.
func TestParallelAttempts(t *testing.T) {
	const callers, most = 30, 4
	w := newFaceWorld(t, usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}, passportWith(portrait(0)))
	a := usecase.New(usecase.Deps{
		Decoder: appliancetest.PictureDecoder{}, Transactions: w.store, Queue: queue.New(callers, callers), Now: w.clock.Now,
		Networks: usecase.Networks{Faces: usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}}, Attempts: most,
	})
	var answered, refused atomic.Int32
	var load sync.WaitGroup
	for range callers {
		load.Go(func() {
			switch _, err := a.MatchFace(t.Context(), w.ids, []byte{1}); codeOf(err) {
			case 0:
				answered.Add(1)
			case appliance.CodeTooManyAttempts:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	load.Wait()
	if answered.Load() != most || refused.Load() != callers-most {
		t.Errorf("%d answered and %d refused of %d, want %d answered", answered.Load(), refused.Load(), callers, most)
	}
}
