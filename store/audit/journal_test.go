package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/google/go-cmp/cmp"
)

// bench is a journal in a folder of its own, with a clock that stands still.
type bench struct {
	*testing.T
	dir    string
	id     *proof.Identity
	now    time.Time
	passed time.Duration
	sync   func(*os.File) error
	write  func(f *os.File, b []byte, at int64) (int, error)
	anchor Anchor
	size   int64
	most   int64

	reserve *folder.Reserve
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return &bench{T: t, dir: t.TempDir(), id: identity(t, 1), now: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
}

func identity(t testing.TB, seed byte) *proof.Identity {
	t.Helper()
	id, err := proof.NewIdentity(bytes.Repeat([]byte{seed}, ed25519.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// open opens the journal as a process would.
func (b *bench) open() *Journal {
	b.Helper()
	j := New(Config{
		Dir: b.dir, Identity: b.id, Anchor: b.anchor, SegmentBytes: b.size, Now: func() time.Time { return b.now },
		elapsed: func() time.Duration { return b.passed }, sync: b.sync, write: b.write, Reserve: b.reserve, MaxBytes: b.most,
	})
	b.must(j.Open(b.Context()))
	b.Cleanup(func() { j.Close() })
	return j
}

// note writes n decisions.
func (b *bench) note(j *Journal, n int) {
	b.Helper()
	for i := range n {
		b.must(j.Note(b.Context(), decision(i)))
	}
}

func decision(i int) appliance.Entry {
	return appliance.Decision{
		Endpoint: appliance.EndpointPassport, RequestID: fmt.Sprintf("request-%d", i), TransactionID: appliance.NewGUID(), Key: "kiosk",
		Documents: []appliance.Document{{Kind: appliance.Passport}},
	}.Entry()
}

func (b *bench) check() Check {
	return Check{Dir: b.dir, Public: []ed25519.PublicKey{b.id.Public()}}
}

// problems verifies the journal and returns what is wrong with it.
func (b *bench) problems() []string {
	b.Helper()
	r, err := Verify(b.Context(), b.check())
	b.must(err)
	var list []string
	for _, p := range r.Problems {
		if said := p.In(appliance.Arabic); regexp.MustCompile(`[A-Za-z]{2}`).MatchString(said) {
			b.Errorf("in Arabic %q is %q", p, said)
		}
		list = append(list, p.String())
	}
	return list
}

// sound fails unless nothing is wrong.
func (b *bench) sound() {
	b.Helper()
	if p := b.problems(); p != nil {
		b.Errorf("the journal has problems: %q", p)
	}
}

// records reads all entries.
func (b *bench) records() []Record {
	b.Helper()
	var all []Record
	_, err := Walk(b.Context(), b.check(), time.Time{}, time.Time{}, func(r Record) error {
		all = append(all, r)
		return nil
	})
	b.must(err)
	return all
}

// kinds reads the kinds of all entries.
func (b *bench) kinds() []string {
	b.Helper()
	var all []string
	for _, r := range b.records() {
		all = append(all, string(r.Kind))
	}
	return all
}

func (b *bench) path(n uint64) string { return filepath.Join(Folder(b.dir), segmentName(n)) }

func (b *bench) read(path string) []byte {
	b.Helper()
	content, err := os.ReadFile(path)
	b.must(err)
	return content
}

func (b *bench) write1(path string, content []byte) {
	b.Helper()
	b.must(os.WriteFile(path, content, 0o600))
}

// What was noted stands in the journal in its order after a stop and a start, and nothing of a document does.
func TestJournal(t *testing.T) {
	b := newBench(t)
	j := b.open()
	b.must(j.Note(t.Context(), appliance.Entry{Kind: appliance.EntryStart, Subject: "1.0"}))
	id, yes := appliance.NewGUID(), true
	b.must(j.Note(t.Context(), appliance.Decision{
		Endpoint: appliance.EndpointIDFront, RequestID: "r1", TransactionID: id, Key: "kiosk", Live: &yes,
		Documents: []appliance.Document{{
			Kind: appliance.NationalIDFront, Fake: true,
			Fields:      []appliance.Field{{Name: "idNumber", Value: "29001011234567"}, {Name: "name", Value: "محمد"}},
			Validations: []appliance.Validation{{Field: "idNumber", Value: "29001011234567", Errors: []appliance.Code{3010, 3001}}},
		}},
	}.Entry()))
	b.must(j.Note(t.Context(), appliance.Entry{Kind: appliance.EntryStop}))
	b.must(j.Close())
	j = b.open()
	b.must(j.Note(t.Context(), appliance.Entry{Kind: appliance.EntryStart, Subject: "1.0"}))
	b.must(j.Close())
	b.sound()

	at := b.now
	want := []Record{
		{Seq: 1, At: at, Kind: entryOpened, Subject: "1"},
		{Seq: 2, At: at, Kind: appliance.EntryStart, Subject: "1.0"},
		{Seq: 3, At: at, Kind: appliance.EntryDecision, Subject: "ocr/id/front", Transaction: Pseudonym(b.id, id), Detail: map[string]string{
			"request": "r1", "code": "0", "key": "kiosk", "doc_type": "national_id_front", "fake": "true", "validations": "3001,3010", "is_live": "true",
		}},
		{Seq: 4, At: at, Kind: appliance.EntryStop},
		{Seq: 5, At: at, Kind: appliance.EntryStart, Subject: "1.0"},
	}
	got := b.records()
	got[0].Detail = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	content := string(b.read(b.path(1)))
	for _, personal := range []string{"29001011234567", "محمد", id} {
		if strings.Contains(content, personal) {
			t.Errorf("the journal holds %q", personal)
		}
	}
}

// What does not belong into the journal is refused, so that no reading gets there by mistake.
func TestRefused(t *testing.T) {
	b := newBench(t)
	j := b.open()
	for _, e := range []appliance.Entry{
		{},
		{Kind: "Decision"},
		{Kind: "decision", Subject: "محمد"},
		{Kind: "decision", Detail: map[string]string{"Name": "x"}},
		{Kind: "decision", Detail: map[string]string{"name": "محمد"}},
		{Kind: "decision", Detail: map[string]string{"name": strings.Repeat("x", 200)}},
		{Kind: "decision", Subject: "a\nb"},
	} {
		if err := j.Note(t.Context(), e); err == nil {
			t.Errorf("%+v was noted", e)
		}
	}
}

// The id of a transaction is found again by who has the identity, and by nobody else.
func TestPseudonym(t *testing.T) {
	a, b := identity(t, 1), identity(t, 2)
	id, other := appliance.NewGUID(), appliance.NewGUID()
	switch {
	case Pseudonym(a, id) != Pseudonym(a, id):
		t.Error("an id has two pseudonyms")
	case Pseudonym(a, id) == Pseudonym(a, other), Pseudonym(a, id) == Pseudonym(b, id):
		t.Error("two ids, or two appliances, share a pseudonym")
	}
}

// A run that did not stop in order is named by the next start.
func TestUncleanStart(t *testing.T) {
	b := newBench(t)
	start := appliance.Entry{Kind: appliance.EntryStart}
	b.must(b.open().Note(t.Context(), start)) // and then its process dies
	b.must(b.open().Note(t.Context(), start))
	r := b.records()
	if got := r[len(r)-1].Detail["unclean"]; got != "true" {
		t.Errorf("the start says unclean=%q", got)
	}
	if r[1].Detail["unclean"] != "" {
		t.Error("the first start counts as unclean")
	}
}

// Segments are sealed when they are full and when their day is over, and the chain runs through them.
func TestSegments(t *testing.T) {
	b := newBench(t)
	b.size = 2000
	j := b.open()
	b.note(j, 12)
	b.now = b.now.Add(24 * time.Hour)
	b.note(j, 1)
	b.must(j.Close())
	b.sound()
	list, err := segments(Folder(b.dir))
	b.must(err)
	r, err := Verify(t.Context(), b.check())
	b.must(err)
	if len(list) < 3 || r.Segments != len(list) || int(r.Entries) != 13+2*len(list)-1 {
		t.Errorf("%d segments, report %+v", len(list), r)
	}
	j = b.open()
	b.now = b.now.Add(24 * time.Hour)
	b.must(j.rest())
	if after, _ := segments(Folder(b.dir)); len(after) != len(list)+1 {
		t.Errorf("an idle day was not sealed: %d segments, then %d", len(list), len(after))
	}
	b.sound()
}

// Callers at the same time share syncs, each entry stands there once, and none is answered before its sync.
func TestGroupCommit(t *testing.T) {
	b := newBench(t)
	var mu sync.Mutex
	syncs := 0
	gate := make(chan struct{})
	closed := false
	b.sync = func(f *os.File) error {
		mu.Lock()
		syncs++
		wait := closed
		mu.Unlock()
		if wait {
			<-gate
		}
		return f.Sync()
	}
	j := b.open()
	open := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(open)
	b.note(j, 1) // the segment is there: what follows syncs entries alone
	mu.Lock()
	syncs, closed = 0, true
	mu.Unlock()
	const callers = 64
	done := make(chan error, callers)
	note := func(i int) { done <- j.Note(t.Context(), decision(i)) }
	until := func(what string, holds func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !holds(); runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatal(what + " does not come")
			}
		}
	}
	go note(0)
	until("the first sync", func() bool { mu.Lock(); defer mu.Unlock(); return syncs == 1 })
	for i := range callers - 1 {
		go note(i)
	}
	until("the queue", func() bool { j.queueMu.Lock(); defer j.queueMu.Unlock(); return len(j.queue) == callers-1 })
	select {
	case <-done:
		t.Error("an entry was answered before its sync")
	default:
	}
	open()
	for range callers {
		b.must(<-done)
	}
	b.must(j.Close())
	if syncs > 8 {
		t.Errorf("%d syncs for %d callers", syncs, callers)
	}
	if r := b.records(); len(r) != callers+2 {
		t.Errorf("%d entries, want %d", len(r), callers+2)
	}
	b.sound()
}

// A disk that fails makes every caller hear so; when it works again the journal goes on, and says how many entries it
// lost. Nothing half-written stays.
func TestDiskFails(t *testing.T) {
	b := newBench(t)
	var broken error
	b.write = func(f *os.File, text []byte, at int64) (int, error) {
		if broken != nil {
			f.WriteAt(text[:len(text)/2], at)
			return len(text) / 2, broken
		}
		return f.WriteAt(text, at)
	}
	b.sync = func(f *os.File) error { return errors.Join(broken, f.Sync()) }
	j := b.open()
	b.note(j, 2)
	broken = syscall.ENOSPC
	for range 3 {
		err := j.Note(t.Context(), decision(0))
		if appliance.CodeOf(err) != appliance.CodeUnavailable || !strings.Contains(err.Error(), "full") {
			t.Errorf("got %v from a full disk", err)
		}
	}
	if j.Healthy() == nil {
		t.Error("the journal counts as healthy")
	}
	start := appliance.Entry{Kind: appliance.EntryStart}
	if err := j.Note(t.Context(), start); err == nil {
		t.Error("a start was noted on a full disk")
	}
	if err := j.tend(t.Context(), false); err == nil || j.Healthy() == nil {
		t.Error("the journal counts as healthy though its disk is full")
	}
	broken = nil
	b.must(j.tend(t.Context(), false))
	if err := j.Healthy(); err != nil {
		t.Errorf("with room again, and no request: %v", err)
	}
	b.note(j, 1)
	b.must(j.Close())
	b.sound()
	want := []string{"journal.opened", "decision", "decision", "start", "journal.resumed", "decision"}
	if diff := cmp.Diff(want, b.kinds()); diff != "" {
		t.Error(diff)
	}
	if r := b.records(); r[4].Detail["missed"] != "3" {
		t.Errorf("missed=%s, want 3", r[4].Detail["missed"])
	}
}

// A journal whose folder cannot be written is refused with a hint, and so is a note after Close.
func TestUnavailable(t *testing.T) {
	b := newBench(t)
	b.write1(filepath.Join(b.dir, folderName), []byte("a file"))
	err := New(Config{Dir: b.dir, Identity: b.id}).Open(t.Context())
	if appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("got %v where the folder is a file", err)
	}
	b = newBench(t)
	j := b.open()
	b.must(j.Close())
	b.must(j.Close())
	if err := j.Note(t.Context(), decision(0)); appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("got %v after Close", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Note(ctx, decision(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v from a cancelled call", err)
	}
}

// Old segments are deleted, which is itself an entry, and what stays still verifies; not while the clock is in doubt.
func TestPrune(t *testing.T) {
	b := newBench(t)
	j := b.open()
	for range 5 {
		b.note(j, 2)
		b.now = b.now.Add(24 * time.Hour)
	}
	b.note(j, 1)
	b.now = b.now.Add(398 * 24 * time.Hour)
	b.must(j.tend(t.Context(), true)) // the clock jumped a year: nothing goes
	if list, _ := segments(Folder(b.dir)); len(list) < 6 {
		t.Fatalf("segments %v are left right after a jump of the clock", list)
	}
	b.now, b.passed = b.now.Add(2*time.Hour), b.passed+2*time.Hour
	b.must(j.tend(t.Context(), true))
	list, err := segments(Folder(b.dir))
	b.must(err)
	if len(list) == 0 || list[0] != 4 {
		t.Errorf("segments %v are left, want those from 4 on", list)
	}
	b.must(j.Close())
	b.sound()
	if kinds := b.kinds(); !strings.Contains(strings.Join(kinds, " "), "clock.jumped") || kinds[len(kinds)-1] != "journal.pruned" {
		t.Errorf("entries %q", kinds)
	}
	// The record is as good as the segments: without it, or with another in its place, the gap is named.
	path := filepath.Join(Folder(b.dir), prunedName)
	record := b.read(path)
	b.must(os.Remove(path))
	if p := b.problems(); len(p) != 1 || p[0] != "segment 1: and those up to segment 3 are missing" {
		t.Errorf("without the record: %q", p)
	}
	b.write1(path, bytes.Replace(record, []byte(`"through":3`), []byte(`"through":2`), 1))
	if p := b.problems(); len(p) == 0 || !strings.Contains(p[0], "record of deleted segments") {
		t.Errorf("with a changed record: %q", p)
	}
	b.write1(path, record)
	b.note(b.open(), 1)
	b.sound()
}

// A crash between the record of pruning and the deletion is made up for at the next start.
func TestPruneCrash(t *testing.T) {
	b := newBench(t)
	j := b.open()
	b.note(j, 1)
	first := b.read(b.path(1))
	b.now, b.passed = b.now.Add(24*time.Hour), calm
	b.note(j, 1)
	first = append(first, b.read(b.path(1))[len(first):]...)
	b.now = b.now.Add(401 * 24 * time.Hour)
	b.must(j.prune(t.Context(), true))
	b.must(j.Close())
	b.write1(b.path(1), first)
	b.sound()
	b.note(b.open(), 1)
	if _, err := os.Stat(b.path(1)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("segment 1 is still there: %v", err)
	}
	b.sound()
}

// On a disk without a free byte what was done to the appliance is noted still, also when a new segment is due, while decisions are
// refused; with room again everything is.
func TestFullDisk(t *testing.T) {
	b := newBench(t)
	b.dir = filepath.Join(t.TempDir(), "disk")
	b.must(os.Mkdir(b.dir, 0o700))
	if err := syscall.Mount("none", b.dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("this test needs the right to mount a small disk: %v", err)
	}
	t.Cleanup(func() { b.must(syscall.Unmount(b.dir, syscall.MNT_DETACH)) })
	b.reserve = folder.NewReserve(filepath.Join(b.dir, "reserve"), 256<<10)
	b.must(b.reserve.Fill())
	j := b.open()
	b.note(j, 3)
	ballast := filepath.Join(b.dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("others left room on the disk: %v", err)
	}
	for day := range 3 {
		b.now = b.now.Add(24 * time.Hour)
		if err := j.Note(t.Context(), decision(day)); appliance.CodeOf(err) != appliance.CodeUnavailable {
			t.Fatalf("a decision on a full disk: %v", err)
		}
		for range 5 {
			b.must(j.Note(t.Context(), appliance.Entry{Kind: appliance.EntryStoreErased, Transaction: appliance.NewGUID()}))
		}
		if j.Healthy() == nil {
			t.Error("nobody is told that the disk is full")
		}
	}
	b.sound()
	b.must(os.Remove(ballast))
	b.note(j, 3)
	b.sound()
	if n := strings.Count(strings.Join(b.kinds(), " "), string(appliance.EntryStoreErased)); n != 15 {
		t.Errorf("%d erasures are noted, want 15", n)
	}
}

// A journal keeps within its room: the oldest segments go before their time, which is an entry, what is left verifies, and one that
// fills up is called large before that.
func TestMaxBytes(t *testing.T) {
	b := newBench(t)
	b.size, b.most = 8<<10, 64<<10
	j := b.open()
	warned := false
	for range 600 {
		b.note(j, 1)
		b.must(j.tend(t.Context(), true))
		bytes, large := j.Large()
		if bytes > b.most+b.size {
			t.Fatalf("%d bytes, %d are allowed", bytes, b.most)
		}
		if large && !warned && b.records()[0].Seq != 1 {
			t.Error("entries were lost before anybody was told")
		}
		warned = warned || large
	}
	all := b.records()
	if all[0].Seq == 1 || !warned {
		t.Errorf("begins with entry %d, warned: %v", all[0].Seq, warned)
	}
	if kinds := strings.Join(b.kinds(), " "); !strings.Contains(kinds, string(entryPruned)) {
		t.Error("nobody is told that segments were deleted")
	}
	b.sound()
}
