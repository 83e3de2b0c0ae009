package control

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/go-json-experiment/json"
)

// ErrNoDaemon says that no daemon serves the data folder.
var ErrNoDaemon = errors.New("no daemon is running on this data folder")

// Client reaches the daemon of one data folder through its control socket. Its errors carry the code, message and
// hint that the daemon gave.
type Client struct{ http *http.Client }

// Dial finds the daemon of the data folder; the error is ErrNoDaemon (by errors.Is) when there is none.
func Dial(dir string) (*Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	conn, err := dial(ctx, dir)
	if err != nil {
		return nil, err
	}
	conn.Close()
	return &Client{http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, dir) },
	}}}, nil
}

// Close gives the connections back.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// AddKey adds an API key (Name, Scopes, Expires, RatePerMinute, Origins count) and returns its secret.
func (c *Client) AddKey(ctx context.Context, k appliance.Key) (secret string, err error) {
	in := newKey{Name: k.Name, Scopes: k.Scopes, Expires: k.Expires, RatePerMinute: k.RatePerMinute, Origins: k.Origins}
	err = c.call(ctx, http.MethodPost, "/keys", in, &secret)
	return secret, err
}

// Keys lists the API keys by name, without their hashes.
func (c *Client) Keys(ctx context.Context) (keys []appliance.Key, err error) {
	err = c.call(ctx, http.MethodGet, "/keys", nil, &keys)
	return keys, err
}

// RevokeKey ends a key at once.
func (c *Client) RevokeKey(ctx context.Context, name string) error {
	var done bool
	return c.call(ctx, http.MethodDelete, "/keys/"+url.PathEscape(name), nil, &done)
}

// CheckStore examines the store of the running daemon.
func (c *Client) CheckStore(ctx context.Context) (checks []appliance.Check, err error) {
	err = c.call(ctx, http.MethodPost, "/store/check", nil, &checks)
	return checks, err
}

// Status asks the daemon about itself.
func (c *Client) Status(ctx context.Context) (status state.Status, err error) {
	err = c.call(ctx, http.MethodGet, "/status", nil, &status)
	return status, err
}

// Reload lets the daemon read its configuration and certificate again.
func (c *Client) Reload(ctx context.Context) (r Reloaded, err error) {
	err = c.call(ctx, http.MethodPost, "/reload", nil, &r)
	return r, err
}

func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://bawab"+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		var e failure
		if err := json.Unmarshal(answer, &e); err != nil {
			return fmt.Errorf("ask the daemon: %w", err)
		}
		return &appliance.Error{Code: e.Code, Msg: e.Msg, Hint: e.Hint}
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("ask the daemon: %w", err)
	}
	return nil
}
