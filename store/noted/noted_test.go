package noted

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/etcd"
	"github.com/bawab/bawab/store/etcdtest"
)

// notes is a journal that counts.
type notes int

func (n *notes) Note(context.Context, appliance.Entry) error { *n++; return nil }

// What a request under way keeps for review while its transaction is erased is erased too, and the erasure is noted once.
func TestErasureTakesLateReviews(t *testing.T) {
	id, late := appliance.NewGUID(), (func())(nil)
	s := store.New(store.Config{Dir: t.TempDir(), Reached: func(p database.Point) {
		if p == database.PointErased && late != nil {
			late()
		}
	}})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	keep := func() {
		r := review.Review{ID: appliance.NewGUID(), Transaction: id, At: time.Now(), Expires: time.Now().Add(time.Hour), Pictures: 1}
		if err := s.KeepReview(t.Context(), r, [][]byte{[]byte("a picture that is long enough")}); err != nil {
			t.Error(err)
		}
	}
	if err := s.Append(t.Context(), id, appliancetest.SampleRecord(1)); err != nil {
		t.Fatal(err)
	}
	keep()
	late = func() { late = nil; keep() }
	var n notes
	e, err := Store{Store: s, Journal: &n}.EraseProven(t.Context(), id)
	if err != nil || e.Records != 1 || e.Reviews != 2 || n != 1 {
		t.Errorf("%+v, %v, noted %d times", e, err, n)
	}
	if left, err := s.Reviews(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left: %+v, %v", left, err)
	}
}

// number is the national number of the person of SampleRecord.
const number = "29001021234565"

// answers is a store of transactions of which each is read or fails in its own way.
type answers map[string]error

func (a answers) TransactionIDs(context.Context) (ids []string, err error) {
	for id := range a {
		ids = append(ids, id)
	}
	return ids, nil
}

func (a answers) Transaction(_ context.Context, id string) (*appliance.Transaction, error) {
	if err := a[id]; err != nil {
		return nil, err
	}
	return &appliance.Transaction{ID: id, Records: []appliance.Record{appliancetest.SampleRecord(1)}}, nil
}

// Whoever looks for a person passes over what has ended, counts what is damaged, and takes no store that cannot be read for one without
// him.
func TestMentioning(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx       context.Context
		err       error
		damaged   int
		incapable bool
	}{
		"living":      {ctx: t.Context()},
		"ended":       {ctx: t.Context(), err: appliance.Errorf(appliance.CodeTransactionExpired, "expired")},
		"unknown":     {ctx: t.Context(), err: appliance.Errorf(appliance.CodeTransactionUnknown, "unknown")},
		"damaged":     {ctx: t.Context(), err: appliance.Errorf(appliance.CodeInternal, "damaged"), damaged: 1},
		"unavailable": {ctx: t.Context(), err: appliance.Errorf(appliance.CodeUnavailable, "closed"), incapable: true},
		"cancelled":   {ctx: gone, err: context.Canceled, incapable: true},
	} {
		t.Run(name, func(t *testing.T) {
			ids, damaged, err := mentioning(c.ctx, answers{"a": c.err}, number)
			if damaged != c.damaged || (len(ids) == 1) != (c.err == nil) || (err != nil) != c.incapable {
				t.Errorf("%v, %d damaged, %v", ids, damaged, err)
			}
		})
	}
}

// What mentions a person goes from the cluster of the branch and from the kiosk's own database; with the cluster out of reach the
// erasure fails.
func TestPersonOfBranch(t *testing.T) {
	cluster := etcdtest.Start(t)
	cfg := etcd.Config{
		Endpoints: cluster.Endpoints(), CA: cluster.CA, Certificate: cluster.Certificate, CertificateKey: cluster.Key,
		KeyFile: filepath.Join(t.TempDir(), "branch.key"), Prefix: "test",
	}
	if err := os.WriteFile(cfg.KeyFile, bytes.Repeat([]byte{7}, 32), 0o600); err != nil {
		t.Fatal(err)
	}
	branch, own := etcd.New(cfg), store.New(store.Config{Dir: t.TempDir()})
	for _, s := range []interface{ Open(context.Context) error }{branch, own} {
		if err := s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	defer own.Close()
	defer branch.Close()
	other := appliancetest.SampleRecord(2)
	other.Documents[0].PersonalNumber = "29001021234566"
	ids := make([]string, 3)
	for i, add := range []struct {
		to appliance.TransactionStore
		r  appliance.Record
	}{{branch, appliancetest.SampleRecord(1)}, {own, appliancetest.SampleRecord(1)}, {branch, other}} {
		ids[i] = appliance.NewGUID()
		if err := add.to.Append(t.Context(), ids[i], add.r); err != nil {
			t.Fatal(err)
		}
	}
	var n notes
	s := Store{Store: own, Journal: &n, Branch: branch}
	if e, err := s.ErasePerson(t.Context(), number); err != nil || e.Transactions != 2 || e.Damaged != 0 || n != 2 {
		t.Errorf("%+v, %v, noted %d times", e, err, n)
	}
	for i, want := range []appliance.Code{appliance.CodeTransactionExpired, appliance.CodeTransactionUnknown, 0} {
		if _, err := branch.Transaction(t.Context(), ids[i]); err == nil != (want == 0) || err != nil && appliance.CodeOf(err) != want {
			t.Errorf("transaction %d: %v, want %d", i, err, want)
		}
	}
	if _, err := own.Transaction(t.Context(), ids[1]); appliance.CodeOf(err) != appliance.CodeTransactionExpired {
		t.Errorf("this kiosk's own one: %v", err)
	}
	if err := branch.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err := s.ErasePerson(t.Context(), number); err == nil {
		t.Errorf("without the branch: %+v", e)
	}
}
