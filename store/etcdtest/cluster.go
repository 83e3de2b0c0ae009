// Package etcdtest starts a real cluster of etcd for tests: three members on this machine, with TLS for clients and
// between members, each of which a test can kill and start again. It needs Debian's etcd-server, which packaging/setup.sh
// installs; a test is skipped where it is missing.
package etcdtest

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// size is how many members a cluster has.
const size = 3

// patience is how long a cluster may take to answer on a busy machine.
const patience = 60 * time.Second

// Cluster is three members. Its methods are for one test goroutine.
type Cluster struct {
	Files

	dir     string
	members [size]*member
}

type member struct {
	name         string
	client, peer string // host:port
	args         []string
	log          *os.File
	process      *exec.Cmd // nil while it is down
}

// Start starts a cluster below a folder of the test and waits until it answers. It is stopped when the test ends.
func Start(t testing.TB) *Cluster {
	t.Helper()
	program, err := exec.LookPath("etcd")
	if err != nil {
		t.Skip("etcd is not installed: Debian's package etcd-server brings it (packaging/setup.sh)")
	}
	c := &Cluster{dir: t.TempDir()}
	if c.Files, err = Certificates(c.dir); err != nil {
		t.Fatalf("make certificates: %v", err)
	}
	addresses := freeAddresses(t, 2*size)
	var initial []string
	for i := range c.members {
		m := &member{name: fmt.Sprintf("m%d", i), client: addresses[2*i], peer: addresses[2*i+1]}
		c.members[i] = m
		initial = append(initial, m.name+"=https://"+m.peer)
	}
	for _, m := range c.members {
		m.args = append([]string{program}, c.flags(m, strings.Join(initial, ","))...)
	}
	t.Cleanup(func() {
		for i := range c.members {
			c.Kill(t, i)
		}
	})
	c.Heal(t)
	return c
}

// flags are those of a member. Certificates are asked for on both sides of every connection.
func (c *Cluster) flags(m *member, initial string) []string {
	server := []string{filepath.Join(c.dir, "member.crt"), filepath.Join(c.dir, "member.key")}
	return []string{
		"--name", m.name, "--data-dir", filepath.Join(c.dir, m.name),
		"--listen-client-urls", "https://" + m.client, "--advertise-client-urls", "https://" + m.client,
		"--listen-peer-urls", "https://" + m.peer, "--initial-advertise-peer-urls", "https://" + m.peer,
		"--initial-cluster", initial, "--initial-cluster-state", "new", "--initial-cluster-token", filepath.Base(c.dir),
		"--cert-file", server[0], "--key-file", server[1], "--trusted-ca-file", c.CA, "--client-cert-auth",
		"--peer-cert-file", server[0], "--peer-key-file", server[1], "--peer-trusted-ca-file", c.CA, "--peer-client-cert-auth",
		"--logger", "zap", "--log-outputs", "stderr",
	}
}

// Endpoints are the addresses of all members for clients, HOST:PORT.
func (c *Cluster) Endpoints() []string {
	var out []string
	for _, m := range c.members {
		out = append(out, m.client)
	}
	return out
}

// Dir is the folder below which the members keep their data.
func (c *Cluster) Dir() string { return c.dir }

// Kill ends a member as a power cut does, and waits until it is gone. One that is down already stays so.
func (c *Cluster) Kill(t testing.TB, i int) {
	t.Helper()
	m := c.members[i]
	if m.process == nil {
		return
	}
	if err := m.process.Process.Kill(); err != nil {
		t.Errorf("kill %s: %v", m.name, err)
	}
	_ = m.process.Wait() // it was killed, which is an error
	m.process = nil
	m.log.Close()
}

// Freeze stops a member without closing its connections, as a cut cable does; Thaw lets it go on.
func (c *Cluster) Freeze(t testing.TB, i int) { c.signal(t, i, syscall.SIGSTOP) }

// Thaw lets a frozen member go on.
func (c *Cluster) Thaw(t testing.TB, i int) { c.signal(t, i, syscall.SIGCONT) }

func (c *Cluster) signal(t testing.TB, i int, s syscall.Signal) {
	t.Helper()
	if err := c.members[i].process.Process.Signal(s); err != nil {
		t.Fatalf("%v to %s: %v", s, c.members[i].name, err)
	}
}

// Restart starts a member that was killed, on the data that it left, and does not wait for it.
func (c *Cluster) Restart(t testing.TB, i int) {
	t.Helper()
	c.launch(t, i)
}

// Heal starts the members that were killed and waits until all are well.
func (c *Cluster) Heal(t testing.TB) {
	t.Helper()
	for i, m := range c.members {
		if m.process == nil {
			c.launch(t, i)
		}
	}
	for i := range c.members {
		c.await(t, i)
	}
}

func (c *Cluster) launch(t testing.TB, i int) {
	t.Helper()
	m := c.members[i]
	log, err := os.OpenFile(filepath.Join(c.dir, m.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	m.log, m.process = log, exec.Command(m.args[0], m.args[1:]...)
	m.process.Stdout, m.process.Stderr = log, log
	m.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // a killed test leaves none behind
	m.process.Env = append(os.Environ(), "ETCD_UNSUPPORTED_ARCH=arm64")
	if err := m.process.Start(); err != nil {
		t.Fatalf("start %s: %v", m.name, err)
	}
}

// await waits until a member says that it is healthy, which it is with a leader only.
func (c *Cluster) await(t testing.TB, i int) {
	t.Helper()
	m := c.members[i]
	client, err := c.httpClient()
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+m.client+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(c.dir, m.name+".log"))
			t.Fatalf("%s does not become healthy: %v\n%s", m.name, err, log[max(0, len(log)-4000):])
		case <-poll.C:
		}
	}
}

func (c *Cluster) httpClient() (*http.Client, error) {
	pair, err := tls.LoadX509KeyPair(c.Certificate, c.Key)
	if err != nil {
		return nil, err
	}
	pool, err := readPool(c.CA)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}}}, nil
}

// freeAddresses are loopback addresses that nobody listened on a moment ago.
func freeAddresses(t testing.TB, n int) []string {
	t.Helper()
	var out []string
	for range n {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // all at the end, so that no two are alike
		out = append(out, l.Addr().String())
	}
	return out
}
