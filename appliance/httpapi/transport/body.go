package transport

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"golang.org/x/time/rate"
)

// Marks that HeaderReceived leaves for the handler in the request's own headers. No client can send them: a header
// name with a blank is a fault.
const (
	markLength = "Bawab length" // declared length of the body, -1 when it is chunked; absent without a body
	markExpect = "Bawab expect" // the client waits for 100 Continue
	markFault  = "Bawab fault"  // what is wrong with the headers
)

// HeaderReceived runs when the headers of a request are complete. It keeps the server below from touching the body,
// of which it would otherwise wait for the first 8 KiB, and from answering 100 Continue: whoever has no key, or
// announces too much, shall hear so before anything of the body is read.
func HeaderReceived(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	if fault := headerFault(h, h.RawHeaders()); fault != "" {
		h.Set(markFault, fault)
	}
	if !slices.Contains(fiber.DefaultMethods, string(h.Method())) {
		h.SetMethod(fiber.MethodTrace) // the router has no answer to methods that it does not know; no route takes TRACE
	}
	if strings.EqualFold(string(h.Peek(fiber.HeaderExpect)), "100-continue") {
		h.Del(fiber.HeaderExpect)
		h.Set(markExpect, "1")
	}
	if n := h.ContentLength(); n > 0 || n == -1 {
		h.Set(markLength, strconv.Itoa(n))
		h.SetContentLength(-1) // a chunked body is left alone until it is read
	}
	return fasthttp.RequestConfig{}
}

// framed reports whether the headers give the length of the body in one way only. Two ways are how requests are
// smuggled past a proxy.
func framed(raw []byte) bool {
	var length, transfer [][]byte
	for line := range bytes.Lines(raw) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch value = bytes.TrimSpace(value); {
		case bytes.EqualFold(name, []byte("Content-Length")):
			length = append(length, value)
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			transfer = append(transfer, value)
		}
	}
	for _, l := range length {
		if !bytes.Equal(l, length[0]) {
			return false
		}
	}
	if len(transfer) == 0 {
		return true
	}
	return len(length) == 0 && len(transfer) == 1 && bytes.EqualFold(transfer[0], []byte("chunked"))
}

// hasBody reports whether bytes of a body follow the headers.
func hasBody(c *fiber.Ctx) bool { return len(c.Context().Request.Header.Peek(markLength)) > 0 }

// Limits bound what bodies take.
type Limits struct {
	// Memory bounds the bytes of all bodies in memory together, Arriving how many bodies arrive at once. Callers share both: one alone gets
	// at most half.
	Memory, Arriving int64
	// HeaderTimeout is that of the connection, from which follows when a request began; a body must be there RequestTimeout after that, and
	// each lullBytes of it within Lull.
	HeaderTimeout, RequestTimeout, Lull time.Duration
}

// Bodies takes in the bodies of requests. It is safe for concurrent use.
type Bodies struct {
	limits Limits
	// memory holds the bytes of bodies, arriving the connections that bring them.
	memory, arriving *shares
	speeds           bodySpeeds
}

// NewBodies makes what takes in bodies within limits.
func NewBodies(l Limits) *Bodies {
	return &Bodies{limits: l, memory: newShares(l.Memory), arriving: newShares(l.Arriving)}
}

// Body is what came of the body of one request.
type Body struct {
	// Received is how many bytes of it were read, Whole whether it was read to its end.
	Received int
	Whole    bool
	reserved int64  // bytes that count against the memory of all
	caller   string // against whose share they count: a request may turn out to be another's while it is answered, as at a sign-in
}

// Read reads the whole body of a request, which must be JSON, into memory of its own. The bytes count against the share of a caller, known
// by the name of his key, until Release.
func (b *Bodies) Read(c *fiber.Ctx, caller string, of *Body, limit int) ([]byte, error) {
	if err := mediaType(c.Get(fiber.HeaderContentType), coded(&c.Context().Request.Header)); err != nil {
		return nil, err
	}
	declared := bodyLength(c)
	if declared > limit {
		return nil, tooLarge(limit)
	}
	if declared == 0 {
		return nil, nil
	}
	header := &c.Context().Request.Header
	if len(header.Peek(markExpect)) > 0 {
		if _, err := c.Context().Conn().Write([]byte("HTTP/1.1 100 Continue\r\n\r\n")); err != nil {
			return nil, unread(err)
		}
	}
	if declared > 0 {
		header.SetContentLength(declared)
	}
	of.caller = caller
	if !b.arriving.take(caller, 1) {
		return nil, appliance.Errorf(appliance.CodeUnavailable, "too many requests of this API key arrive at once: wait for their answers")
	}
	defer b.arriving.give(caller, 1)
	pace := pacer{set: func(time.Time) error { return nil }, speed: b.speeds.of(caller)}
	if nc, ok := c.Context().Conn().(*conn); ok {
		began := nc.deadline.Add(-b.limits.HeaderTimeout)
		pace.set, pace.lull, pace.end = nc.Conn.SetReadDeadline, b.limits.Lull, began.Add(b.limits.RequestTimeout)
	}
	body, err := b.fill(of, pacedReader{c.Context().Request.BodyStream(), &pace}, declared, limit)
	of.Received = len(body)
	of.Whole = err == nil
	return body, err
}

// mediaType accepts JSON in UTF-8 without a content coding. A missing type counts as JSON.
func mediaType(contentType string, coded bool) error {
	if coded {
		return appliance.Errorf(appliance.CodeMediaType, "the body has a Content-Encoding: send it as it is")
	}
	if contentType == "" {
		return nil
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "application/json" {
		return appliance.Errorf(
			appliance.CodeMediaType,
			"the Content-Type is not application/json: send JSON with the header Content-Type: application/json",
		)
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") {
		return appliance.Errorf(appliance.CodeMediaType, "the charset is not UTF-8: send JSON in UTF-8")
	}
	return nil
}

// lullBytes of a body must arrive within each Limits.Lull. Three pictures of 500 KB that are to arrive within RequestTimeout come
// eight times as fast; a connection that stalls does not keep its memory.
const lullBytes = 20 << 10

// bytesPerSecond is how fast the bodies of one API key are taken in, all together, and at once: several times what a kiosk sends. Bodies
// come before the bounded work, and receiving them as fast as a machine can costs the requests of others their processor.
const bytesPerSecond = 32 << 20

// maxSpeeds bounds for how many keys a speed is remembered.
const maxSpeeds = 4096

// bodySpeeds holds what is left of its speed to each key.
type bodySpeeds struct {
	mu    sync.Mutex
	byKey map[string]*rate.Limiter
}

func (b *bodySpeeds) of(key string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.byKey[key]
	if l == nil {
		if b.byKey == nil || len(b.byKey) >= maxSpeeds {
			b.byKey = map[string]*rate.Limiter{}
		}
		l = rate.NewLimiter(bytesPerSecond, bytesPerSecond)
		b.byKey[key] = l
	}
	return l
}

// pacer sets the deadlines of a connection while a body arrives.
type pacer struct {
	set   func(time.Time) error
	lull  time.Duration
	end   time.Time // the body must be there by then
	left  int       // bytes that must still come before the lull is over
	speed *rate.Limiter
}

// after is called after each read: it waits where the key's bodies come too fast. That is no lull of the client.
func (p *pacer) after(n int) {
	p.left -= n
	if wait := p.speed.ReserveN(time.Now(), min(n, bytesPerSecond)).Delay(); wait > 0 {
		time.Sleep(wait)
		p.left, p.end = 0, p.end.Add(wait)
	}
}

// before is called before each read.
func (p *pacer) before() error {
	if p.left > 0 {
		return nil
	}
	p.left = lullBytes
	next := time.Now().Add(p.lull)
	if next.After(p.end) {
		next = p.end
	}
	return p.set(next)
}

// pacedReader reads a body at its least speed.
type pacedReader struct {
	io.Reader
	pace *pacer
}

func (r pacedReader) Read(b []byte) (int, error) {
	if err := r.pace.before(); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(b)
	r.pace.after(n)
	return n, err
}

// firstBytes is how much memory a body gets before anything of it is there.
const firstBytes = 4 << 10

// fill reads r to its end. Memory is taken as bytes arrive: a client that announces much and sends nothing costs nothing.
func (b *Bodies) fill(of *Body, r io.Reader, declared, limit int) ([]byte, error) {
	most := limit + 1 // one more than allowed, to notice a chunked body that is too long
	if declared > 0 {
		most = declared
	}
	var body []byte
	for {
		if len(body) == cap(body) {
			grown := min(max(2*cap(body), firstBytes), most)
			if err := b.Reserve(of, int64(grown-cap(body))); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, grown), body...)
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > limit:
			return body, tooLarge(limit)
		case errors.Is(err, io.EOF) || err == nil && len(body) == declared:
			if declared > 0 && len(body) < declared {
				return body, unread(io.ErrUnexpectedEOF)
			}
			return body, nil
		case err != nil:
			return body, unread(err)
		}
	}
}

// Reserve takes memory for n bytes that are made of a body, which count as the body does.
func (b *Bodies) Reserve(of *Body, n int64) error {
	if !b.memory.take(of.caller, n) {
		return appliance.Errorf(appliance.CodeUnavailable,
			"too many large requests of this API key are here at once: wait for their answers")
	}
	of.reserved += n
	return nil
}

// Release gives back the memory of a body, when its request has its answer.
func (b *Bodies) Release(of *Body) { b.memory.give(of.caller, of.reserved) }

// Held returns how many bytes of bodies are in memory, and how many bodies arrive.
func (b *Bodies) Held() (bytes, arriving int64) { return b.memory.used(), b.arriving.used() }

func tooLarge(limit int) error {
	if limit < 1<<20 { // no route of pictures
		return appliance.Errorf(appliance.CodeTooLarge, "the body is larger than the %d bytes that this route takes", limit)
	}
	return appliance.Errorf(appliance.CodeTooLarge, "the body is larger than %s: send smaller pictures", words.Size(int64(limit)))
}

func unread(err error) error {
	e := appliance.Errorf(appliance.CodeBadRequest, "the body did not arrive completely: send as much as its length announces")
	if errors.Is(err, os.ErrDeadlineExceeded) {
		e.Msg = "the body did not arrive in time: send the request in one go"
	}
	e.Err = err
	return e
}

// Settle prepares the end of a connection of which a body was left unread: what follows cannot be told from the next
// request, so the connection ends, but gently.
func Settle(c *fiber.Ctx, of *Body) {
	if !hasBody(c) || of.Whole {
		return
	}
	c.Context().SetConnectionClose()
	Linger(c)
}
