package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/gofiber/fiber/v2"
)

// secureConn puts TLS on a connection. The handshake is made by the first read, under the deadline for headers: who
// connects and says nothing is cut off, and makes room for others, as without TLS.
func secureConn(inner net.Conn, cfg *tls.Config) net.Conn {
	if cfg == nil {
		return inner
	}
	return tls.Server(inner, cfg)
}

// encrypted reports whether the connection speaks TLS.
func (c *conn) encrypted() bool {
	_, ok := c.Conn.(*tls.Conn)
	return ok
}

// Encrypted reports whether a request came over TLS.
func Encrypted(c *fiber.Ctx) bool {
	own, ok := c.Context().Conn().(*conn)
	return ok && own.encrypted()
}

// raw is the connection of the system under TLS.
func (c *conn) raw() net.Conn {
	if t, ok := c.Conn.(*tls.Conn); ok {
		return t.NetConn()
	}
	return c.Conn
}

// Read reads what the client sends. One that speaks plain HTTP to a port with TLS is told so in plain HTTP, because it would
// otherwise see a reset and nothing else.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.heard.Store(true)
	}
	var plain tls.RecordHeaderError
	if err != nil && !c.told && errors.As(err, &plain) && plain.Conn != nil {
		c.told = true
		answer := wire.ErrorEnvelope("", appliance.Errorf(appliance.CodeBadRequest, "this port speaks TLS: use https"))
		// When this fails, the client has gone already.
		_, _ = fmt.Fprintf(plain.Conn,
			"HTTP/1.1 400 Bad Request\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
			wire.MediaType, len(answer), answer)
	}
	return n, err
}

// Write sends to the client. To one that has said nothing yet nothing is said: browsers open connections ahead of their requests, and
// would take what lies there for the answer to the next one.
func (c *conn) Write(b []byte) (int, error) {
	if !c.heard.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
}
