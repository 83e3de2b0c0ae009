package appliancetest

import (
	"context"
	"sync"

	"github.com/bawab/bawab/appliance"
)

// Reviews is an appliance.ReviewStore in memory, safe for concurrent use.
type Reviews struct {
	mu       sync.Mutex
	fail     error
	all      []appliance.Review
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

// KeepReview implements appliance.ReviewStore.
func (s *Reviews) KeepReview(_ context.Context, r appliance.Review, pictures [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.all, s.pictures[r.ID] = append(s.all, r), pictures
	return nil
}

// Reviews implements appliance.ReviewStore.
func (s *Reviews) Reviews(context.Context) ([]appliance.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]appliance.Review(nil), s.all...), s.fail
}

func (s *Reviews) find(id string) (*appliance.Review, error) {
	if s.fail != nil {
		return nil, s.fail
	}
	for i := range s.all {
		if s.all[i].ID == id {
			return &s.all[i], nil
		}
	}
	return nil, appliance.NoReview()
}

// Review implements appliance.ReviewStore.
func (s *Reviews) Review(_ context.Context, id string) (appliance.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return appliance.Review{}, err
	}
	return *r, nil
}

// ReviewPictures implements appliance.ReviewStore.
func (s *Reviews) ReviewPictures(_ context.Context, id string) (appliance.Review, [][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return appliance.Review{}, nil, err
	}
	return *r, s.pictures[id], nil
}

// DecideReview implements appliance.ReviewStore.
func (s *Reviews) DecideReview(_ context.Context, id string, d appliance.ReviewDecision) (appliance.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err == nil {
		err = d.Check(r)
	}
	if err != nil {
		return appliance.Review{}, err
	}
	r.AddDecision(d)
	return *r, nil
}

// EraseReviews implements appliance.ReviewStore.
func (s *Reviews) EraseReviews(_ context.Context, doomed func(*appliance.Review) bool) (e appliance.ReviewErasure, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return e, s.fail
	}
	var kept []appliance.Review
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
