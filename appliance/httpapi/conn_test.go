package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/queue"
)

// raw opens a bare connection to the server that the test ends.
func (f *fixture) raw() bare {
	f.t.Helper()
	c, err := net.Dial("tcp", f.addr)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(15 * time.Second)); err != nil {
		f.t.Fatal(err)
	}
	w := bare{c, c.(*net.TCPConn)}
	if f.secure {
		w.Conn = tls.Client(c, trusting())
	}
	return w
}

func (f *fixture) send(c net.Conn, format string, args ...any) {
	f.t.Helper()
	if _, err := fmt.Fprintf(c, format, args...); err != nil {
		f.t.Fatal(err)
	}
}

// receive reads one answer, skipping interim ones.
func (f *fixture) receive(r *bufio.Reader) answer {
	f.t.Helper()
	for {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			f.t.Fatalf("no answer: %v", err)
		}
		if res.StatusCode != http.StatusContinue {
			return f.read(res)
		}
	}
}

// ended checks that the server has closed the connection in good order.
func (f *fixture) ended(what string, r *bufio.Reader) {
	f.t.Helper()
	b, err := io.ReadAll(r)
	if f.secure && errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // ended without the farewell of TLS
	}
	if err != nil || len(b) > 0 {
		f.t.Errorf("%s: the connection goes on with %q, %v", what, b, err)
	}
}

const head = "POST /v1/ocr/passport HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

// TestRefusedBeforeBody: who has no key, no scope, the wrong type or too much to send hears so while not a byte of the
// body has been sent, also when waiting for 100 Continue, and the connection ends.
func TestRefusedBeforeBody(t *testing.T) { overBoth(t, testRefusedBeforeBody) }

func testRefusedBeforeBody(t *testing.T, over func(*options)) {
	f := start(t, over)
	face := f.addKey(appliance.Key{Name: "face", Scopes: []appliance.Scope{appliance.ScopeFace}})
	for _, tt := range []struct {
		name, headers string
		code          int
	}{
		{"no key", "Content-Length: 1000", 401},
		{"no key, tiny", "Content-Length: 1", 401},
		{"no key, chunked", "Transfer-Encoding: chunked", 401},
		{"no key, 100-continue", "Content-Length: 1000\r\nExpect: 100-continue", 401},
		{"no scope", "ApiKey: " + face + "\r\nContent-Length: 20000", 403},
		{"media type", "ApiKey: " + f.key + "\r\nContent-Encoding: gzip\r\nContent-Length: 20000", 415},
		{"too large", "ApiKey: " + f.key + "\r\nContent-Length: 16777217", 413},
		{"far too large", "ApiKey: " + f.key + "\r\nContent-Length: 99999999999", 413},
		{"too large, 100-continue", "ApiKey: " + f.key + "\r\nContent-Length: 16777217\r\nExpect: 100-Continue", 413},
	} {
		c := f.raw()
		r := bufio.NewReader(c)
		f.send(c, "%s%s\r\n\r\n", head, tt.headers)
		line, err := r.Peek(12)
		if err != nil || bytes.HasPrefix(line, []byte("HTTP/1.1 100")) {
			t.Errorf("%s: %q, %v", tt.name, line, err)
			continue
		}
		f.want(tt.name, f.receive(r), tt.code, tt.code)
		f.ended(tt.name, r)
	}
}

// TestRefusedWhileSending: a client that sends all of a large body before it reads still gets the answer, not a reset.
func TestRefusedWhileSending(t *testing.T) { overBoth(t, testRefusedWhileSending) }

func testRefusedWhileSending(t *testing.T, over func(*options)) {
	f := start(t, over)
	for _, tt := range []struct {
		name, headers string
		bytes         int64
		code          int
	}{
		{"9 MB without a key", "Content-Length: 9000000", 9_000_000, 401},
		{"50 MB", "ApiKey: " + f.key + "\r\nContent-Length: 50000000", 50_000_000, 413},
		{"17 MB chunked", "ApiKey: " + f.key + "\r\nTransfer-Encoding: chunked", 17 << 20, 413},
	} {
		c := f.raw()
		f.send(c, "%s%s\r\n\r\n", head, tt.headers)
		if strings.Contains(tt.headers, "chunked") {
			f.send(c, "%x\r\n", tt.bytes)
		}
		if n, err := io.CopyN(c, zeros{}, tt.bytes); err != nil {
			t.Fatalf("%s: after %d bytes: %v", tt.name, n, err)
		}
		r := bufio.NewReader(c)
		f.want(tt.name, f.receive(r), tt.code, tt.code)
		f.ended(tt.name, r)
	}
}

// TestRevokedWhileSending: a key that is revoked while a body arrives answers nothing of it.
func TestRevokedWhileSending(t *testing.T) {
	f := start(t)
	key := f.addKey(appliance.Key{Name: "gone", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	body := sample()
	c := f.raw()
	r := bufio.NewReader(c)
	// 100 Continue comes after the key was found good.
	f.send(c, "%sApiKey: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", head, key, len(body))
	if line, err := r.Peek(12); err != nil || !bytes.HasPrefix(line, []byte("HTTP/1.1 100")) {
		t.Fatalf("%q, %v", line, err)
	}
	if err := f.keys.Revoke(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	f.send(c, "%s", body)
	f.want("revoked while the body came", f.receive(r), 401, 401)
}

// TestBodies: bodies of every framing are read whole, counted against the limit, and leave the connection usable.
func TestBodies(t *testing.T) {
	f := start(t)
	c := f.raw()
	r := bufio.NewReader(c)
	key := "ApiKey: " + f.key + "\r\n"
	body := sample()
	chunks := fmt.Sprintf("%x;x=y\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 10, body[:10], len(body)-10, body[10:])
	f.send(c, "%s%sContent-Length: %d\r\n\r\n%s", head, key, len(body), body)
	f.want("length", f.receive(r), 200, 0)
	f.send(c, "%s%sTransfer-Encoding: chunked\r\n\r\n%s", head, key, chunks)
	f.want("chunked", f.receive(r), 200, 0)
	f.send(c, "%s%sContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", head, key, len(body))
	if line, err := r.Peek(21); err != nil || string(line) != "HTTP/1.1 100 Continue" {
		t.Fatalf("%q, %v", line, err)
	}
	f.send(c, "%s", body)
	f.want("100-continue", f.receive(r), 200, 0)
	f.send(c, "%s%s\r\n", head, key)
	f.want("no body", f.receive(r), 400, 400)
	f.send(c, "%s%sContent-Length: %d\r\n\r\n%s", head, key, len(body), body)
	f.want("after no body", f.receive(r), 200, 0)
	f.send(c, "%[1]s%[2]sContent-Length: %[3]d\r\n\r\n%[4]s%[1]s%[2]sContent-Length: %[3]d\r\n\r\n%[4]s", head, key, len(body), body)
	f.want("first of two at once", f.receive(r), 200, 0)
	f.want("second of two at once", f.receive(r), 200, 0)
	for size, code := range map[int]int{16 << 20: 0, 16<<20 + 1: 413} {
		for name, length := range map[string]int64{"length": int64(size), "chunked": -1} {
			padded := io.MultiReader(strings.NewReader(body), io.LimitReader(blanks{}, int64(size-len(body))))
			a := f.do("POST", "/v1/ocr/passport", padded, func(r *http.Request) { r.ContentLength = length })
			f.want(fmt.Sprintf("%d bytes by %s", size, name), a, max(200, code), code)
		}
	}
	live := f.do("POST", "/v1/ocr/liveness/multi", io.LimitReader(blanks{}, 40<<20), func(r *http.Request) { r.ContentLength = 40 << 20 })
	f.want("40 MiB of liveness", live, 400, 400)
	live = f.do("POST", "/v1/ocr/liveness/multi", io.LimitReader(blanks{}, 40<<20+1), func(r *http.Request) { r.ContentLength = 40<<20 + 1 })
	f.want("more than 40 MiB of liveness", live, 413, 413)
}

// blanks is an endless body of white space.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestMalformedHTTP: what is not HTTP, or not clear HTTP, is answered with a 400 envelope that quotes nothing of it,
// and the connection ends.
func TestMalformedHTTP(t *testing.T) {
	f := start(t)
	for name, text := range map[string]string{
		"garbage":                 "29001011234567\r\n\r\n",
		"bad header":              "GET /healthz HTTP/1.1\r\nHost: x\r\nA B: 29001011234567\r\n\r\n",
		"bad length":              head + "Content-Length: 29001011234567x\r\n\r\n",
		"negative length":         head + "Content-Length: -1\r\n\r\n",
		"two lengths":             head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
		"length and chunked":      head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"other transfer encoding": head + "Transfer-Encoding: gzip\r\n\r\n",
		"bad chunk":               head + "ApiKey: " + f.key + "\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
		"NUL in a header":         "GET /healthz HTTP/1.1\r\nHost: x\r\nX: 29001011234567\x00\r\n\r\n",
		"NUL in the path":         "GET /healthz\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
		"bare CR":                 "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n",
		"bare LF":                 "GET /healthz HTTP/1.1\r\nHost: x\nX: a\r\n\r\n",
		"a folded header":         "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
		"no Host":                 "GET /healthz HTTP/1.1\r\n\r\n",
		"two Hosts":               "GET /healthz HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n",
		"two keys":                head + "ApiKey: " + f.key + "\r\napikey: " + f.key + "\r\nContent-Length: 2\r\n\r\n{}",
		"headers too large":       "GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("29001011234567", 1200) + "\r\n\r\n",
		"path too long":           "GET /" + strings.Repeat("a", 17<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		c := f.raw()
		f.send(c, "%s", text)
		r := bufio.NewReader(c)
		a := f.receive(r)
		f.want(name, a, 400, 400)
		if strings.Contains(a.raw, "2900101") {
			t.Errorf("%s: the answer quotes the request: %s", name, a.raw)
		}
		f.ended(name, r)
	}
	f.want("a body with GET", f.do("GET", "/v1/ocr/passport", strings.NewReader("GET /healthz HTTP/1.1\r\n\r\n")), 405, 405)
	if strings.Contains(f.log.String(), "2900101") {
		t.Error("the log quotes a request")
	}
	big := f.do("GET", "/healthz", nil, header("X-Large", strings.Repeat("x", 15<<10)))
	if big.status != 200 {
		t.Errorf("headers of 15 KiB: HTTP %d", big.status)
	}
}

// Headers that are too large are told by the limit that is set.
func TestHeaderLimitIsTold(t *testing.T) {
	f := start(t, func(o *options) { o.cfg.HeaderBytes = 20 << 10 })
	a := f.do("GET", "/healthz", nil, header("X-Large", strings.Repeat("x", 21<<10)))
	if a.status != 400 || !strings.Contains(a.raw, "below 20 KiB") {
		t.Errorf("HTTP %d: %s", a.status, a.raw)
	}
}

// TestSlowClients: a client that does not get its headers or its body across in time is cut off, however busily it
// drips, while others are served.
func TestSlowClients(t *testing.T) { overBoth(t, testSlowClients) }

func testSlowClients(t *testing.T, over func(*options)) {
	f := start(t, over, func(o *options) {
		o.cfg.HeaderTimeout, o.cfg.RequestTimeout, o.cfg.IdleTimeout = 200*time.Millisecond, 400*time.Millisecond, 300*time.Millisecond
	})
	var wg sync.WaitGroup
	drip := func(name, first, more string) {
		wg.Go(func() {
			c := f.raw()
			began := time.Now()
			f.send(c, "%s", first)
			stop := make(chan struct{})
			defer close(stop)
			if more != "" {
				go func() {
					tick := time.NewTicker(20 * time.Millisecond)
					defer tick.Stop()
					for {
						select {
						case <-stop:
							return
						case <-tick.C:
							if _, err := c.Write([]byte(more)); err != nil {
								return
							}
						}
					}
				}()
			}
			b, err := io.ReadAll(c)
			if err != nil || !bytes.HasPrefix(b, []byte("HTTP/1.1 400")) && first != "" || first == "" && len(b) > 0 {
				t.Errorf("%s: %q, %v", name, b, err)
			}
			if took := time.Since(began); took > 5*time.Second && more == "" {
				t.Errorf("%s: cut off after %v", name, took)
			}
		})
	}
	key := "ApiKey: " + f.key + "\r\n"
	drip("nothing", "", "")
	drip("half a header", "POST /v1/ocr/pass", "")
	drip("dripping headers", head, "X: y\r\n")
	drip("no body", head+key+"Content-Length: 1000\r\n\r\n", "")
	drip("no body, first 9 KB sent", head+key+"Content-Length: 10000\r\n\r\n"+strings.Repeat(" ", 9000), "")
	drip("dripping body", head+key+"Content-Length: 1000000\r\n\r\n", " ")
	drip("dripping chunks", head+key+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")
	f.want("another client", f.post("/v1/ocr/passport", sample()), 200, 0)
	wg.Wait()

	c := f.raw()
	f.send(c, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	r := bufio.NewReader(c)
	if a := f.receive(r); a.status != 200 {
		t.Errorf("HTTP %d", a.status)
	}
	f.ended("idle connection", r)
}

// blocking is a reader that holds its work until the test lets go or the request is cancelled.
type blocking struct {
	started, cancelled atomic.Int32
	release            chan struct{}
}

func newBlocking() *blocking { return &blocking{release: make(chan struct{})} }

func (b *blocking) read(ctx context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
	b.started.Add(1)
	select {
	case <-b.release:
		return readPassport(ctx, p, nil)
	case <-ctx.Done():
		b.cancelled.Add(1)
		return appliance.Reading{}, ctx.Err()
	}
}

// TestClientGone: a client that closes or resets its connection cancels its work, running or waiting, and frees its
// place in the queue; one that has only ended its sending gets its answer.
func TestClientGone(t *testing.T) { overBoth(t, testClientGone) }

func testClientGone(t *testing.T, over func(*options)) {
	b := newBlocking()
	queue := queue.New(2, 2)
	f := start(t, over, func(o *options) { o.read, o.queue = b.read, queue })
	request := fmt.Sprintf("%sApiKey: %s\r\nContent-Length: %d\r\n\r\n%s", head, f.key, len(sample()), sample())
	open := func(n int) bare {
		c := f.raw()
		f.send(c, "%s", request)
		eventually(t, "queued", func() bool { return queue.Depth() == n })
		return c
	}
	closed, reset, waiting := open(1), open(2), open(3)
	if b.started.Load() != 2 {
		t.Fatalf("%d readings run", b.started.Load())
	}
	waiting.Close()
	eventually(t, "the waiting one leaves", func() bool { return queue.Depth() == 2 })
	closed.Close()
	eventually(t, "the closed one leaves", func() bool { return b.cancelled.Load() == 1 && queue.Depth() == 1 })
	if err := reset.tcp.SetLinger(0); err != nil {
		t.Fatal(err)
	}
	reset.Close()
	eventually(t, "the reset one leaves", func() bool { return b.cancelled.Load() == 2 && queue.Depth() == 0 })
	eventually(t, "counted", func() bool { return f.metric("bawab_cancelled_total") == "3" })

	half := open(1)
	if err := half.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(half)
	line, err := r.Peek(12) // the question whether it still listens
	if err != nil || string(line) != "HTTP/1.1 100" {
		t.Fatalf("%q, %v", line, err)
	}
	old := f.raw()
	f.send(old, "%s", strings.Replace(request, "HTTP/1.1", "HTTP/1.0", 1))
	if err := old.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both run", func() bool { return queue.Depth() == 2 })
	close(b.release)
	f.want("half-closed", f.receive(r), 200, 0)
	f.want("half-closed, HTTP/1.0", f.receive(bufio.NewReader(old)), 200, 0)
}

// TestQueueFull: a request beyond the queue is answered 503 at once, with the time to wait, and works later.
func TestQueueFull(t *testing.T) {
	b := newBlocking()
	queue := queue.New(1, 1)
	f := start(t, func(o *options) {
		o.read, o.queue, o.health.QueueDepth = b.read, queue, queue.Depth
	})
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { f.want("within the queue", f.post("/v1/ocr/passport", sample()), 200, 0) })
		eventually(t, "queued", func() bool { return queue.Depth() == n+1 })
	}
	a := f.post("/v1/ocr/passport", sample())
	f.want("beyond the queue", a, 503, 503)
	if a.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	if depth := f.metric("bawab_queue_depth"); depth != "2" {
		t.Errorf("bawab_queue_depth %s", depth)
	}
	close(b.release)
	wg.Wait()
	f.want("later", f.post("/v1/ocr/passport", sample()), 200, 0)
}

// TestBodiesInMemory: bodies together are bounded, and the room comes back.
func TestBodiesInMemory(t *testing.T) {
	b := newBlocking()
	f := start(t, func(o *options) { o.read, o.cfg.BufferedBytes = b.read, 6<<20 })
	large := `{"x":"` + strings.Repeat(" ", 2<<20) + `",` + sample()[1:]
	done := make(chan answer)
	go func() { done <- f.post("/v1/ocr/passport", large) }()
	eventually(t, "running", func() bool { return b.started.Load() == 1 })
	f.want("a second large body", f.post("/v1/ocr/passport", large), 503, 503)
	close(b.release)
	f.want("the first one", <-done, 200, 0)
	f.want("afterwards", f.post("/v1/ocr/passport", large), 200, 0)
	if n := f.held(); n != 0 {
		t.Errorf("%d bytes and bodies still counted", n)
	}
}

// held is how many bytes of bodies are in memory, and how many bodies arrive, together.
func (f *fixture) held() int64 {
	bytes, arriving := f.server.frame.Bodies.Held()
	return bytes + arriving
}

// TestStalledBodies: clients that announce large bodies and send a byte hold neither the memory nor the connections of the others, and
// are cut off soon.
func TestStalledBodies(t *testing.T) {
	f := start(t, func(o *options) { o.cfg.BufferedBytes, o.cfg.Connections, o.cfg.Lull = 16<<20, 128, time.Second })
	key := f.addKey(appliance.Key{Name: "stalling", Scopes: appliance.Scopes()})
	var stalled []bare
	for range 120 {
		c := f.raw()
		f.send(c, "%sApiKey: %s\r\nContent-Length: 8000000\r\n\r\n{", head, key)
		stalled = append(stalled, c)
	}
	eventually(t, "the bodies are waited for", func() bool { return f.held() > 0 })
	large := `{"x":"` + strings.Repeat(" ", 2<<20) + `",` + sample()[1:]
	for range 20 {
		f.client.CloseIdleConnections() // each request needs a connection of its own
		began := time.Now()
		f.want("another key", f.post("/v1/ocr/passport", large), 200, 0)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("answered after %v", took)
		}
	}
	codes := map[string]int{}
	for _, c := range stalled {
		a := f.receive(bufio.NewReader(c))
		codes[strconv.Itoa(a.status)]++
	}
	if codes["400"] == 0 || codes["503"] < 50 || codes["400"]+codes["503"] != len(stalled) {
		t.Errorf("the stalled ones got %v", codes)
	}
	eventually(t, "all memory is back", func() bool { return f.held() == 0 })
}

// TestManyNames: a body of a million member names is refused without its names being kept, in far less time than it takes to read
// them all, and while it lasts others are answered.
func TestManyNames(t *testing.T) {
	f := start(t)
	var body strings.Builder
	body.WriteString(`{"a":0`)
	for i := 0; body.Len() < 15<<20; i++ {
		fmt.Fprintf(&body, `,"%06x":0`, i)
	}
	body.WriteString("}")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f.want("many names", f.post("/v1/ocr/passport", body.String()), 400, 400)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
		t.Errorf("%d MiB were taken for a body of 15 MiB", taken>>20)
	}
}

// TestParseEndsWithClient: a long body is not parsed to its end for a client that has gone.
func TestParseEndsWithClient(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := []byte(`{"x":[` + strings.Repeat("[],", 1<<20) + `0]}`)
	if _, err := wire.ParseObject(ctx, body, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestShutdown: requests in work get their answers and new connections none; when time runs out, work is cancelled.
func TestShutdown(t *testing.T) {
	for _, patient := range []bool{true, false} {
		b := newBlocking()
		f := start(t, func(o *options) { o.read = b.read })
		done := make(chan answer, 1)
		go func() { done <- f.post("/v1/ocr/passport", sample()) }()
		eventually(t, "running", func() bool { return b.started.Load() == 1 })
		limit := 20 * time.Second
		if !patient {
			limit = 50 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		down := make(chan error, 1)
		go func() { down <- f.server.Shutdown(ctx) }()
		eventually(t, "no new connections", func() bool {
			c, err := net.Dial("tcp", f.addr)
			if err == nil {
				c.Close()
			}
			return err != nil
		})
		if patient {
			close(b.release)
			f.want("patient", <-done, 200, 0)
		} else {
			f.want("impatient", <-done, 503, 503)
		}
		if err := <-down; (err == nil) != patient {
			t.Errorf("patient %v: shutdown says %v", patient, err)
		}
		cancel()
	}
}

// TestPanic: a panic of a reader is answered 500 with the request id alone, is logged, and harms nothing else.
func TestPanic(t *testing.T) {
	f := start(t, func(o *options) {
		o.read = func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			panic("29001011234567")
		}
	})
	for range 20 {
		a := f.post("/v1/ocr/passport", sample())
		f.want("panic", a, 500, 500)
		if a.Message != a.header.Get("X-Request-Id") {
			t.Errorf("message %q, want the request id %q", a.Message, a.header.Get("X-Request-Id"))
		}
	}
	if log := f.log.String(); !strings.Contains(log, "panic: string") || strings.Contains(log, "2900101") {
		t.Errorf("log: %s", log)
	}
}

// TestManyConnections: silent connections beyond the bound make room for new ones, the oldest first; those with a
// request in work never do, new ones wait for them.
func TestManyConnections(t *testing.T) { overBoth(t, testManyConnections) }

func testManyConnections(t *testing.T, over func(*options)) {
	b, queue := newBlocking(), queue.New(2, 8)
	f := start(t, over, func(o *options) { o.cfg.Connections, o.read, o.queue = 3, b.read, queue })
	f.client.Transport.(*http.Transport).DisableKeepAlives = true
	silent := make([]*bufio.Reader, 12)
	for i := range silent {
		silent[i] = bufio.NewReader(f.raw().tcp)
	}
	kept := f.raw()
	f.send(kept, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	r := bufio.NewReader(kept)
	if a := f.receive(r); a.status != 200 {
		t.Fatalf("behind twelve silent ones: HTTP %d", a.status)
	}
	for _, s := range silent[:9] {
		f.ended("an old silent one", s)
	}
	done := make(chan answer)
	for n := range 3 {
		go func() { done <- f.post("/v1/ocr/passport", sample()) }()
		eventually(t, "working", func() bool { return queue.Depth() == n+1 })
	}
	f.ended("the kept one", r)
	go func() { done <- f.do("GET", "/healthz", nil) }()
	select {
	case a := <-done:
		t.Errorf("a connection with a request in work had to make room: HTTP %d", a.status)
	case <-time.After(100 * time.Millisecond):
	}
	close(b.release)
	for range 4 {
		if a := <-done; a.status != 200 {
			t.Errorf("HTTP %d %s", a.status, a.raw)
		}
	}
}
