package appliancetest

import (
	"context"
	"sync"

	"github.com/bawab/bawab/appliance/review"
)

// Reviews is a review.Store in memory, safe for concurrent use.
type Reviews struct {
	mu       sync.Mutex
	fail     error
	all      []review.Review
	pictures map[string][][]byte
}

// NewReviews makes an empty store.
func NewReviews() *Reviews { return &Reviews{pictures: map[string][][]byte{}} }

// Fail makes every later call answer err; nil ends it.
func (s *Reviews) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// KeepReview implements review.Store.
func (s *Reviews) KeepReview(_ context.Context, r review.Review, pictures [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.all, s.pictures[r.ID] = append(s.all, r), pictures
	return nil
}

// Reviews implements review.Store.
func (s *Reviews) Reviews(context.Context) ([]review.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]review.Review(nil), s.all...), s.fail
}

func (s *Reviews) find(id string) (*review.Review, error) {
	if s.fail != nil {
		return nil, s.fail
	}
	for i := range s.all {
		if s.all[i].ID == id {
			return &s.all[i], nil
		}
	}
	return nil, review.NotFound()
}

// Review implements review.Store.
func (s *Reviews) Review(_ context.Context, id string) (review.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return review.Review{}, err
	}
	return *r, nil
}

// ReviewPictures implements review.Store.
func (s *Reviews) ReviewPictures(_ context.Context, id string) (review.Review, [][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return review.Review{}, nil, err
	}
	return *r, s.pictures[id], nil
}

// DecideReview implements review.Store.
func (s *Reviews) DecideReview(_ context.Context, id string, d review.Decision) (review.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err == nil {
		err = d.Check(r)
	}
	if err != nil {
		return review.Review{}, err
	}
	r.AddDecision(d)
	return *r, nil
}

// EraseReviews implements review.Store.
func (s *Reviews) EraseReviews(_ context.Context, doomed func(*review.Review) bool) (e review.Erasure, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return e, s.fail
	}
	var kept []review.Review
	for i := range s.all {
		if doomed(&s.all[i]) {
			delete(s.pictures, s.all[i].ID)
			e.Reviews++
			continue
		}
		kept = append(kept, s.all[i])
	}
	s.all = kept
	return e, nil
}
