package transport

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/bawab/bawab/appliance"
)

// TestCheckListen: addresses alone are taken, because a name would be asked of the network; loopback is known in each of
// its spellings, and every refusal carries a hint.
func TestCheckListen(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "loopback", "127.8.9.10:1": "loopback", "[::1]:8080": "loopback",
		"localhost:0": "loopback", "[::ffff:127.0.0.1]:80": "loopback",
		"0.0.0.0:8080": "network", "[::]:8080": "network", "192.168.1.5:8080": "network", "[fe80::1%lo]:80": "network",
		":8080": "", "kiosk.local:8080": "", "localhost.evil.example:80": "",
		"127.0.0.1": "", "127.0.0.1:x": "", "127.0.0.1:70000": "", "": "", "8080": "", "127.1:80": "",
	} {
		err := CheckListen(addr)
		if (err == nil) != (want != "") || Loopback(addr) != (want == "loopback") {
			t.Errorf("%q: %v, loopback %v", addr, err, Loopback(addr))
		}
		if e, is := err.(*appliance.Error); err != nil && (!is || e.Hint == "") {
			t.Errorf("%q: no hint with %v", addr, err)
		}
	}
}

// TestListenProblems: each thing that stands in the way of listening has a name and a hint.
func TestListenProblems(t *testing.T) {
	taken := loopback(t)
	tests := map[string]string{
		taken.Addr().String(): "is taken on 127.0.0.1", "192.0.2.1:0": "does not have the address 192.0.2.1", "kiosk:1": "is not a number",
	}
	if _, err := os.Stat("/proc/net/if_inet6"); err != nil {
		tests["[::1]:0"] = "has no IPv6"
	}
	if os.Getuid() != 0 {
		tests["127.0.0.1:79"] = "may not be used"
	}
	for addr, want := range tests {
		l, err := Listen(t.Context(), addr)
		if err == nil {
			l.Close()
		}
		var e *appliance.Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, want) || e.Hint == "" {
			t.Errorf("%s: got %v, want %q with a hint", addr, err, want)
		}
	}
	l, err := Listen(t.Context(), "localhost:0")
	if err != nil || !Loopback(l.Addr().String()) {
		t.Fatalf("localhost: %v", err)
	}
	l.Close()
}

// TestNoIPv6: on a machine without IPv6 the error says so and what to use instead.
func TestNoIPv6(t *testing.T) {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: a thread without a network must not serve others
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			done <- errNoNamespace
			return
		}
		l, err := Listen(context.Background(), "[::1]:0")
		if err == nil {
			l.Close()
		}
		done <- err
	}()
	err := <-done
	if errors.Is(err, errNoNamespace) {
		t.Skip("no network namespaces here")
	}
	var e *appliance.Error
	if !errors.As(err, &e) || !strings.Contains(e.Msg, "has no IPv6") || !strings.Contains(e.Hint, "127.0.0.1") {
		t.Errorf("got %v", err)
	}
}

var errNoNamespace = errors.New("no namespaces")
