package route

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
)

// refusals counts the requests that nothing was decided about. They are noted in sum, once a minute: an entry each would let
// whoever is refused fill the disk.
type refusals struct {
	mu     sync.Mutex
	counts map[refusal]int
}

// refusal is what refusals are summed by.
type refusal struct {
	key  string // name of the API key, "" before anybody was known to have sent the request
	code appliance.Code
}

func (r *refusals) add(what refusal, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[refusal]int{}
	}
	r.counts[what] += n
}

// take returns the counts since the last call.
func (r *refusals) take() map[refusal]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := r.counts
	r.counts = nil
	return counts
}

// decided reports whether an answer says something about a picture, a face or a document. Such an answer has cost work, so it
// does not come by the thousand.
func decided(code appliance.Code) bool {
	switch code {
	case 0, appliance.CodeNoDocument, appliance.CodeNoIdentityDocument, appliance.CodeManyFaces, appliance.CodeNoFace,
		appliance.CodeNoPortrait, appliance.CodeFaceUnclear:
		return true
	}
	return false
}

// conclude completes the decision of an exchange; it reports whether there is one.
func (x *Exchange) conclude() bool {
	if x.Stands && x.Code == 0 {
		return true
	}
	route, ours := strings.CutPrefix(x.Route, "/v1/")
	if !ours || x.Noted || x.Key == "" || !decided(x.Code) {
		return false
	}
	x.Decision.Endpoint = cmp.Or(x.Decision.Endpoint, appliance.Endpoint(route))
	x.Decision.RequestID, x.Decision.Key, x.Decision.Code = x.ID, x.Key, x.Code
	return true
}

// Note writes an entry of the journal that a handler makes itself, where there is a journal. A client that went away is no reason to leave
// it out.
func (f *Frame) Note(e appliance.Entry) error {
	if f.Journal == nil {
		return nil
	}
	return f.Journal.Note(context.WithoutCancel(f.Work), e)
}

// journal notes what a request was answered, before the answer leaves. A client that went away is no reason to leave it
// out. An error stands for an answer that must not leave.
func (f *Frame) journal(x *Exchange, decision bool) error {
	switch {
	case f.Journal == nil || x.Noted:
		return nil
	case x.Key == "" || !decided(x.Code):
		if x.Code != 0 &&
			(strings.HasPrefix(x.Route, "/v1/") || strings.HasPrefix(x.Route, "/console/") ||
				strings.HasPrefix(x.Route, "/kiosk/") || x.Route == otherRoute) {
			f.refused.add(refusal{x.Key, x.Code}, 1)
		}
		return nil
	case !decision:
		return nil
	}
	d := x.Decision
	if x.Code != 0 {
		d = appliance.Decision{Endpoint: d.Endpoint, RequestID: d.RequestID, TransactionID: d.TransactionID, Key: d.Key, Code: d.Code}
	}
	return f.Note(d.Entry())
}

// maxRefusedCodes is how many codes one entry lists.
const maxRefusedCodes = 16

// NoteRefusals notes how many requests of each key, and of nobody known, were refused since the last call. What could not be
// noted is counted on.
func (f *Frame) NoteRefusals(ctx context.Context) error {
	if n := f.lines.takeLeftOut(); n > 0 {
		f.Log.LogAttrs(ctx, slog.LevelWarn, "further requests were not logged one by one", slog.Int("requests", n))
	}
	if f.Journal == nil {
		return nil
	}
	counts := f.refused.take()
	order := slices.SortedFunc(maps.Keys(counts), func(a, b refusal) int {
		return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.code, b.code))
	})
	var failed error
	for len(order) > 0 {
		key, n := order[0].key, 0
		detail := map[string]string{}
		for n < len(order) && n < maxRefusedCodes && order[n].key == key {
			detail["code_"+strconv.Itoa(int(order[n].code))] = strconv.Itoa(counts[order[n]])
			n++
		}
		if err := f.Journal.Note(ctx, appliance.Entry{Kind: appliance.EntryRefused, Subject: key, Detail: detail}); err != nil {
			failed = err
			for _, what := range order[:n] {
				f.refused.add(what, counts[what])
			}
		}
		order = order[n:]
	}
	return failed
}

// maxLines is how many lines a minute the log gets for the requests of one key with one code.
const maxLines = 60

// logLines bounds the log where a request costs its sender nothing. Answers that decide something are bounded by the work.
type logLines struct {
	mu      sync.Mutex
	began   time.Time // the minute that is counted
	counts  map[refusal]int
	leftOut int
}

// take reports whether a request may have its line.
func (l *logLines) take(what refusal, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil || now.Sub(l.began).Abs() >= time.Minute {
		l.began, l.counts = now, map[refusal]int{}
	}
	if l.counts[what]++; l.counts[what] > maxLines {
		l.leftOut++
		return false
	}
	return true
}

// takeLeftOut returns how many requests had no line since the last call.
func (l *logLines) takeLeftOut() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, l.leftOut = l.leftOut, 0
	return n
}
