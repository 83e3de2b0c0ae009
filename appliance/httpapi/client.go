package httpapi

import (
	"context"
	"errors"

	"github.com/bawab/bawab/appliance"
)

// ErrNoDaemon says that no daemon serves the data folder.
var ErrNoDaemon = errors.New("no daemon is running on this data folder")

// Client reaches the daemon of one data folder. Its errors carry the appliance.Error of the daemon.
type Client struct{}

// Dial finds the daemon of the data folder; the error is ErrNoDaemon (by errors.Is) when there is none.
func Dial(dir string) (*Client, error) { return nil, ErrNoDaemon }

// Close releases the connection.
func (c *Client) Close() error { return nil }

// AddKey adds an API key (Name, Scopes, Expires, RatePerMinute count) and returns its secret.
func (c *Client) AddKey(ctx context.Context, k appliance.Key) (secret string, err error) {
	return "", nil
}

// Keys lists the API keys by name, without their hashes.
func (c *Client) Keys(ctx context.Context) ([]appliance.Key, error) { return nil, nil }

// RevokeKey ends a key at once.
func (c *Client) RevokeKey(ctx context.Context, name string) error { return nil }

// CheckStore examines the store of the running daemon.
func (c *Client) CheckStore(ctx context.Context) ([]appliance.Check, error) { return nil, nil }

// Status asks the daemon about itself.
func (c *Client) Status(ctx context.Context) (Status, error) { return Status{}, nil }
