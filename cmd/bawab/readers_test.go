package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/inference/eval/bench"
)

// Readers and consoles that are open at once in TestOpenPages.
const (
	openReaders  = 200
	openConsoles = 20
)

// heldBack is how many events may be under way at once, so that a reader who is slow for a moment loses none.
const heldBack = 32

// audience are the consoles and readers that are open, and what they hear.
type audience struct {
	end    context.CancelFunc
	all    sync.WaitGroup
	joined atomic.Int64
	heard  atomic.Int64
}

// listen follows the events with the headers of a key or of a session until the audience goes.
func (a *audience) listen(ctx context.Context, t *testing.T, p *program, header map[string]string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.listen+"/v1/events", nil)
	if err != nil {
		t.Error(err)
		return
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("the events are not told: %v, %v", res, err)
		return
	}
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		switch text := lines.Text(); {
		case text == ": bawab":
			a.joined.Add(1)
		case text == "event: answer":
			a.heard.Add(1)
		case strings.HasPrefix(text, "event: lost"):
			t.Errorf("a reader that reads loses events")
		}
	}
}

// console does what an open page of the room Health does, beside the events.
func (a *audience) console(ctx context.Context, t *testing.T, p *program, header map[string]string) {
	a.all.Go(func() { a.listen(ctx, t, p, header) })
	again := time.NewTicker(10 * time.Second)
	defer again.Stop()
	for {
		if r, err := p.as("127.0.0.1", http.MethodGet, "/console/health", header); ctx.Err() == nil && (err != nil || r.Status != 200) {
			t.Errorf("a console is answered %+v, %v", r, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}

// assemble opens consoles and readers and waits until all listen.
func assemble(t *testing.T, p *program, admin string) *audience {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	a := &audience{end: end}
	for range openReaders {
		a.all.Go(func() { a.listen(ctx, t, p, map[string]string{"ApiKey": admin}) })
	}
	for range openConsoles {
		header := p.signIn(admin)
		header["Bawab-Background"] = "1"
		a.all.Go(func() { a.console(ctx, t, p, header) })
	}
	appliancetest.Until(t, browserPatience, "all readers listen", func() bool { return a.joined.Load() == openReaders+openConsoles })
	return a
}

// leave closes all.
func (a *audience) leave() { a.end(); a.all.Wait() }

// deaf follows the events over a connection of small buffers from which it never reads.
func (p *program) deaf(admin string) {
	p.t.Helper()
	small := net.Dialer{Control: func(_, _ string, c syscall.RawConn) (err error) {
		return errors.Join(c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) }), err)
	}}
	c, err := small.DialContext(p.t.Context(), "tcp", p.listen)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() })
	if _, err := fmt.Fprintf(c, "GET /v1/events HTTP/1.1\r\nHost: %s\r\nApiKey: %s\r\n\r\n", p.listen, admin); err != nil {
		p.t.Fatal(err)
	}
}

// signIn opens a session and returns the headers of its requests.
func (p *program) signIn(key string) map[string]string {
	p.t.Helper()
	res, err := http.Post("http://"+p.listen+"/console/session", "application/json", strings.NewReader(`{"key":"`+key+`"}`))
	if err != nil {
		p.t.Fatal(err)
	}
	res.Body.Close()
	cookie, _, _ := strings.Cut(res.Header.Get("Set-Cookie"), ";")
	header := map[string]string{"Cookie": cookie}
	r, err := p.as("127.0.0.1", http.MethodGet, "/console/session", header)
	if err != nil || r.Data["token"] == nil {
		p.t.Fatalf("no session: %+v, %v", r, err)
	}
	header["Bawab-Token"] = r.Data["token"].(string)
	return header
}

// readings are how long readings took, in order, and what the daemon's processor time was for each, with all that it did beside them.
type readings struct {
	took []time.Duration
	each time.Duration
}

// readFor reads one picture after the other for a time, at least n of them.
func (p *program) readFor(n int, d time.Duration) readings {
	p.t.Helper()
	image, took, spent := samplePictureText(p.t, "passport.jpg"), []time.Duration(nil), p.metric("process_cpu_seconds_total")
	for end := time.Now().Add(d); len(took) < n || time.Now().Before(end); {
		began := time.Now()
		r := p.mustPost(appliance.EndpointPassport, map[string]any{"image": image})
		if r.Status != 200 {
			p.t.Fatalf("%+v", r)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	spent = p.metric("process_cpu_seconds_total") - spent
	return readings{took, time.Duration(spent / float64(len(took)) * float64(time.Second))}
}

// String prints readings by their tenth, fiftieth and ninetieth percentile.
func (r readings) String() string {
	at := func(percent int) time.Duration { return r.took[len(r.took)*percent/100].Round(100 * time.Microsecond) }
	return fmt.Sprintf("n=%d, p10 %v, p50 %v, p90 %v, processor %v each", len(r.took), at(10), at(50), at(90), r.each.Round(time.Millisecond))
}

// ownMemory is what the daemon holds beside files: its store, which grows by 10 KB with each reading that it keeps, is mapped and counts as
// resident too.
func (p *program) ownMemory() float64 {
	p.t.Helper()
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "status"))
	if err != nil {
		p.t.Fatal(err)
	}
	return float64(bench.Kibibytes(status, "RssAnon:"))
}

// With 20 consoles and 200 readers of events open, each hears of every reading, memory stays flat, and all that they took is free again
// when they go. READERS=10m keeps them open for so long and prints how long readings take before, meanwhile and afterwards.
func TestOpenPages(t *testing.T) {
	p := startProgram(t, t.TempDir())
	admin := p.adminKey("operator")
	long, _ := time.ParseDuration(os.Getenv("READERS"))
	alone := p.readFor(5, long/5)
	before, threads := p.ownMemory(), p.metric("go_goroutines")
	a := assemble(t, p, admin)
	began := p.readFor(3, long/20)
	open := p.ownMemory()
	meanwhile := p.readFor(6, long)
	end := p.ownMemory()
	want := int64(len(began.took)+len(meanwhile.took)) * (openReaders + openConsoles)
	appliancetest.Until(t, browserPatience, "each reader has heard of each reading", func() bool { return a.heard.Load() == want })
	a.leave()
	appliancetest.Until(t, browserPatience, "nothing of the readers is left", func() bool { return p.metric("go_goroutines") <= threads+5 })
	if grown := end - open; grown > 24<<20 {
		t.Errorf("memory grew by %.0f MB while %d readings were told", grown/(1<<20), len(meanwhile.took))
	}
	if long > 0 {
		t.Logf("alone before: %v", alone)
		t.Logf("all open:     %v", meanwhile)
		t.Logf("alone after:  %v", p.readFor(5, long/5))
	}
	t.Logf("memory: %.0f MB alone, %.0f MB with all open, %.0f MB at the end", before/(1<<20), open/(1<<20), end/(1<<20))
}

// Readers that never read hold up nobody: requests are answered at once, those who listen hear of each, memory stays flat, and the deaf
// ones are cut off when the time to take an answer is over, after some hundred events.
func TestDeafReaders(t *testing.T) {
	const readers, deaf, events, allowed = 2, 8, 12 * heldBack, 3 * time.Second
	p := startProgram(t, t.TempDir(), "BAWAB_HTTP_WRITE_TIMEOUT="+allowed.String())
	admin, blank := p.adminKey("operator"), pictureText(t, image.NewGray(image.Rect(0, 0, 64, 64)))
	id := p.begun(appliance.EndpointGeneral, blank)
	p.readFor(1, 0) // all networks are loaded
	ctx, end := context.WithCancel(t.Context())
	a := &audience{end: end}
	defer a.leave()
	for range readers {
		a.all.Go(func() { a.listen(ctx, t, p, map[string]string{"ApiKey": admin}) })
	}
	appliancetest.Until(t, browserPatience, "those who read listen", func() bool { return a.joined.Load() == readers })
	open := p.metric("process_open_fds")
	for range deaf {
		p.deaf(admin)
	}
	appliancetest.Until(t, browserPatience, "the deaf ones have joined", func() bool { return p.metric("process_open_fds") >= open+deaf })
	memory, told, slowest := p.metric("process_resident_memory_bytes"), int64(0), time.Duration(0)
	ask := func(endpoint appliance.Endpoint, image, id string, want int) {
		began := time.Now()
		if r := p.mustPost(endpoint, map[string]any{"image": image, "transaction_id": id}); r.Code != want {
			t.Errorf("%s: %+v", endpoint, r)
		}
		slowest, told = max(slowest, time.Since(began)), told+1
		if told%heldBack == 0 {
			appliancetest.Until(t, browserPatience, "all is heard", func() bool { return a.heard.Load() == readers*told })
		}
	}
	for range events {
		ask(appliance.EndpointFaceMatch, blank, id, int(appliance.CodeNoIdentityDocument))
	}
	full := time.Now()
	for p.metric("process_open_fds") > open+deaf/2 {
		if ask(appliance.EndpointPassport, samplePictureText(t, "passport.jpg"), "", 0); time.Since(full) > 4*allowed {
			t.Fatal("the deaf ones are not cut off")
		}
	}
	appliancetest.Until(t, browserPatience, "all is heard", func() bool { return a.heard.Load() == readers*told })
	if slowest > allowed*4/5 || told == events {
		t.Errorf("an answer took %v; %d readings beside the deaf", slowest, told-events)
	}
	if grown := p.metric("process_resident_memory_bytes") - memory; grown > 24<<20 {
		t.Errorf("memory grew by %.0f MB", grown/(1<<20))
	}
	t.Logf("%d events, the slowest answer after %v, cut off after %v", told, slowest, time.Since(full))
}
