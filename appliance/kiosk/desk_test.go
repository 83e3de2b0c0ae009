package kiosk_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/kiosk"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// desk is a desk over a store in memory, whose reader finds what document makes.
type desk struct {
	*kiosk.Desk
	store    *appliancetest.Transactions
	document func() appliance.Document

	mu      sync.Mutex
	erased  []string
	ends    []kiosk.End
	refuse  error        // what the next erasing fails with
	log     bytes.Buffer // what went wrong
	endless bool         // erasing was called without a bound
}

func newDesk(t *testing.T, dir string, change func(*kiosk.Flow)) *desk {
	t.Helper()
	d := &desk{store: appliancetest.NewTransactions(time.Hour, time.Now)}
	d.document = func() appliance.Document { return card(appliance.NationalIDFront) }
	reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{Documents: []appliance.Document{d.document()}}, nil
	}}
	readers := map[appliance.Endpoint]appliance.Reader{appliance.EndpointIDFront: reader, appliance.EndpointIDBack: reader}
	a := usecase.New(usecase.Deps{
		Decoder: appliancetest.PictureDecoder{}, Networks: usecase.Networks{Readers: readers},
		Transactions: d.store, Queue: queue.New(1, 8), Now: time.Now,
	})
	flow := kiosk.Flow{
		Kinds: []string{
			"national_id",
		}, Steps: []string{"back", "check"}, Show: []string{"name"}, Must: []string{"name"}, Attempts: 2, Timeout: time.Minute,
	}
	if change != nil {
		change(&flow)
	}
	opened, err := kiosk.Open(
		t.Context(),
		flow,
		kiosk.Deps{Appliance: a, Dir: dir, Log: slog.New(slog.NewTextHandler(&d.log, nil)), Now: time.Now, Erase: d.erase},
	)
	if err != nil {
		t.Fatal(err)
	}
	d.Desk = opened
	d.Tell(func(e kiosk.End) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.ends = append(d.ends, e)
	})
	return d
}

// told lists how checks have ended.
func (d *desk) told() []kiosk.End {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.ends)
}

func (d *desk) erase(ctx context.Context, id, _ string) error {
	d.mu.Lock()
	d.erased = append(d.erased, id)
	_, bounded := ctx.Deadline()
	d.endless = d.endless || !bounded
	refuse := d.refuse
	d.refuse = nil
	d.mu.Unlock()
	if refuse != nil {
		return refuse
	}
	return d.store.Erase(ctx, id)
}

// card is a document on which everything was read.
func card(kind appliance.Kind) appliance.Document {
	d := appliance.Document{Kind: kind}
	for _, f := range kind.Model() {
		d.Fields = append(d.Fields, appliance.Field{Name: f.Name, Value: "value of " + f.Name})
	}
	return d
}

// read takes the next picture of a check.
func (d *desk) read(t *testing.T, run string) kiosk.View {
	t.Helper()
	v, _, err := d.Document(t.Context(), "hall", run, appliance.NewGUID(), []byte("picture"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (d *desk) begin(t *testing.T) kiosk.View {
	t.Helper()
	v, err := d.Begin("hall", "national_id")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A check goes from the front over the back to the customer's word, shows what the bank allows and nothing else, and leaves its transaction
// to the integrator.
func TestFlow(t *testing.T) {
	d := newDesk(t, t.TempDir(), nil)
	v := d.begin(t)
	if v.Step != kiosk.Front || v.Left <= 0 {
		t.Fatalf("it begins with %+v", v)
	}
	if _, err := d.Confirm("hall", v.Run, true); err == nil {
		t.Error("a step was skipped")
	}
	if v = d.read(t, v.Run); v.Step != kiosk.Back {
		t.Fatalf("after the front: %+v", v)
	}
	d.document = func() appliance.Document { return card(appliance.NationalIDBack) }
	v = d.read(t, v.Run)
	if want := []kiosk.Field{{Name: "name", Value: "value of name"}}; v.Step != kiosk.Check || !slices.Equal(v.Fields, want) {
		t.Fatalf("after the back: %+v", v)
	}
	v, err := d.Confirm("hall", v.Run, true)
	if err != nil || v.Step != kiosk.Done || v.Fields != nil {
		t.Fatalf("at the end: %+v, %v", v, err)
	}
	end := d.told()[0]
	kept, err := d.store.Transaction(t.Context(), end.Transaction)
	if err != nil || len(kept.Records) != 2 || end.Outcome != kiosk.OutcomeDone || !strings.HasPrefix(end.Transaction, v.Reference) ||
		len(d.told()) != 1 {
		t.Errorf("%+v leaves %+v, %v", d.told(), kept, err)
	}
}

// What another picture may mend is asked for again until the tries are used up; what none can mend sends to a colleague at once; another
// document is no try, and a front that is read again starts from nothing.
func TestVerdicts(t *testing.T) {
	change := func(do func(*appliance.Document)) func() appliance.Document {
		return func() appliance.Document {
			d := card(appliance.NationalIDFront)
			do(&d)
			return d
		}
	}
	flag := func(field string, code appliance.Code) func() appliance.Document {
		return change(func(d *appliance.Document) { d.Flag(field, "", code) })
	}
	for name, tt := range map[string]struct {
		document func() appliance.Document
		steps    []kiosk.Step
	}{
		"unsure name":      {flag("name", appliance.CodeLowConfidence), []kiosk.Step{kiosk.Front, kiosk.Colleague}},
		"unread name":      {change(func(d *appliance.Document) { d.Fields = nil }), []kiosk.Step{kiosk.Front, kiosk.Colleague}},
		"unsure address":   {flag("address", appliance.CodeLowConfidence), []kiosk.Step{kiosk.Back}},
		"expired":          {flag("idExpiry", appliance.CodeExpired), []kiosk.Step{kiosk.Colleague}},
		"forged":           {change(func(d *appliance.Document) { d.Fake = true }), []kiosk.Step{kiosk.Colleague}},
		"another document": {func() appliance.Document { return card(appliance.Passport) }, []kiosk.Step{kiosk.Front, kiosk.Front, kiosk.Front}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, t.TempDir(), nil)
			d.document = tt.document
			v := d.begin(t)
			for i, want := range tt.steps {
				if v = d.read(t, v.Run); v.Step != want {
					t.Fatalf("reading %d leads to %+v, want %s", i+1, v, want)
				}
			}
			if v.Step == kiosk.Front && len(d.erased) != len(tt.steps) {
				t.Errorf("%d of %d wrong fronts were erased", len(d.erased), len(tt.steps))
			}
		})
	}
}

// A step that nobody finishes, a customer who stops, a page that is loaded again and a daemon that stops erase the transaction at once,
// and each is told once.
func TestErased(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(d *desk, run string) error
		want kiosk.Outcome
	}{
		"time-out":     {func(*desk, string) error { time.Sleep(2 * time.Minute); return nil }, kiosk.OutcomeTimeout},
		"stopped":      {func(d *desk, run string) error { return d.Stop("hall", run, kiosk.OutcomeStopped) }, kiosk.OutcomeStopped},
		"loaded again": {func(d *desk, _ string) error { d.Leave("hall", kiosk.OutcomeStopped); return nil }, kiosk.OutcomeStopped},
		"daemon stops": {func(d *desk, _ string) error { return d.Close() }, kiosk.OutcomeStopped},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, t.TempDir(), nil)
				v := d.read(t, d.begin(t).Run)
				if err := tt.end(d, v.Run); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if len(d.told()) != 1 || d.told()[0].Outcome != tt.want {
					t.Fatalf("told: %+v", d.told())
				}
				if _, err := d.store.Transaction(t.Context(), d.told()[0].Transaction); err == nil {
					t.Error("the transaction is there")
				}
				if _, err := d.Stay("hall", v.Run); appliance.CodeOf(err) != appliance.CodeTransactionUnknown {
					t.Errorf("the check goes on: %v", err)
				}
			})
		})
	}
}

// A customer who says that they are still there keeps the step alive.
func TestStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, t.TempDir(), nil)
		v := d.begin(t)
		for range 5 {
			time.Sleep(50 * time.Second)
			if _, err := d.Stay("hall", v.Run); err != nil {
				t.Fatal(err)
			}
		}
		d.Close()
	})
}

// A reading that is under way when its time is over leaves nothing behind. Erasing has a bound, and one that the store has erased is no
// failure.
func TestErasedWhileReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, t.TempDir(), nil)
		d.refuse = appliance.Errorf(appliance.CodeTransactionExpired, "it has expired")
		v := d.begin(t)
		d.document = func() appliance.Document {
			time.Sleep(2 * time.Minute)
			return card(appliance.NationalIDFront)
		}
		reached, _, err := d.Document(t.Context(), "hall", v.Run, appliance.NewGUID(), []byte("picture"))
		if err == nil && reached.Step != kiosk.Welcome {
			t.Errorf("the late reading leads to %+v", reached)
		}
		if _, err := d.store.Transaction(t.Context(), d.told()[0].Transaction); err == nil {
			t.Error("the late reading left its record")
		}
		if len(d.erased) != 2 || d.endless || d.log.Len() > 0 {
			t.Errorf("erased %v, without a bound: %v, logged %s", d.erased, d.endless, d.log.String())
		}
	})
}

// What a power cut left open is erased by the next start, and what a check handed over is not.
func TestPowerCut(t *testing.T) {
	dir := t.TempDir()
	d := newDesk(t, dir, func(f *kiosk.Flow) { f.Steps = []string{"check"} })
	v := d.read(t, d.begin(t).Run)
	if _, err := d.Confirm("hall", v.Run, true); err != nil {
		t.Fatal(err)
	}
	d.read(t, d.begin(t).Run) // and no end
	again := newDesk(t, dir, nil)
	if len(again.erased) != 1 || again.erased[0] == d.told()[0].Transaction {
		t.Errorf("the next start erased %v", again.erased)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "kiosk.json")); err != nil || string(text) != "{}" {
		t.Errorf("the list holds %s, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kiosk.json"), []byte(`{"cut`), 0o600); err != nil {
		t.Fatal(err)
	}
	newDesk(t, dir, nil)
}

// A second page at the same screen ends the check of the first, which is told so.
func TestTwoPages(t *testing.T) {
	d := newDesk(t, t.TempDir(), nil)
	first := d.begin(t)
	second := d.begin(t)
	if _, _, err := d.Document(t.Context(), "hall", first.Run, appliance.NewGUID(), []byte("picture")); appliance.CodeOf(
		err,
	) != appliance.CodeTransactionUnknown {
		t.Errorf("the first page is told %v", err)
	}
	if v := d.read(t, second.Run); v.Step != kiosk.Back {
		t.Errorf("the second one stands at %+v", v)
	}
}
