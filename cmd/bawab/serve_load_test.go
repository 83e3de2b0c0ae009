package main

import (
	"encoding/base64"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Sixty-four clients at once all get answers, some of them 503 and at once, none is lost, and the appliance reads as before
// afterwards.
func TestManyClients(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_QUEUE_WORKERS=2", "BAWAB_QUEUE_WAITING=8")
	raw, err := whitePNG(1200, 900)
	if err != nil {
		t.Fatal(err)
	}
	ask := map[string]any{"image": base64.StdEncoding.EncodeToString(raw)}
	const clients, each = 64, 3
	var read, refused atomic.Int32
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range each {
				r, err := p.post(t.Context(), appliance.EndpointPassport, ask)
				switch {
				case err != nil:
					t.Errorf("lost: %v", err)
				case r.Code == int(appliance.CodeNoDocument):
					read.Add(1)
				case r.Status == http.StatusServiceUnavailable && r.Code == 503:
					refused.Add(1)
				default:
					t.Errorf("got %+v", r)
				}
			}
		})
	}
	all.Wait()
	if read.Load() == 0 || refused.Load() == 0 || read.Load()+refused.Load() != clients*each {
		t.Errorf("%d were read and %d refused of %d", read.Load(), refused.Load(), clients*each)
	}
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Code != int(appliance.CodeNoDocument) {
		t.Errorf("got %+v afterwards", r)
	}
}

// readyCPU is the processor time that a whole life of the daemon may take, from its start over ready to its end. It bounds the
// time to ready on a free machine, and other programs on this one do not disturb it.
const readyCPU = time.Second

// The daemon is ready, and gone again, in less than a second of processor time, networks, self-check and database included.
func TestReadyQuickly(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // a first start and a later one
		p := startBare(t, dir)
		if err := p.stop(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if took := p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime(); took > readyCPU {
			t.Errorf("took %v of processor time", took)
		}
	}
}

// startBare runs the daemon on a free port and waits until it is ready, and does nothing else with it.
func startBare(t *testing.T, dir string) *program {
	t.Helper()
	p := &program{t: t, dir: dir, cmd: exec.Command("bawab", "serve", "--listen", "127.0.0.1:0", "--data", dir)}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.stop(syscall.SIGKILL) })
	if _, err := awaitDaemon(dir); err != nil {
		t.Fatal(err)
	}
	return p
}
