// Package service runs the daemon as a service of systemd, with the unit that this binary carries.
package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	system "github.com/kardianos/service"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/systemd"
)

// dropIn holds the networks that the unit admits. The unit itself stays as it is shipped.
const dropIn = "/etc/systemd/system/" + systemd.Name + ".d/network.conf"

// unitCopy is where a unit that no package has installed is put.
const unitCopy = "/etc/systemd/system/" + systemd.Name

// packagedUnits are where a package puts the unit.
func packagedUnits() []string {
	return []string{"/usr/lib/systemd/system/" + systemd.Name, "/lib/systemd/system/" + systemd.Name}
}

// idle stands in for the program that the library could run itself; the daemon does its own talking to systemd.
type idle struct{}

// Start does nothing.
func (idle) Start(system.Service) error { return nil }

// Stop does nothing.
func (idle) Stop(system.Service) error { return nil }

// open reaches the service manager. The unit names the binary that calls.
func open() (system.Service, error) {
	if system.Platform() != "linux-systemd" {
		return nil, fault("this machine does not run systemd", "run `bawab serve` under the service manager that it has", nil)
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	s, err := system.New(idle{}, &system.Config{
		Name:   strings.TrimSuffix(systemd.Name, ".service"),
		Option: system.KeyValue{"SystemdScript": strings.ReplaceAll(systemd.Unit(), systemd.Program+" ", program+" ")},
	})
	if err != nil {
		return nil, fmt.Errorf("reach the service manager: %w", err)
	}
	return s, nil
}

// fault is an error of this package, with what to do.
func fault(msg, hint string, err error) error {
	return &appliance.Error{Op: "service", Msg: msg, Hint: hint, Err: err}
}

// Install makes the account and the unit, and lets the service start with the machine; with a package installed, it does what is still
// missing. The system lets the networks through to the service; with none, those that were admitted before stay. It says on out how
// to go on. Only root may.
func Install(ctx context.Context, out io.Writer, allow []netip.Prefix) error {
	if os.Geteuid() != 0 {
		return fault("only root may install a service", "run `sudo bawab service install`", nil)
	}
	s, err := open()
	if err != nil {
		return err
	}
	if len(allow) > 0 {
		if err := admitNetworks(allow); err != nil {
			return err
		}
	}
	if err := makeAccount(ctx); err != nil {
		return err
	}
	if packaged() {
		err = systemTool(ctx, "systemctl", "enable", systemd.Name)
	} else {
		err = installUnit(s)
	}
	if err == nil {
		err = systemTool(ctx, "systemctl", "daemon-reload")
	}
	if err != nil {
		return err
	}
	if len(allow) > 0 {
		fmt.Fprintln(out, "the networks are admitted from the next start of the service on")
	}
	_, err = fmt.Fprintln(out, "installed: it starts with the machine, or now by `bawab service start`")
	return err
}

func packaged() bool {
	return slices.ContainsFunc(packagedUnits(), func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	})
}

// installUnit writes the unit, in place of one of an earlier version. The service could not see a binary in a home or in /tmp.
func installUnit(s system.Service) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	for _, hidden := range []string{"/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"} {
		if strings.HasPrefix(program, hidden) {
			return fault(
				"the service could not see "+program,
				"copy it to "+systemd.Program+" and call that one: home folders and /tmp are hidden from the service",
				nil,
			)
		}
	}
	if err := os.Remove(unitCopy); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace unit: %w", err)
	}
	if err := s.Install(); err != nil {
		return fault("the service manager did not take the unit", "`systemctl status bawab` and `journalctl -u bawab` tell more", err)
	}
	return nil
}

// admitNetworks writes the drop-in that lets networks through to the service.
func admitNetworks(networks []netip.Prefix) error {
	var b strings.Builder
	b.WriteString("# Written by `bawab service install --allow`.\n[Service]\n")
	for _, n := range networks {
		fmt.Fprintf(&b, "IPAddressAllow=%s\n", n)
	}
	if err := os.MkdirAll(filepath.Dir(dropIn), 0o755); err != nil {
		return fmt.Errorf("admit networks: %w", err)
	}
	if err := os.WriteFile(dropIn, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("admit networks: %w", err)
	}
	return nil
}

// makeAccount lets systemd make the user bawab where there is none.
func makeAccount(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "systemd-sysusers", "-")
	cmd.Stdin = strings.NewReader(systemd.Sysusers())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fault(
			"the user bawab could not be made: "+words.OneLine(string(out)),
			"make it by hand: useradd --system --home-dir /var/lib/bawab --shell /usr/sbin/nologin bawab",
			err,
		)
	}
	return nil
}

// systemTool runs a program of the system; what it says goes into the error.
func systemTool(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fault(
			fmt.Sprintf("%s %s failed: %s", name, strings.Join(args, " "), words.OneLine(string(out))),
			"`bawab service logs` tells more",
			err,
		)
	}
	return nil
}

// Uninstall stops the service and removes its unit. Data, configuration and account stay.
func Uninstall(ctx context.Context, out io.Writer) error {
	if packaged() {
		return fault("the unit belongs to the package bawab", "remove the package: apt remove bawab, or dnf remove bawab", nil)
	}
	s, err := open()
	if err != nil {
		return err
	}
	if _, err := os.Stat(unitCopy); errors.Is(err, fs.ErrNotExist) {
		return fault("the service is not installed", "there is nothing to remove", nil)
	}
	if err := systemTool(ctx, "systemctl", "stop", systemd.Name); err != nil {
		return err
	}
	if err := s.Uninstall(); err != nil {
		return fault("the unit was not removed", "run it as root: `sudo bawab service uninstall`", err)
	}
	if err := os.RemoveAll(filepath.Dir(dropIn)); err != nil {
		return fmt.Errorf("remove networks: %w", err)
	}
	_, err = fmt.Fprintln(out, "removed; the data in /var/lib/bawab and the configuration in /etc/bawab stay")
	return err
}

// Act starts or stops the service; verb is start or stop.
func Act(out io.Writer, verb string) error {
	s, err := open()
	if err != nil {
		return err
	}
	if err := system.Control(s, verb); err != nil {
		return fault("the service did not "+verb, "`bawab service logs` says why; only root may do this", err)
	}
	_, err = fmt.Fprintln(out, map[string]string{"start": "started", "stop": "stopped"}[verb])
	return err
}

// Status says on out that the service runs; that it does not is an error.
func Status(out io.Writer) error {
	s, err := open()
	if err != nil {
		return err
	}
	status, err := s.Status()
	switch {
	case errors.Is(err, system.ErrNotInstalled):
		return fault("the service is not installed", "install it with `sudo bawab service install`", nil)
	case err != nil:
		return fault("the service has failed", "`bawab service logs` says why", err)
	case status != system.StatusRunning:
		return fault("the service is stopped", "start it with `sudo bawab service start`", nil)
	}
	_, err = fmt.Fprintln(out, "running; `bawab doctor` tells more")
	return err
}

// Logs prints the last lines of the log since the machine started, and goes on as it grows if follow is set.
func Logs(ctx context.Context, out, errs io.Writer, lines int, follow bool) error {
	if _, err := open(); err != nil {
		return err
	}
	args := []string{"--unit", systemd.Name, "--boot", "--no-pager", "--output", "cat", "--lines", fmt.Sprint(lines)}
	if follow {
		args = append(args, "--follow")
	}
	cmd := exec.CommandContext(ctx, "journalctl", args...)
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fault("the journal could not be read", "run it as root, or as a member of the group systemd-journal", err)
	}
	return nil
}
