package transport

import "testing"

// One caller never takes so much that another finds nothing, and what was given back is there again.
func TestShares(t *testing.T) {
	s := newShares(12)
	if !s.take("a", 6) || s.take("a", 1) {
		t.Error("one alone does not get exactly half")
	}
	if !s.take("b", 3) || s.take("b", 1) || s.take("a", 1) {
		t.Error("the second does not get half of what the first has left")
	}
	if !s.take("c", 1) {
		t.Error("the third finds nothing")
	}
	s.give("a", 6)
	s.give("b", 3)
	if s.used() != 1 || !s.take("c", 5) || s.take("c", 1) {
		t.Error("what was given back is not there")
	}
}
