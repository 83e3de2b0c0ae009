package noted

import (
	"context"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/store"
)

// notes is a journal that counts.
type notes int

func (n *notes) Note(context.Context, appliance.Entry) error { *n++; return nil }

// What a request under way keeps for review while its transaction is erased is erased too, and the erasure is noted once.
func TestErasureTakesLateReviews(t *testing.T) {
	id, late := appliance.NewGUID(), (func())(nil)
	s := store.New(store.Config{Dir: t.TempDir(), Reached: func(p store.Point) {
		if p == store.PointErased && late != nil {
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
