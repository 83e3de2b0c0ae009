package access

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/transport"
	"github.com/gofiber/fiber/v2"
)

// Policy is what may change while the server runs: who may call, and how often.
type Policy struct {
	// Allow lists who may call, beside loopback, which always may. Nobody else may when it is empty.
	Allow []netip.Prefix
	// Metrics lists who may read /metrics, beside loopback; whoever may call where it is empty.
	Metrics []netip.Prefix
	// Origins lists the web origins whose pages may call, as browsers write them: "https://teller.bank.example". Pages of others get no
	// answer that they can read.
	Origins []string
	// RequestsPerMinute is how many requests one address may send a minute before it is answered 429; 0 sets no limit.
	RequestsPerMinute int
	// WrongKeysPerMinute is how many wrong keys one address may send a minute before it is answered 429.
	WrongKeysPerMinute int
}

// ParseAllow reads addresses and networks, "192.168.1.20" and "10.0.0.0/8".
func ParseAllow(list []string) ([]netip.Prefix, error) {
	var allow []netip.Prefix
	for _, item := range list {
		if a, err := netip.ParseAddr(item); err == nil {
			allow = append(allow, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(item)
		if err != nil {
			return nil, fmt.Errorf("read allowed addresses: %w", err)
		}
		allow = append(allow, p.Masked())
	}
	return allow, nil
}

// SetPolicy replaces the policy. Requests that come from then on are judged by it; what addresses have used up stays
// counted.
func (g *Gate) SetPolicy(p Policy) { g.policy.Store(&p) }

// Admit judges the address of a request before anything else about it is looked at. It is the connection's own;
// headers in which a proxy names another one are not believed.
func (g *Gate) Admit(c *fiber.Ctx, v *Visitor) error {
	a, p := transport.Remote(c), g.policy.Load()
	if !listed(p.Allow, a) {
		return appliance.Errorf(appliance.CodeForbidden,
			"this address is not on the allow list of the appliance: ask its operator to add it to http.allow")
	}
	if v.Wait = g.addresses.Take(a, p.RequestsPerMinute, g.now()); v.Wait > 0 {
		return appliance.Errorf(appliance.CodeTooMany,
			"this address has reached its %d requests a minute: wait and try again", p.RequestsPerMinute)
	}
	return nil
}

// Figures lets in who may read the figures of the appliance.
func (g *Gate) Figures(c *fiber.Ctx) error {
	if p := g.policy.Load(); len(p.Metrics) > 0 && !listed(p.Metrics, transport.Remote(c)) {
		return appliance.Errorf(appliance.CodeForbidden,
			"this address may not read the figures of the appliance: ask its operator to add it to http.metrics_allow")
	}
	return nil
}

// listed reports whether an address is loopback or on a list.
func listed(list []netip.Prefix, a netip.Addr) bool {
	return a.IsLoopback() || slices.ContainsFunc(list, func(n netip.Prefix) bool { return n.Contains(a) })
}
