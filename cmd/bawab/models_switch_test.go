package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
	"github.com/bawab/bawab/models/pack"
)

// packer makes packs that the programs of a test take.
type packer struct {
	t      *testing.T
	public ed25519.PublicKey
	key    ed25519.PrivateKey
}

func newPacker(t *testing.T) *packer {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BAWAB_MODELS_VENDOR_KEY", base64.StdEncoding.EncodeToString(public))
	return &packer{t, public, key}
}

// pack makes a pack of the networks of the program, each after a change, and returns its content.
func (p *packer) pack(version uint64, change func(*models.Model)) []byte {
	p.t.Helper()
	dir := p.t.TempDir()
	if err := writeModelSet(dir, version, change); err != nil {
		p.t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := pack.Write(&b, os.DirFS(dir), p.key); err != nil {
		p.t.Fatal(err)
	}
	return b.Bytes()
}

// adopt installs a pack without a word to the daemon, and without the check that `bawab models install` makes.
func (p *packer) adopt(data string, content []byte) {
	p.t.Helper()
	set, err := engine.Embedded()
	if err != nil {
		p.t.Fatal(err)
	}
	shelf := pack.NewShelf(data, p.public, set.Version())
	dir, info, err := shelf.Stage(bytes.NewReader(content))
	if err == nil {
		err = shelf.Adopt(dir, info)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// The versions of the test: the first and second good ones, and one that does not open.
const (
	goodSet, betterSet, brokenSet = 2999010101, 2999010102, 2999010103
)

func unchanged(*models.Model) {}

// blunted takes a threshold away without which the plate reader does not open.
func blunted(m *models.Model) {
	if m.Name == engine.ModelPlates {
		m.Thresholds = nil
	}
}

// Model sets are exchanged under load, by command and by signal, forth and back, and no request is lost or answered wrongly; one
// that does not open is given up, and the one before goes on. The networks before are freed.
func TestSwitchUnderLoad(t *testing.T) {
	vendor, dir := newPacker(t), t.TempDir()
	p := startProgram(t, dir)
	picture := samplePassport(t)
	var read atomic.Int64
	stop := make(chan struct{})
	var load sync.WaitGroup
	for range 3 {
		load.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, err := p.post(t.Context(), appliance.EndpointPassport, map[string]any{"image": picture})
				if err != nil || r.Status != http.StatusOK || r.Data["passport_no"] != shownFields()["passport_no"] {
					t.Errorf("lost: %+v, %v", r, err)
					return
				}
				read.Add(1)
			}
		})
	}
	goOn := func() {
		t.Helper()
		before := read.Load()
		until(t, "requests go on", func() bool { return read.Load() >= before+4 || t.Failed() })
	}
	goOn()
	mapped := p.networksMapped()
	install := func(version uint64) string {
		name := filepath.Join(t.TempDir(), "pack.tar")
		if err := os.WriteFile(name, vendor.pack(version, unchanged), 0o600); err != nil {
			t.Fatal(err)
		}
		return p.command("models", "install", name, "--data", dir)
	}
	if out := install(goodSet); out != "models of version 2999010101 are in use" {
		t.Errorf("install says %q", out)
	}
	goOn()
	vendor.adopt(dir, vendor.pack(betterSet, unchanged))
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	until(t, "the signal switches", func() bool {
		out := p.command("audit", "export", "--data", dir)
		return strings.Contains(out, "models.used  2999010102")
	})
	goOn()
	vendor.adopt(dir, vendor.pack(brokenSet, blunted))
	if m, err := p.switchModels(); err == nil || !strings.Contains(err.Error(), "version 2999010103 was given up: open plate reader") || m.Version != 0 {
		t.Errorf("a set that does not open: %+v, %v", m, err)
	}
	goOn()
	if m, err := p.switchModels(); err != nil || m.Version == brokenSet {
		t.Errorf("afterwards %+v, %v", m, err)
	}
	if out := p.command("models", "list", "--data", dir); !strings.Contains(out, "given up: version 2999010103") {
		t.Errorf("list says %q", out)
	}
	goOn()
	close(stop)
	load.Wait()
	until(t, "the networks before are freed", func() bool { return p.networksMapped() == mapped })
	if n := read.Load(); n < 20 {
		t.Errorf("only %d were read", n)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("it ended with %v: %s", err, p.log.String())
	}
}

// switchModels asks the daemon to go over to the installed set.
func (p *program) switchModels() (httpapi.ModelsInUse, error) {
	p.t.Helper()
	client, err := httpapi.Dial(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	defer client.Close()
	return client.SwitchModels(p.t.Context())
}

// networksMapped counts the files of networks in the memory of the program.
func (p *program) networksMapped() int {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "maps"))
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Count(string(text), "memfd:")
}

// A set whose networks fail at their work while it is on trial is given up by the running daemon, which goes on with the one before.
func TestTrialFails(t *testing.T) {
	vendor, dir := newPacker(t), filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	vendor.adopt(dir, vendor.pack(goodSet, unchanged))
	cfg, err := configs.Load(configs.Sources{Environ: os.Environ(), Flags: map[string]string{"data": dir, "listen": "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := newDaemon(cfg, nil, slog.New(slog.DiscardHandler))
	if err := d.Open(ctx); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- d.Run(ctx) }()
	version := func() uint64 { return d.engine.Load().Set.Version() }
	if v := version(); v != goodSet {
		t.Fatalf("it began with version %d", v)
	}
	d.trial.fail(betterSet, errors.New("of other networks"))
	tried{appliance.Reader(failing{}), func(err error) { d.trial.fail(goodSet, err) }}.Read(ctx, nil, nil)
	until(t, "it goes back", func() bool { return version() < goodSet })
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
	st, err := pack.NewShelf(dir, vendor.public, 1).State()
	if err != nil || st.Failed != goodSet || !strings.Contains(st.Why, "no memory") || st.Current != 0 {
		t.Errorf("the state is %+v, %v", st, err)
	}
}

// failing is a reader whose networks fail.
type failing struct{}

// Read implements appliance.Reader.
func (failing) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	return appliance.Reading{}, errors.New("no memory")
}
