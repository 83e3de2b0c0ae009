package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	system "github.com/kardianos/service"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/systemd"
)

// serviceDropIn holds the networks that the unit admits. The unit itself stays as it is shipped.
const serviceDropIn = "/etc/systemd/system/" + systemd.Name + ".d/network.conf"

// unitCopy is where a unit that no package has installed is put.
const unitCopy = "/etc/systemd/system/" + systemd.Name

// packagedUnits are where a package puts the unit.
func packagedUnits() []string {
	return []string{"/usr/lib/systemd/system/" + systemd.Name, "/lib/systemd/system/" + systemd.Name}
}

func serviceCommand() *cobra.Command {
	verb := func(name, short, long string, act func(ctx context.Context, t *terminal) error) *cobra.Command {
		return leaf(&cobra.Command{
			Use: name, Short: short,
			Long: long,
		}, func(*flag.FlagSet) action {
			return func(ctx context.Context, t *terminal, _ []string) error { return act(ctx, t) }
		})
	}
	return group(
		&cobra.Command{
			Use: "service", Short: "install, start and stop the daemon as a system service",
			Long: `Runs the daemon as the systemd service bawab.service, with the unit that this binary carries: as the user bawab, without
any privilege, seeing no other device than cameras, talking to no network that was not named.`,
		},
		leaf(&cobra.Command{
			Use: "install", Short: "make the account and the unit, and let it start with the machine",
			Long: `Makes the user bawab and the unit, and lets the service start with the machine. With a package installed, it only
does what is still missing. --allow admits networks to the service: without it the system lets nothing but this
machine itself reach it, whatever the configuration says. Call it again to change them. Start it with
` + "`bawab service start`" + `.`,
		}, func(fs *flag.FlagSet) action {
			allow := fs.String("allow", "", "`LIST` of networks and addresses that the system lets through, as 10.0.0.0/8,192.168.1.20")
			return func(ctx context.Context, t *terminal, _ []string) error { return installService(ctx, t, *allow) }
		}),
		verb(
			"uninstall",
			"stop the service and remove its unit",
			"Stops the service and removes its unit. Data, configuration and account stay.",
			uninstallService,
		),
		verb(
			"start",
			"start the service",
			"Starts the service and waits until it is ready.",
			func(ctx context.Context, t *terminal) error { return actOnService(ctx, t, "start") },
		),
		verb(
			"stop",
			"stop the service",
			"Stops the service; requests in work get their answers first.",
			func(ctx context.Context, t *terminal) error { return actOnService(ctx, t, "stop") },
		),
		verb("status", "tell how the service is", "Tells whether the service runs. Exit code 1 when it does not.", serviceStatus),
		leaf(&cobra.Command{
			Use: "logs", Short: "print the log of the service",
			Long: "Prints the log of the service since the machine started.",
		}, func(fs *flag.FlagSet) action {
			follow := fs.Bool("follow", false, "go on as the log grows")
			lines := fs.Int("lines", 200, "print the last `N` lines")
			return func(ctx context.Context, t *terminal, _ []string) error { return serviceLogs(ctx, t, *lines, *follow) }
		}),
	)
}

// idle stands in for the program that the library could run itself; the daemon does its own talking to systemd.
type idle struct{}

// Start does nothing.
func (idle) Start(system.Service) error { return nil }

// Stop does nothing.
func (idle) Stop(system.Service) error { return nil }

// openService reaches the service manager. The unit names the binary that calls.
func openService() (system.Service, error) {
	if system.Platform() != "linux-systemd" {
		return nil, serviceError("this machine does not run systemd", "run `bawab serve` under the service manager that it has", nil)
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

func serviceError(msg, hint string, err error) error {
	return &appliance.Error{Op: "service", Msg: msg, Hint: hint, Err: err}
}

func installService(ctx context.Context, t *terminal, allow string) error {
	if os.Geteuid() != 0 {
		return serviceError("only root may install a service", "run `sudo bawab service install`", nil)
	}
	s, err := openService()
	if err != nil {
		return err
	}
	if allow != "" {
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
	if allow != "" {
		fmt.Fprintln(t.out, "the networks are admitted from the next start of the service on")
	}
	_, err = fmt.Fprintln(t.out, "installed: it starts with the machine, or now by `bawab service start`")
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
			return serviceError(
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
		return serviceError("the service manager did not take the unit", "`systemctl status bawab` and `journalctl -u bawab` tell more", err)
	}
	return nil
}

// admitNetworks writes the drop-in that lets networks through to the service.
func admitNetworks(list string) error {
	networks, err := httpapi.ParseAllow(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }))
	if err != nil || len(networks) == 0 {
		return &usageError{msg: "--allow " + fmt.Sprintf("%q", list) + " is no list of networks, as 10.0.0.0/8,192.168.1.20"}
	}
	var b strings.Builder
	b.WriteString("# Written by `bawab service install --allow`.\n[Service]\n")
	for _, n := range networks {
		fmt.Fprintf(&b, "IPAddressAllow=%s\n", n)
	}
	if err := os.MkdirAll(filepath.Dir(serviceDropIn), 0o755); err != nil {
		return fmt.Errorf("admit networks: %w", err)
	}
	if err := os.WriteFile(serviceDropIn, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("admit networks: %w", err)
	}
	return nil
}

// makeAccount lets systemd make the user bawab where there is none.
func makeAccount(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "systemd-sysusers", "-")
	cmd.Stdin = strings.NewReader(systemd.Sysusers())
	if out, err := cmd.CombinedOutput(); err != nil {
		return serviceError(
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
		return serviceError(
			fmt.Sprintf("%s %s failed: %s", name, strings.Join(args, " "), words.OneLine(string(out))),
			"`bawab service logs` tells more",
			err,
		)
	}
	return nil
}

func uninstallService(ctx context.Context, t *terminal) error {
	if packaged() {
		return serviceError("the unit belongs to the package bawab", "remove the package: apt remove bawab, or dnf remove bawab", nil)
	}
	s, err := openService()
	if err != nil {
		return err
	}
	if _, err := os.Stat(unitCopy); errors.Is(err, fs.ErrNotExist) {
		return serviceError("the service is not installed", "there is nothing to remove", nil)
	}
	if err := systemTool(ctx, "systemctl", "stop", systemd.Name); err != nil {
		return err
	}
	if err := s.Uninstall(); err != nil {
		return serviceError("the unit was not removed", "run it as root: `sudo bawab service uninstall`", err)
	}
	if err := os.RemoveAll(filepath.Dir(serviceDropIn)); err != nil {
		return fmt.Errorf("remove networks: %w", err)
	}
	_, err = fmt.Fprintln(t.out, "removed; the data in /var/lib/bawab and the configuration in /etc/bawab stay")
	return err
}

func actOnService(_ context.Context, t *terminal, verb string) error {
	s, err := openService()
	if err != nil {
		return err
	}
	if err := system.Control(s, verb); err != nil {
		return serviceError("the service did not "+verb, "`bawab service logs` says why; only root may do this", err)
	}
	_, err = fmt.Fprintln(t.out, map[string]string{"start": "started", "stop": "stopped"}[verb])
	return err
}

func serviceStatus(_ context.Context, t *terminal) error {
	s, err := openService()
	if err != nil {
		return err
	}
	status, err := s.Status()
	switch {
	case errors.Is(err, system.ErrNotInstalled):
		return serviceError("the service is not installed", "install it with `sudo bawab service install`", nil)
	case err != nil:
		return serviceError("the service has failed", "`bawab service logs` says why", err)
	case status != system.StatusRunning:
		return serviceError("the service is stopped", "start it with `sudo bawab service start`", nil)
	}
	_, err = fmt.Fprintln(t.out, "running; `bawab doctor` tells more")
	return err
}

func serviceLogs(ctx context.Context, t *terminal, lines int, follow bool) error {
	if _, err := openService(); err != nil {
		return err
	}
	args := []string{"--unit", systemd.Name, "--boot", "--no-pager", "--output", "cat", "--lines", fmt.Sprint(lines)}
	if follow {
		args = append(args, "--follow")
	}
	cmd := exec.CommandContext(ctx, "journalctl", args...)
	cmd.Stdout, cmd.Stderr = t.out, t.errs
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return serviceError("the journal could not be read", "run it as root, or as a member of the group systemd-journal", err)
	}
	return nil
}

// checkUnit compares what systemd lets through to the service with where the daemon listens. A machine without the service
// has nothing to compare.
func checkUnit(ctx context.Context, cfg *configs.Config) []appliance.Check {
	out, err := exec.CommandContext(
		ctx,
		"systemctl",
		"show",
		systemd.Name,
		"--property=LoadState,ActiveState,SubState,NRestarts,IPAddressAllow",
	).Output()
	if err != nil {
		return nil
	}
	property := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		property[name] = value
	}
	if property["LoadState"] != "loaded" {
		return nil
	}
	c := appliance.Check{
		Name: "service", OK: property["ActiveState"] == "active",
		Detail: fmt.Sprintf("%s (%s), started again %s times", property["ActiveState"], property["SubState"], property["NRestarts"]),
		Hint:   "`bawab service logs` says why; start it with `sudo bawab service start`",
	}
	checks := []appliance.Check{c}
	alone := !admitsNetwork(property["IPAddressAllow"])
	if far := func(member string) bool { return !httpapi.Loopback(member) }; alone && slices.ContainsFunc(cfg.Store.Etcd.Endpoints, far) {
		checks = append(checks, appliance.Check{
			Name: "firewall", Detail: "the cluster of the branch is on other machines, but the service may talk to this one alone",
			Hint: "admit their network: `sudo bawab service install --allow 10.0.0.0/8`, then restart the service",
		})
	}
	if alone && !httpapi.Loopback(cfg.Listen) {
		checks = append(checks, appliance.Check{
			Name: "firewall", Detail: "the API listens on " + cfg.Listen + ", but the service may talk to this machine alone",
			Hint: "admit your network: `sudo bawab service install --allow 10.0.0.0/8`, then restart the service",
		})
	}
	return checks
}

// admitsNetwork tells whether a list of systemd's has more than loopback.
func admitsNetwork(list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(item string) bool {
		p, err := netip.ParsePrefix(item)
		return err == nil && !p.Addr().IsLoopback()
	})
}
