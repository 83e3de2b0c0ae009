package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/certificate"
	"github.com/bawab/bawab/configs"
)

// networked is a configuration of an appliance that others can call.
func networked(t *testing.T, change func(*configs.Config)) *configs.Config {
	t.Helper()
	cfg, err := configs.Load(configs.Sources{File: os.DevNull, Flags: map[string]string{"listen": "0.0.0.0:0", "data": t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cfg.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cfg)
	}
	return cfg
}

// Each fault of network, certificate and files fails its check, with a hint that names what to do; a sound appliance
// passes all of them.
func TestDoctorNetwork(t *testing.T) {
	now := time.Now()
	sound := networked(t, nil)
	if _, err := certificate.Renew(certificateConfig(sound), now, false); err != nil {
		t.Fatal(err)
	}
	loose := networked(t, nil)
	left := filepath.Join(loose.Data, "bawab.db")
	if err := os.WriteFile(left, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	busy := networked(t, func(c *configs.Config) { c.Listen = taken.Addr().String() })
	brought := networked(t, func(c *configs.Config) { c.TLS.Certificate, c.TLS.Key = left, left })
	tests := []struct {
		name   string
		got    []appliance.Check
		ok     bool
		detail string
	}{
		{"certificate", checkCertificate(sound, now), true, "valid to "},
		{"no certificate yet", checkCertificate(loose, now), true, "the first start makes one"},
		{"certificate about to end", checkCertificate(sound, now.Add(800*24*time.Hour)), false, "is renewed by itself"},
		{"ended certificate", checkCertificate(sound, now.Add(900*24*time.Hour)), false, "expired on"},
		{"certificate that is none", checkCertificate(brought, now), false, "others may read it"},
		{"port", []appliance.Check{checkListen(t.Context(), sound, false)}, true, "with TLS, for this machine and 10.0.0.0/8"},
		{"taken port", []appliance.Check{checkListen(t.Context(), busy, false)}, false, "is taken on 0.0.0.0"},
		{"files", []appliance.Check{checkFiles(sound.Data)}, true, "nobody else can read them"},
		{"loose file", []appliance.Check{checkFiles(loose.Data)}, false, "has mode 0644"},
		{"time source", []appliance.Check{judgeSync(false, nil)}, true, "kept right"},
		{"no time source", []appliance.Check{judgeSync(true, nil)}, false, "no time server"},
		{"time source unknown", []appliance.Check{judgeSync(false, os.ErrPermission)}, false, "does not say"},
	}
	if os.Geteuid() == 0 {
		foreign := networked(t, nil)
		name := filepath.Join(foreign.Data, "bawab.db")
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if os.Chown(foreign.Data, 12345, 12345) == nil {
			tests = append(tests, struct {
				name   string
				got    []appliance.Check
				ok     bool
				detail string
			}{"file of root", []appliance.Check{checkFiles(foreign.Data)}, false, "belongs to another user"})
		}
	}
	for _, tt := range tests {
		if len(tt.got) == 0 {
			t.Errorf("%s: no check", tt.name)
			continue
		}
		got := tt.got[0]
		if got.OK != tt.ok || !strings.Contains(got.Detail, tt.detail) || !tt.ok && got.Hint == "" {
			t.Errorf("%s: got %+v", tt.name, got)
		}
	}
	if print := checkCertificate(sound, now); len(print) != 2 || len(print[1].Detail) != 95 {
		t.Errorf("the fingerprint is not told: %+v", print)
	}
}

// What systemd lets through is told from loopback by its own list.
func TestAdmitsNetwork(t *testing.T) {
	for list, want := range map[string]bool{"": false, "127.0.0.0/8 ::1/128": false, "127.0.0.0/8 ::1/128 10.0.0.0/8": true, "192.168.1.20/32": true, "any": false} {
		if got := admitsNetwork(list); got != want {
			t.Errorf("%q: %v", list, got)
		}
	}
}

// The page of the doctor fits a phone call: every check is one short line, in words and in JSON alike, a broken configuration
// does not keep the others from being made, and its problems are all told. A check that passes has no hint.
func TestDoctorPage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bawab.yaml")
	if err := os.WriteFile(file, []byte("listen: 0.0.0.0:0\nstore:\n  tll: 5m\nqueue:\n  workers: lots\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := func(args ...string) (string, error) {
		var out strings.Builder
		err := run(t.Context(), &terminal{in: strings.NewReader(""), out: &out, errs: &out}, append([]string{"doctor", "--data", filepath.Join(dir, "d")}, args...))
		return out.String(), err
	}
	broken, err := page("--config", file)
	if err == nil {
		t.Error("a broken configuration is no failure")
	}
	for _, want := range []string{"FAIL configuration", "store.tll is not a configuration key", `queue.workers is "lots"`, "ok   processor", "ok   model lines", "ok   clock"} {
		if !strings.Contains(broken, want) {
			t.Errorf("%q is missing in\n%s", want, broken)
		}
	}
	whole, err := page()
	if err != nil {
		t.Errorf("%v:\n%s", err, whole)
	}
	for line := range strings.Lines(whole) {
		if len(line) > 240 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	if n := strings.Count(whole, "\n"); n > 45 {
		t.Errorf("%d lines are more than a page", n)
	}
	text, err := page("--json")
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Form   string
		Checks []struct {
			Name string
			OK   bool
			Hint string
		}
	}
	hints := strings.Count(whole, "\n     hint: ")
	if err := json.Unmarshal([]byte(text), &report); err != nil || report.Form != "bawab-doctor/1" || len(report.Checks) != strings.Count(whole, "\n")-hints {
		t.Errorf("%v: %d checks in %s, %d lines in words", err, len(report.Checks), report.Form, strings.Count(whole, "\n"))
	}
	for _, c := range report.Checks {
		if c.OK && c.Hint != "" {
			t.Errorf("%s passes and has the hint %q", c.Name, c.Hint)
		}
	}
}

// A daemon is found by its command line, wherever --data stands in it and from whichever folder it was started; other programs,
// other commands and processes that have gone are passed over.
func TestDaemonFolders(t *testing.T) {
	proc := t.TempDir()
	for pid, args := range map[string][]string{
		"10": {"/usr/bin/bawab", "serve", "--listen", "127.0.0.1:0", "--data", "var"}, "11": {"bawab", "serve", "--data=/srv/kiosk"},
		"12": {"bawab", "serve"}, "13": {"bawab", "doctor", "--data", "x"}, "14": {"bash", "serve", "--data", "y"},
		"15": {"bawab", "serve", "--data"}, "16": {}, "17": {"bawab", "serve", "--data", "/srv/kiosk"},
	} {
		dir := filepath.Join(proc, pid)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "cmdline"), []byte(strings.Join(args, "\x00")+"\x00"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/home/op", filepath.Join(dir, "cwd")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(proc, "18"), 0o700); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/home/op/var", "/srv/kiosk"}, daemonFolders(proc)); diff != "" {
		t.Error(diff)
	}
}

// A check that is worth a look is told with its hint, in a word of its own, and breaks nothing.
func TestMinorCheck(t *testing.T) {
	var out strings.Builder
	if !printChecks(&out, []appliance.Check{judgeSync(true, nil)}) {
		t.Error("a missing time source breaks the appliance")
	}
	if !strings.HasPrefix(out.String(), "warn time source") || !strings.Contains(out.String(), "hint: ") {
		t.Errorf("printed as %q", out.String())
	}
}
