package usecase_test

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// generation is one set of networks: everything in it says the same name.
type generation struct {
	oneWorld
	freed atomic.Int32
	users atomic.Int32
}

// oneWorld matches every face with portraits of its own name.
type oneWorld struct {
	dotMatcher
	name    string
	touched func()
}

func (w oneWorld) Model() string { w.touched(); return w.name }

func (w oneWorld) Embed(ctx context.Context, p *appliance.Picture, f appliance.Face) (appliance.Embedding, error) {
	w.touched()
	return w.dotMatcher.Embed(ctx, p, f)
}

// networks are the parts of a generation, which must not be touched once they are freed.
func (g *generation) networks(t *testing.T, name string, wait func()) usecase.Networks {
	g.oneWorld = oneWorld{name: name, touched: func() {
		if g.freed.Load() > 0 {
			t.Errorf("%s is used although it was freed", name)
		}
	}}
	face := finderFunc(func(*appliance.Picture) ([]appliance.Face, error) {
		g.users.Add(1)
		wait()
		return []appliance.Face{{}}, nil
	})
	return usecase.Networks{Faces: usecase.Faces{Finder: face, Matcher: g.oneWorld}, Free: func() { g.freed.Add(1) }}
}

// A request that began before an exchange of the networks ends with the old ones, all of them, those after it have the new ones,
// and the old ones are freed once: when the last request that uses them has ended, not before.
func TestExchange(t *testing.T) {
	var gens [2]generation
	began, goOn := make(chan bool), make(chan bool)
	w := newFaceWorld(t, usecase.Faces{}, passportNamed("old"), passportNamed("new"))
	w.Exchange(gens[0].networks(t, "old", func() { began <- true; <-goOn }))
	done := make(chan error)
	go func() {
		_, err := w.MatchFace(t.Context(), w.ids, []byte{1})
		done <- err
	}()
	<-began
	w.Exchange(gens[1].networks(t, "new", func() {}))
	if n := gens[0].freed.Load(); n != 0 {
		t.Fatalf("the old networks were freed %d times under a request", n)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Errorf("the request under way ended with %v", err)
	}
	if _, err := w.MatchFace(t.Context(), w.ids, []byte{1}); err != nil || gens[1].users.Load() != 1 {
		t.Errorf("after the exchange: %v, %d used the new networks", err, gens[1].users.Load())
	}
	if a, b := gens[0].freed.Load(), gens[1].freed.Load(); a != 1 || b != 0 {
		t.Errorf("the old networks were freed %d times, the new ones %d times", a, b)
	}
	w.Exchange(usecase.Networks{})
	if n := gens[1].freed.Load(); n != 1 {
		t.Errorf("networks that nobody used were freed %d times", n)
	}
	if _, err := w.MatchFace(t.Context(), w.ids, []byte{1}); appliance.CodeOf(err) != appliance.CodeNotBuilt {
		t.Errorf("without networks: %v", err)
	}
}

// passportNamed is a passport whose portrait the networks of a name made.
func passportNamed(name string) appliance.Document {
	return appliance.Document{Kind: appliance.Passport, PersonalNumber: "29001011234567", Portrait: &appliance.Portrait{Embedding: direction(0), Model: name, Quality: 1}}
}

// forgetful keeps no outcomes, so that a transaction does not grow with every request.
type forgetful struct{ appliance.TransactionStore }

// Append implements appliance.TransactionStore.
func (forgetful) Append(context.Context, string, appliance.Record) error { return nil }

// While requests run and networks are exchanged all the time, none fails or is compared with another network's portrait, and
// every set is freed exactly once.
func TestExchangeUnderLoad(t *testing.T) {
	const sets, clients = 40, 8
	gens := make([]generation, sets)
	store := appliancetest.NewTransactions(time.Hour, time.Now)
	a := usecase.New(usecase.Deps{Decoder: appliancetest.PictureDecoder{}, Transactions: forgetful{store}, Queue: queue.New(clients, clients), Now: time.Now, Attempts: math.MaxInt})
	ids := usecase.Comparison{TransactionID: appliance.NewGUID()}
	for _, name := range []string{"even", "odd"} {
		if err := store.Append(t.Context(), ids.TransactionID, appliance.Record{Endpoint: appliance.EndpointPassport, Documents: []appliance.Document{passportNamed(name)}}); err != nil {
			t.Fatal(err)
		}
	}
	exchange := func(i int) {
		a.Exchange(gens[i].networks(t, []string{"even", "odd"}[i%2], runtime.Gosched))
	}
	exchange(0)
	var answered atomic.Int64
	stop := make(chan struct{})
	var load sync.WaitGroup
	for range clients {
		load.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := a.MatchFace(t.Context(), ids, []byte{1}); err != nil {
					t.Errorf("lost: %v", err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for i := 1; i < sets; i++ {
		for before := answered.Load(); answered.Load() < before+20 && !t.Failed(); {
			select {
			case <-t.Context().Done():
				t.Fatal("the requests stopped")
			case <-time.After(time.Millisecond):
			}
		}
		exchange(i)
	}
	close(stop)
	load.Wait()
	a.Exchange(usecase.Networks{})
	for i := range gens {
		if n := gens[i].freed.Load(); n != 1 {
			t.Errorf("set %d was freed %d times", i, n)
		}
	}
	if answered.Load() < 20*(sets-1) {
		t.Errorf("only %d requests", answered.Load())
	}
}
