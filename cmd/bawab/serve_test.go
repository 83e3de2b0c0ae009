package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// Requests go on without a loss, on old connections and new ones, while the configuration and the certificate change
// under them time and again, by command and by signal;
// new connections see the new certificate.
func TestReloadUnderLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bawab.yaml")
	write := func(n int) {
		text := fmt.Sprintf("listen: 0.0.0.0:0\nlog: {level: %s}\nhttp: {bad_keys_per_minute: %d}\ntls: {names: [kiosk%d.bank.example]}\n",
			[]string{"warn", "error"}[n%2], 60+n, n)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(0)
	cmd := daemonCommand("bawab", "serve", "--config", file, "--data", filepath.Join(dir, "d"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, dir: filepath.Join(dir, "d"), cmd: cmd}
	t.Cleanup(func() { p.stop(syscall.SIGKILL) })
	status, err := awaitDaemon(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	base := "https://127.0.0.1" + status.Listen[strings.LastIndex(status.Listen, ":"):]
	var served atomic.Int64
	stop := make(chan struct{})
	var load sync.WaitGroup
	for i := range 4 {
		load.Go(func() {
			client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: i%2 == 0, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
			defer client.CloseIdleConnections()
			for {
				select {
				case <-stop:
					return
				default:
				}
				res, err := client.Post(base+"/v1/"+string(appliance.EndpointPassport), "application/json", strings.NewReader("{}"))
				if err != nil {
					t.Errorf("lost: %v", err)
					return
				}
				res.Body.Close()
				if res.StatusCode != http.StatusUnauthorized {
					t.Errorf("HTTP %d", res.StatusCode)
					return
				}
				served.Add(1)
			}
		})
	}
	const reloads = 6
	for n := range reloads {
		before := served.Load()
		write(n + 1)
		if n%2 == 0 {
			p.command("reload", "--config", file, "--data", p.dir)
		} else if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		appliancetest.Until(t, patience, "the new certificate", func() bool { return shows(t, base, fmt.Sprintf("kiosk%d.bank.example", n+1)) })
		appliancetest.Until(t, patience, "requests go on", func() bool { return served.Load() >= before+20 || t.Failed() })
	}
	close(stop)
	load.Wait()
	if n := served.Load(); n < 20*reloads {
		t.Errorf("only %d requests were answered", n)
	}
	silent, err := net.Dial("tcp", strings.TrimPrefix(base, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close() // one that says nothing does not hold up the end
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
}

// shows reports whether a new connection sees a certificate with a name.
func shows(t *testing.T, base, name string) bool {
	t.Helper()
	c, err := tls.Dial("tcp", strings.TrimPrefix(base, "https://"), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0].VerifyHostname(name) == nil
}
