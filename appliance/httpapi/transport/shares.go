package transport

import "sync"

// shares divides something scarce among callers. A caller gets more only while he then holds no more than is left for the
// others: one alone gets half of it, two a third each, and whoever comes next finds something left.
type shares struct {
	mu   sync.Mutex
	free int64
	held map[string]int64
}

func newShares(total int64) *shares { return &shares{free: total, held: map[string]int64{}} }

// take gives n to a caller, if his share allows it.
func (s *shares) take(caller string, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[caller]+n > s.free-n {
		return false
	}
	s.free -= n
	s.held[caller] += n
	return true
}

// give takes n back from a caller.
func (s *shares) give(caller string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free += n
	if s.held[caller] -= n; s.held[caller] == 0 {
		delete(s.held, caller)
	}
}

// used returns how much all callers hold together, given the total.
func (s *shares) used() (n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, held := range s.held {
		n += held
	}
	return n
}
