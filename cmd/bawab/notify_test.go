package main

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
		if err = notify(environ, "WATCHDOG=1"); err != nil {
			break
		}
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a full queue gave %v", err)
	}
}
