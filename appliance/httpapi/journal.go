package httpapi

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance"
)

// refusals counts the requests that were refused before anybody was known to have sent them. They are noted in sum:
// an entry each would let strangers fill the disk.
type refusals struct {
	mu     sync.Mutex
	counts map[appliance.Code]int
}

func (r *refusals) add(code appliance.Code, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[appliance.Code]int{}
	}
	r.counts[code] += n
}

// take returns the counts since the last call.
func (r *refusals) take() map[appliance.Code]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := r.counts
	r.counts = nil
	return counts
}

// journal notes what a request was answered, before the answer leaves. A client that went away is no reason to leave it
// out. An error stands for an answer that must not leave.
func (s *Server) journal(x *exchange) error {
	route, ours := strings.CutPrefix(x.route, "/v1/")
	switch {
	case s.deps.Journal == nil:
		return nil
	case x.key == "":
		if x.code != 0 && (ours || x.route == otherRoute) {
			s.refused.add(x.code, 1)
		}
		return nil
	case !ours:
		return nil
	}
	d := x.decision
	d.Endpoint, d.RequestID, d.Key, d.Code = appliance.Endpoint(route), x.id, x.key, x.code
	if x.code != 0 {
		d = appliance.Decision{Endpoint: d.Endpoint, RequestID: d.RequestID, TransactionID: d.TransactionID, Key: d.Key, Code: d.Code}
	}
	err := s.deps.Journal.Note(context.WithoutCancel(s.work), d.Entry())
	if x.code == appliance.CodeUnavailable {
		return nil // the caller hears already that the appliance cannot work now
	}
	return err
}

// NoteRefusals notes how many requests were refused for want of a valid key or path since the last call. What could not be
// noted is counted on.
func (s *Server) NoteRefusals(ctx context.Context) error {
	if s.deps.Journal == nil {
		return nil
	}
	counts := s.refused.take()
	if len(counts) == 0 {
		return nil
	}
	detail := map[string]string{}
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		detail["code_"+strconv.Itoa(int(code))] = strconv.Itoa(counts[code])
	}
	err := s.deps.Journal.Note(ctx, appliance.Entry{Kind: appliance.EntryRefused, Detail: detail})
	if err != nil {
		for code, n := range counts {
			s.refused.add(code, n)
		}
	}
	return err
}
