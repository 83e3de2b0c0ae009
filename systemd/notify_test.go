package systemd

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// TestNotifyDeaf: a service manager that never reads costs a notification, not the daemon.
func TestNotifyDeaf(t *testing.T) {
	name := filepath.Join(t.TempDir(), "deaf.sock")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	environ := []string{"NOTIFY_SOCKET=" + name}
	for range 10_000 { // the queue of a datagram socket is far shorter
		if err = Notify(environ, "WATCHDOG=1"); err != nil {
			break
		}
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a full queue gave %v", err)
	}
}

// TestKeepsOutput: no secret is printed where systemd or a container's manager keeps the output, and one is where a person looks.
func TestKeepsOutput(t *testing.T) {
	for environ, want := range map[string]bool{
		"HOME=/root": false, "NOTIFY_SOCKET=/run/x": true, "container=oci": true, "container=": false, "JOURNAL_STREAM=1:2": false,
	} {
		if got := KeepsOutput([]string{environ}, os.Stdout); got != want {
			t.Errorf("%s: %v", environ, got)
		}
	}
}
