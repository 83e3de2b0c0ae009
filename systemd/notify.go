package systemd

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Notify tells systemd about the state of the service; without NOTIFY_SOCKET there is nobody to tell.
func Notify(environ []string, state string) error {
	name := Getenv(environ, "NOTIFY_SOCKET")
	if name == "" {
		return nil
	}
	if name[0] == '@' { // an abstract socket
		name = "\x00" + name[1:]
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	defer conn.Close()
	// A service manager that does not read must not keep the daemon from stopping.
	if err := conn.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	if _, err := conn.Write([]byte(state)); err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	return nil
}

// WatchdogInterval is how often the daemon looks after itself and tells that it is alive: twice in the time after
// which the service manager would restart it.
func WatchdogInterval(environ []string) time.Duration {
	us, err := strconv.ParseInt(Getenv(environ, "WATCHDOG_USEC"), 10, 64)
	if err != nil || us < 2 {
		return 15 * time.Second
	}
	return time.Duration(us) * time.Microsecond / 2
}

// KeepsOutput reports whether nobody watches standard output: systemd started this process, the journal records it, or it runs in a
// container, whose output its manager keeps. A secret must not be printed then.
func KeepsOutput(environ []string, out any) bool {
	if Getenv(environ, "NOTIFY_SOCKET") != "" || Getenv(environ, "container") != "" {
		return true
	}
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	device, inode, ok := strings.Cut(Getenv(environ, "JOURNAL_STREAM"), ":")
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && strconv.FormatUint(uint64(s.Dev), 10) == device && strconv.FormatUint(s.Ino, 10) == inode
}

// Getenv returns the last value of a variable, "" when it is not set.
func Getenv(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}
