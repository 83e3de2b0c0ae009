package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/systemd"
)

// serviceSession plays installer and operator on a machine of its own, with stand-ins for the tools of systemd, and
// prints what is there after each step.
const serviceSession = `set -eu
mount -t tmpfs none /run
mount -t tmpfs none /etc/systemd && mkdir -p /etc/systemd/system
mount -t tmpfs none /usr/lib/systemd && mkdir -p /usr/lib/systemd/system
mount -t tmpfs none /opt && touch /opt/bawab && mount --bind "$PROGRAM" /opt/bawab
say() { echo "== $1"; }
say other; for verb in start stop status logs; do "$PROGRAM" service $verb 2>&1 || echo "exit $?"; done
mkdir -p /run/systemd/system
say hidden; "$PROGRAM" service install 2>&1 || true
say absent; /opt/bawab service status 2>&1 || true
say install; /opt/bawab service install --allow 10.0.0.0/8,192.168.1.20
say unit; cat /etc/systemd/system/bawab.service
say dropin; cat /etc/systemd/system/bawab.service.d/network.conf
say again; /opt/bawab service install
say active; ACTIVE=active /opt/bawab service status
say failed; ACTIVE=failed /opt/bawab service status 2>&1 || true
say start; /opt/bawab service start; /opt/bawab service stop; /opt/bawab service logs --lines 5
say doctor; ACTIVE=active BAWAB_LISTEN=0.0.0.0:8443 /opt/bawab doctor --data /run/none || true
say uninstall; /opt/bawab service uninstall; ls -A /etc/systemd/system
say package; touch /usr/lib/systemd/system/bawab.service; /opt/bawab service install; ls -A /etc/systemd/system
/opt/bawab service uninstall 2>&1 || true
say wrong; /opt/bawab service install --allow everything 2>&1 || true
say calls; cat "$CALLS"
`

// standIns answer for systemctl, journalctl and systemd-sysusers and write down how they were called.
var standIns = map[string]string{
	"systemctl": `echo "systemctl $*" >>"$CALLS"
case "$*" in
is-active*) echo "${ACTIVE:-inactive}"; [ "${ACTIVE:-}" = active ] ;;
list-unit-files*) if [ -e /etc/systemd/system/bawab.service ]; then echo bawab.service; fi ;;
show*) printf 'LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts=3\nIPAddressAllow=127.0.0.0/8 ::1/128\n' ;;
--version) echo "systemd 252 (252)" ;;
esac`,
	"journalctl":       `echo "journalctl $*" >>"$CALLS"`,
	"systemd-sysusers": `echo "sysusers $*" >>"$CALLS"; cat >>"$CALLS"`,
}

// A service is installed with exactly the unit that this binary carries, admits the networks that were named, is driven
// through systemd, and leaves nothing but its data; a machine without systemd is told so; a unit of a package is never copied nor removed.
func TestService(t *testing.T) {
	if out, err := exec.Command("unshare", "-m", "true").CombinedOutput(); err != nil {
		t.Skipf("no mount namespaces here: %s", out)
	}
	program, err := exec.LookPath("bawab")
	if err != nil {
		t.Fatal(err)
	}
	tools, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
	for name, text := range standIns {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("unshare", "-m", "sh", "-c", serviceSession)
	cmd.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "PROGRAM="+program, "CALLS="+calls)
	raw, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	said := map[string]string{}
	for part := range strings.SplitSeq(string(raw), "== ") {
		name, text, _ := strings.Cut(part, "\n")
		said[name] = text
	}
	if want := strings.ReplaceAll(systemd.Unit(), systemd.Program+" ", "/opt/bawab "); said["unit"] != want {
		t.Errorf("the unit is\n%s", said["unit"])
	}
	if s := said["other"]; strings.Count(s, "error: service: this machine does not run systemd\nhint: ") != 4 || strings.Count(s, "exit 1\n") != 4 {
		t.Errorf("without systemd the four commands say\n%s", s)
	}
	for name, want := range map[string]string{
		"hidden":    "the service could not see",
		"absent":    "the service is not installed",
		"install":   "installed: it starts with the machine",
		"dropin":    "[Service]\nIPAddressAllow=10.0.0.0/8\nIPAddressAllow=192.168.1.20/32\n",
		"again":     "installed: it starts with the machine",
		"active":    "running; `bawab doctor` tells more",
		"failed":    "the service has failed",
		"start":     "started\nstopped\n",
		"doctor":    "FAIL firewall            the API listens on 0.0.0.0:8443",
		"uninstall": "removed; the data in /var/lib/bawab",
		"package":   "the unit belongs to the package bawab",
		"wrong":     `--allow "everything" is no list of networks`,
	} {
		if !strings.Contains(said[name], want) {
			t.Errorf("%s says\n%s\nwant %q", name, said[name], want)
		}
	}
	if strings.Contains(said["uninstall"], "bawab.service") || strings.Contains(strings.ReplaceAll(said["package"], "bawab service", ""), "bawab.service") {
		t.Errorf("left behind:\n%s%s", said["uninstall"], said["package"])
	}
	for _, want := range []string{
		"systemctl enable bawab.service\n", "systemctl daemon-reload\n", "systemctl start bawab.service\n", "systemctl stop bawab.service\n",
		"systemctl disable bawab.service\n", "journalctl --unit bawab.service --boot --no-pager --output cat --lines 5\n", "sysusers -\n" + systemd.Sysusers(),
	} {
		if !strings.Contains(said["calls"], want) {
			t.Errorf("the tools were called\n%s\nwant %q", said["calls"], want)
		}
	}
}
