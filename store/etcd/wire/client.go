package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// dialTimeout bounds each half of connecting, the network's and that of TLS.
	dialTimeout = time.Second
	// pingEvery is how long a connection may say nothing before it is tried, and pingTimeout how long it then has. Members
	// refuse more than one ping in five seconds.
	pingEvery   = 10 * time.Second
	pingTimeout = 3 * time.Second
	// idleTimeout closes a connection that nobody uses any more.
	idleTimeout = time.Minute
	// maxAnswer is the longest message that is read. Pages of keys and single transactions are far smaller.
	maxAnswer = 256 << 20
	// frameHead is the length of what stands before a message: whether it is compressed, and its length.
	frameHead = 5
)

// Client speaks to one member. Its methods are safe for concurrent use. Their errors are *Error, also where no answer came:
// why, as that the context ended, is wrapped in them.
type Client struct {
	endpoint  string
	transport *http.Transport
}

// New makes a client of the member at HOST:PORT. It connects with the first call, and anew whenever the connection is lost.
func New(endpoint string, secure *tls.Config) *Client {
	t := &http.Transport{
		DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext, TLSHandshakeTimeout: dialTimeout, TLSClientConfig: secure,
		DisableCompression: true, IdleConnTimeout: idleTimeout, Protocols: new(http.Protocols),
		HTTP2: &http.HTTP2Config{SendPingTimeout: pingEvery, PingTimeout: pingTimeout},
	}
	t.Protocols.SetHTTP2(true)
	return &Client{endpoint: endpoint, transport: t}
}

// Close ends the connection, once the calls under way have ended.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// once is a body that cannot be read again: a transport that wants to repeat a request has to give up.
type once struct{ io.Reader }

func (once) Close() error { return nil }

// call sends a message to a method and reads the message of the answer with read.
func (c *Client) call(ctx context.Context, method string, message []byte, read func([]byte) error) error {
	frame := make([]byte, frameHead, frameHead+len(message))
	binary.BigEndian.PutUint32(frame[1:], uint32(len(message)))
	frame = append(frame, message...)
	target := &url.URL{Scheme: "https", Host: c.endpoint, Path: "/etcdserverpb." + method}
	request := (&http.Request{
		Method: http.MethodPost, URL: target, Body: once{bytes.NewReader(frame)}, ContentLength: int64(len(frame)),
		Header: http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}},
	}).WithContext(ctx)
	answer, err := c.transport.RoundTrip(request)
	if err != nil {
		return unanswered(err)
	}
	defer answer.Body.Close()
	return receive(answer, read)
}

// receive reads how a call ended, and what it brought.
func receive(answer *http.Response, read func([]byte) error) error {
	if answer.StatusCode != http.StatusOK {
		return unanswered(fmt.Errorf("no etcd is there: HTTP status %s", answer.Status))
	}
	if answer.Header.Get("Grpc-Status") != "" { // there is no message
		return ended(answer.Header)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, frameHead+maxAnswer+1))
	if err != nil {
		return unanswered(err)
	}
	if err := ended(answer.Trailer); err != nil {
		return err
	}
	message, err := unframe(body)
	if err == nil {
		err = read(message)
	}
	if err != nil {
		return unanswered(err)
	}
	return nil
}

// unframe returns the message in a body that is one frame.
func unframe(body []byte) ([]byte, error) {
	if len(body) < frameHead {
		return nil, io.ErrUnexpectedEOF
	}
	if body[0] != 0 {
		return nil, errors.New("the answer is compressed, which was not asked for")
	}
	message, announced := body[frameHead:], binary.BigEndian.Uint32(body[1:])
	if uint64(len(message)) != uint64(announced) {
		return nil, fmt.Errorf("the answer has %d bytes and not %d", len(message), announced)
	}
	return message, nil
}

// ended reads how a call ended out of its trailer.
func ended(trailer http.Header) error {
	text := trailer.Get("Grpc-Status")
	code, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return unanswered(fmt.Errorf("the answer ends without a status: %q", text))
	}
	if code == 0 {
		return nil
	}
	msg := trailer.Get("Grpc-Message")
	if plain, err := url.PathUnescape(msg); err == nil {
		msg = plain
	}
	return &Error{Code: Code(code), Msg: msg}
}

// Range reads keys, as a majority of the members has them.
func (c *Client) Range(ctx context.Context, r Range) (*Found, error) {
	var found Found
	if err := c.call(ctx, "KV/Range", r.message(), found.read); err != nil {
		return nil, err
	}
	return &found, nil
}

// Txn carries out a transaction. After an error it may have been carried out all the same.
func (c *Client) Txn(ctx context.Context, t Txn) (*Done, error) {
	var done Done
	if err := c.call(ctx, "KV/Txn", t.message(), done.read); err != nil {
		return nil, err
	}
	if steps := len(t.steps(done.Held)); len(done.Found) != steps {
		return nil, unanswered(fmt.Errorf("%d steps of a transaction are answered with %d", steps, len(done.Found)))
	}
	return &done, nil
}

// Compact ends the history before a revision; with physical it returns when it is off the member's database, too. It is
// ErrCompacted where that was done already.
func (c *Client) Compact(ctx context.Context, revision int64, physical bool) error {
	return c.call(ctx, "KV/Compact", appendFlag(appendNumber(nil, 1, revision), 2, physical), ignore)
}

// Grant takes a new lease of at least so many seconds.
func (c *Client) Grant(ctx context.Context, seconds int64) (Lease, error) {
	id, err := c.lease(ctx, "Lease/LeaseGrant", appendNumber(nil, 1, seconds))
	if err == nil && id.lease == 0 {
		return 0, unanswered(errors.New("a lease without a number was granted"))
	}
	return id.lease, err
}

// KeepAlive lets a lease begin anew. It is ErrLeaseNotFound where that has run out.
func (c *Client) KeepAlive(ctx context.Context, l Lease) error {
	kept, err := c.lease(ctx, "Lease/LeaseKeepAlive", appendNumber(nil, 1, int64(l)))
	if err == nil && kept.seconds <= 0 {
		return ErrLeaseNotFound
	}
	return err
}

// granted is a lease with its time to live.
type granted struct {
	lease   Lease
	seconds int64
}

func (c *Client) lease(ctx context.Context, method string, message []byte) (g granted, err error) {
	err = c.call(ctx, method, message, func(answer []byte) error {
		return fields(answer, func(f field) error {
			switch f.id {
			case 2:
				g.lease = Lease(f.number)
			case 3:
				g.seconds = f.number
			}
			return nil
		})
	})
	return g, err
}

// Revoke ends a lease and removes what hangs on it. It is ErrLeaseNotFound where that has run out.
func (c *Client) Revoke(ctx context.Context, l Lease) error {
	return c.call(ctx, "Lease/LeaseRevoke", appendNumber(nil, 1, int64(l)), ignore)
}

// Status asks the member how it is.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	var status Status
	if err := c.call(ctx, "Maintenance/Status", nil, status.read); err != nil {
		return nil, err
	}
	return &status, nil
}

// Members counts the members that the cluster has.
func (c *Client) Members(ctx context.Context) (n int, err error) {
	err = c.call(ctx, "Cluster/MemberList", nil, func(answer []byte) error {
		return fields(answer, func(f field) error {
			if f.id == 2 {
				n++
			}
			return nil
		})
	})
	return n, err
}

// ignore is for answers that say nothing but that they are there.
func ignore([]byte) error { return nil }
