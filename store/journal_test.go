package store

import "testing"

// The head of the journal outlasts a stop, and the check of the store takes no offence at it.
func TestJournalHead(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := New(cfg)
	must(t, s.Open(t.Context()))
	head, err := s.JournalHead(t.Context())
	must(t, err)
	if head != nil {
		t.Errorf("a new store has the head %q", head)
	}
	must(t, s.KeepJournalHead(t.Context(), []byte("the head")))
	must(t, s.Close())
	must(t, s.Open(t.Context()))
	defer s.Close()
	if head, err = s.JournalHead(t.Context()); err != nil || string(head) != "the head" {
		t.Errorf("got %q, %v", head, err)
	}
	if r, err := s.Check(t.Context()); err != nil || !r.OK() {
		t.Errorf("check: %+v, %v", r, err)
	}
}
