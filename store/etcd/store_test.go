package etcd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/etcdtest"
	"github.com/bawab/bawab/store/seal"
)

// The driver on a real cluster keeps the promises of a transaction store, and what etcd alone adds. One cluster serves all
// cases; each has a prefix of its own.
func TestStore(t *testing.T) {
	cluster := etcdtest.Start(t)
	t.Run("conformance", func(t *testing.T) {
		appliancetest.TestTransactionStore(t, func(t *testing.T, now func() time.Time) appliance.TransactionStore {
			cfg := config(t, cluster)
			cfg.Now, cfg.TTL = now, appliancetest.TTL
			return opened(t, cfg)
		})
	})
	for name, check := range map[string]func(*testing.T, *etcdtest.Cluster){
		"two kiosks share":          twoKiosks,
		"many kiosks at once":       manyKiosks,
		"nothing in clear":          nothingInClear,
		"moved values do not open":  movedValues,
		"leases end it":             leasesEnd,
		"erased beyond reading":     erasedBeyondReading,
		"another branch key":        anotherKey,
		"a newer schema":            newerSchema,
		"an attempt before counted": attemptCounted,
		"history is compacted":      historyCompacted,
		"doctor's checks":           checks,
	} {
		t.Run(name, func(t *testing.T) { check(t, cluster) })
	}
}

// config is a kiosk on the cluster with a prefix of its own.
func config(t testing.TB, cluster *etcdtest.Cluster) Config {
	t.Helper()
	cfg := Config{
		Endpoints: cluster.Endpoints(), CA: cluster.CA, Certificate: cluster.Certificate, CertificateKey: cluster.Key,
		KeyFile: filepath.Join(t.TempDir(), "branch.key"), Prefix: "test/" + appliance.NewGUID(),
	}
	if _, err := seal.MakeKey(cfg.KeyFile); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func opened(t testing.TB, cfg Config) *Store {
	t.Helper()
	s := New(cfg)
	must(t, s.Open(t.Context()))
	t.Cleanup(func() {
		for range 2 {
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, what string, err error, want appliance.Code) {
	t.Helper()
	if err == nil || appliance.CodeOf(err) != want {
		t.Errorf("%s: got %v, want code %d", what, err, want)
	}
}

// within waits until a condition holds.
func within(t testing.TB, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		if time.Since(began) > limit {
			t.Fatalf("%s: not within %v", what, limit)
		}
		<-tick.C
	}
	return time.Since(began)
}

// client is a client of the cluster beside the store.
func (s *Store) client() *client { return s.members[0].client }

// all returns every key and value below the prefix.
func all(t testing.TB, s *Store) map[string]string {
	t.Helper()
	got, err := s.client().Get(t.Context(), s.cfg.Prefix, clientv3.WithPrefix())
	must(t, err)
	out := map[string]string{}
	for _, kv := range got.Kvs {
		out[string(kv.Key)] = string(kv.Value)
	}
	return out
}

// What one kiosk writes another reads, renews, adds to and erases at once.
func twoKiosks(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	a, b := opened(t, cfg), opened(t, cfg)
	id := appliance.NewGUID()
	must(t, a.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	got, err := b.Transaction(t.Context(), id)
	if err != nil || len(got.Records) != 1 || !got.Records[0].Documents[0].Kind.Identity() {
		t.Fatalf("b reads %+v, %v", got, err)
	}
	must(t, b.Append(t.Context(), id, appliancetest.SampleRecord(2)))
	must(t, b.Renew(t.Context(), id))
	if got, err = a.Transaction(t.Context(), id); err != nil || len(got.Records) != 2 {
		t.Fatalf("a reads %+v, %v", got, err)
	}
	must(t, b.Erase(t.Context(), id))
	_, err = a.Transaction(t.Context(), id)
	wantCode(t, "a reads what b erased", err, appliance.CodeTransactionExpired)
}

// Kiosks that write to one transaction at the same moment all succeed, and no record is lost or there twice.
func manyKiosks(t *testing.T, cluster *etcdtest.Cluster) {
	const kiosks, each = 4, 8
	cfg := config(t, cluster)
	id := appliance.NewGUID()
	errs := make(chan error, kiosks)
	for k := range kiosks {
		s := opened(t, cfg)
		go func() {
			for i := range each {
				r := appliancetest.SampleRecord(1)
				r.RequestID = fmt.Sprint(k, "-", i)
				if err := s.Append(t.Context(), id, r); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range kiosks {
		must(t, <-errs)
	}
	got, err := opened(t, cfg).Transaction(t.Context(), id)
	must(t, err)
	seen := map[string]bool{}
	for _, r := range got.Records {
		seen[r.RequestID] = true
	}
	if len(got.Records) != kiosks*each || len(seen) != kiosks*each {
		t.Errorf("%d records, %d different ones, want %d", len(got.Records), len(seen), kiosks*each)
	}
}

// The files of the members hold nothing of what a document says.
func nothingInClear(t *testing.T, cluster *etcdtest.Cluster) {
	s := opened(t, config(t, cluster))
	r := appliancetest.SampleRecord(1)
	const secret = "29001011234567-plain"
	r.Documents[0].Fields[0].Value = secret
	id := appliance.NewGUID()
	must(t, s.Append(t.Context(), id, r))
	read := 0
	must(t, filepath.WalkDir(cluster.Dir(), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // files come and go
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		if bytes.Contains(content, []byte(id)) {
			read++
		}
		if bytes.Contains(content, []byte(secret)) || bytes.Contains(content, []byte("RequestID")) {
			t.Errorf("%s holds a record in clear", path)
		}
		return nil
	}))
	if read < 2 {
		t.Errorf("the transaction was found in %d files: the search is blind", read)
	}
}

// What somebody with access to the cluster moves, changes or drops does not pass for what a kiosk wrote.
func movedValues(t *testing.T, cluster *etcdtest.Cluster) {
	for name, change := range map[string]func(s *Store, a, b seal.ID, v map[string]string) clientv3.Op{
		"record of another": func(s *Store, a, b seal.ID, v map[string]string) clientv3.Op {
			return clientv3.OpPut(s.recordKey(a, 1), v[s.recordKey(b, 1)])
		},
		"record in another place": func(s *Store, a, _ seal.ID, v map[string]string) clientv3.Op {
			return clientv3.OpPut(s.recordKey(a, 2), v[s.recordKey(a, 1)])
		},
		"record dropped": func(s *Store, a, _ seal.ID, _ map[string]string) clientv3.Op {
			return clientv3.OpDelete(s.recordKey(a, 2))
		},
		"head of another": func(s *Store, a, b seal.ID, v map[string]string) clientv3.Op {
			return clientv3.OpPut(s.headKey(a), v[s.headKey(b)])
		},
		"later end of life": func(s *Store, a, _ seal.ID, v map[string]string) clientv3.Op {
			h := v[s.headKey(a)]
			return clientv3.OpPut(s.headKey(a), string(seal.TimeBytes(seal.ParseTime([]byte(h)).Add(time.Hour)))+h[8:])
		},
		"head cut": func(s *Store, a, _ seal.ID, v map[string]string) clientv3.Op {
			return clientv3.OpPut(s.headKey(a), v[s.headKey(a)][:20])
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, config(t, cluster))
			a, b := appliance.NewGUID(), appliance.NewGUID()
			for _, id := range []string{a, b, a} {
				must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
			}
			idA, err := seal.ParseID(a)
			must(t, err)
			idB, err := seal.ParseID(b)
			must(t, err)
			_, err = s.client().Do(t.Context(), change(s, idA, idB, all(t, s)))
			must(t, err)
			_, err = s.Transaction(t.Context(), a)
			wantCode(t, "read", err, appliance.CodeInternal)
			if got := Examine(t.Context(), s.cfg); len(got) != 2 || got[0].OK || !strings.Contains(got[1].Detail, a) {
				t.Errorf("examined: %+v", got)
			}
			if got, err := s.Transaction(t.Context(), b); err != nil || len(got.Records) != 1 {
				t.Errorf("the other one: %+v, %v", got, err)
			}
		})
	}
}

// A transaction vanishes from the cluster at its time although no kiosk is running any more; what remains is when it ended.
func leasesEnd(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	cfg.TTL, cfg.slack = 2*time.Second, time.Second
	kiosk, err := New(cfg), error(nil)
	must(t, kiosk.Open(t.Context()))
	id := appliance.NewGUID()
	must(t, kiosk.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	must(t, kiosk.Append(t.Context(), id, appliancetest.SampleRecord(2)))
	must(t, kiosk.Close())
	other := opened(t, cfg)
	within(t, 20*time.Second, "the lease ends", func() bool {
		left := all(t, other)
		for key := range left {
			if strings.Contains(key, "/head/") || strings.Contains(key, "/record/") {
				return false
			}
		}
		return len(left) == 3 // check, schema, the end
	})
	_, err = other.Transaction(t.Context(), id)
	wantCode(t, "read afterwards", err, appliance.CodeTransactionExpired)
	wantCode(t, "append afterwards", other.Append(t.Context(), id, appliancetest.SampleRecord(3)), appliance.CodeTransactionExpired)
}

// After an erasure no client can read the transaction in any revision, and it is answered as expired.
func erasedBeyondReading(t *testing.T, cluster *etcdtest.Cluster) {
	s := opened(t, config(t, cluster))
	id, other := appliance.NewGUID(), appliance.NewGUID()
	for range 3 {
		must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	}
	must(t, s.Append(t.Context(), other, appliancetest.SampleRecord(1)))
	before, err := s.client().Get(t.Context(), s.cfg.Prefix, clientv3.WithPrefix())
	must(t, err)
	e, err := s.EraseProven(t.Context(), id)
	if err != nil || e.Records != 3 {
		t.Fatalf("erase: %+v, %v", e, err)
	}
	if _, err := s.client().Get(t.Context(), s.cfg.Prefix, clientv3.WithPrefix(), clientv3.WithRev(before.Header.GetRevision())); err == nil {
		t.Error("the revision from before the erasure can be read")
	}
	for key := range all(t, s) {
		if strings.Contains(key, id) && !strings.Contains(key, "/gone/") {
			t.Errorf("%s is left", key)
		}
	}
	_, err = s.EraseProven(t.Context(), id)
	wantCode(t, "second erasure", err, appliance.CodeTransactionExpired)
	_, err = s.EraseProven(t.Context(), appliance.NewGUID())
	wantCode(t, "unknown", err, appliance.CodeTransactionUnknown)
	if got, err := s.Transaction(t.Context(), other); err != nil || len(got.Records) != 1 {
		t.Errorf("the other one: %+v, %v", got, err)
	}
}

// A kiosk with another branch key is told so and does no harm.
func anotherKey(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	opened(t, cfg)
	cfg.KeyFile = config(t, cluster).KeyFile
	err := New(cfg).Open(t.Context())
	if err == nil || !strings.Contains(err.Error(), "branch key is not the one") {
		t.Errorf("open: %v", err)
	}
}

// A cluster that a newer bawab wrote to is left alone.
func newerSchema(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	s := opened(t, cfg)
	_, err := s.client().Put(t.Context(), s.cfg.schemaKey(), "99")
	must(t, err)
	if err := New(cfg).Open(t.Context()); err == nil || !strings.Contains(err.Error(), "newer bawab") {
		t.Errorf("open: %v", err)
	}
}

// An attempt that succeeded although its answer got lost is found by the next one, also when another kiosk wrote since.
func attemptCounted(t *testing.T, cluster *etcdtest.Cluster) {
	s := opened(t, config(t, cluster))
	for _, begun := range []bool{false, true} {
		for _, other := range []bool{false, true} {
			id := appliance.NewGUID()
			want := 1
			if begun {
				must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(7)))
				want++
			}
			parsed, err := seal.ParseID(id)
			must(t, err)
			plain, err := seal.EncodeRecord(appliancetest.SampleRecord(1))
			must(t, err)
			a := &appending{store: s, id: parsed, plain: plain}
			must(t, a.attempt(t.Context(), s.client()))
			if other {
				must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(8)))
				want++
			}
			must(t, a.attempt(t.Context(), s.client()))
			if got, err := s.Transaction(t.Context(), id); err != nil || len(got.Records) != want {
				t.Errorf("begun %v, other %v: %+v, %v", begun, other, got, err)
			}
		}
	}
}

// Old revisions do not pile up: what a sweep saw is compacted by the next.
func historyCompacted(t *testing.T, cluster *etcdtest.Cluster) {
	s := opened(t, config(t, cluster))
	id := appliance.NewGUID()
	must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	got, err := s.client().Get(t.Context(), "x")
	must(t, err)
	for range 3 {
		must(t, s.Renew(t.Context(), id))
		_, err := s.Sweep(t.Context())
		must(t, err)
	}
	if _, err := s.client().Get(t.Context(), "x", clientv3.WithRev(got.Header.GetRevision())); err == nil {
		t.Error("the history is still there")
	}
}

// Nothing is kept in a store that is not open, and an id or record that cannot be is refused.
func TestRefusals(t *testing.T) {
	s := New(Config{})
	for what, err := range map[string]error{
		"append": s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)), "renew": s.Renew(t.Context(), appliance.NewGUID()),
		"erase": s.Erase(t.Context(), appliance.NewGUID()), "healthy": unavailable("", s.Healthy()),
	} {
		wantCode(t, what, err, appliance.CodeUnavailable)
	}
	wantCode(t, "bad id", s.Append(t.Context(), "x", appliance.Record{}), appliance.CodeBadRequest)
	must(t, s.Close())
}

// Whatever is wrong with the files of a kiosk is said plainly at the start, with a way out.
func TestOpenRefuses(t *testing.T) {
	good := func(t *testing.T) Config {
		dir := t.TempDir()
		c, err := etcdtest.Certificates(dir)
		must(t, err)
		cfg := Config{Endpoints: []string{"127.0.0.1:1"}, CA: c.CA, Certificate: c.Certificate, CertificateKey: c.Key, KeyFile: filepath.Join(dir, "branch.key")}
		_, err = seal.MakeKey(cfg.KeyFile)
		must(t, err)
		return cfg
	}
	for name, c := range map[string]struct {
		spoil func(*Config) error
		want  string
	}{
		"no key":           {func(c *Config) error { return os.Remove(c.KeyFile) }, "branch key is missing"},
		"loose key":        {func(c *Config) error { return os.Chmod(c.KeyFile, 0o644) }, "other users may reach the branch key"},
		"short key":        {func(c *Config) error { return os.WriteFile(c.KeyFile, make([]byte, 31), 0o600) }, "must be 32 bytes"},
		"no CA":            {func(c *Config) error { return os.Remove(c.CA) }, "trusted by cannot be read"},
		"empty CA":         {func(c *Config) error { return os.WriteFile(c.CA, nil, 0o600) }, "no certificate"},
		"no certificate":   {func(c *Config) error { return os.Remove(c.Certificate) }, "certificate for the cluster cannot be used"},
		"loose TLS key":    {func(c *Config) error { return os.Chmod(c.CertificateKey, 0o644) }, "other users may reach"},
		"no host":          {func(c *Config) error { c.Endpoints = []string{"kiosk"}; return nil }, "not HOST:PORT"},
		"nothing is wrong": {func(c *Config) error { return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good(t)
			must(t, c.spoil(&cfg))
			s := New(cfg)
			err := s.Open(t.Context())
			if c.want == "" {
				must(t, err)
				must(t, s.Close())
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("open: %v, want %q", err, c.want)
			}
		})
	}
}

// A person is told how every member, the branch key and the certificate are, and a wrong key is named; nothing is written.
func checks(t *testing.T, cluster *etcdtest.Cluster) {
	cfg := config(t, cluster)
	if got := Checks(t.Context(), cfg); len(got) != 6 || slices.ContainsFunc(got, func(c appliance.Check) bool { return !c.OK }) {
		t.Errorf("a sound cluster: %+v", got)
	}
	s := opened(t, cfg)
	must(t, s.Append(t.Context(), appliance.NewGUID(), appliancetest.SampleRecord(1)))
	if got := Examine(t.Context(), cfg); len(got) != 1 || !got[0].OK || !strings.HasPrefix(got[0].Detail, "1 transactions with 1 records") {
		t.Errorf("examined: %+v", got)
	}
	if len(all(t, s)) != 5 {
		t.Errorf("the cluster holds %v", all(t, s))
	}
	cfg.KeyFile = config(t, cluster).KeyFile
	bad := slices.DeleteFunc(Checks(t.Context(), cfg), func(c appliance.Check) bool { return c.OK })
	if len(bad) != 1 || bad[0].Name != "branch key" || bad[0].Hint == "" {
		t.Errorf("with another key: %+v", bad)
	}
}

// What can pass by itself is tried again, and what cannot is answered at once.
func TestTransient(t *testing.T) {
	for err, want := range map[error]bool{
		rpctypes.ErrNoLeader: true, rpctypes.ErrTooManyRequests: true,
		context.DeadlineExceeded: true, errConflict: true, fmt.Errorf("%w: gone", errLost): true,
		grpcstatus.Error(codes.Unknown, "context deadline exceeded"): true, grpcstatus.Error(codes.Unavailable, "refused"): true,
		rpctypes.ErrNoSpace: false, rpctypes.ErrCompacted: false, rpctypes.ErrPermissionDenied: false,
		seal.ErrUnknown(): false, seal.ErrDamaged(seal.ID{}, context.Canceled): false,
	} {
		if got := transient(err); got != want {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
	full := answer("append record", rpctypes.ErrNoSpace)
	if wantCode(t, "full", full, appliance.CodeUnavailable); !strings.Contains(full.Error(), "disk of the cluster is full") {
		t.Errorf("full: %v", full)
	}
}

// A caller that has gone gets its own reason.
func TestCallerGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Config{}).Append(ctx, appliance.NewGUID(), appliancetest.SampleRecord(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
