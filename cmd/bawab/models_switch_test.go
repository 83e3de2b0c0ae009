package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/httpapi/state"
	"github.com/bawab/bawab/daemon/packtest"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
)

// The versions of the test: the first and second good ones, and one that does not open.
const (
	goodSet, betterSet, brokenSet = 2999010101, 2999010102, 2999010103
)

// blunted takes a threshold away without which the plate reader does not open.
func blunted(m *models.Model) {
	if m.Name == engine.ModelPlates {
		m.Thresholds = nil
	}
}

// Model sets are exchanged under load, by command and by signal, forth and back, and no request is lost or answered wrongly; one
// that does not open is given up, and the one before goes on. The networks before are freed.
func TestSwitchUnderLoad(t *testing.T) {
	vendor, dir := packtest.New(t), t.TempDir()
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
		appliancetest.Until(t, patience, "requests go on", func() bool { return read.Load() >= before+4 || t.Failed() })
	}
	goOn()
	mapped := p.networksMapped()
	install := func(version uint64) string {
		name := filepath.Join(t.TempDir(), "pack.tar")
		if err := os.WriteFile(name, vendor.Pack(version, packtest.Unchanged), 0o600); err != nil {
			t.Fatal(err)
		}
		return p.command("models", "install", name, "--data", dir)
	}
	if out := install(goodSet); out != "models of version 2999010101 are in use" {
		t.Errorf("install says %q", out)
	}
	goOn()
	vendor.Adopt(dir, vendor.Pack(betterSet, packtest.Unchanged))
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	appliancetest.Until(t, patience, "the signal switches", func() bool {
		out := p.command("audit", "export", "--data", dir)
		return strings.Contains(out, "models.used  2999010102")
	})
	goOn()
	vendor.Adopt(dir, vendor.Pack(brokenSet, blunted))
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
	appliancetest.Until(t, patience, "the networks before are freed", func() bool { return p.networksMapped() == mapped })
	if n := read.Load(); n < 20 {
		t.Errorf("only %d were read", n)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("it ended with %v: %s", err, p.log.String())
	}
}

// switchModels asks the daemon to go over to the installed set.
func (p *program) switchModels() (state.ModelsInUse, error) {
	p.t.Helper()
	client, err := control.Dial(p.dir)
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
