package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// The two machines of the test, each in a network namespace of its own.
var (
	boxAddress    = netip.MustParseAddr("10.99.0.1") // the appliance
	callerAddress = netip.MustParseAddr("10.99.0.2") // a client, and the router to everywhere
)

const boxPort = 8443

// callerMAC is known to the box beforehand: a packet would else wait for it and leave after the program that sent it has
// ended.
const callerMAC = "02:00:00:00:00:02"

// inNamespace runs do on a thread with a network of its own; what it starts is in that network too. The thread ends with it.
func inNamespace(do func() error) error {
	done := make(chan error, 1)
	go func() {
		outcome := errors.New("the test has given up") // what is left when a helper ends this goroutine
		defer func() { done <- outcome }()
		runtime.LockOSThread() // never unlocked: the thread must not serve others
		err := unix.Unshare(unix.CLONE_NEWNET)
		if err == nil {
			err = do()
		}
		outcome = err
	}()
	return <-done
}

// tool runs a program on this thread's network.
func tool(args ...string) error {
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// tools runs one program after another.
func tools(lines ...string) error {
	for _, line := range lines {
		if err := tool(strings.Fields(line)...); err != nil {
			return err
		}
	}
	return nil
}

// withoutIPv6 keeps the kernel's own chatter about IPv6 off the wire, so that what is left comes from programs.
func withoutIPv6() error {
	err := os.WriteFile("/proc/sys/net/ipv6/conf/default/disable_ipv6", []byte("1"), 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil // there is none
	}
	return err
}

// capture sees every packet of one network.
type capture struct{ fd int }

func openCapture() (*capture, error) {
	all := binary.BigEndian.Uint16([]byte{unix.ETH_P_ALL >> 8, unix.ETH_P_ALL & 0xff})
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, int(binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, all))))
	if err != nil {
		return nil, err
	}
	return &capture{fd}, unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 64<<20)
}

// packet is one that left or arrived.
type packet struct {
	loopback, leaves bool
	protocol         uint16 // of Ethernet
	ip               []byte
}

// drain returns the packets since the last call. They are there as soon as the program that sent them has ended.
func (c *capture) drain() ([]packet, error) {
	var all []packet
	buffer := make([]byte, 128<<10)
	for {
		n, from, err := unix.Recvfrom(c.fd, buffer, 0)
		if errors.Is(err, unix.EAGAIN) {
			break
		}
		if err != nil {
			return nil, err
		}
		link := from.(*unix.SockaddrLinklayer)
		all = append(all, packet{
			loopback: link.Hatype == unix.ARPHRD_LOOPBACK, leaves: link.Pkttype == unix.PACKET_OUTGOING,
			protocol: binary.BigEndian.Uint16(binary.NativeEndian.AppendUint16(nil, link.Protocol)), ip: bytes.Clone(buffer[:n]),
		})
	}
	stats, err := unix.GetsockoptTpacketStats(c.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err == nil && stats.Drops > 0 {
		err = fmt.Errorf("%d packets were not seen", stats.Drops)
	}
	return all, err
}

// answer reports whether a packet belongs to a connection that somebody else has made to the API: it is TCP from the API's
// port. ARP, by which the kernel finds the client on the same wire, counts too.
func (p packet) answer(port uint16) bool {
	if p.protocol == unix.ETH_P_ARP {
		return true
	}
	if p.protocol != unix.ETH_P_IP || len(p.ip) < 20 || p.ip[9] != unix.IPPROTO_TCP {
		return false
	}
	header := int(p.ip[0]&0x0f) * 4
	return len(p.ip) >= header+14 && binary.BigEndian.Uint16(p.ip[header:]) == port && p.ip[header+13]&0x12 != 0x02 // no SYN of its own
}

// String says from where to where a packet goes.
func (p packet) String() string {
	if p.protocol != unix.ETH_P_IP || len(p.ip) < 20 {
		return fmt.Sprintf("protocol %04x, % x", p.protocol, p.ip[:min(len(p.ip), 40)])
	}
	from, _ := netip.AddrFromSlice(p.ip[12:16])
	to, _ := netip.AddrFromSlice(p.ip[16:20])
	return fmt.Sprintf("IP protocol %d from %v to %v", p.ip[9], from, to)
}

// leaves returns the packets that left for another machine, or for a name server or anything else on this one, without
// being an answer.
func leaves(all []packet) []packet {
	return slices.DeleteFunc(all, func(p packet) bool { return !p.loopback && !p.leaves || p.answer(boxPort) || p.loopback && p.toAPI() })
}

// toAPI reports whether a packet on loopback goes to the API.
func (p packet) toAPI() bool {
	if p.protocol != unix.ETH_P_IP || len(p.ip) < 24 || p.ip[9] != unix.IPPROTO_TCP {
		return false
	}
	return binary.BigEndian.Uint16(p.ip[int(p.ip[0]&0x0f)*4+2:]) == boxPort
}

// leafCalls lists every subcommand by its path.
func leafCalls(c *cobra.Command, path string) []string {
	if !c.HasSubCommands() {
		return []string{path}
	}
	var all []string
	for _, sub := range c.Commands() {
		all = append(all, leafCalls(sub, strings.TrimSpace(path+" "+sub.Name()))...)
	}
	return all
}

// calls says how the test calls a subcommand; those that are not listed are called with their data folder alone.
func calls(t *testing.T) map[string][]string {
	t.Helper()
	picture, err := filepath.Abs(sampleFile())
	if err != nil {
		t.Fatal(err)
	}
	data := []string{"--data", filepath.Join(t.TempDir(), "other")}
	return map[string][]string{
		"scan": {picture}, "keys add": append([]string{"extra", "--scopes", "ocr"}, data...), "keys revoke": append([]string{"extra"}, data...),
		"version": {}, "config table": {}, "config schema": {}, "models list": {}, "models verify": {},
		"serve": nil, // runs all the time
		"bench": {"--help"}, "service logs": {"--help"}, "completion": {"bash"}, "manual": {t.TempDir()},
	}
}

// No packet leaves the machine but answers to those who have called, and no name is looked up, whatever subcommand runs,
// while a way to everywhere and a name server are there. That the capture would see it is proved first.
func TestNothingLeaves(t *testing.T) {
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("no iproute2 here")
	}
	if err := inNamespace(func() error { return nil }); err != nil {
		t.Skip("no network namespaces here:", err)
	}
	dir := t.TempDir()
	err := inNamespace(func() error { return watchBox(t, dir) })
	if err != nil {
		t.Fatal(err)
	}
}

// watchBox sets the network up and plays a day of the appliance. It runs on the box's thread.
func watchBox(t *testing.T, dir string) error {
	caller, stop, err := openCaller()
	if err != nil {
		return err
	}
	defer stop()
	if err := errors.Join(withoutIPv6(), tools("ip link set lo up",
		fmt.Sprintf("ip link add box0 type veth peer name caller0 address %s netns /proc/%d/task/%d/ns/net", callerMAC, os.Getpid(), caller.tid),
		fmt.Sprintf("ip address add %v/24 dev box0", boxAddress), "ip link set box0 up", fmt.Sprintf("ip route add default via %v", callerAddress),
		fmt.Sprintf("ip neighbour replace %v lladdr %s dev box0 nud permanent", callerAddress, callerMAC))); err != nil {
		return err
	}
	if err := caller.do(func() error {
		return tools("ip link set lo up", fmt.Sprintf("ip address add %v/24 dev caller0", callerAddress), "ip link set caller0 up")
	}); err != nil {
		return err
	}
	c, err := openCapture()
	if err != nil {
		return err
	}
	defer unix.Close(c.fd)
	if err := proveCapture(t, c); err != nil {
		return err
	}
	return errors.Join(watchDaemon(t, c, caller, dir), watchCommands(t, c))
}

// proveCapture sends what must not be sent, until it is noticed: a new link takes a moment to carry anything.
func proveCapture(t *testing.T, c *capture) error {
	for _, to := range []string{"198.51.100.53:53", "127.0.0.1:53"} {
		var failure error
		appliancetest.Until(t, patience, "a packet to "+to+" is noticed", func() bool {
			var seen []packet
			failure = sendWord(to)
			if failure == nil {
				seen, failure = c.drain()
			}
			return failure != nil || len(leaves(seen)) > 0
		})
		if failure != nil {
			return failure
		}
	}
	return nil
}

func sendWord(to string) error {
	conn, err := net.Dial("udp", to)
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte("where is the cloud?"))
	if errors.Is(err, syscall.ECONNREFUSED) {
		err = nil // nobody listens; the word has left
	}
	return errors.Join(err, conn.Close())
}

// watchDaemon lets the daemon serve the caller, over TLS, with commands that reach it meanwhile.
func watchDaemon(t *testing.T, c *capture, caller *caller, dir string) error {
	file := dir + ".yaml"
	allow := func(network string) error {
		return os.WriteFile(file, fmt.Appendf(nil, "listen: 0.0.0.0:%d\nhttp:\n  allow: [%s]\n", boxPort, network), 0o600)
	}
	if err := allow("10.99.0.0/24"); err != nil {
		return err
	}
	cmd := daemonCommand("bawab", "serve", "--config", file, "--data", dir)
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &program{t: t, dir: dir, cmd: cmd}
	defer p.stop(syscall.SIGKILL)
	if _, err := awaitDaemon(dir); err != nil {
		return err
	}
	secret, err := exec.Command("bawab", "keys", "add", "caller", "--scopes", "ocr,face,camera", "--data", dir).Output()
	if err != nil {
		return err
	}
	for _, path := range []string{"/readyz", "/v1/ocr/passport", "/v1/ocr/face/match", "/v1/camera/document", "/metrics"} {
		if status, err := caller.ask(path, strings.TrimSpace(string(secret)), samplePassport(t)); err != nil || status == http.StatusForbidden {
			return errors.Join(err, fmt.Errorf("%s: HTTP %d", path, status))
		}
	}
	if err := allow("10.98.0.0/24"); err != nil {
		return err
	}
	for _, args := range [][]string{{"keys", "list"}, {"doctor"}, {"store", "check"}, {"tls", "renew"}, {"reload"}} {
		exec.Command("bawab", append(args, "--config", file, "--data", dir)...).Run() // a failure leaves the machine as little as success
	}
	if status, err := caller.ask("/readyz", "", ""); err != nil || status != http.StatusForbidden {
		return errors.Join(err, fmt.Errorf("off the list: HTTP %d", status))
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		return err
	}
	seen, err := c.drain()
	answers := 0
	for _, s := range seen {
		if s.leaves && s.answer(boxPort) {
			answers++
		}
	}
	if answers < 10 {
		err = errors.Join(err, fmt.Errorf("only %d packets of answers were seen", answers))
	}
	for _, s := range leaves(seen) {
		t.Errorf("the daemon sent %v", s)
	}
	return err
}

// watchCommands runs every subcommand without a daemon.
func watchCommands(t *testing.T, c *capture) error {
	arguments, ran := calls(t), 0
	home := t.TempDir()
	for _, path := range leafCalls(commands(), "") {
		args, listed := arguments[path]
		if listed && args == nil {
			continue
		}
		if !listed {
			args = []string{"--data", home}
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		cmd := exec.CommandContext(ctx, "bawab", append(strings.Fields(path), args...)...)
		cmd.Dir = home
		cmd.Run() // a failure leaves the machine as little as success
		cancel()
		ran++
		seen, err := c.drain()
		if err != nil {
			return err
		}
		for _, s := range leaves(seen) {
			t.Errorf("bawab %s sent %v", path, s)
		}
	}
	if ran < 20 {
		return fmt.Errorf("only %d subcommands ran", ran)
	}
	return nil
}

// caller is the other machine: a thread that does what it is told in its own network.
type caller struct {
	tid  int
	work chan func() error
	done chan error
}

func openCaller() (_ *caller, stop func(), err error) {
	c := &caller{work: make(chan func() error), done: make(chan error)}
	ready := make(chan error, 1)
	go func() {
		ready <- inNamespace(func() error {
			c.tid = unix.Gettid()
			ready <- withoutIPv6()
			for f := range c.work {
				c.done <- f()
			}
			return nil
		})
	}()
	return c, func() { close(c.work) }, <-ready
}

func (c *caller) do(f func() error) error {
	c.work <- f
	return <-c.done
}

// ask sends one request from the caller's machine and returns the status of the answer.
func (c *caller) ask(path, secret, picture string) (status int, err error) {
	var conn net.Conn
	err = c.do(func() (err error) {
		conn, err = net.DialTCP("tcp4", nil, net.TCPAddrFromAddrPort(netip.AddrPortFrom(boxAddress, boxPort)))
		return err
	})
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	client := &http.Client{Timeout: patience, Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil },
	}}
	method, body := http.MethodGet, ""
	if strings.HasPrefix(path, "/v1/") {
		method, body = http.MethodPost, `{"image":"`+picture+`"}`
	}
	req, err := http.NewRequest(method, fmt.Sprintf("https://%v:%d%s", boxAddress, boxPort, path), strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("ApiKey", secret)
	res, err := client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("ask %s: %w", path, err)
	}
	return res.StatusCode, res.Body.Close()
}
