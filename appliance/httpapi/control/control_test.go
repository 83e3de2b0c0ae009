package control

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/google/go-cmp/cmp"
)

// listens is where the daemon says that it listens.
const listens = "127.0.0.1:8443"

// fixtures are the keys and the clock behind a socket.
type fixtures struct {
	t     *testing.T
	keys  *appliance.Keyring
	clock *appliancetest.Clock
}

// begin returns keys of which one is known.
func begin(t *testing.T) *fixtures {
	t.Helper()
	f := &fixtures{t: t, clock: appliancetest.NewClock()}
	f.keys = appliance.NewKeyring(appliancetest.NewKeys(), f.clock.Now)
	if _, err := f.keys.Add(t.Context(), appliance.Key{Name: "all", Scopes: appliance.Scopes()}); err != nil {
		t.Fatal(err)
	}
	return f
}

// control starts a control socket over the keys of a fixture.
func (f *fixtures) control(dir string) *Socket {
	f.t.Helper()
	c := New(dir, Deps{
		Keys: f.keys, Log: slog.New(slog.DiscardHandler),
		CheckStore: func(context.Context) ([]appliance.Check, error) {
			return []appliance.Check{{Name: "pages", OK: true, Detail: "12 pages"}}, nil
		},
		Status: func() state.Status {
			return state.Status{
				Version: "v1.2.3", PID: 42, Started: f.clock.Now(), Listen: listens,
				Warnings: []appliance.Warning{{Code: appliance.WarnNoKeys, Msg: "m", Hint: "h"}}, Models: []state.Model{{Name: "mrz", SHA256: "ab"}},
			}
		},
	})
	if err := c.Open(context.Background()); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		if err := c.Close(); err != nil {
			f.t.Errorf("close: %v", err)
		}
	})
	return c
}

func (f *fixtures) dial(dir string) *Client {
	f.t.Helper()
	c, err := Dial(dir)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { c.Close() })
	return c
}

// TestSocket: what the command line does through the socket holds for the keys of the API at once, and errors keep code, message
// and hint.
func TestSocket(t *testing.T) {
	f, dir, ctx := begin(t), t.TempDir(), context.Background()
	f.control(dir)
	c := f.dial(dir)
	expires := f.clock.Now().Add(time.Hour).UTC()
	secret, err := c.AddKey(ctx, appliance.Key{Name: "front-desk.1", Scopes: []appliance.Scope{appliance.ScopeOCR}, Expires: expires, RatePerMinute: 2})
	if err != nil {
		t.Fatal(err)
	}
	added, err := f.keys.Authenticate(secret)
	if err != nil || !added.Allows(appliance.ScopeOCR) || added.Allows(appliance.ScopeFace) || added.RatePerMinute != 2 {
		t.Errorf("added: %+v, %v", added, err)
	}
	_, err = c.AddKey(ctx, appliance.Key{Name: "front-desk.1", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	if appliance.CodeOf(err) != appliance.CodeBadRequest {
		t.Errorf("a name in use: %v", err)
	}
	_, err = c.AddKey(ctx, appliance.Key{Name: "x", Scopes: []appliance.Scope{"all"}})
	if err == nil || !strings.Contains(err.Error(), `scope "all" is not known`) {
		t.Errorf("an unknown scope: %v", err)
	}
	keys, err := c.Keys(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := appliance.Key{Name: "front-desk.1", Scopes: []appliance.Scope{appliance.ScopeOCR}, Created: f.clock.Now(), Expires: expires, RatePerMinute: 2, LastUsed: f.clock.Now()}
	if len(keys) != 2 {
		t.Fatalf("%d keys", len(keys))
	}
	if diff := cmp.Diff(want, keys[1]); diff != "" {
		t.Error(diff)
	}
	if err := c.RevokeKey(ctx, "front-desk.1"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.keys.Authenticate(secret); appliance.CodeOf(err) != appliance.CodeUnauthorized {
		t.Errorf("revoked: %v", err)
	}
	for _, name := range []string{"front-desk.1", "a/b ü", ".."} {
		if err := c.RevokeKey(ctx, name); appliance.CodeOf(err) != appliance.CodeNotFound {
			t.Errorf("revoke %q: %v", name, err)
		}
	}
	status, err := c.Status(ctx)
	if err != nil || status.Version != "v1.2.3" || status.PID != 42 || !status.Started.Equal(f.clock.Now()) || status.Listen != listens ||
		len(status.Warnings) != 1 || status.Warnings[0].Hint != "h" || len(status.Models) != 1 || status.Models[0].SHA256 != "ab" {
		t.Errorf("status %+v, %v", status, err)
	}
	checks, err := c.CheckStore(ctx)
	if diff := cmp.Diff([]appliance.Check{{Name: "pages", OK: true, Detail: "12 pages"}}, checks); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

// TestSocketFile: the socket is the owner's alone, works in folders with long names, keeps a second daemon out,
// replaces what a dead one left, and is gone after Close, also where somebody removed it before.
func TestSocketFile(t *testing.T) {
	f := begin(t)
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 50))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(dir); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("no socket: %v", err)
	}
	if _, err := Dial(filepath.Join(dir, "missing")); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("no folder: %v", err)
	}
	first := f.control(dir)
	info, err := os.Stat(filepath.Join(dir, "bawab.sock"))
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
	f.dial(dir)
	second := New(dir, Deps{})
	err = second.Open(context.Background())
	var e *appliance.Error
	if !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("a second daemon: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Errorf("closing what was not open: %v", err)
	}
	f.dial(dir)
	for range 2 {
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	short := t.TempDir()
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(short, "bawab.sock")})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	if _, err := Dial(short); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("a dead socket: %v", err)
	}
	third := f.control(short)
	f.dial(short)
	if err := errors.Join(os.Remove(filepath.Join(short, "bawab.sock")), third.Close()); err != nil {
		t.Errorf("closing one whose socket was removed: %v", err)
	}
}

// TestOpenClose: a socket that is stopped before it has begun to serve ends all the same.
func TestOpenClose(t *testing.T) {
	f, dir := begin(t), t.TempDir()
	for range 20 {
		if err := f.control(dir).Close(); err != nil {
			t.Fatal(err)
		}
	}
}
