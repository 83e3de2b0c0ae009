package transport

import (
	"bytes"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// A request whose headers two programs may read in two ways is refused: between a proxy and this server that is how requests and keys
// are smuggled. The parser below is lenient, so what it took is looked at once more as it came.

// headerFault says what is wrong with the headers of a request, "" when nothing is. Raw are the header lines as they came, behind the
// request line.
func headerFault(h *fasthttp.RequestHeader, raw []byte) string {
	if bytes.IndexByte(raw, 0) >= 0 || bytes.IndexByte(h.RequestURI(), 0) >= 0 {
		return "the headers hold a NUL: send text"
	}
	if !endsWithBoth(raw) {
		return "a header line does not end with CR and LF: end each with both"
	}
	count := map[string]int{}
	for line := range bytes.Lines(raw) {
		if line[0] == ' ' || line[0] == '\t' {
			return "a header goes on in the next line: send each on one line"
		}
		name, _, found := bytes.Cut(line, []byte(":"))
		if len(bytes.TrimSpace(line)) > 0 && (!found || !headerName(name)) {
			return "a header has no valid name"
		}
		count[textproto.CanonicalMIMEHeaderKey(string(name))]++
	}
	switch {
	case count[fiber.HeaderHost] > 1 || count[fiber.HeaderHost] == 0 && h.IsHTTP11():
		return "the request needs the header Host once"
	case count[textproto.CanonicalMIMEHeaderKey("ApiKey")] > 1:
		return "the request has several ApiKey headers: send one"
	case !framed(raw):
		return "the length of the body is contradictory: send either Content-Length or Transfer-Encoding: chunked"
	}
	return ""
}

// endsWithBoth reports whether every line ends with CR and LF, and neither stands alone.
func endsWithBoth(raw []byte) bool {
	both := bytes.Count(raw, []byte("\r\n"))
	return bytes.Count(raw, []byte("\r")) == both && bytes.Count(raw, []byte("\n")) == both
}

// headerName reports whether a header may have this name. The marks of HeaderReceived have a blank, so no client can send them.
func headerName(name []byte) bool {
	return len(name) > 0 && !bytes.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// Contradiction refuses a request with such headers, and ends its connection.
func Contradiction(c *fiber.Ctx) error {
	if fault := c.Context().Request.Header.Peek(markFault); len(fault) > 0 {
		c.Context().SetConnectionClose()
		return &appliance.Error{Code: appliance.CodeBadRequest, Msg: string(fault)}
	}
	return nil
}

// coded reports whether a request has the header Content-Encoding, also an empty one.
func coded(h *fasthttp.RequestHeader) bool {
	return len(h.PeekAll(fiber.HeaderContentEncoding)) > 0
}

// bodyLength returns the declared length of the body: 0 without one, -1 when it is chunked.
func bodyLength(c *fiber.Ctx) int {
	n, _ := strconv.Atoi(string(c.Context().Request.Header.Peek(markLength)))
	return n
}
