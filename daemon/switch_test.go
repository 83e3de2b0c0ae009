package daemon

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/daemon/packtest"
	"github.com/bawab/bawab/daemon/watch"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
	"golang.org/x/sys/unix"
)

// The versions of two sets that come after that of the program.
const goodSet, betterSet = 2999010101, 2999010102

// withGoodSet opens a daemon that works with a pack of a vendor, in a data folder of its own.
func withGoodSet(ctx context.Context, t *testing.T) (d *daemon, vendor *packtest.Packer, dir string) {
	t.Helper()
	vendor, dir = packtest.New(t), filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	vendor.Adopt(dir, vendor.Pack(goodSet, packtest.Unchanged))
	cfg, err := configs.Load(configs.Sources{Environ: os.Environ(), Flags: map[string]string{"data": dir, "listen": "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	d = newDaemon(cfg, "0.1", nil, slog.New(slog.DiscardHandler))
	if err := d.Open(ctx); err != nil {
		t.Fatal(err)
	}
	return d, vendor, dir
}

// A set whose networks fail at their work while it is on trial is given up by the running daemon, which goes on with the one before.
func TestTrialFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d, vendor, dir := withGoodSet(ctx, t)
	ended := make(chan error)
	go func() { ended <- d.Run(ctx) }()
	inUse := func() uint64 { return d.engine.Load().Set.Version() }
	if v := inUse(); v != goodSet {
		t.Fatalf("it began with version %d", v)
	}
	d.trial.fail(betterSet, errors.New("of other networks"))
	tried{appliance.Reader(failing{}), func(err error) { d.trial.fail(goodSet, err) }}.Read(ctx, nil, nil)
	appliancetest.Until(t, patience, "it goes back", func() bool { return inUse() < goodSet })
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
	st, err := pack.NewShelf(dir, pack.Signers{Vendor: vendor.Public}, 1).State()
	if err != nil || st.Failed != goodSet || !strings.Contains(st.Why, "no memory") || st.Current != 0 {
		t.Errorf("the state is %+v, %v", st, err)
	}
}

// A switch for which the shelf cannot be written fails, and the models before stay in use.
func TestSwitchOnFullDisk(t *testing.T) {
	d, vendor, dir := withGoodSet(t.Context(), t)
	before := d.engine.Load()
	vendor.Adopt(dir, vendor.Pack(betterSet, packtest.Unchanged))
	// Where the state is to be written lies what cannot be removed.
	if err := os.MkdirAll(filepath.Join(dir, "models", "state.json"+folder.Part, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	used, err := d.switchModels(ctx)
	if err == nil || !strings.Contains(err.Error(), "switch models") || used.Version != goodSet || d.engine.Load() != before {
		t.Errorf("in use %d, %v", d.engine.Load().Set.Version(), err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// While a reload takes its time, the service manager hears that the daemon is alive.
func TestAliveWhileReloading(t *testing.T) {
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	environ := []string{"NOTIFY_SOCKET=" + manager.LocalAddr().String(), "WATCHDOG_USEC=86400000000"}
	d := newDaemon(&configs.Config{}, "0.1", environ, slog.New(slog.DiscardHandler))
	d.check = watch.NewCheck(nil, nil)
	loading := make(chan struct{})
	d.again = func() (*configs.Config, error) {
		<-loading
		return nil, errors.New("it is damaged")
	}
	hears := func(want string) {
		t.Helper()
		b := make([]byte, 256)
		if err := manager.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if n, err := manager.Read(b); err != nil || !strings.HasPrefix(string(b[:n]), want) {
			t.Errorf("the manager hears %q, %v, want %q", b[:n], err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- d.Run(ctx) }()
	d.hup <- unix.SIGHUP
	hears("RELOADING=1")
	d.check.Passed <- struct{}{}
	hears("WATCHDOG=1")
	close(loading)
	hears("READY=1")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// failing is a reader whose networks fail.
type failing struct{}

// Read implements appliance.Reader.
func (failing) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	return appliance.Reading{}, errors.New("no memory")
}

// trialShelf is a shelf with version 5 on trial, which a daemon has begun.
func trialShelf(t *testing.T) *pack.Shelf {
	t.Helper()
	content := []byte("network")
	sum := sha256.Sum256(content)
	manifest, err := json.Marshal(map[string]any{"version": 5, "models": []models.Model{{
		Name: "a", File: "a.tflite", SHA256: hex.EncodeToString(sum[:]),
		Input:  models.Tensor{Name: "in", Shape: []int{1, 2}, Type: "int8", Scale: 1},
		Output: models.Tensor{Name: "out", Shape: []int{1, 2}, Type: "int8", Scale: 1},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := pack.Write(&b, fstest.MapFS{"manifest.json": {Data: manifest}, "a.tflite": {Data: content}}, private); err != nil {
		t.Fatal(err)
	}
	shelf := pack.NewShelf(t.TempDir(), pack.Signers{Vendor: public}, 1)
	dir, info, err := shelf.Stage(&b)
	if err == nil {
		err = shelf.Adopt(dir, info)
	}
	if err != nil {
		t.Fatal(err)
	}
	if o, err := shelf.Begin(t.Context()); err != nil || o.Version != 5 || !o.Trial {
		t.Fatalf("got %+v, %v", o, err)
	}
	return shelf
}

// The trial of a model set ends after its time, is tried again after a stop in order, and stays begun where the daemon never
// came up: then the next start goes back.
func TestTrialOfModels(t *testing.T) {
	for name, tt := range map[string]struct {
		after        time.Duration
		ready        bool
		trial, begun bool
	}{
		"passed":         {time.Nanosecond, true, false, false},
		"stopped before": {time.Hour, true, true, false},
		"never came up":  {time.Hour, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			shelf := trialShelf(t)
			d := &daemon{trial: newModelTrial(slog.New(slog.DiscardHandler))}
			d.ready.Store(tt.ready)
			d.trial.begin(shelf, 5, tt.after)
			for deadline := time.Now().Add(patience); tt.after < time.Second; {
				st, err := shelf.State()
				if err != nil || time.Now().After(deadline) {
					t.Fatalf("the trial does not end: %+v, %v", st, err)
				}
				if !st.Trial {
					break
				}
			}
			if err := d.endTrial(); err != nil {
				t.Fatal(err)
			}
			st, err := shelf.State()
			if err != nil || st.Trial != tt.trial || st.Begun != tt.begun {
				t.Errorf("the state is %+v, %v", st, err)
			}
		})
	}
}
