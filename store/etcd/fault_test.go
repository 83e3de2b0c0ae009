package etcd

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/etcdtest"
)

// Whatever befalls the members, nothing that was acknowledged is lost, and the store is honest about the rest. The cases
// come in this order, each to a cluster that has healed from the one before.
func TestFaults(t *testing.T) {
	cluster := etcdtest.Start(t)
	for _, c := range []struct {
		name  string
		check func(*testing.T, *etcdtest.Cluster)
	}{
		{"a member is killed", memberKilled},
		{"a member goes silent", memberSilent},
		{"strangers", strangers},
		{"the majority is lost", majorityLost},
		{"a start in the dark", startsInTheDark},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster.Heal(t)
			c.check(t, cluster)
		})
	}
}

// patience is how long a cluster may take on a busy machine.
const patience = time.Minute

// leader returns the number of the member that leads.
func leader(t *testing.T, s *Store, cluster *etcdtest.Cluster) int {
	t.Helper()
	at := -1
	within(t, patience, "a leader", func() bool {
		for _, m := range s.members {
			if a, _, err := m.last(); err == nil && a.Leader == a.Header.GetMemberId() {
				at = slices.Index(cluster.Endpoints(), m.endpoint)
				return true
			}
		}
		return false
	})
	return at
}

// writers append from several goroutines until stopped, and keep what was acknowledged.
type writers struct {
	mu    sync.Mutex
	acked []string // ids of transactions with one record
	errs  []error
	took  time.Duration // the longest call that failed
	stop  chan struct{}
	all   sync.WaitGroup
}

func startWriters(t *testing.T, s *Store, n int) *writers {
	w := &writers{stop: make(chan struct{})}
	for range n {
		w.all.Go(func() {
			for {
				select {
				case <-w.stop:
					return
				default:
				}
				id, began := appliance.NewGUID(), time.Now()
				err := s.Append(t.Context(), id, appliancetest.SampleRecord(1))
				w.mu.Lock()
				if err == nil {
					w.acked = append(w.acked, id)
				} else {
					w.errs, w.took = append(w.errs, err), max(w.took, time.Since(began))
				}
				w.mu.Unlock()
				if err != nil {
					<-time.After(5 * time.Millisecond) // who was refused does not hammer on
				}
			}
		})
	}
	return w
}

func (w *writers) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.acked)
}

// A member that is killed while records are written, even the leader, costs nothing that was acknowledged, and no caller is
// refused: what was under way is carried out by the others. It comes back by itself.
func memberKilled(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	cfg.Timeout, cfg.silence = patience, patience // a machine that is busy with other tests has long elections and pauses
	s := opened(t, cfg)
	w := startWriters(t, s, 8)
	for round := range 2 {
		before := w.count()
		within(t, patience, "records before the kill", func() bool { return w.count() > before+40 })
		at := leader(t, s, cluster)
		cluster.Kill(t, at)
		after := w.count()
		took := within(t, patience, "records after the kill", func() bool { return w.count() > after+40 })
		t.Logf("round %d: the leader was killed after %d records; 40 more took %v", round, after, took.Round(time.Millisecond))
		if round == 0 && len(s.Lost()) != 1 {
			t.Errorf("lost members: %v", s.Lost())
		}
		cluster.Restart(t, at)
		within(t, patience, "the member is back", func() bool { return len(s.Lost()) == 0 })
	}
	close(w.stop)
	w.all.Wait()
	if len(w.errs) > 0 {
		t.Errorf("%d calls were refused, the first: %v", len(w.errs), w.errs[0])
	}
	other := opened(t, cfg)
	for _, id := range w.acked {
		if got, err := other.Transaction(t.Context(), id); err != nil || len(got.Records) != 1 {
			t.Fatalf("of %d acknowledged records %s is lost or there twice: %+v, %v", len(w.acked), id, got, err)
		}
	}
	t.Logf("%d acknowledged records are there", len(w.acked))
}

// Without a majority every call is refused at once, also one under way, and when the majority is back they succeed again,
// with all that was acknowledged.
func majorityLost(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	cfg.Timeout = patience // what is refused sooner did not wait for it
	s := opened(t, cfg)
	id := appliance.NewGUID()
	must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	w := startWriters(t, s, 4)
	within(t, patience, "records", func() bool { return w.count() > 20 })
	cluster.Kill(t, 0)
	cluster.Kill(t, 1)
	lost := time.Now()
	within(t, patience, "the loss is known", func() bool { return s.Healthy() != nil })
	known := time.Since(lost)
	began := time.Now()
	for range 100 {
		_, err := s.Transaction(t.Context(), id)
		wantCode(t, "read without a majority", err, appliance.CodeUnavailable)
		wantCode(t, "append without a majority", s.Append(t.Context(), id, appliancetest.SampleRecord(2)), appliance.CodeUnavailable)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("200 refusals took %v", took)
	}
	cluster.Restart(t, 0)
	back := within(t, patience, "it is back", func() bool { return s.Append(t.Context(), id, appliancetest.SampleRecord(3)) == nil })
	close(w.stop)
	w.all.Wait()
	t.Logf("known after %v, the slowest refused call took %v, back %v after the start of a member", known.Round(time.Millisecond),
		w.took.Round(time.Millisecond), back.Round(time.Millisecond))
	if known > 3*time.Second || w.took > 5*time.Second {
		t.Errorf("the loss was known after %v, and a call under way was refused after %v", known, w.took)
	}
	if got, err := s.Transaction(t.Context(), id); err != nil || len(got.Records) != 2 {
		t.Errorf("afterwards: %+v, %v", got, err)
	}
	for _, id := range w.acked {
		if got, err := s.Transaction(t.Context(), id); err != nil || len(got.Records) != 1 {
			t.Fatalf("%s is lost: %+v, %v", id, got, err)
		}
	}
}

// A member that goes silent without a word, as behind a cut cable, holds nobody up for long.
func memberSilent(t *testing.T, cluster *etcdtest.Cluster) {
	s := opened(t, config(t, cluster))
	at := leader(t, s, cluster)
	cluster.Freeze(t, at)
	defer cluster.Thaw(t, at)
	began := time.Now()
	must(t, s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)))
	if took := time.Since(began); took > s.cfg.Timeout {
		t.Errorf("a record took %v", took)
	}
	within(t, patience, "the silence is known", func() bool { return len(s.Lost()) == 1 })
	began = time.Now()
	must(t, s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)))
	if took := time.Since(began); took > time.Second {
		t.Errorf("with a known silent member a record took %v", took)
	}
	other := (at + 1) % 3
	cluster.Freeze(t, other)
	within(t, patience, "the loss is known", func() bool { return s.Healthy() != nil })
	cluster.Thaw(t, other)
	within(t, patience, "it is back", func() bool { return s.Healthy() == nil })
}

// A kiosk that starts while its branch is dark refuses plainly, and works once the cluster is there.
func startsInTheDark(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	for i := range 3 {
		cluster.Kill(t, i)
	}
	s := opened(t, cfg)
	err := s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1))
	wantCode(t, "append in the dark", err, appliance.CodeUnavailable)
	if got := Checks(t.Context(), cfg); slices.ContainsFunc(got[:4], func(c appliance.Check) bool { return c.OK || c.Hint == "" }) {
		t.Errorf("checks in the dark: %+v", got)
	}
	for i := range 3 {
		cluster.Restart(t, i)
	}
	within(t, patience, "it works", func() bool {
		return s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)) == nil
	})
}

// Whoever does not show a certificate of the branch reaches nothing.
func strangers(t *testing.T, cluster *etcdtest.Cluster) {
	theirs, err := etcdtest.Certificates(t.TempDir())
	must(t, err)
	cfg := config(t, cluster)
	cfg.Certificate, cfg.CertificateKey = theirs.Certificate, theirs.Key
	s := opened(t, cfg)
	wantCode(t, "with a foreign certificate", s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)), appliance.CodeUnavailable)
	cfg = config(t, cluster)
	cfg.CA = theirs.CA
	s = opened(t, cfg)
	wantCode(t, "with members of another authority", s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)), appliance.CodeUnavailable)
	if answer, err := http.Get("http://" + cluster.Endpoints()[0] + "/v2/keys"); err == nil {
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			t.Error("a member answers without TLS")
		}
	}
}

// BenchmarkAppend measures a durable record in a transaction of its own on three members of one machine, by one caller and by
// many at once.
func BenchmarkAppend(b *testing.B) {
	cluster := etcdtest.Start(b)
	for _, callers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("%d callers", callers), func(b *testing.B) {
			s, r := opened(b, config(b, cluster)), appliancetest.SampleRecord(1)
			work := make(chan struct{})
			done := make(chan error, callers)
			for range callers {
				go func() {
					for range work {
						if err := s.Append(b.Context(), appliance.NewGUID(), r); err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
			}
			b.ResetTimer()
			for range b.N {
				select {
				case work <- struct{}{}:
				case err := <-done:
					b.Fatal(err)
				}
			}
			close(work)
			for range callers {
				must(b, <-done)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
		})
	}
}
