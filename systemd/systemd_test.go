package systemd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// analyze runs systemd-analyze or skips the test.
func analyze(t *testing.T, arguments ...string) string {
	t.Helper()
	path, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze on this machine")
	}
	out, err := exec.Command(path, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("systemd-analyze %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// unitFile writes the embedded unit where systemd-analyze can read it. The
// program it starts need not be installed here: another one stands in.
func unitFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), Name)
	text := strings.ReplaceAll(Unit(), Program+" ", "/bin/true ")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVerify: systemd finds nothing to say about the unit, neither an error nor
// an option that it does not know.
func TestVerify(t *testing.T) {
	for line := range strings.Lines(analyze(t, "verify", "--man=no", unitFile(t))) {
		if strings.Contains(line, Name) {
			t.Error(line)
		}
	}
}

// TestExposure: the unit stays at 1.5 or below of systemd's exposure scale,
// where the usual unit has 9.
func TestExposure(t *testing.T) {
	out := analyze(t, "security", "--offline=true", "--no-pager", unitFile(t))
	match := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`).FindStringSubmatch(out)
	if match == nil {
		t.Fatalf("no exposure level in:\n%s", out)
	}
	level, err := strconv.ParseFloat(match[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	if level > 1.5 {
		t.Errorf("exposure level %.1f, at most 1.5:\n%s", level, out)
	}
	t.Logf("exposure level %.1f", level)
}

// TestPromises: the lines that the design asks for are there, whatever the
// score; and the camera is not hidden.
func TestPromises(t *testing.T) {
	lines := make(map[string]bool)
	for line := range strings.Lines(Unit()) {
		lines[strings.TrimSpace(line)] = true
	}
	for _, want := range []string{
		"Type=notify", "ProtectSystem=strict", "DevicePolicy=closed", "DeviceAllow=char-video4linux rw",
		"StateDirectoryMode=0700", "CapabilityBoundingSet=", "SystemCallFilter=@system-service", "User=bawab", "IPAddressDeny=any",
		"IPAddressAllow=localhost",
	} {
		if !lines[want] {
			t.Errorf("line %q is missing", want)
		}
	}
	if !strings.Contains(Unit(), "\nWatchdogSec=") {
		t.Error("no watchdog")
	}
	if strings.Contains(Unit(), "\nPrivateDevices=") {
		t.Error("PrivateDevices hides the camera")
	}
}

// TestAccount: systemd-sysusers understands the account, and it is the one that
// the unit runs as.
func TestAccount(t *testing.T) {
	path, err := exec.LookPath("systemd-sysusers")
	if err != nil {
		t.Skip("no systemd-sysusers on this machine")
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bawab.conf")
	if err := os.WriteFile(file, []byte(Sysusers()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "--root="+root, file).CombinedOutput(); err != nil {
		if os.Getuid() != 0 {
			t.Skipf("making accounts needs root: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	users, err := os.ReadFile(filepath.Join(root, "etc", "passwd"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^bawab:[^\n]*:/var/lib/bawab:/usr/sbin/nologin$`).Match(users) {
		t.Errorf("the accounts are:\n%s", users)
	}
}
