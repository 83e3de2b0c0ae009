package doctor

import (
	"context"
	"net/netip"
	"os/exec"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/systemd"
)

// Unit compares what systemd lets through to the service with where the daemon listens. A machine without the service
// has nothing to compare.
func Unit(ctx context.Context, cfg *configs.Config) []appliance.Check {
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
		Hint: "`bawab service logs` says why; start it with `sudo bawab service start`",
	}.Detailed(appliance.Phrasef("%s (%s), started again %s times", property["ActiveState"], property["SubState"], property["NRestarts"]))
	checks := []appliance.Check{c}
	alone := !admitsNetwork(property["IPAddressAllow"])
	if far := func(member string) bool { return !transport.Loopback(member) }; alone && slices.ContainsFunc(cfg.Store.Etcd.Endpoints, far) {
		checks = append(checks, appliance.Check{
			Name: "firewall", Detail: "the cluster of the branch is on other machines, but the service may talk to this one alone",
			Hint: "admit their network: `sudo bawab service install --allow 10.0.0.0/8`, then restart the service",
		})
	}
	if alone && !transport.Loopback(cfg.Listen) {
		checks = append(checks, appliance.Check{
			Name: "firewall",
			Hint: "admit your network: `sudo bawab service install --allow 10.0.0.0/8`, then restart the service",
		}.Detailed(appliance.Phrasef("the API listens on %s, but the service may talk to this machine alone", cfg.Listen)))
	}
	return checks
}

// admitsNetwork reports whether a list of systemd's has more than loopback.
func admitsNetwork(list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(item string) bool {
		p, err := netip.ParsePrefix(item)
		return err == nil && !p.Addr().IsLoopback()
	})
}
